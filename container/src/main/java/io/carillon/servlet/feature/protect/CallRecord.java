package io.carillon.servlet.feature.protect;

import io.carillon.servlet.feature.protect.RecordWriter.Written;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.Lasting;
import io.carillon.servlet.kernel.TakeOver;
import io.carillon.servlet.port.CallStore.State;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** What is known of one call's record: what was made of it, and what the store has of that. */
final class CallRecord {
    private static final long NEVER = Long.MIN_VALUE;

    // The turn's.

    /** Written in the turn, read by any thread. */
    private volatile Numbers numbers;

    /**
     * Of states.
     *
     * @param drawn the last one
     * @param state of the last state that was made
     * @param same of the last one that would have been the same as that state
     */
    private record Numbers(long drawn, long state, long same) {
        static Numbers of(long state) {
            return new Numbers(state, state, state);
        }

        /** What is the same as that state is where it is. */
        long through(long number) {
            return number == state ? same : number;
        }
    }

    private long digest;

    /** What was made of it last. */
    private enum Made {
        /** No state yet. */
        NOTHING,
        /** A state. */
        STATE,
        /** No state, as it would have been the same as the one before. */
        SAME,
        /** Its removal. */
        REMOVAL
    }

    private Made made = Made.NOTHING;

    /** Set when it comes here from another node. */
    private volatile @Nullable TakeOver takenOver;

    /** What of the call could not be written; null for nothing. */
    private volatile @Nullable String missing;

    /** The store has not got the last state: the next one is written whatever it says. */
    volatile boolean again;

    /** The partition is another node's now: nothing more is written, and nothing removed. */
    volatile boolean forgotten;

    // The shard's.

    /** Two nodes hold all states up to this one. */
    volatile long protectedThrough;

    /** When they came to hold it. */
    volatile long protectedAtNanos = NEVER;

    /** One node or more holds all states up to this one. */
    private volatile long writtenThrough;

    /** Was a state given to the store that was not removed since? */
    boolean handed;

    /** Is it counted among those whose record is still to be removed? */
    boolean removing;

    /** The call is over, or another node's: it counts for nothing from then on. */
    boolean gone;

    /** Is it counted as stored? */
    private volatile boolean stored;

    /** Why it is counted as unprotected; null when it is not. */
    private volatile @Nullable Unprotected why;

    /**
     * That of a call that begins, or comes here.
     *
     * @param before its states have numbers above this one
     */
    CallRecord(long before) {
        this.numbers = Numbers.of(before);
        this.protectedThrough = before;
        this.writtenThrough = before;
    }

    /** Of the last state that two nodes hold; 0 for none. Any thread. */
    long lastProtected() {
        return protectedAtNanos == NEVER ? 0 : protectedThrough;
    }

    /** The number of the state that will be made next. In the turn. */
    long next() {
        return numbers.drawn + 1;
    }

    /** Of the last state that was made, or would have been the same as before. Any thread. */
    long last() {
        return numbers.drawn;
    }

    /** Why it is counted as unprotected; null when it is not. Any thread. */
    @Nullable Unprotected why() {
        return why;
    }

    /** Does the store have its last state? */
    boolean stored() {
        return stored;
    }

    @Nullable String missing() {
        return missing;
    }

    /** Has any state been made? In the turn. */
    boolean made() {
        return made != Made.NOTHING && !forgotten;
    }

    /** Would the last state have been the same as the one before? In the turn, or behind it. */
    boolean unchanged() {
        return made == Made.SAME;
    }

    /**
     * Is there a state to be made, or its removal? With the turn held.
     *
     * @param waits a message waits for it, so it is written although nothing may last
     */
    boolean wanted(ApplicationSession session, boolean waits) {
        if (made == Made.SAME) {
            made = Made.STATE;
        }
        if (forgotten || !session.isValid()) {
            return made();
        }
        return made != Made.NOTHING || waits || Lasting.in(session);
    }

