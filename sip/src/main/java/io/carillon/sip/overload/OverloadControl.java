package io.carillon.sip.overload;

import io.carillon.sip.admission.Admission;
import io.carillon.sip.hop.Hop;

/**
 * Decides for a shard what is worth being parsed while not everything can be served.
 *
 * <p>Owner: the shard's thread, where a method does not say otherwise.
 */
public final class OverloadControl {
    private final QueueingDelay delay = new QueueingDelay();
    private volatile OverloadState state = OverloadState.IDLE;

    public OverloadControl(OverloadConfig config, long startNanos) {}

    /** Who sees messages wait tells it. Any thread. */
    public QueueingDelay delay() {
        return delay;
    }

    /** What was seen at the last look, a few times each second. Any thread. */
    public OverloadState state() {
        return state;
    }

    /**
     * May this message be served? Asked before it is parsed.
     *
     * @param message its bytes, of which {@code length} count
     * @param from where it came from
     * @param nowNanos the time, of the executor's clock
     */
    public Admission decide(byte[] message, int length, Hop from, long nowNanos) {
        return Admission.ACCEPTED;
    }
}
