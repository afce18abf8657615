package io.carillon.lab.study;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** What is reachable in the heap of another JVM of this machine. Stateless. */
final class LiveHeap {
    private LiveHeap() {}

    /** Bytes of reachable objects; a whole collection is made for it, which stops that JVM. */
    static long of(long pid) throws IOException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process histogram =
                new ProcessBuilder(jcmd, Long.toString(pid), "GC.class_histogram")
                        .redirectErrorStream(true)
                        .start();
        String text = new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return totalBytes(text);
    }

    static long totalBytes(String histogram) throws IOException {
        String[] fields =
                histogram
                        .lines()
                        .filter(line -> line.startsWith("Total"))
                        .findFirst()
                        .orElse("")
                        .split("\\s+");
        if (fields.length < 3) {
            throw new IOException("jcmd GC.class_histogram said: " + histogram.strip());
        }
        return Long.parseLong(fields[2]);
    }
}
