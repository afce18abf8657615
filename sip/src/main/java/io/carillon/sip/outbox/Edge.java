package io.carillon.sip.outbox;

import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.feedback.Feedback;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a shard does to messages where they cross between it and the network: the layers above see
 * them as they are inside, peers as they are agreed with each of them. Messages of internal hops
 * never come here.
 *
 * <p>Owner: the thread of the shard that opened it.
 */
public interface Edge {
    /** Makes the edges of all shards; any thread. */
    @FunctionalInterface
    interface Source {
        /**
         * The edge of one shard.
         *
         * @param counted told what is counted
         */
        Edge open(Wire wire, MessageLimits limits, Consumer<Counter> counted);
    }

    /** The parser for what comes from there, and for what this shard kept of it as bytes. */
    MessageParser parser(@Nullable Hop from);

    /**
     * A request came.
     *
     * @return it as the inside sees it; null when it is refused: {@link #refusal()} says how
     */
    @Nullable SipRequest arrived(SipRequest request, Hop from);

    /**
     * Was the request that {@link #arrived} gave last addressed by a token to somebody inside? Then
     * it goes there, although no dialog of ours may know of it.
     */
    boolean aimed();

    /** How the request is to be refused for which {@link #arrived} gave null last. */
    ParseResult.Rejected refusal();

    /**
     * A response came.
     *
     * @param sent the request that it answers as the inside sees it; null when that is not known
     * @return it as the inside sees it
     */
    SipResponse arrived(SipResponse response, @Nullable SipRequest sent, Hop from);

    /** Overload control with peers; null where there is none. */
    default @Nullable Feedback feedback() {
        return null;
    }

    /** Our address that the peer of this way is reached from; null: as without an edge. */
    @Nullable InetSocketAddress local(Hop to);

    /**
     * A message leaves.
     *
     * @param initial its Request-URI was chosen here, and not taken from the peer's Contact
     * @return what leaves in its place; null when it cannot be brought into the form that the peer
     *     wants
     */
    @Nullable SipMessage leaves(SipMessage message, Hop to, boolean initial);
}
