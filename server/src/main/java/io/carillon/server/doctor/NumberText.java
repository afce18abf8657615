package io.carillon.server.doctor;

import java.util.Locale;

/** Numbers as people read them. */
final class NumberText {
    private static final long KIB = 1024;
    private static final long MIB = KIB * KIB;
    private static final long GIB = MIB * KIB;

    private NumberText() {}

    /**
     * Bytes in the largest unit that leaves at least 1; with one digit behind the point where there
     * is one.
     */
    static String bytes(long bytes) {
        if (bytes >= GIB) {
            return tenths((double) bytes / GIB) + " GiB";
        }
        if (bytes >= MIB) {
            return tenths((double) bytes / MIB) + " MiB";
        }
        return bytes >= KIB ? tenths((double) bytes / KIB) + " KiB" : bytes + " bytes";
    }

    /** As in 12,345. */
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String tenths(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /** A part as percent. */
    static String percent(double part) {
        return tenths(part * 100) + " %";
    }
}
