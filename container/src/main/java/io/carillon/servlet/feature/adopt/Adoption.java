package io.carillon.servlet.feature.adopt;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.LogPace;
import io.carillon.servlet.bytes.DialogHash;
import io.carillon.servlet.kernel.AbsentSessions;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallRecords;
import io.carillon.servlet.kernel.NewSessions;
import io.carillon.servlet.port.CallStore;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.token.Partitions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of other nodes go on here. Of a partition that this node becomes the owner of the headers
 * of all records are read, in the background; a call is made of its record when its first message
 * comes, or the first of its deadlines. What comes meanwhile waits: for the headers of the
 * partition, or for the record.
 *
 * <p>Any thread.
 */
public final class Adoption implements AbsentSessions {
    private static final Logger LOG = LoggerFactory.getLogger(Adoption.class);

    /** Calls on one way that are taken over for one message. */
    private static final int MOST_OF_A_CHAIN = 64;

    /** Calls that are taken over because one is looked for by its Call-ID. */
    private static final int MOST_FOR_A_CALL_ID = 500;

    /** So long the call of a handler that hangs keeps others waiting in which something is due. */
    private static final long HANGS_NANOS = 1_000_000_000;

    /**
     * So long what may be a repeat waits for the records of its partition, from when this node is
     * its owner. Where the store cannot be read for longer, new calls begin all the same.
     */
    static final long REPEATS_MILLIS = 4_000;

    private static final long REPEATS_NANOS = TimeUnit.MILLISECONDS.toNanos(REPEATS_MILLIS);

    private static final long ONE_MINUTE_MILLIS = 60_000;

    private static final String UNHEARD = "nobody has said what became of its record";

    private final NewSessions sessions;
    private final Function<String, @Nullable Application> applications;
    private final RecordIndex index = new RecordIndex();
    private final LoadingPartitions loading;
    private final ComingAgain coming = new ComingAgain();
    private final LeavingCalls leaving;
    private final DueRecords dues = new DueRecords(this::takeDue);
    private final RecordDeadlines deadlines;
    private final RecordReads reads;
    private final PartitionRecords records;
    private final SilentCalls silent;
    private final Predicate<CallStore.State> beside;
    private final LogPace faults = new LogPace(ONE_MINUTE_MILLIS);
    private final LongAdder adopted = new LongAdder();
    private final LongAdder lost = new LongAdder();

    /**
     * @param applications the deployed version of that name; null for none
     * @param beside takes what stands in the store and is no call
     * @param pages looks which of the HTTP sessions are over that a call expects
     */
    public Adoption(
            NewSessions sessions,
            CallStore store,
            Function<String, @Nullable Application> applications,
            Predicate<CallStore.State> beside,
            Consumer<ApplicationSession> pages) {
        this.sessions = sessions;
        this.applications = applications;
        this.beside = beside;
        this.deadlines = new RecordDeadlines(sessions.host(), index);
        this.reads = new RecordReads(store, sessions.host()::millis, deadlines::later);
        this.leaving = new LeavingCalls(sessions.host());
        this.silent = new SilentCalls(sessions.host(), pages);
        this.loading =
                new LoadingPartitions(() ->
                        sessions.host().tables().shares().smallOf(LoadingPartitions.MOST_WAITING));
        this.records =
                new PartitionRecords(
                        sessions.host(), store, index, loading, deadlines, leaving, this::index);
    }

    // ---- from the cluster ----

    /**
     * This node owns the partition from now on. Its records are looked through, in the background.
     *
     * @param term that in which it does
     */
    public void promoted(int partition, long term) {
        records.promoted(partition, term);
    }

    /** As {@link #lost(BitSet)}, of one. */
    public void lost(int partition) {
        BitSet one = new BitSet();
        one.set(partition);
        lost(one);
    }

    /**
     * Other nodes own these partitions from now on, or may: their calls are dropped here, with
     * nothing said to anybody. One walk through all calls, however many partitions these are.
     */
    public void lost(BitSet partitions) {
        BitSet gone = (BitSet) partitions.clone();
        records.lost(gone);
        sessions.host().shards().dropAll(gone);
        leaving.drop(gone);
    }

    /** Calls that are another node's, and still here. */
    public LeavingCalls leaving() {
        return leaving;
    }

    private @Nullable KnownRecord index(CallStore.State state, long term) {
        byte[] bytes = state.bytes();
        if (bytes == null) {
            return null;
        }
        try {
            if (beside.test(state)) {
                return null;
            }
            KnownRecord record = new KnownRecord(this, CallRecords.header(bytes), term);
            if (record.partition != state.partition() || !record.id.equals(state.id())) {
                throw new StateFormatException("a record of another place: " + record.id);
            }
            return index.add(record) ? record : null;
        } catch (StateFormatException e) {
            failed(state.id(), e);
            return null;
        }
    }

    // ---- from those who look for a call ----

