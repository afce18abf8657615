package io.carillon.server.measure;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.ObjectName;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordingStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The collector's pauses, streamed from the JVM's flight recorder. Any thread. */
public final class GcPauses implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GcPauses.class);
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final double NANOS_PER_MILLI = 1_000_000;

    private final Supplier<RecordingStream> streams;
    private final Histogram pauses = new Histogram(LONGEST_NANOS, 3);

    /** Null before the start. Guarded by this. */
    private @Nullable RecordingStream stream;

    private boolean closed;

    public GcPauses() {
        this(RecordingStream::new);
    }

    GcPauses(Supplier<RecordingStream> streams) {
        this.streams = streams;
    }

    /**
     * Starts streaming, on a thread of the flight recorder. Takes some 100 ms.
     *
     * @param folder of the recorder's files, some 100 KB. Its own one among the files of the system
     *     outlives a process that is killed. Left alone where somebody else records. Where nothing
     *     can be recorded the log says so, and no pauses are counted.
     */
    public void start(Path folder) {
        try {
            if (!FlightRecorder.isInitialized()
                    || FlightRecorder.getFlightRecorder().getRecordings().isEmpty()) {
                recordInto(folder);
            }
            stream(streams.get());
        } catch (IllegalStateException e) {
            LOG.error("Pauses of the collector are not counted: {}", e.getMessage());
        }
    }

    private void stream(RecordingStream made) {
        made.enable("jdk.GCPhasePause").withoutStackTrace();
        made.onEvent("jdk.GCPhasePause", event -> record(event.getDuration()));
        made.setReuse(true);
        made.setOrdered(false);
        synchronized (this) {
            if (!closed) {
                stream = made;
                made.startAsync();
                return;
            }
        }
        made.close();
    }

    private static void recordInto(Path folder) {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "jfrConfigure",
                            new Object[] {new String[] {"repositorypath=\"" + folder + '"'}},
                            new String[] {String[].class.getName()});
        } catch (JMException | JMRuntimeException e) {
            LOG.warn(
                    "The flight recorder writes to the system's temporary folder: {}",
                    e.toString());
        }
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
        RecordingStream made;
        synchronized (this) {
            closed = true;
            made = stream;
        }
        if (made != null) {
            made.close();
        }
    }
}
