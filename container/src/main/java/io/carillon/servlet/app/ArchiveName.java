package io.carillon.servlet.app;

import java.util.Locale;
import java.util.regex.Pattern;

/** What two versions of an archive have in common: the file name without its version. */
public final class ArchiveName {
    /** As in {@code shop-1.2.war}, {@code shop_v3} and {@code shop-1.0-SNAPSHOT.sar}. */
    private static final Pattern VERSION = Pattern.compile("[-_.]v?\\d[\\w.+-]*$");

    private ArchiveName() {}

    /** Is the one archive another version of the other, as far as their file names tell? */
    public static boolean sameArchive(String one, String other) {
        return stem(one).equals(stem(other));
    }

    private static String stem(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        if (name.endsWith(".war") || name.endsWith(".sar")) {
            name = name.substring(0, name.length() - 4);
        }
        return VERSION.matcher(name).replaceFirst("");
    }
}
