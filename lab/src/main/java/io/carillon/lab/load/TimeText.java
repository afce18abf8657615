package io.carillon.lab.load;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as people write them on a command line. */
final class TimeText {
    private static final Pattern FORM = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|m|h)?");

    private TimeText() {}

    /**
     * Reads {@code 200ms}, {@code 30s}, {@code 10m}, {@code 1h}; a bare number is seconds.
     *
     * @throws IllegalArgumentException with a sentence for any other text
     */
    static Duration parse(String text) {
        Matcher m = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "a time is written like 200ms, 30s, 10m or 1h, not " + text);
        }
        double unit =
                switch (m.group(2) == null ? "s" : m.group(2)) {
                    case "ms" -> 1e6;
                    case "m" -> 60e9;
                    case "h" -> 3600e9;
                    default -> 1e9;
                };
        double nanos = Double.parseDouble(m.group(1)) * unit;
        if (nanos > 366 * 24 * 3600e9) {
            throw new IllegalArgumentException("a time of at most a year is taken, not " + text);
        }
        return Duration.ofNanos((long) nanos);
    }

    /** {@code 1:05}, {@code 1:02:03}: for progress. */
    static String clock(long seconds) {
        return seconds < 3600
                ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
                : String.format(
                        Locale.ROOT,
                        "%d:%02d:%02d",
                        seconds / 3600,
                        seconds / 60 % 60,
                        seconds % 60);
    }
}