    /** What becomes of a message. */
    public enum Fate {
        /** It is for no call of another node. */
        NOT_OURS,
        /** It waits, and comes again. */
        WAITS,
        /** It is for one, and there is no room to wait. */
        NO_ROOM
    }

    /** Is there nothing to take over, so that nobody has to be asked? A look at three fields. */
    public boolean idle() {
        // In this order: what is not under way any more is in the index, or comes again.
        return loading.isEmpty() && index.isEmpty() && coming.isEmpty();
    }

    /**
     * Is that message for a call of another node?
     *
     * @param place where its sender is counted
     * @param known does a session of this node have it?
     * @param again brings it again, on that shard
     */
    public Fate take(
            Shard shard, SipMessage message, int place, BooleanSupplier known, Runnable again) {
        if (idle()) {
            return Fate.NOT_OURS;
        }
        long dialog = DialogHash.of(message);
        if (coming.isBehind(shard, dialog)) {
            return fate(coming.hold(shard, message, dialog, place, again, ComingAgain::comesNext));
        }
        int partition = loading.isEmpty() ? LoadingPartitions.UNKNOWN : partition(shard, message);
        // Asked before the index: what is not under way any more is in there.
        boolean loads = loading.has(partition);
        List<KnownRecord> on = index.on(dialog);
        if (on.isEmpty()) {
            boolean stays = loads && !leaving.isEmpty();
            if (!stays && !mayBeRepeated(message, partition) && known.getAsBoolean()) {
                return Fate.NOT_OURS;
            }
            on = index.on(DialogHash.half(message));
            if (on.isEmpty() && !loads) {
                return Fate.NOT_OURS;
            }
        }
        KnownRecord record = on.isEmpty() ? null : on.getFirst();
        return fate(
                coming.hold(
                        shard,
                        message,
                        dialog,
                        place,
                        again,
                        over ->
                                record == null
                                        ? awaits(message, partition, over, place)
                                        : take(record, over)));
    }

    private static Fate fate(boolean waits) {
        return waits ? Fate.WAITS : Fate.NO_ROOM;
    }

    /**
     * May the node before have begun a call with it? Its sender sends it again, as the answer did
     * not arrive (RFC 3261 17.1.1.2); a second call for it would never end.
     */
    private boolean mayBeRepeated(SipMessage message, int partition) {
        return message instanceof SipRequest request
                && request.toTag() == null
                && (request.is(Methods.INVITE)
                        || request.is(Methods.SUBSCRIBE)
                        || request.is(Methods.REFER))
                && loading.isYounger(partition, REPEATS_MILLIS, sessions.host().millis());
    }

    /** Waits for the records; what may be new not for long. */
    private boolean awaits(SipMessage message, int partition, Runnable then, int place) {
        if (!mayBeRepeated(message, partition)) {
            return loading.await(partition, then, place);
        }
        AtomicBoolean over = new AtomicBoolean();
        Runnable once =
                () -> {
                    if (!over.getAndSet(true)) {
                        then.run();
                    }
                };
        if (!loading.await(partition, once, place)) {
            return false;
        }
        deadlines.later(Math.max(partition, 0), REPEATS_NANOS, once);
        return true;
    }

    /** Its records are where it came to; only without a cluster nobody can say. */
    private static int partition(Shard shard, SipMessage message) {
        return shard.config().tokens().partitionOf(message.bytes(), message.length());
    }

    @Override
    public boolean bring(String id, Runnable then) {
        return bring(id, LoadingPartitions.UNKNOWN, then);
    }

    @Override
    public boolean bring(String id, int partition, Runnable then) {
        if (idle()) {
            return false;
        }
        // Asked before the index: what is not under way any more is in there.
        boolean loads = loading.has(partition);
        KnownRecord record = index.find(id);
        return record == null ? loads && awaitAll(partition, then) : take(record, then);
    }

    private boolean awaitAll(int partition, Runnable then) {
        return loading.await(partition, then, LoadingPartitions.NOBODY);
    }

    /** As {@link #bring(String, Runnable)}, the call with that dialog. */
    public boolean bring(DialogKey dialog, Runnable then) {
        List<KnownRecord> on = idle() ? List.of() : index.on(DialogHash.of(dialog));
        return !on.isEmpty() && take(on.getFirst(), then);
    }

    @Override
    public boolean bringCall(String callId, Runnable then) {
        if (idle()) {
            return false;
        }
        int own = sessions.host().shards().ofPartition(0).config().tokens().partitionIn(callId);
        int partition = own < 0 ? Partitions.ofCallId(callId) : own;
        Runnable looked =
                () -> {
                    if (!bringAll(partition, then)) {
                        then.run();
                    }
                };
        boolean waits = loading.has(partition) && awaitAll(partition, looked);
        return waits || bringAll(partition, then);
    }

