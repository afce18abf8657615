package io.carillon.servlet.feature.adopt;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.port.CallStore;
import io.carillon.servlet.port.CallStore.State;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of the partitions that this node owns: all of them are read when it becomes the
 * owner, in the background, and again where some may have been missed. What is found goes into the
 * {@link RecordIndex}.
 *
 * <p>Any thread.
 */
final class PartitionRecords implements LateRecords.Known {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionRecords.class);

    /**
     * So long a partition is read again that the store could not read as a whole. Who believes too
     * early that there is nothing begins anew what goes on elsewhere.
     */
    private static final long LOOKS_MILLIS = 30_000;

    /** Calls that are written again in one piece of work, and how long after the ones before. */
    private static final int AGAIN_AT_ONCE = 200;

    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Puts a state into the index. */
    interface Indexer {
        /** Null where it is no call, cannot be read, or is known already. */
        @Nullable KnownRecord add(State state, long term);
    }

    private final SessionHost host;
    private final CallStore store;
    private final RecordIndex index;
    private final LoadingPartitions loading;
    private final RecordDeadlines deadlines;
    private final LeavingCalls leaving;
    private final Indexer indexer;
    private final LateRecords late;
    private final LongAdder foundLate = new LongAdder();

    PartitionRecords(
            SessionHost host,
            CallStore store,
            RecordIndex index,
            LoadingPartitions loading,
            RecordDeadlines deadlines,
            LeavingCalls leaving,
            Indexer indexer) {
        this.host = host;
        this.store = store;
        this.index = index;
        this.loading = loading;
        this.deadlines = deadlines;
        this.leaving = leaving;
        this.indexer = indexer;
        this.late = new LateRecords(store, deadlines::later, this);
        store.onMeeting(this::met);
    }

    /** This node owns the partition from now on, in that term. */
    void promoted(int partition, long term) {
        late.owns(partition, term);
        long now = host.millis();
        if (loading.begin(partition, term, now)) {
            look(partition, term, now + LOOKS_MILLIS);
        }
    }

    /** Others own these partitions: what is known of their records is forgotten. */
    void lost(BitSet partitions) {
        late.lost(partitions);
        partitions.stream().forEach(partition -> loading.end(partition, Long.MAX_VALUE));
        List<KnownRecord> records = index.of(partitions);
        records.forEach(index::remove);
        deadlines.end(records);
        records.forEach(record -> Waiters.goOn(record.over()));
    }

    private void look(int partition, long term, long untilMillis) {
        List<KnownRecord> batch = new ArrayList<>(RecordDeadlines.AT_ONCE);
        store.readAll(
                partition,
                state -> {
                    KnownRecord record = known(state, partition, term);
                    if (record != null) {
                        batch.add(record);
                        if (batch.size() == RecordDeadlines.AT_ONCE) {
                            deadlines.begin(partition, List.copyOf(batch));
                            batch.clear();
                        }
                    }
                },
                failure -> {
                    deadlines.begin(partition, List.copyOf(batch));
                    looked(partition, term, untilMillis, failure);
                });
    }

    private @Nullable KnownRecord known(State state, int partition, long term) {
        return loading.goesOn(partition, term) && !leaving.goesOn(state.id(), host.tables())
                ? stillOurs(indexer.add(state, term), loading.goesOn(partition, term))
                : null;
    }

    /** The partition may go as the record is added: who takes it away has not seen it then. */
    private @Nullable KnownRecord stillOurs(@Nullable KnownRecord added, boolean ours) {
        if (added == null || ours) {
            return added;
        }
        index.remove(added);
        Waiters.goOn(added.over());
        return null;
    }

    private void looked(int partition, long term, long untilMillis, @Nullable String failure) {
        if (failure != null && host.millis() < untilMillis && loading.goesOn(partition, term)) {
            // After a node has died the grid has to find its copies first.
            deadlines.later(
                    partition, RecordReads.AGAIN_NANOS, () -> look(partition, term, untilMillis));
            return;
        }
        if (failure != null) {
            LOG.error("partition {}: not all records were read yet: {}", partition, failure);
            late.lookLater(partition);
        }
        loading.end(partition, term);
    }

    // ---- what comes to light later ----

    /**
     * Parts of a divided grid have met: what one of them had alone may come to light, or be lost.
     */
    private void met() {
        late.lookAll();
        List<ApplicationSession> calls = List.copyOf(host.tables().all());
        calls.forEach(host.store()::mayBeLost);
        writeAgain(calls.iterator());
    }

    /** Some at a time: messages that wait for their records stand behind them. */
    private void writeAgain(Iterator<ApplicationSession> calls) {
        for (int i = 0; i < AGAIN_AT_ONCE && calls.hasNext(); i++) {
            host.store().writeAgain(calls.next());
        }
        if (calls.hasNext()) {
            deadlines.later(0, AGAIN_NANOS, () -> writeAgain(calls));
        }
    }

    /**
     * A record there could not be had for long, and is forgotten.
     *
     * @param failure why the store could not say what it has; null where it has none
     */
    void mayBeThere(int partition, @Nullable String failure) {
        if (failure != null) {
            late.lookLater(partition);
        }
    }

    @Override
    public boolean has(String id) {
        return index.find(id) != null || host.tables().find(id) != null;
    }

    @Override
    public void found(State state, long term) {
        KnownRecord added = indexer.add(state, term);
        KnownRecord record = stillOurs(added, late.goesOn(state.partition(), term));
        if (record != null) {
            foundLate.increment();
            LOG.info("call {} came to light: no node knew its record", record.id);
            deadlines.begin(record.partition, List.of(record));
        }
    }

    /** Records that came to light later. */
    long foundLate() {
        return foundLate.sum();
    }
}
