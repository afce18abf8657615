package io.carillon.sip.shard;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipResponse;

/** The layer above, as far as a shard's own requests concern it. See {@code StackUser}. */
public interface ShardUser {
    /**
     * A response for which there is no client transaction: a late 2xx of a fork, or anything else
     * that came too late.
     */
    void strayResponse(Shard shard, SipResponse response, Hop from);

    /**
     * A request that came from a peer is about to leave to another one, by a proxy: what is in it
     * for us alone may be taken out. Any thread; not asked for requests of user agents.
     */
    default void forwarding(MessageDraft leaving) {}
}
