package io.carillon.sip.transaction;

import io.carillon.sip.message.SipMessage;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.time.WheelTimer;
import org.jspecify.annotations.Nullable;

/**
 * What the four machines share: the key in the {@link TransactionTable}, the message to send again,
 * and two deadlines (the next retransmission and the end) on one wheel timer. The object is flat
 * because it lingers for 32 s after the final response over UDP: then it holds its key, the bytes
 * of the last message and what the subclass needs to send them, and nothing else.
 *
 * <p>Owner: the shard's thread. No I/O: outputs are the abstract methods.
 */
public abstract class Transaction extends WheelTimer {
    private static final byte RELIABLE = 1;
    private static final byte SETTLED = 2;
    private static final byte IN_A_RECORD = 4;

    /** A deadline that does not exist. */
    protected static final long NEVER = TimerWheel.NEVER;

    // The key.
    long keyHash;
    String branch = "";

    /** {@link #RELIABLE} and {@link #SETTLED}. */
    private byte flags;

    /** A short, as it lingers: a byte and this fill what is left before the next field. */
    private short partition = -1;

    /** The end. What the timer waits for before it is the next retransmission. */
    private long timeoutAtNanos = NEVER;

    private long intervalNanos;

    /** The message to send again: a SipMessage, or the bytes of one. */
    private @Nullable Object last;

    Transaction(boolean reliable) {
        flags = reliable ? RELIABLE : 0;
    }

    /** Gives it the key under which the table finds it; before {@link TransactionTable#add}. */
    public final void key(long hash, String branchText) {
        keyHash = hash;
        branch = branchText;
    }

    /**
     * The branch parameter that identifies it, or what stands for one when the peer speaks RFC
     * 2543.
     */
    public final String branch() {
        return branch;
    }

    /** Says to which partition of a cluster its call belongs; -1, as at first, for none. */
    public final void of(int call) {
        partition = (short) call;
    }

    @Override
    public final int partition() {
        return partition;
    }

    /**
     * Whether its transport delivers by itself (RFC 3261 section 17: no retransmission, zero wait
     * states).
     */
    public final boolean reliable() {
        return (flags & RELIABLE) != 0;
    }

    /** True for the two INVITE machines. */
    public abstract boolean invite();

    /** True when a final response was sent or received and only repetitions are still expected. */
    public abstract boolean lingers();

    /**
     * Would it be lost with this process: is something to be answered that no other node knows of?
     * An INVITE that rings is known, see the records of calls.
     */
    boolean isUnderWay() {
        return !lingers() && !terminated() && (flags & IN_A_RECORD) == 0;
    }

    /** Another node has had it, and whoever takes its call over makes it again. */
    public final void keptInRecord() {
        flags |= IN_A_RECORD;
    }

    /** True after the end; it is in no table then. */
    public abstract boolean terminated();

    /** Name of the state, for traces and tests. */
    public abstract String stateName();

    /** Ends it without a word to anyone, as when the shard stops. */
    public abstract void discard(long nowNanos);

    /** The transport could not deliver what was sent last (RFC 3261 sections 17.1.4 and 17.2.4). */
    public abstract void transportError(long nowNanos);

    // Outputs.

    /**
     * Passes a message to the transport.
     *
     * @param again true when these bytes went out before
     */
    protected abstract void output(SipMessage message, boolean again);

    /** As {@link #output}, for a message of which only the bytes were kept; always a repetition. */
    protected abstract void outputBytes(byte[] message);

    /**
     * Only repetitions are expected from here: whatever is not needed to answer them should be let
     * go.
     */
    protected abstract void lingering();

    /**
     * The end: leave the table.
     *
     * @param lingered whether {@link #lingering} was called before
     */
    protected abstract void ended(Reason reason, boolean lingered);

    /** A legal change of state, for counting and tracing. */
    protected void changed(Enum<?> from, Enum<?> to, long nowNanos, Reason reason) {}

    final void settle() {
        flags |= SETTLED;
        lingering();
    }

