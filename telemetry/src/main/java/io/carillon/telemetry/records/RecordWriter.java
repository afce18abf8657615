package io.carillon.telemetry.records;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the records of legs that are over, of those that are open at each interval, and those of
 * applications. One thread does all of it, and it is no event loop.
 */
final class RecordWriter {
    private static final Logger LOG = LoggerFactory.getLogger(RecordWriter.class);

    /** Repetitions of the last messages, and the handlers of both legs, come in that time. */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** 64*T1, and a little: nobody answers later than that without a session. */
    private static final long UNANSWERED_NANOS = TimeUnit.SECONDS.toNanos(40);

    private final RecordConfig settings;
    private final LegTable table;
    private final LegEnds ends;
    private final RecordMaker maker;
    private final RecordPlaces places;

    /** Null where no records are kept, and calls are only measured. */
    private final @Nullable OpenCalls openCalls;

    private final LongSupplier nanos;
    private final LongSupplier millis;
    private final boolean others;
    private final ArrayBlockingQueue<CallRecord> own;
    private final LongAdder written = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private long sweptAtNanos;
    private long listedAtNanos;
    private boolean toldDrop;

    RecordWriter(
            RecordConfig settings,
            LegTable table,
            LegEnds ends,
            RecordMaker maker,
            RecordPlaces places,
            @Nullable OpenCalls openCalls,
            CallRecords.Place place) {
        this.settings = settings;
        this.table = table;
        this.ends = ends;
        this.maker = maker;
        this.places = places;
        this.openCalls = openCalls;
        this.nanos = place.nanos();
        this.millis = place.millis();
        this.others = place.others();
        this.own = new ArrayBlockingQueue<>(settings.queue());
        this.sweptAtNanos = nanos.getAsLong();
        this.listedAtNanos = sweptAtNanos;
    }

    /** A record of an application's own; any thread. */
    void own(String application, int version, Map<String, ?> fields) {
        CallRecord record =
                maker.own(application, version, OneCall.plain(fields), millis.getAsLong());
        if (!own.offer(record)) {
            dropped.increment();
        }
    }

    /** What was open when the server went away gets its record. */
    void begin() throws IOException {
        if (openCalls == null) {
            return;
        }
        List<CallRecord> left = openCalls.left();
        for (CallRecord one : left) {
            write(one);
            openCalls.ended(one);
        }
        if (!left.isEmpty()) {
            LOG.warn(
                    "{} legs of calls were open when the server went away; they have records \"lost\"",
                    left.size());
        }
        flush(openCalls);
        openCalls.write(List.of());
    }

    /** The list says that a leg has its record when a file has it: a kill loses what waits. */
    private void flush(OpenCalls list) {
        if (places.flush()) {
            list.kept();
        }
    }

    private void write(CallRecord record) {
        places.write(record, millis.getAsLong());
        written.increment();
    }

    /** Everything that is due. */
    void turn() {
        long now = nanos.getAsLong();
        try {
            due(now - LINGER_NANOS);
            for (CallRecord one = own.poll(); one != null; one = own.poll()) {
                write(one);
            }
            tellDrops();
            if (now - sweptAtNanos >= SWEEP_NANOS) {
                sweptAtNanos = now;
                places.look(millis.getAsLong());
                ends.sweep(now, UNANSWERED_NANOS);
            }
            if (openCalls != null) {
                flush(openCalls);
                if (now - listedAtNanos >= settings.interval().toNanos()) {
                    listedAtNanos = now;
                    list(openCalls, now);
                }
                openCalls.flush();
            }
        } catch (IOException e) {
            LOG.error("The list of open calls in cdr.spool cannot be written: {}", e.toString());
        }
        places.flush();
    }

    private void due(long beforeNanos) {
        for (LegTable.Over one = table.nextOver(beforeNanos);
                one != null;
                one = table.nextOver(beforeNanos)) {
            if (!one.legs().holds(one.leg())) {
                continue; // it was looked at when its session ended, and is written
            }
            if (!one.leg().ended() && one.legs().hasNoSession()) {
                ends.letGo(one);
            }
            if (!one.leg().ended()) {
                continue; // its INVITE went again, with credentials
            }
            if (openCalls != null && wanted(one)) {
                CallRecord record = maker.closed(one.legs(), one.leg());
                write(record);
                openCalls.ended(record);
            }
            table.written(one);
        }
    }

    private boolean wanted(LegTable.Over one) {
        return settings.content().withoutApplication() || one.legs().hadSession();
    }

    /** Open ones go to the file of open calls; those that last, to where the others go too. */
    private void list(OpenCalls file, long now) throws IOException {
        List<CallRecord> all = new ArrayList<>();
        List<CallRecord> due = new ArrayList<>();
        long wall = millis.getAsLong();
        for (DialogLegs legs : table.all()) {
            synchronized (legs) {
                for (Leg leg : legs.legs()) {
                    if (!leg.ended()
                            && (settings.content().withoutApplication() || legs.hadSession())) {
                        CallRecord record = maker.open(legs, leg, wall);
                        all.add(record);
                        if (now - leg.beganNanos >= settings.interval().toNanos()) {
                            due.add(record);
                        }
                    }
                }
            }
        }
        // Not above: event loops wait for these monitors, and a disk may hang.
        for (CallRecord record : due) {
            write(record);
        }
        file.write(all);
    }

    private void tellDrops() {
        if (!toldDrop && dropped.sum() > 0) {
            toldDrop = true;
            LOG.error(
                    "CALL RECORDS ARE LOST: applications make more records of their own than can"
                            + " wait (cdr.queue); cdr_records_dropped_queue counts them");
        }
    }

    /** The server stops: what is open ends now, and nothing lingers. */
    void end() {
        ends.stop(nanos.getAsLong(), others);
        turn();
        try {
            due(nanos.getAsLong() + 1);
            if (openCalls != null) {
                // What no file has stands in the list, and has a record at the next start.
                flush(openCalls);
                openCalls.write(List.of());
                openCalls.close();
            }
        } catch (IOException e) {
            LOG.error("The list of open calls in cdr.spool cannot be written: {}", e.toString());
        }
        places.close();
    }

    long written() {
        return written.sum();
    }

    long dropped() {
        return dropped.sum();
    }
}
