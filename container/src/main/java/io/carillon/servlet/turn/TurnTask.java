package io.carillon.servlet.turn;

import io.carillon.sip.admission.WaitingMessages;
import io.carillon.sip.message.SipMessage;
import org.jspecify.annotations.Nullable;

/**
 * One piece of work for a {@link Turn}; also the node of its mailbox, so queueing allocates nothing
 * more.
 */
public abstract class TurnTask {
    /**
     * Owned by the mailbox: newer to older while it lies there, older to newer in the runner's
     * batch.
     */
    @Nullable TurnTask next;

    /** Of a message that is counted for whom the session counts for. */
    static final int OF_SESSION = -1;

    /** Bytes that its message keeps alive; 0 for work of our own, which is always taken. */
    final int weight;

    /** Where the sender of its message is counted. */
    int place;

    // Owned by the mailbox: what lies in it from this one down to the oldest.
    int messagesBelow;
    int bytesBelow;

    /** Work of our own: a timer, a command, the end of something. */
    protected TurnTask() {
        weight = 0;
    }

    /** Work for a message from the network, made when it has to wait. */
    protected TurnTask(SipMessage message) {
        this(message, OF_SESSION);
    }

    /**
     * As {@link #TurnTask(SipMessage)}.
     *
     * @param place where its sender is counted
     */
    protected TurnTask(SipMessage message, int place) {
        this.weight = WaitingMessages.weight(message);
        this.place = place;
    }

    /** A task that runs the work. */
    public static TurnTask of(Runnable work) {
        return new TurnTask() {
            @Override
            protected void run() {
                work.run();
            }
        };
    }

    /** A task that runs the work for a message from the network. */
    public static TurnTask of(SipMessage message, Runnable work) {
        return new TurnTask(message) {
            @Override
            protected void run() {
                work.run();
            }
        };
    }

    /** Runs with the turn held. What it throws ends at {@link Turn#failed}. */
    protected abstract void run();
}
