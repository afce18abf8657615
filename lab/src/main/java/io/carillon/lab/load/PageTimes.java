package io.carillon.lab.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How long requests of pages took, from sending to the whole answer. Any thread. */
final class PageTimes {
    private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Histogram nanos = new Histogram(MOST_NANOS, 3);

    void took(long time) {
        synchronized (nanos) {
            nanos.recordValue(Math.clamp(time, 1, MOST_NANOS));
        }
    }

    /** Writes them as JSON: number of requests, percentiles in milliseconds. */
    void write(Path file) throws IOException {
        String text;
        synchronized (nanos) {
            text =
                    String.format(
                            Locale.ROOT,
                            "{\"requests\":%d,\"p50Millis\":%.3f,\"p95Millis\":%.3f,"
                                    + "\"p99Millis\":%.3f,\"maxMillis\":%.3f}%n",
                            nanos.getTotalCount(),
                            millis(50),
                            millis(95),
                            millis(99),
                            millis(100));
        }
        Files.writeString(file, text);
    }

    private double millis(double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1e6;
    }
}
