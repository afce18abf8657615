package io.carillon.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file of keys: one a line, {@code #} begins a comment. Stateless. */
public final class KeyLines {
    private static final Logger LOG = LoggerFactory.getLogger(KeyLines.class);

    private KeyLines() {}

    /**
     * The keys, in their order; a file that everybody on the machine can read is warned of.
     *
     * @throws IOException when it cannot be read
     */
    public static List<String> read(Path file) throws IOException {
        List<String> keys =
                Files.readAllLines(file, UTF_8).stream()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                        .toList();
        warnOfReaders(file);
        return keys;
    }

    /** Says so where everybody on the machine can read a file of keys or passwords. */
    static void warnOfReaders(Path file) throws IOException {
        if (Files.getFileStore(file).supportsFileAttributeView("posix")
                && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
            LOG.warn("Everybody on this machine can read {}: chmod 600", file);
        }
    }
}
