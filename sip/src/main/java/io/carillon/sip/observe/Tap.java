package io.carillon.sip.observe;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipMessage;
import org.jspecify.annotations.Nullable;

/**
 * Looks on at the messages of a shard, for a trace; {@link Trace#tap} puts it on and takes it off.
 * Called on the shard's thread, for every message as long as it is on: it must neither wait nor
 * throw.
 */
public interface Tap {
    /** The shard where it happened; on its thread. */
    interface Place {
        int index();

        /** The time of the event at work. */
        long now();

        Wire wire();
    }

    /** A message came in, before anything is done about it. */
    void received(Place place, SipMessage message, Hop from);

    /**
     * A message leaves.
     *
     * @param again when it went out before
     */
    void sent(Place place, SipMessage message, Hop to, boolean again);

    /**
     * Something befell a message that its arrival or departure does not show: it was dropped or
     * refused, nobody answered it, it could not be sent.
     *
     * @param what the event, as it is counted
     * @param hop the way it came or was to go, where that is known
     * @param cause in words, where there are any
     */
    void befell(
            Place place,
            Counter what,
            SipMessage message,
            @Nullable Hop hop,
            @Nullable String cause);

    /**
     * The name that a request goes to was looked up, and an answer had to be waited for.
     *
     * @param host the name, as the URI has it
     * @param beganNanos when it was asked for, by {@link Place#now}
     * @param hops so many ways were found
     */
    default void resolved(Place place, String callId, String host, long beganNanos, int hops) {}
}