    final void end(Reason reason) {
        stopTimers();
        ended(reason, (flags & SETTLED) != 0);
        remember(null);
    }

    // Where it runs; asked for, since a field for each would linger in every transaction.

    /** The wheel of its shard. */
    protected abstract TimerWheel wheel();

    /** The timer values of its shard. */
    protected abstract TransactionTimers timers();

    // Timers. Each of these moves the timer on the wheel once, or not at all.

    /**
     * Sets both deadlines.
     *
     * @param interval until the first retransmission; negative for none
     */
    final void startTimers(long nowNanos, long interval, long timeoutAt) {
        intervalNanos = interval;
        timeoutAtNanos = timeoutAt;
        arm(interval < 0 ? timeoutAt : Math.min(nowNanos + interval, timeoutAt));
    }

    /** The end is all that is waited for from now on. */
    final void onlyTimeoutAt(long atNanos) {
        timeoutAtNanos = atNanos;
        arm(atNanos);
    }

    final void retransmitEvery(long nowNanos, long interval) {
        intervalNanos = interval;
        arm(Math.min(nowNanos + interval, timeoutAtNanos));
    }

    final long intervalNanos() {
        return intervalNanos;
    }

    final void stopRetransmitting() {
        arm(timeoutAtNanos);
    }

    final void stopTimers() {
        onlyTimeoutAt(NEVER);
    }

    /** Waits on without repeating what was sent. */
    protected final void quiet() {
        stopRetransmitting();
    }

    /** Repeats again what was sent, after the interval that was due. */
    protected final void repeat(long nowNanos) {
        if (!reliable() && intervalNanos > 0) {
            retransmitEvery(nowNanos, intervalNanos);
        }
    }

    final long retransmitAtNanos() {
        return scheduled() && deadlineNanos() < timeoutAtNanos ? deadlineNanos() : NEVER;
    }

    final long timeoutAtNanos() {
        return timeoutAtNanos;
    }

    private void arm(long due) {
        if (due == NEVER) {
            if (scheduled()) {
                wheel().cancel(this);
            }
        } else if (!scheduled() || deadlineNanos() != due) {
            wheel().schedule(this, due);
        }
    }

    @Override
    protected final void fire(long nowNanos) {
        if (nowNanos >= timeoutAtNanos) {
            timeoutAtNanos = NEVER;
            timeout(nowNanos);
        } else {
            retransmit(nowNanos);
            if (!scheduled()) {
                arm(timeoutAtNanos);
            }
        }
    }

    /** Timer A, E or G. */
    abstract void retransmit(long nowNanos);

    /** Timer B, D, F, H, I, J, K, L or M, or the one of 200 ms. */
    abstract void timeout(long nowNanos);

    // The message to send again.

    final void sendFirst(SipMessage message) {
        last = message;
        output(message, false);
    }

    final void remember(@Nullable SipMessage message) {
        last = message;
    }

    /** What was sent last is not sent again: there is no room to keep it. */
    protected final void forgetLast() {
        last = null;
    }

    /** Sends the last message once more; false when there is none. */
    final boolean sendAgain() {
        Object again = last;
        if (again instanceof SipMessage message) {
            output(message, true);
        } else if (again instanceof byte[] bytes) {
            outputBytes(bytes);
        } else {
            return false;
        }
        return true;
    }

    /** Sends the last message once more, as when another way for it was found. */
    protected final void resend() {
        if (!terminated()) {
            sendAgain();
        }
    }

    /** Keeps of the last message its bytes only: index and parsed views weigh as much again. */
    final void shrink() {
        if (last instanceof SipMessage message) {
            last = message.keptBytes();
        }
    }

    /** What was sent last: a SipMessage, the bytes of one, or nothing any more. */
    public final @Nullable Object sentLast() {
        return last;
    }

    /** The message to send again; null when there is none, or only its bytes. */
    final @Nullable SipMessage last() {
        return last instanceof SipMessage message ? message : null;
    }
}
