package io.carillon.servlet.feature.adopt;

import io.carillon.servlet.bytes.RecordHeader;
import io.carillon.sip.time.WheelTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A record of a partition that this node owns, whose call nobody has asked for yet: what its header
 * says. As a node of the wheel it stands for what is due next in the call.
 *
 * <p>Any thread but for the wheel's part, which belongs to the shard of the partition.
 */
final class KnownRecord extends WheelTimer {
    /** Messages and timers that may wait for one call. */
    static final int MOST_WAITING = 64;

    /**
     * Longer than the store is asked for a record ({@link RecordReads}), and than that waits behind
     * others.
     */
    static final long HANGS_MILLIS = 120_000;

    private enum State {
        KNOWN,
        ASKED,
        OVER
    }

    final int partition;
    final long term;
    final String id;
    final String application;
    final String archive;
    final long deadlineMillis;
    final long[] dialogs;
    private final Adoption adoption;
    private State state = State.KNOWN;
    private long readSinceMillis = Long.MAX_VALUE;
    private List<Runnable> waiting = List.of();

    KnownRecord(Adoption adoption, RecordHeader header, long term) {
        this.adoption = adoption;
        this.partition = header.partition();
        this.term = term;
        this.id = header.id();
        this.application = header.application();
        this.archive = header.archive();
        this.deadlineMillis = header.deadlineMillis();
        this.dialogs = header.dialogs().stream().mapToLong(Long::longValue).toArray();
    }

    /** What came of asking. */
    enum Asked {
        /** The first one: the caller reads the record. */
        FIRST,
        /** It is being read: it waits. */
        WAITS,
        /** There is no room to wait. */
        NO_ROOM,
        /** It is over with it. */
        OVER
    }

    /**
     * Somebody wants the call.
     *
     * @param then runs when the call is there, or lost
     */
    synchronized Asked ask(Runnable then) {
        if (state == State.OVER) {
            return Asked.OVER;
        }
        if (waiting.size() >= MOST_WAITING) {
            return Asked.NO_ROOM;
        }
        if (waiting.isEmpty()) {
            waiting = new ArrayList<>(2);
        }
        waiting.add(then);
        boolean first = state == State.KNOWN;
        state = State.ASKED;
        return first ? Asked.FIRST : Asked.WAITS;
    }

    /** Has nobody wanted it yet? */
    synchronized boolean unasked() {
        return state == State.KNOWN;
    }

    /** It is read from now on. */
    synchronized void isRead(long nowMillis) {
        readSinceMillis = nowMillis;
    }

    /** Has nobody said for long what became of it? Then nobody will. */
    synchronized boolean hangs(long nowMillis) {
        return state == State.ASKED && nowMillis - HANGS_MILLIS >= readSinceMillis;
    }

    /** Is it over with it, as its partition has gone? */
    synchronized boolean isOver() {
        return state == State.OVER;
    }

    /**
     * Makes the call one of this node's, unless it is over with the record: who ends it finds the
     * call among those of this node, or there will be none.
     */
    synchronized boolean place(BooleanSupplier place) {
        return state != State.OVER && place.getAsBoolean();
    }

    /** The call is there, or lost: who has waited. */
    synchronized List<Runnable> over() {
        state = State.OVER;
        List<Runnable> all = waiting;
        waiting = List.of();
        return all;
    }

    @Override
    protected void fire(long nowNanos) {
        adoption.due(this);
    }
}
