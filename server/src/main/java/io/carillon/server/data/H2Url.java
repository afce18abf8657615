package io.carillon.server.data;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A JDBC URL that names a file of H2, as H2 reads it.
 *
 * @param text of the URL
 * @param base the file without what H2 adds to its name
 */
record H2Url(String text, Path base) {
    private static final String H2 = "jdbc:h2:";

    /**
     * Null where it is another database, or one of H2 that is no plain file of this machine: in
     * memory, at a server, in an archive.
     */
    static @Nullable H2Url of(String url) {
        if (!url.startsWith(H2)) {
            return null;
        }
        int end = url.indexOf(';');
        String name = url.substring(H2.length(), end < 0 ? url.length() : end);
        if (name.startsWith("file:")) {
            name = name.substring("file:".length());
        }
        if (name.startsWith("~")) {
            name = System.getProperty("user.home") + name.substring(1);
        }
        // What is left before a colon is another way to keep the data; but a drive has one letter.
        if (name.isEmpty() || name.indexOf(':', 2) >= 0) {
            return null;
        }
        return new H2Url(url, Path.of(name).toAbsolutePath().normalize());
    }

    /** Does the URL have this setting, which H2 reads in any case of letters? */
    boolean has(String setting) {
        return text.toUpperCase(Locale.ROOT).contains(";" + setting + "=");
    }

    /** The name that all of its files begin with. */
    String name() {
        return String.valueOf(base.getFileName());
    }

    Path folder() {
        Path parent = base.getParent();
        return parent == null ? base : parent;
    }

    /** The file of that ending. */
    Path beside(String ending) {
        return base.resolveSibling(name() + ending);
    }
}
