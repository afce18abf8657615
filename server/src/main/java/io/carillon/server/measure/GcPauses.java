package io.carillon.server.measure;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
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

    private final Histogram pauses = new Histogram(LONGEST_NANOS, 3);

    /** Null before the start. Guarded by this. */
    private @Nullable RecordingStream stream;

    private boolean closed;

    /**
     * Starts streaming, on a thread of the flight recorder. Takes some 100 ms.
     *
     * @param folder of the recorder's files, some 100 KB. Its own one among the files of the system
     *     outlives a process that is killed. Left alone where somebody else uses the recorder.
     */
    public void start(Path folder) {
        if (!FlightRecorder.isInitialized()) {
            recordInto(folder);
        }
        RecordingStream made = new RecordingStream();
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
