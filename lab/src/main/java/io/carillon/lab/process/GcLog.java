package io.carillon.lab.process;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a JVM's log of its collector ({@code -Xlog:gc,gc+phases:...:uptime}). Stateless. */
public final class GcLog {
    /** {@code [12.345s] GC(3) Y: Pause Mark Start (Major) 0.012ms}. */
    private static final Pattern PAUSE =
            Pattern.compile("\\[([0-9.]+)s\\].*\\bPause .*?([0-9.]+)ms\\s*$");

    private GcLog() {}

    /** Milliseconds of the pauses from that moment of the JVM's life on, shortest first. */
    public static List<Double> pauses(List<String> lines, double fromSeconds) {
        return lines.stream()
                .map(PAUSE::matcher)
                .filter(Matcher::find)
                .filter(pause -> Double.parseDouble(pause.group(1)) >= fromSeconds)
                .map(pause -> Double.parseDouble(pause.group(2)))
                .sorted()
                .toList();
    }
}
