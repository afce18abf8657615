package io.carillon.sip.server;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.shard.Shard;

/** The layer above, as far as requests of peers concern it. See {@code StackUser}. */
public interface ServerUser {
    /**
     * A new request that is neither ACK nor CANCEL. An exception is counted and answered by 500.
     */
    void request(Shard shard, ServerTransaction transaction, SipRequest request);

    /**
     * An ACK that belongs to no final response of ours of 300 and above: for a 2xx of ours, whose
     * repetition stopped before this call, or for a proxy to forward. May come more than once.
     *
     * @param byToken it was addressed to somebody inside by a token of the {@code Edge}
     * @return false when there was no room for it: then the 2xx is repeated until the ACK comes
     *     again
     */
    boolean ack(Shard shard, SipRequest ack, Hop from, boolean byToken);

    /**
     * A CANCEL for an INVITE without final response. The stack has answered the CANCEL with 200.
     *
     * @param answered487 true when our 487 won the decision about the final response, and was sent;
     *     false for a transaction whose role is {@link Role#PROXY} (cancel its branches) and when
     *     the layer above has claimed the final response before
     */
    void cancelled(ServerTransaction invite, SipRequest cancel, boolean answered487);

    /**
     * A CANCEL whose INVITE is not known: may it be one of another node, that goes on here soon, or
     * was handed on to another node?
     *
     * @param again looks for the INVITE once more; on the shard's thread
     * @param gone forgets the CANCEL, as another node has it
     * @return true: the CANCEL waits, and is answered by {@code again}; or it has gone
     */
    default boolean waits(Shard shard, SipRequest cancel, Hop from, Runnable again, Runnable gone) {
        return false;
    }

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

    /** No PRACK came in 64*T1 for a reliable provisional response (RFC 3262 section 3). */
    void prackMissing(ServerTransaction invite, SipResponse provisional);
}
