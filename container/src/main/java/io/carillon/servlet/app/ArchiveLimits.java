package io.carillon.servlet.app;

/**
 * What an archive may unpack to: one made to fill the disk is refused.
 *
 * @param maxEntries files and folders
 * @param maxFileBytes bytes of one file
 * @param maxTotalBytes bytes of all files
 */
public record ArchiveLimits(int maxEntries, long maxFileBytes, long maxTotalBytes) {
    /** 20,000 entries, 512 MB a file, 1 GB in all. */
    public static final ArchiveLimits DEFAULT = new ArchiveLimits(20_000, 512L << 20, 1L << 30);
}
