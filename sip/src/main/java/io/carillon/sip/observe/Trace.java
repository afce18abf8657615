package io.carillon.sip.observe;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipMessage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a shard shows its messages to a {@link Tap}, while one looks on. Owner: the shard's thread,
 * but for {@link #tap}.
 */
public final class Trace {
    private final Tap.Place place;
    private final Function<byte[], @Nullable SipMessage> parser;

    /** Null nearly always: reading it is all that a trace costs while none is on. */
    private volatile @Nullable Tap tap;

    /**
     * @param place where the messages are seen
     * @param parser makes messages of ours out of their bytes; null for bytes that are none
     */
    public Trace(Tap.Place place, Function<byte[], @Nullable SipMessage> parser) {
        this.place = place;
        this.parser = parser;
    }

    /** Any thread. */
    public void tap(@Nullable Tap onlooker) {
        tap = onlooker;
    }

    /** Is nobody looking on? */
    public boolean off() {
        return tap == null;
    }

    /** A message came in. */
    public void received(@Nullable SipMessage message, Hop from) {
        Tap onlooker = tap;
        if (onlooker != null && message != null) {
            onlooker.received(place, message, from);
        }
    }

    /** A message leaves. */
    public void sent(SipMessage message, Hop to, boolean again) {
        Tap onlooker = tap;
        if (onlooker != null) {
            onlooker.sent(place, message, to, again);
        }
    }

    /** A name was looked up, and the answer had to be waited for. */
    public void resolved(@Nullable String callId, String host, long beganNanos, int hops) {
        Tap onlooker = tap;
        if (onlooker != null && callId != null) {
            onlooker.resolved(place, callId, host, beganNanos, hops);
        }
    }

    /** What befell a message is counted elsewhere; here a trace hears of it. */
    public void tell(Counter what, @Nullable SipMessage message, @Nullable Hop hop) {
        tell(what, message, hop, null);
    }

    /**
     * As {@link #tell(Counter, SipMessage, Hop)}.
     *
     * @param message a SipMessage, or the bytes of one that was sent; null when nothing is left of
     *     it
     */
    public void tell(
            Counter what, @Nullable Object message, @Nullable Hop hop, @Nullable String cause) {
        Tap onlooker = tap;
        if (onlooker == null) {
            return;
        }
        SipMessage whole =
                message instanceof byte[] bytes ? parser.apply(bytes) : (SipMessage) message;
        if (whole != null) {
            onlooker.befell(place, what, whole, hop, cause);
        }
    }
}
