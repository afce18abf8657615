package io.carillon.servlet.route;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * How a file is told from its next version without reading it. Immutable.
 *
 * @param modifiedMillis since 1970
 * @param size in bytes; -1 when it cannot be seen
 * @param key what the file system knows it by: another one when it was replaced
 */
record Stamp(long modifiedMillis, long size, String key) {
    static final Stamp NONE = new Stamp(0, -1, "");

    static Stamp of(@Nullable Path path) {
        if (path == null) {
            return NONE;
        }
        try {
            BasicFileAttributes seen = Files.readAttributes(path, BasicFileAttributes.class);
            return new Stamp(
                    seen.lastModifiedTime().toMillis(),
                    seen.size(),
                    String.valueOf(seen.fileKey()));
        } catch (IOException gone) {
            return NONE; // while it is being replaced: the next look finds the new one
        }
    }
}
