package io.carillon.sip.stack;

import io.carillon.sip.message.SipResponse;

/** Told what becomes of a {@link RequestAttempt}, on the shard's thread. */
public interface AttemptUser {
    /**
     * A response: every provisional, the final, and to an INVITE the 2xx of each further fork; with
     * {@link OutgoingRequest#proxied} every repeated 2xx too. The top Via is still ours.
     */
    void response(RequestAttempt attempt, SipResponse response);

    /** There will be no final response. */
    void failed(RequestAttempt attempt, Failure failure);

    /**
     * Nothing will be told of this attempt any more: after the final response or failure, for a 2xx
     * to INVITE after Timer M.
     */
    default void finished(RequestAttempt attempt) {}
}
