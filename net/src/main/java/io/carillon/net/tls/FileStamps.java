package io.carillon.net.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How files looked at one time, behind all links: renewals that swap a link (as certificate robots
 * do, and mounted secrets) are seen as well as files that are written anew. Immutable.
 */
record FileStamps(Map<Path, Stamp> stamps) {

    /**
     * One file; all parts null or 0 where there is none.
     *
     * @param changed last change
     * @param bytes its size
     * @param identity device and inode, where the system has such
     */
    record Stamp(@Nullable FileTime changed, long bytes, @Nullable Object identity) {}

    static FileStamps of(Collection<Path> files) {
        Map<Path, Stamp> stamps = new HashMap<>();
        for (Path file : files) {
            stamps.put(file, stamp(file));
        }
        return new FileStamps(Map.copyOf(stamps));
    }

    private static Stamp stamp(Path file) {
        try {
            BasicFileAttributes read = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(
                    read.lastModifiedTime(), read.size(), Objects.toString(read.fileKey(), null));
        } catch (IOException e) {
            return new Stamp(null, 0, null); // is not there now; its coming back is a change
        }
    }
}
