package io.carillon.servlet.feature.protect;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.Companion;
import io.carillon.servlet.kernel.SessionStore;
import io.carillon.servlet.kernel.TakeOver;
import io.carillon.servlet.port.CallStore;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.token.Ownership;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps copies of calls on other nodes: what has changed is written into a {@link CallStore} soon
 * after, and the messages by which a peer comes to rely on a call wait until its record is safe.
 * Nothing here waits, and without a store none of it is there. Any thread.
 */
public final class CallProtection implements SessionStore {
    private final Ground ground;
    private final ProtectionCounts counts = new ProtectionCounts();
    private volatile ShardRecords[] shards = new ShardRecords[0];

    /**
     * @param store where copies go
     * @param ownership which partitions this node may act for
     * @param partitions that of an application session, asked for once with its turn held
     * @param writer makes records
     */
    public CallProtection(
            CallStore store,
            Ownership ownership,
            ToIntFunction<ApplicationSession> partitions,
            RecordWriter writer,
            ProtectionSettings settings) {
        this.ground =
                new Ground(store, ownership, partitions, writer, settings, StateNumbers.ofKeys());
    }

    @Override
    public void start(List<Shard> all) {
        ShardRecords[] made = new ShardRecords[all.size()];
        RecordGate gate = new RecordGate();
        for (int i = 0; i < made.length; i++) {
            made[i] = new ShardRecords(all.get(i), ground, counts);
            all.get(i).departures(gate);
        }
        shards = made;
    }

    @Override
    public @Nullable Companion begun(ApplicationSession session) {
        for (ShardRecords records : shards) {
            if (records.shard() == session.home()) {
                return new ProtectedCall(session, records);
            }
        }
        return null;
    }

    @Override
    public void turnEnded(ApplicationSession session) {
        if (session.companion() instanceof ProtectedCall call) {
            call.turnEnded();
        }
    }

    @Override
    public void adopted(ApplicationSession session, TakeOver how) {
        if (session.companion() instanceof ProtectedCall call) {
            call.record.adopted(how);
            session.onHome(() -> call.records.adopted(call));
        }
    }

    @Override
    public void mayBeLost(ApplicationSession session) {
        ProtectedCall call = owned(session);
        if (call != null) {
            call.record.again = true;
        }
    }

    @Override
    public void writeAgain(ApplicationSession session) {
        ProtectedCall call = owned(session);
        if (call != null) {
            call.writeAgain();
        }
    }

    private @Nullable ProtectedCall owned(ApplicationSession session) {
        return session.companion() instanceof ProtectedCall call
                        && call.partition() >= 0
                        && ground.ownership().owns(call.partition())
                ? call
                : null;
    }

    @Override
    public void dropped(ApplicationSession session) {
        if (session.companion() instanceof ProtectedCall call) {
            call.record.forgotten = true;
            session.onHome(() -> call.records.forgotten(call));
        }
    }

    /**
     * Would a node that reads its record now know the call as it is? Asked before the call leaves
     * this node. What cannot be written at all does not count; nor is it known of a call that has
     * work under way, as a handler of a timer. Any thread.
     */
    public boolean isWritten(ApplicationSession session) {
        return !(session.companion() instanceof ProtectedCall call)
                || !session.isValid()
                || (!session.busy() && !call.marked() && call.record.settled(call::holders));
    }

    /** As {@link #isWritten}, in the turn of the call, of what has run in it before. */
    public boolean isWrittenInTurn(ApplicationSession session) {
        return !(session.companion() instanceof ProtectedCall call)
                || !session.isValid()
                || (!call.marked() && !call.waits() && call.record.settled(call::holders));
    }

    /** How well calls are protected now. */
    public ProtectionStatus status() {
        long lag = 0;
        long inFlight = 0;
        int waiting = 0;
        for (ShardRecords records : shards) {
            long oldest = records.flights().oldestNanos();
            if (oldest != Long.MAX_VALUE) {
                lag = Math.max(lag, records.shard().executor().nanoTime() - oldest);
            }
            inFlight += records.flights().bytes();
            waiting += records.messages().waiting();
        }
        return counts.status(ground.store(), lag, waiting, inFlight);
    }

    /** How well that call is protected; null when nothing is known of it. */
    public @Nullable CallStanding standing(ApplicationSession session) {
        if (!(session.companion() instanceof ProtectedCall call)) {
            return null;
        }
        CallRecord record = call.record;
        long stored = record.lastProtected();
        long ageNanos = session.home().executor().nanoTime() - record.protectedAtNanos;
        MessageQueue queue = call.queue();
        boolean alone = record.stored() && call.holders() < 2;
        Unprotected why = record.why();
        return new CallStanding(
                call.partition(),
                stored,
                stored == 0 ? -1 : ageNanos / 1_000_000L,
                why == null && alone ? Unprotected.ONE_HOLDER : why,
                record.missing(),
                queue == null ? 0 : queue.size(),
                record.takenOver());
    }
}
