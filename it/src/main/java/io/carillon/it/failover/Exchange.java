package io.carillon.it.failover;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client transaction: over UDP the request is repeated by timers A and E until it is answered
 * (RFC 3261 sections 17.1.1.2 and 17.1.2.2); it is given up after 32 s. One thread.
 */
final class Exchange {
    static final long T1_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    static final long T2_NANOS = TimeUnit.SECONDS.toNanos(4);
    static final long TIMEOUT_NANOS = 64 * T1_NANOS;

    /** What becomes of it. */
    interface Listener {
        /** A provisional response; again for each. */
        default void provisional(Exchange exchange, SipText response) {}

        /** The first final response. */
        void answered(Exchange exchange, SipText response);

        /** A final response again. */
        default void again(Exchange exchange, SipText response) {}

        /** No final response in time. */
        void unanswered(Exchange exchange);
    }

    private final Wire wire;
    private final Wire.Way way;
    private final Listener listener;
    final String method;
    final String branch;
    final String request;
    final long sentAtNanos;
    private long waitNanos = T1_NANOS;
    private Wire.@Nullable Timer repeat;
    private final Wire.Timer end;
    private long firstAnswerNanos;
    private boolean over;

    /** Sends it. */
    Exchange(
            Wire wire,
            Wire.Way way,
            String method,
            String branch,
            String request,
            Listener listener) {
        this.wire = wire;
        this.way = way;
        this.method = method;
        this.branch = branch;
        this.request = request;
        this.listener = listener;
        this.sentAtNanos = System.nanoTime();
        way.send(request);
        if (!way.reliable()) {
            repeat = wire.after(waitNanos, this::repeat);
        }
        end = wire.after(TIMEOUT_NANOS, this::giveUp);
    }

    private void repeat() {
        way.send(request);
        waitNanos = isInvite() ? 2 * waitNanos : Math.min(2 * waitNanos, T2_NANOS);
        repeat = wire.after(waitNanos, this::repeat);
    }

    private boolean isInvite() {
        return method.equals("INVITE");
    }

    /** RFC 3261 17.1.1.2: once it rings, timer B does not run; the run's own end is the bound. */
    void take(SipText response) {
        if (firstAnswerNanos == 0) {
            firstAnswerNanos = System.nanoTime();
        }
        if (over) {
            if (response.status() >= 200) {
                listener.again(this, response);
            }
            return;
        }
        if (response.status() < 200) {
            if (isInvite()) {
                stopRepeating();
                end.cancel();
            }
            listener.provisional(this, response);
            return;
        }
        stop();
        listener.answered(this, response);
    }

    private void giveUp() {
        if (!over) {
            stop();
            listener.unanswered(this);
        }
    }

    /** It is not repeated any more, and its end is told to nobody. */
    void stop() {
        over = true;
        stopRepeating();
        end.cancel();
    }

    private void stopRepeating() {
        Wire.Timer timer = repeat;
        if (timer != null) {
            timer.cancel();
            repeat = null;
        }
    }

    /** When the first response of any kind came; 0 for none yet. */
    long firstAnswerNanos() {
        return firstAnswerNanos;
    }
}
