package io.carillon.sip.shard;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.client.Repeatable;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Who takes the requests that come to a shard. Owner: the shard's thread. */
public interface IncomingRequests {
    /**
     * A request.
     *
     * @param byToken it was addressed to somebody inside by a token of the {@code Edge}
     */
    void receive(SipRequest request, Hop from, boolean byToken);

    /**
     * An INVITE that another node has received, and not answered, is answered here. Where it came
     * here again meanwhile, by the transaction that it has.
     *
     * @param tag the To tag that it was given there
     * @param partition of its call
     * @return its server transaction; null where it was answered meanwhile
     */
    Repeatable.@Nullable Received resume(SipRequest invite, Hop from, String tag, int partition);

    /** It was handed on to another node: nothing of it stays here, and nobody is answered. */
    void forget(Repeatable.Received request);

    /**
     * Forwards a response to a request of which no transaction is left here.
     *
     * @param response as it goes on, its top Via that of who is to get it
     * @param partition of its call; -1 without a cluster
     */
    void answer(SipResponse response, Hop to, int partition);

    /** A malformed message. */
    void rejected(ParseResult.Rejected rejected, Hop from);

    /** A peer failed. */
    void blame(PeerConduct.Failure how, @Nullable SipRequest request, Hop from);

    /** See {@link Shard#refuseNew}. */
    void refuseNew(int status, int retryAfterSeconds);

    /** 2xx responses of these partitions are repeated no more: their calls are another node's. */
    void drop(BitSet partitions);

    /** 2xx responses that wait for their ACK. */
    int waitingForAck();
}
