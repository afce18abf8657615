package io.carillon.sip.shard;

import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/** Told what becomes of a {@link RequestAttempt}, on the shard's thread. */
public interface AttemptUser {
    /**
     * A response: every provisional, the final, and to an INVITE the 2xx of each further fork; with
     * {@link OutgoingRequest#proxied} every repeated 2xx too. The top Via is still ours.
     */
    void response(RequestAttempt attempt, SipResponse response);

    /**
     * Asked before a 2xx to an INVITE of a fork that was not heard of is told: is there room for
     * it? Where there is none nothing is remembered of it, and as it gets no ACK its sender repeats
     * it (RFC 3261 section 13.3.1.4). Never asked for a {@link OutgoingRequest#proxied} request,
     * whose user is told of every repetition.
     *
     * @param first no 2xx was told before
     */
    default boolean hasRoom(RequestAttempt attempt, SipResponse success, boolean first) {
        return true;
    }

    /**
     * Is it known that the peer of this request is at that hop? Else the request leaves once, to
     * one such hop: whoever wrote the address may have taken another's.
     */
    default boolean heardAt(Hop hop) {
        return true;
    }

    /** It leaves for that hop now: whoever is there reads it. */
    default void leavesFor(Hop hop) {}

    /**
     * Where the request came in that this one is a copy of: asked when it comes back to ourselves.
     * Null when it is none, or that is not known any more.
     */
    default @Nullable Hop began() {
        return null;
    }

    /**
     * The partition of a cluster to which the call of the request belongs; -1, as a rule, where its
     * From tag tells.
     */
    default int partition() {
        return -1;
    }

    /** There will be no final response. */
    void failed(RequestAttempt attempt, Failure failure);

    /**
     * Nothing will be told of this attempt any more: after the final response or failure, for a 2xx
     * to INVITE after Timer M.
     */
    default void finished(RequestAttempt attempt) {}
}
