package io.carillon.telemetry.spans;

import io.carillon.sip.message.SipMessage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Ids of traces and spans, and the lot that decides whether a call is kept. Any thread. */
final class TraceIds {
    private final LongSupplier random;
    private final int perTenThousand;

    /**
     * @param random any 64 bits; ids are no secrets
     */
    TraceIds(LongSupplier random, int perTenThousand) {
        this.random = random;
        this.perTenThousand = perTenThousand;
    }

    /** Of a span. */
    long span() {
        long id = random.getAsLong();
        return id == 0 ? 1 : id;
    }

    /**
     * A trace and its first span: that of a peer, who may want it kept, else one of our own.
     *
     * @param peers null: nobody's
     */
    TraceParent trace(@Nullable TraceParent peers) {
        if (peers != null) {
            return new TraceParent(
                    peers.high(), peers.low(), span(), peers.sampled() || drawn(peers.low()));
        }
        long high = random.getAsLong();
        long low = span();
        return new TraceParent(high, low, span(), drawn(low));
    }

    private boolean drawn(long low) {
        return Long.remainderUnsigned(low, SpanConfig.ALL) < perTenThousand;
    }

    /**
     * What tells the transaction of a message from others of its call. Who makes two branches of
     * one hash spoils the trace of his own call alone.
     */
    static long branch(SipMessage message) {
        return message.topVia().branchOrText().hashCode();
    }
}
