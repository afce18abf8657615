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
            attempt("cdr.file", () -> json.openAgainIfGone(nowMillis));
        }
        if (csv != null) {
            attempt("cdr.csv", () -> csv.openAgainIfGone(nowMillis));
        }
    }

    void flush() {
        if (json != null) {
            attempt("cdr.file", json::flush);
        }
        if (csv != null) {
            attempt("cdr.csv", csv::flush);
        }
        for (SpooledSink sink : sinks) {
            attempt("cdr.spool", sink::flush);
        }
    }

    private interface Writing {
        void write() throws IOException;
    }

    private void attempt(String where, Writing writing) {
        try {
            writing.write();
        } catch (IOException | RuntimeException e) {
            lost.increment();
            long now = System.nanoTime();
            if (told == 0 || now - toldAtNanos >= QUIET_NANOS) {
                LOG.error(
                        "CALL RECORDS ARE LOST: {} cannot be written ({}); {} times since the last"
                                + " such line",
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
            attempt("cdr.file", json::close);
        }
        if (csv != null) {
            attempt("cdr.csv", csv::close);
        }
        for (SpooledSink sink : sinks) {
            attempt("cdr.spool", sink::close);
        }
    }
}
