package io.carillon.servlet.feature.protect;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.Companion;
import io.carillon.servlet.port.CallStore.State;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What is kept beside an application session whose state goes to the store. Owner: the turn of the
 * application session, where it does not say otherwise.
 */
final class ProtectedCall extends Companion {
    private static final VarHandle MARKED;

    static {
        try {
            MARKED =
                    MethodHandles.lookup()
                            .findVarHandle(ProtectedCall.class, "marked", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final ApplicationSession session;

    /** Of its home shard. */
    final ShardRecords records;

    final CallRecord record;

    /** -1 until it is asked for, in the turn; then it never changes. */
    private volatile int partition = -1;

    /** Has it changed since its state was made last? Then it is in one list of its shard. */
    private volatile boolean marked;

    /** In the list of those that were marked last. */
    @Nullable ProtectedCall next;

    /** A message of the work at hand waits for the record. */
    private boolean urgent;

    /** The work that ends now was the making of its record. */
    private boolean making;

    private volatile @Nullable MessageQueue queue;

    /** Null before the first response that waits. */
    private @Nullable SeenForks forks;

    ProtectedCall(ApplicationSession session, ShardRecords records) {
        this.session = session;
        this.records = records;
        this.record = new CallRecord(numbers().start());
    }

    private StateNumbers numbers() {
        return session.key() == null ? StateNumbers.OF_ONE : records.ground.ofKeys();
    }

    @Override
    public boolean holdsTimers() {
        int known = partition;
        // While it is given away: the next owner has the timer too, and fires it.
        boolean given = known >= 0 && !records.ground.ownership().takesNewWork(known);
        return given
                || records.trouble.holdsTimers(
                        records.flights().oldestNanos(), records.shard().now());
    }

    @Override
    public boolean elsewhere() {
        return record.forgotten;
    }

    /** -1 while nothing of it was to be written. Any thread. */
    int partition() {
        return partition;
    }

    /** Nodes that hold its partition now. Any thread. */
    int holders() {
        int known = partition;
        return known < 0 ? 0 : records.ground.store().holders(known);
    }

    private int ask() {
        int known = partition;
        if (known < 0) {
            known = records.partition(session);
            partition = known;
        }
        return known;
    }

    SeenForks forks() {
        SeenForks own = forks;
        if (own == null) {
            own = new SeenForks();
            forks = own;
        }
        return own;
    }

    /** Messages that wait; null where none ever did. */
    @Nullable MessageQueue queue() {
        return queue;
    }

    boolean waits() {
        MessageQueue own = queue;
        return own != null && own.waits();
    }

    /**
     * Keeps a message back: it goes to the shard, which lets it leave.
     *
     * @param record it waits for its record; else for those before it
     */
    void keep(Runnable leaves, boolean record) {
        MessageQueue own = queue;
        if (own == null) {
            own = new MessageQueue();
            queue = own;
        }
        own.given();
        ask();
        long needs = record ? this.record.next() : HeldMessage.ANY;
        session.onHome(new HeldMessage(this, needs, leaves));
        if (record && LongHandlers.of(session.application())) {
            records.makeNow(this);
        } else {
            urgent |= record;
        }
    }

    /** Has it changed since its state was made last? Any thread. */
    boolean marked() {
        return marked;
    }

    /** As {@link #keep} for its record, where it has one; else they leave. In the turn. */
    void keepIfWritten(Runnable leaves) {
        if (session.isValid() && record.made()) {
            keep(leaves, true);
        } else {
            leaves.run();
        }
    }

    /** It is to be written; false when that is known. Any thread. */
    boolean mark() {
        return !marked && MARKED.compareAndSet(this, false, true);
    }

    /** Its state is written at the next flush, also where it is as before. Any thread. */
    void writeAgain() {
        record.again = true;
        if (mark()) {
            records.mark(this);
        }
    }

    /** A piece of work has ended. */
    void turnEnded() {
        boolean own = making;
        making = false;
        if (own && session.isValid()) {
            return;
        }
        if (mark()) {
            records.mark(this);
        }
        if (urgent) {
            urgent = false;
            records.flushSoon();
        }
        if (!session.isValid() && waits()) {
            session.onHome(() -> records.messages().settleAll(this));
        }
    }

    /**
     * It is in no list any more, and the work of the turn that ends next is the making of its
     * record and no change.
     */
    void making() {
        marked = false;
        making = true;
    }

    /** Its state as it is now; null when there is nothing to write. */
    @Nullable State make(Ground ground) {
        if (!record.wanted(session, waits())) {
            return null;
        }
        int in = ask();
        return record.make(session, in, ground.ownership().term(in), ground.writer(), numbers());
    }
}
