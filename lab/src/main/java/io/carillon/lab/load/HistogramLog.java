package io.carillon.lab.load;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/**
 * The file of {@code --histogram-log}: the response times of each second, microseconds, in
 * HdrHistogram's interval log. Owner: the thread that runs the load.
 */
final class HistogramLog implements AutoCloseable {
    private final @Nullable PrintStream file;
    private final @Nullable HistogramLogWriter writer;
    private long lastMillis = System.currentTimeMillis();

    /** Opens the file; null when none is wanted. */
    HistogramLog(@Nullable Path path) throws IOException {
        file = path == null ? null : new PrintStream(Files.newOutputStream(path));
        writer = file == null ? null : new HistogramLogWriter(file);
        if (writer != null) {
            writer.outputComment("response times in microseconds, from when each call was due");
            writer.outputLogFormatVersion();
            writer.outputStartTime(lastMillis);
            writer.outputLegend();
        }
    }

    void interval(Snapshot snapshot) {
        if (writer != null) {
            long now = System.currentTimeMillis();
            Histogram times = snapshot.interval();
            times.setStartTimeStamp(lastMillis);
            times.setEndTimeStamp(now);
            lastMillis = now;
            writer.outputIntervalHistogram(times);
        }
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }
}
