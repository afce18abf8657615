package io.carillon.telemetry.records;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where records go: files, and places elsewhere. By the writer's thread. */
final class RecordPlaces implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RecordPlaces.class);
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final @Nullable RecordFile json;
    private final @Nullable RecordFile csv;
    private final List<SpooledSink> sinks;
    private final LongAdder lost = new LongAdder();
    private long toldAtNanos;
    private long told;
    private long toldLateAtNanos;
    private boolean late;

    RecordPlaces(@Nullable RecordFile json, @Nullable RecordFile csv, List<SpooledSink> sinks) {
        this.json = json;
        this.csv = csv;
        this.sinks = List.copyOf(sinks);
    }

    List<SpooledSink> sinks() {
        return sinks;
    }

    /** A record that one of them does not take is lost there only. */
    void write(CallRecord record, long nowMillis) {
        String text = RecordText.json(record);
        if (json != null) {
            attempt("cdr.file", () -> json.write(text, nowMillis));
        }
        if (csv != null) {
            attempt("cdr.csv", () -> csv.write(RecordText.csv(record), nowMillis));
        }
        for (SpooledSink sink : sinks) {
            attempt("cdr.spool", () -> sink.append(text));
        }
    }

    /** Opens files again that somebody moved away. From time to time. */
    void look(long nowMillis) {
        if (json != null) {
            flush("cdr.file", () -> json.openAgainIfGone(nowMillis));
        }
        if (csv != null) {
            flush("cdr.csv", () -> csv.openAgainIfGone(nowMillis));
        }
    }

    /**
     * What the disk does not take waits: nothing of it is lost yet.
     *
     * @return false when something waits
     */
    boolean flush() {
        boolean all = true;
        if (json != null) {
            all &= flush("cdr.file", json::flush);
        }
        if (csv != null) {
            all &= flush("cdr.csv", csv::flush);
        }
        for (SpooledSink sink : sinks) {
            all &= flush("cdr.spool", sink::flush);
        }
        return all;
    }

    private boolean flush(String where, Writing writing) {
        try {
            writing.write();
            return true;
        } catch (IOException | RuntimeException e) {
            long now = System.nanoTime();
            if (!late || now - toldLateAtNanos >= QUIET_NANOS) {
                LOG.error(
                        "Call records wait: {} cannot be written now ({}); 1 MiB of them may wait",
                        where,
                        e.toString());
                late = true;
                toldLateAtNanos = now;
            }
            return false;
        }
    }

    private interface Writing {
        void write() throws IOException;
    }

    private void attempt(String where, Writing writing) {
        attempt(where, 1, writing);
    }

    /**
     * As above.
     *
     * @param records lost where it fails
     */
    private void attempt(String where, int records, Writing writing) {
        try {
            writing.write();
        } catch (IOException | RuntimeException e) {
            lost.add(records);
            long now = System.nanoTime();
            if (told == 0 || now - toldAtNanos >= QUIET_NANOS) {
                LOG.error(
                        "CALL RECORDS ARE LOST: {} cannot be written ({}); {} since the last such"
                                + " line",
                        where,
                        e.toString(),
                        lost.sum() - told);
                told = lost.sum();
                toldAtNanos = now;
            }
        }
    }

    /** Records that a file or spool did not take. Any thread. */
    long lost() {
        return lost.sum();
    }

    @Override
    public void close() {
        if (json != null) {
            attempt("cdr.file", json.waiting(), json::close);
        }
        if (csv != null) {
            attempt("cdr.csv", csv.waiting(), csv::close);
        }
        for (SpooledSink sink : sinks) {
            attempt("cdr.spool", sink.waiting(), sink::close);
        }
    }
}
