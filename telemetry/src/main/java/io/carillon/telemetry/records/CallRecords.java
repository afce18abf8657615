package io.carillon.telemetry.records;

import io.carillon.servlet.kernel.TurnTap;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.observe.Tap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Call detail records of a server: composes who follows the calls and where records go. */
public final class CallRecords implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CallRecords.class);

    private static final long TURN_MILLIS = 200;
    private static final long CLOSE_SECONDS = 20;

    private static final List<String> COUNTED =
            List.of(
                    "cdr.records_written",
                    "cdr.records_dropped_queue",
                    "cdr.records_unwritten",
                    "cdr.records_dropped_spool",
                    "cdr.records_refused",
                    "cdr.records_sent",
                    "cdr.legs_not_followed",
                    "cdr.messages_not_taken",
                    "cdr.files_deleted_keep_size",
                    "cdr.now_legs",
                    "cdr.now_spool_bytes",
                    "cdr.now_sinks_away");

    private final LegTable table;
    private final Faults faults = new Faults();
    private final CallWatch watch;
    private final SessionWatch sessions;
    private final RecordPlaces places;
    private final RecordWriter writer;
    private final LongAdder deletedForRoom;
    private final @Nullable FileChannel lockFile;
    private final @Nullable ScheduledExecutorService thread;

    /**
     * What a server is to its records.
     *
     * @param node its name
     * @param nanos the clock of the shards
     * @param millis the wall clock
     * @param trusted whose asserted identities count
     * @param peers names of peers; empty for a stranger
     * @param others is it a node of a cluster, so that others may go on with its calls?
     */
    public record Place(
            String node,
            LongSupplier nanos,
            LongSupplier millis,
            Predicate<Hop> trusted,
            Function<Hop, String> peers,
            boolean others) {}

    private CallRecords(
            RecordConfig settings,
            Path spool,
            Place place,
            CallListener listener,
            boolean ownThread)
            throws IOException, RecordException {
        boolean kept = settings.configured();
        this.lockFile = kept ? lock(SpoolFolder.make(spool)) : null;
        this.deletedForRoom = new LongAdder();
        long startMillis = place.millis().getAsLong();
        String prefix =
                Long.toString(startMillis, Character.MAX_RADIX)
                        + Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX);
        this.table = new LegTable(place.node() + "-" + prefix, settings.maxLegs());
        LegEnds ends = new LegEnds(table, listener);
        InviteLegs invites =
                new InviteLegs(
                        table,
                        ends,
                        place.millis(),
                        place.trusted(),
                        place.peers(),
                        settings.content().codecs(),
                        listener);
        Unclaimed unclaimed = kept && place.others() ? new Unclaimed() : null;
        this.watch =
                new CallWatch(table, invites, ends, place.nanos(), faults, listener, unclaimed);
        TakenLegs taken =
                unclaimed == null
                        ? null
                        : new TakenLegs(
                                table, unclaimed, place.node(), place.nanos(), place.millis());
        this.sessions = new SessionWatch(table, ends, taken, place.nanos(), faults, listener);
        this.places = places(settings, spool, place, deletedForRoom);
        RecordMaker maker =
                new RecordMaker(
                        table,
                        place.node(),
                        new NumberMask(settings.content().maskDigits()),
                        settings.content().privateIdentities());
        this.writer =
                new RecordWriter(
                        settings,
                        table,
                        ends,
                        maker,
                        places,
                        kept ? new OpenCalls(spool) : null,
                        place);
        writer.begin();
        this.thread = ownThread ? thread() : null;
    }

    /**
     * Ready to follow calls; where no place for records is named, for who listens alone.
     *
     * @param spool folder of what waits
     * @throws RecordException when a place for records cannot be used
     */
    public static CallRecords open(
            RecordConfig settings, Path spool, Place place, CallListener listener)
            throws RecordException {
        try {
            return new CallRecords(settings, spool, place, listener, true);
        } catch (IOException e) {
            throw new RecordException("call detail records (cdr): " + e, e);
        }
    }

    /** One without a thread: whoever has it takes its turns, as a test does in virtual time. */
    public static CallRecords byTurns(
            RecordConfig settings, Path spool, Place place, CallListener listener)
            throws RecordException {
        try {
            return new CallRecords(settings, spool, place, listener, false);
        } catch (IOException e) {
            throw new RecordException("call detail records (cdr): " + e, e);
        }
    }

    private static FileChannel lock(Path spool) throws IOException, RecordException {
        Path file = spool.resolve("lock");
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held;
        try {
            held = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            held = null; // by this process
        }
        if (held == null) {
            channel.close();
            throw new RecordException(
                    spool
                            + " holds the call records of another server that runs; give this one"
                            + " a folder of its own (cdr.spool)");
        }
        return channel;
    }

    private static RecordPlaces places(
            RecordConfig settings, Path spool, Place place, LongAdder deletedForRoom)
            throws IOException {
        long now = place.millis().getAsLong();
        RecordConfig.Files files = settings.files();
        RecordFile json = null;
        if (files.json() != null) {
            json = new RecordFile(files.json(), null, files, deletedForRoom);
            json.open(now);
        }
        RecordFile csv = null;
        if (files.csv() != null) {
            csv = new RecordFile(files.csv(), RecordText.csvHead(), files, deletedForRoom);
            csv.open(now);
        }
        List<SpooledSink> sinks = new ArrayList<>();
        for (RecordConfig.Elsewhere one : settings.elsewhere()) {
            sinks.add(
                    new SpooledSink(
                            one.name(),
                            spool.resolve(one.name()),
                            settings.spoolBytes(),
                            one.sender()));
        }
        sinks.forEach(SpooledSink::start);
        return new RecordPlaces(json, csv, sinks);
    }

    /** As when the process is killed: nothing is written, and its files are free. */
    public void forgetLock() throws RecordException {
        try {
            if (lockFile != null) {
                lockFile.close();
            }
        } catch (IOException e) {
            throw new RecordException(e.toString(), e);
        }
    }

    private ScheduledExecutorService thread() {
        ScheduledExecutorService made =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("cdr").factory());
        var _ =
                made.scheduleWithFixedDelay(
                        this::turnAnyhow, TURN_MILLIS, TURN_MILLIS, TimeUnit.MILLISECONDS);
        return made;
    }

    /** The thread goes on whatever befalls one turn. */
    private void turnAnyhow() {
        try {
            turn();
        } catch (RuntimeException e) {
            LOG.error("Call records that were due are written later", e);
        }
    }

    /** Writes what is due; by the writer's thread, or by whoever takes the turns. */
    public void turn() {
        writer.turn();
    }

    /** Looks on at the shards. */
    public Tap tap() {
        return watch;
    }

    /** Looks on at the applications. */
    public TurnTap turnTap() {
        return sessions;
    }

    /** A record of an application's own. Any thread. */
    public void write(String application, int version, Map<String, ?> fields) {
        writer.own(application, version, fields);
    }

    /** What is counted where no records are kept. */
    public static Map<String, Long> noCounters() {
        Map<String, Long> all = new TreeMap<>();
        COUNTED.forEach(name -> all.put(name, 0L));
        return all;
    }

    /** What is counted, by the names of the status. Any thread. */
    public Map<String, Long> counters() {
        Map<String, Long> all = noCounters();
        all.put("cdr.records_written", writer.written());
        all.put("cdr.records_dropped_queue", writer.dropped());
        all.put("cdr.records_unwritten", places.lost());
        all.put("cdr.legs_not_followed", table.refused());
        all.put("cdr.messages_not_taken", faults.count());
        all.put("cdr.files_deleted_keep_size", deletedForRoom.sum());
        all.put("cdr.now_legs", (long) table.open());
        for (SpooledSink sink : places.sinks()) {
            all.merge("cdr.records_dropped_spool", sink.dropped(), Long::sum);
            all.merge("cdr.records_refused", sink.refused(), Long::sum);
            all.merge("cdr.records_sent", sink.sent(), Long::sum);
            all.merge("cdr.now_spool_bytes", sink.waitingBytes(), Long::sum);
            all.merge("cdr.now_sinks_away", sink.away() ? 1L : 0L, Long::sum);
        }
        return all;
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.shutdown();
            try {
                if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                    return; // a disk that hangs: what it holds is not ours to close
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        writer.end();
        try {
            if (lockFile != null) {
                lockFile.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
