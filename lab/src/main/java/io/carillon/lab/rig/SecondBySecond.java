package io.carillon.lab.rig;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * SIPp's counts of messages by second, from the table that it writes once a second ({@code
 * -trace_counts}, {@code -fd 1}) and whose columns grow from line to line.
 */
public final class SecondBySecond {
    private SecondBySecond() {}

    /** The time of the first line, in seconds since 1970. */
    public static double begin(Path folder) throws IOException {
        return seconds(lines(folder, "*_counts.csv").get(1));
    }

    /**
     * Messages that were repeated in each second.
     *
     * @param begin of the first second, as {@link #begin} has it
     * @param seconds how many; what comes later counts with the last
     */
    public static long[] retransmissions(Path folder, double begin, int seconds)
            throws IOException {
        return retransmissions(lines(folder, "*_counts.csv"), begin, seconds);
    }

    public static long[] retransmissions(List<String> lines, double begin, int seconds) {
        String[] names = lines.getFirst().split(";", -1);
        long[] repeated = new long[seconds];
        long before = 0;
        for (String line : lines.subList(1, lines.size())) {
            String[] values = line.split(";", -1);
            long sum = 0;
            for (int i = 0; i < Math.min(names.length, values.length); i++) {
                if (names[i].endsWith("_Retrans") && !values[i].isBlank()) {
                    sum += Long.parseLong(values[i].strip());
                }
            }
            // A line of second n is written at its end.
            int second = (int) Math.round(seconds(line) - begin) - 1;
            repeated[Math.clamp(second, 0, seconds - 1)] += sum - before;
            before = sum;
        }
        return repeated;
    }

    /**
     * Longest time from INVITE to its 200 in each second, in milliseconds ({@code -trace_rtt},
     * whose first column is the milliseconds since SIPp began).
     */
    public static double[] longestAnswers(Path folder, int seconds) throws IOException {
        double[] longest = new double[seconds];
        for (String line : lines(folder, "*_rtt.csv")) {
            String[] fields = line.split(";", -1);
            if (fields.length > 1 && !fields[0].startsWith("Date")) {
                double answered = Double.parseDouble(fields[0]);
                double took = Double.parseDouble(fields[1]);
                int second = Math.clamp((int) ((answered - took) / 1000), 0, seconds - 1);
                longest[second] = Math.max(longest[second], took);
            }
        }
        return longest;
    }

    /** The first column ends with the seconds since 1970, behind the date and the time. */
    private static double seconds(String line) {
        String time = line.substring(0, line.indexOf(';'));
        return Double.parseDouble(time.substring(time.lastIndexOf('\t') + 1));
    }

    private static List<String> lines(Path folder, String glob) throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, glob)) {
            for (Path file : found) {
                List<String> lines = Files.readAllLines(file);
                if (lines.size() > 1) {
                    return lines;
                }
            }
        }
        throw new IOException("SIPp left no " + glob + " in " + folder);
    }
}