    /**
     * The state of the call now, as bytes; its removal when it has ended. With the turn held.
     *
     * @param all numbers of all records that may have had its id before
     * @return null when it is as before
     * @throws RuntimeException when it cannot be written; {@link #last} is its number then
     */
    @Nullable State make(
            ApplicationSession session,
            int partition,
            long term,
            RecordWriter writer,
            StateNumbers all) {
        if (!session.isValid()) {
            // The next of its id begins behind this number: it is drawn once.
            long last = made == Made.REMOVAL ? numbers.drawn : draw(all);
            made = Made.REMOVAL;
            numbers = Numbers.of(last);
            return new State(partition, session.getId(), term, last, null);
        }
        long number = draw(all);
        Written now = writer.write(session, term);
        missing = now.missing();
        long says = writer.digest(now.bytes());
        if (made != Made.NOTHING && !again && says == digest) {
            made = Made.SAME;
            numbers = new Numbers(number, numbers.state, number);
            return null;
        }
        made = Made.STATE;
        again = false;
        digest = says;
        numbers = Numbers.of(number);
        return new State(partition, session.getId(), term, number, now.bytes());
    }

    private long draw(StateNumbers all) {
        long number = numbers.drawn + 1;
        numbers = new Numbers(number, numbers.state, numbers.same);
        all.drawn(number);
        return number;
    }

    /** It cannot be written, for that reason. In the turn. */
    void unwritable(Throwable reason) {
        missing = "it cannot be written: " + reason;
        again = true;
    }

    /**
     * Would a node that reads it know the last state, or can that not be had? One that only this
     * node held, as it was alone, lies on two once the store has copied it. Any thread.
     *
     * @param holders nodes that hold its partition now
     */
    boolean settled(IntSupplier holders) {
        Unprotected reason = why;
        return toldUnwritable()
                || reason == Unprotected.INCOMPLETE
                || (reason == null && !again && safe(holders));
    }

    private boolean safe(IntSupplier holders) {
        long last = numbers.state;
        return protectedThrough >= last || (writtenThrough >= last && holders.getAsInt() >= 2);
    }

    /** The store has the state of that number. On the shard. */
    void written(long number, boolean onTwo, long nowNanos) {
        long through = through(number);
        writtenThrough = Math.max(writtenThrough, through);
        if (onTwo) {
            protectedThrough = Math.max(protectedThrough, through);
            protectedAtNanos = nowNanos;
        }
    }

    /** What is the same as that state is where it is. On the shard. */
    long through(long state) {
        return numbers.through(state);
    }

    /**
     * The last state was as the one before, so it is where that is. On the shard.
     *
     * @return is it safe?
     */
    boolean writtenAsBefore(IntSupplier holders) {
        Numbers now = numbers;
        if (protectedThrough >= now.state) {
            protectedThrough = Math.max(protectedThrough, now.same);
        }
        if (writtenThrough >= now.state) {
            writtenThrough = Math.max(writtenThrough, now.same);
        }
        return safe(holders);
    }

    /** Has the store answered about the last state that was made? On the shard. */
    boolean landed() {
        return writtenThrough >= numbers.state;
    }

    /** Was it told before that it cannot be written? */
    boolean toldUnwritable() {
        String told = missing;
        return told != null && told.startsWith("it cannot be written");
    }

    /** It was made of its record, which is in the store. With the turn held. */
    void adopted(TakeOver how) {
        takenOver = how;
        numbers = Numbers.of(Math.max(numbers.drawn, how.from()));
        made = Made.STATE;
        again = true;
    }

    /** How it came here from another node; null for one that began here. Any thread. */
    @Nullable TakeOver takenOver() {
        return takenOver;
    }

    /**
     * How it stands from now on. On the shard.
     *
     * @param has does the store have its last state?
     * @param reason why it is not protected, where that is known
     */
    void stand(boolean has, @Nullable Unprotected reason, int partition, ProtectionCounts counts) {
        if (gone) {
            return; // a message of it, or its state, was still on its way
        }
        Unprotected before = why;
        if (stored != has) {
            stored = has;
            counts.stored(partition, has ? 1 : -1);
        }
        if (before != reason) {
            why = reason;
            if (before != null) {
                counts.unprotected(before, -1);
            }
            if (reason != null) {
                counts.unprotected(reason, 1);
            }
        }
    }
}