    private boolean bringAll(int partition, Runnable then) {
        BitSet one = new BitSet();
        one.set(partition);
        List<KnownRecord> all = index.of(one);
        List<KnownRecord> some = all.subList(0, Math.min(MOST_FOR_A_CALL_ID, all.size()));
        Together together = new Together(some.size(), then);
        for (KnownRecord record : some) {
            if (!take(record, together)) {
                together.run();
            }
        }
        return !some.isEmpty();
    }

    @Override
    public void await(String id) {
        BriefWait.on(sessions.host().shards(), here -> bring(id, here));
    }

    @Override
    public void awaitCall(String callId) {
        BriefWait.on(sessions.host().shards(), here -> bringCall(callId, here));
    }

    /** On the home shard: something is due in it, or nobody says what became of it. */
    void due(KnownRecord record) {
        if (record.unasked()) {
            dues.add(record);
        } else if (record.hangs(sessions.host().millis())) {
            records.mayBeThere(record.partition, UNHEARD);
            over(record, new StateFormatException(UNHEARD));
        } else {
            deadlines.hangs(record);
        }
    }

    private void takeDue(KnownRecord record, Runnable over) {
        deadlines.later(record.partition, HANGS_NANOS, over);
        if (!take(record, over)) {
            over.run(); // so many messages wait for it that it comes without this
        }
    }

    /** Takes over the call, and all that are on its way. False when there is no room to wait. */
    private boolean take(KnownRecord first, Runnable then) {
        Set<KnownRecord> chain = index.chain(first, MOST_OF_A_CHAIN);
        Together together = new Together(chain.size(), then);
        List<KnownRecord> fresh = new ArrayList<>(chain.size());
        for (KnownRecord record : chain) {
            switch (record.ask(together)) {
                case FIRST -> fresh.add(record);
                case WAITS -> {}
                case OVER -> together.run();
                case NO_ROOM -> {
                    if (record == first) {
                        return false;
                    }
                    together.run();
                }
            }
        }
        fresh.forEach(record -> leaving.after(record.id, () -> read(record)));
        return true;
    }

    // ---- taking over ----

    private void read(KnownRecord record) {
        record.isRead(sessions.host().millis());
        deadlines.hangs(record);
        reads.read(
                record,
                new RecordReads.Read() {
                    @Override
                    public void had(byte[] bytes) {
                        Application application = applications.apply(record.application);
                        if (application == null) {
                            over(
                                    record,
                                    new StateFormatException(
                                            "application "
                                                    + record.application
                                                    + " is not deployed here"));
                        } else {
                            build(record, bytes, application);
                        }
                    }

                    @Override
                    public void removed() {
                        over(record, null);
                    }

                    @Override
                    public void missing(@Nullable String failure) {
                        String why = failure == null ? "" : ": " + failure;
                        records.mayBeThere(record.partition, failure);
                        over(record, new StateFormatException("its record could not be had" + why));
                    }
                });
    }

    private void build(KnownRecord record, byte[] bytes, Application application) {
        Shard home = sessions.host().shards().ofPartition(record.partition);
        try {
            CallRecords.adopt(
                    sessions,
                    application,
                    home,
                    bytes,
                    record.term,
                    record::place,
                    (how, failure) -> {
                        if (how == CallRecords.Adopted.GOES_ON) {
                            adopted.increment();
                            silent.watch(record.id);
                        }
                        over(record, failure);
                    });
        } catch (StateFormatException e) {
            over(record, e);
        }
    }

    /** The call is here, or lost. */
    private void over(KnownRecord record, @Nullable Throwable failure) {
        index.remove(record);
        deadlines.end(record);
        if (failure != null) {
            failed(record.id, failure);
        }
        Waiters.goOn(record.over());
    }

    private void failed(String id, Throwable failure) {
        lost.increment();
        if (faults.admit(sessions.host().millis()) > 0) {
            LOG.warn("call {} could not be taken over", id, failure);
        }
    }

    // ---- what is seen ----

    /** Records known whose calls nobody has asked for yet. */
    public int known() {
        return index.size();
    }

    /** Applications that have calls here which nobody has asked for, and are not deployed. */
    public Set<String> missingApplications() {
        return index.applications(name -> applications.apply(name) == null);
    }

    /** Partitions whose records are being looked through. */
    public int loading() {
        return loading.size();
    }

    /** Calls taken over. */
    public long adopted() {
        return adopted.sum();
    }

    /** Calls that could not be taken over: a record that could not be read or had. */
    public long lost() {
        return lost.sum();
    }

    /** Records of which nobody knew when their partition came here: they came to light later. */
    public long foundLate() {
        return records.foundLate();
    }

    /** Legs of calls taken over that were silent, and whose peers were asked. */
    public long asked() {
        return silent.asked();
    }

    /** Of these, those that the peer did not have any more: they were ended. */
    public long endedSilent() {
        return silent.ended();
    }

    /** Messages that found no room to wait for their call. */
    public long notQueued() {
        return coming.notQueued();
    }
}
