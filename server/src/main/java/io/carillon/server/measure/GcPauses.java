package io.carillon.server.measure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordingStream;
import org.HdrHistogram.Histogram;

/** The collector's pauses, streamed from the JVM's flight recorder. Any thread. */
public final class GcPauses implements AutoCloseable {
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final double NANOS_PER_MILLI = 1_000_000;

    private final Histogram pauses = new Histogram(LONGEST_NANOS, 3);
    private final RecordingStream stream = new RecordingStream();

    /** Starts streaming, on a thread of the flight recorder. Takes some 100 ms. */
    public void start() {
        stream.enable("jdk.GCPhasePause").withoutStackTrace();
        stream.onEvent("jdk.GCPhasePause", event -> record(event.getDuration()));
        stream.setReuse(true);
        stream.setOrdered(false);
        stream.startAsync();
    }

    void record(Duration pause) {
        synchronized (pauses) {
            pauses.recordValue(Math.min(pause.toNanos(), LONGEST_NANOS));
        }
    }

    /** The pauses since the start; those of the last second may still be on their way. */
    public ServerStatus.Pauses pauses() {
        synchronized (pauses) {
            return new ServerStatus.Pauses(
                    pauses.getTotalCount(),
                    pauses.getMaxValue() / NANOS_PER_MILLI,
                    pauses.getValueAtPercentile(99) / NANOS_PER_MILLI);
        }
    }

    @Override
    public void close() {
        stream.close();
    }
}
