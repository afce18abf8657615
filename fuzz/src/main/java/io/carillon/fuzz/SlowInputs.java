package io.carillon.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Inputs that took long in a run. Jazzer takes the time of the wall clock: whoever stops the
 * process, or the machine, makes an input slow that is not. So each is tried again by itself. One
 * thread.
 */
final class SlowInputs {
    private static final Pattern EXECUTED = Pattern.compile("Executed \\S+ in (\\d+) ms");

    /** Files of theirs. */
    private final List<Path> found = new ArrayList<>();

    private long leastMillis;

    /** Is that the file of one, as Jazzer names it? */
    static boolean is(String file) {
        return file.contains("/slow-unit-") || file.contains("/timeout-");
    }

    void add(String file) {
        found.add(Path.of(file));
    }

    List<Path> found() {
        return found;
    }

    /** One of them is tried from here on, some times: the first time loads what it needs. */
    void begin() {
        leastMillis = Long.MAX_VALUE;
    }

    /** Takes out of a line of Jazzer's how long it took. */
    void read(String line) {
        Matcher executed = EXECUTED.matcher(line);
        if (executed.find()) {
            leastMillis = Math.min(leastMillis, Long.parseLong(executed.group(1)));
        }
    }

    /** Did it take a second at most, once? */
    boolean quick() {
        return leastMillis <= 1_000;
    }

    /** All were quick: their files go. */
    void forget() throws IOException {
        for (Path file : found) {
            Files.deleteIfExists(file);
        }
        found.clear();
    }
}
