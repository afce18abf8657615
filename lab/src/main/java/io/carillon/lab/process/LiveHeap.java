package io.carillon.lab.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is reachable in the heap of another JVM of this machine. Stateless. */
public final class LiveHeap {
    /** Number, instances, bytes and class. */
    private static final Pattern ROW = Pattern.compile("^\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+(\\S+)");

    private LiveHeap() {}

    /** Bytes of reachable objects; a whole collection is made for it, which stops that JVM. */
    public static long of(long pid) throws IOException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process histogram =
                new ProcessBuilder(jcmd, Long.toString(pid), "GC.class_histogram")
                        .redirectErrorStream(true)
                        .start();
        return bytes(new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }

    /** The sum of a histogram. */
    static long bytes(String histogram) throws IOException {
        long bytes = 0;
        for (String line : histogram.split("\n")) {
            Matcher row = ROW.matcher(line);
            // A collector that leaves gaps fills them with objects of its own.
            if (row.find() && !row.group(2).contains(".Filler")) {
                bytes += Long.parseLong(row.group(1));
            }
        }
        if (bytes == 0) {
            throw new IOException("jcmd GC.class_histogram said: " + histogram.strip());
        }
        return bytes;
    }
}
