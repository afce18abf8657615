package io.carillon.sip.stack;

import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;

/**
 * The layer above: proxy cores, user agents, the container. Everything is called on the shard's
 * thread, one call at a time, and never from inside one of the user's own calls to the stack.
 */
public interface StackUser {
    /**
     * A new request that is neither ACK nor CANCEL. An exception is counted and answered by 500.
     */
    void request(Shard shard, ServerTransaction transaction, SipRequest request);

    /**
     * An ACK that belongs to no final response of ours of 300 and above: for a 2xx of ours, whose
     * repetition stopped before this call, or for a proxy to forward. May come more than once.
     *
     * @return false when there was no room for it: then the 2xx is repeated until the ACK comes
     *     again
     */
    boolean ack(Shard shard, SipRequest ack, Hop from);

    /**
     * A CANCEL for an INVITE without final response. The stack has answered the CANCEL with 200.
     *
     * @param answered487 true when our 487 won the decision about the final response, and was sent;
     *     false for a transaction whose role is {@link Role#PROXY} (cancel its branches) and when
     *     the layer above has claimed the final response before
     */
    void cancelled(ServerTransaction invite, SipRequest cancel, boolean answered487);

    /**
     * A response for which there is no client transaction: a late 2xx of a fork, or anything else
     * that came too late.
     */
    void strayResponse(Shard shard, SipResponse response, Hop from);

    /**
     * No ACK came in 64*T1 for a 2xx sent by {@link ServerTransaction#respondAsUas} (RFC 3261
     * section 13.3.1.4).
     */
    void ackMissing(ServerTransaction invite, SipResponse final2xx);

    /**
     * A request other than INVITE got no final response in 64*T1: it is too late for any (RFC 4320
     * section 4.2).
     */
    default void unanswered(ServerTransaction transaction) {}

    /**
     * A request that came from a peer is about to leave to another one, by a proxy: what is in it
     * for us alone may be taken out. Any thread; not asked for requests of user agents.
     */
    default void forwarding(MessageDraft leaving) {}

    /** No PRACK came in 64*T1 for a reliable provisional response (RFC 3262 section 3). */
    void prackMissing(ServerTransaction invite, SipResponse provisional);
}
