package io.carillon.net.shard;

import io.carillon.sip.overload.QueueingDelay;
import io.carillon.sip.overload.Waiting;
import org.jspecify.annotations.Nullable;

/**
 * How long what comes into a loop waits, told to the loop's shard: at the sockets, and in the loop
 * by the time that a round of it takes, in which nothing else is looked at, and by the time until
 * its tasks are taken up.
 *
 * <p>Owner: the loop's thread, except {@link #asked} and {@link #forProcessors}.
 */
public final class LoopDelay {
    private volatile @Nullable QueueingDelay told;
    private volatile long askedNanos;
    private long beganNanos;

    LoopDelay() {}

    /** Whom it tells; once. */
    void tell(QueueingDelay whom) {
        told = whom;
    }

    /** The loop is asked to take up tasks. */
    void asked() {
        askedNanos = System.nanoTime();
    }

    /** It does. */
    void takesUp(long nowNanos) {
        waited(Waiting.LOOP, nowNanos - askedNanos);
    }

    /** A round begins. */
    void begins(long nowNanos) {
        beganNanos = nowNanos;
    }

    /** It is over. */
    void ends() {
        waited(Waiting.LOOP, System.nanoTime() - beganNanos);
    }

    /**
     * What was read from a socket has waited there.
     *
     * @param nanos for how long
     */
    public void atSocket(long nanos) {
        waited(Waiting.SOCKET, nanos);
    }

    /**
     * A handler that begins waits for processors, which others have that compute. Any thread.
     *
     * @param nanos for how long, in all
     */
    void forProcessors(long nanos) {
        waited(Waiting.PROCESSOR, nanos);
    }

    private void waited(Waiting where, long nanos) {
        QueueingDelay known = told;
        if (known != null) {
            known.waited(where, nanos);
        }
    }
}
