package io.carillon.servlet.session;

import io.carillon.sip.message.SipMessage;
import io.carillon.sip.stack.WaitingMessages;
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

    /** Bytes that its message keeps alive; 0 for work of our own, which is always taken. */
    final int weight;

    // Owned by the mailbox: what lies in it from this one down to the oldest.
    int messagesBelow;
    int bytesBelow;

    /** Work of our own: a timer, a command, the end of something. */
    protected TurnTask() {
        weight = 0;
    }

    /** Work for a message from the network, made when it has to wait. */
    protected TurnTask(SipMessage message) {
        weight = WaitingMessages.weight(message);
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
