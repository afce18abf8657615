package io.carillon.sip.server;

import io.carillon.sip.message.SipResponse;
import io.carillon.sip.time.WheelTimer;
import org.jspecify.annotations.Nullable;

/**
 * A reliable provisional response that waits for its PRACK (RFC 3262 section 3).
 *
 * <p>Owner: the shard's thread.
 */
final class ReliableProvisional extends WheelTimer {
    private final UasReliability reliability;
    final ServerTransaction transaction;
    final SipResponse response;
    final long rseq;
    final long giveUpAtNanos;
    long intervalNanos;
    @Nullable ReliableProvisional next;

    ReliableProvisional(
            UasReliability reliability,
            ServerTransaction transaction,
            SipResponse response,
            long rseq,
            long giveUpAtNanos) {
        this.reliability = reliability;
        this.transaction = transaction;
        this.response = response;
        this.rseq = rseq;
        this.giveUpAtNanos = giveUpAtNanos;
    }

    @Override
    protected int partition() {
        return transaction.partition();
    }

    @Override
    protected void fire(long nowNanos) {
        reliability.repeat(this, nowNanos);
    }
}
