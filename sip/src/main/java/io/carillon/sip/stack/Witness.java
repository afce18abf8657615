package io.carillon.sip.stack;

import io.carillon.sip.message.SipMessage;
import org.jspecify.annotations.Nullable;

/** Where a shard keeps its {@link Tap}. Owner: the shard's thread, but for {@link #tap}. */
final class Witness {
    private final Shard shard;

    /** Null nearly always: reading it is all that a trace costs while none is on. */
    private volatile @Nullable Tap tap;

    Witness(Shard shard) {
        this.shard = shard;
    }

    /** Any thread. */
    void tap(@Nullable Tap onlooker) {
        tap = onlooker;
    }

    /** Null while no trace is on. */
    @Nullable Tap tap() {
        return tap;
    }

    void received(@Nullable SipMessage message, Hop from) {
        Tap onlooker = tap;
        if (onlooker != null && message != null) {
            onlooker.received(shard, message, from);
        }
    }

    void sent(SipMessage message, Hop to, boolean again) {
        Tap onlooker = tap;
        if (onlooker != null) {
            onlooker.sent(shard, message, to, again);
        }
    }

    /** What befell a message is counted elsewhere; here a trace hears of it. */
    void tell(Counter what, @Nullable SipMessage message, @Nullable Hop hop) {
        tell(what, message, hop, null);
    }

    /**
     * As {@link #tell(Counter, SipMessage, Hop)}.
     *
     * @param message a SipMessage, or the bytes of one that was sent; null when nothing is left of
     *     it
     */
    void tell(Counter what, @Nullable Object message, @Nullable Hop hop, @Nullable String cause) {
        Tap onlooker = tap;
        if (onlooker == null) {
            return;
        }
        SipMessage whole =
                message instanceof byte[] bytes
                        ? shard.outbox().parse(bytes)
                        : (SipMessage) message;
        if (whole != null) {
            onlooker.befell(shard, what, whole, hop, cause);
        }
    }
}
