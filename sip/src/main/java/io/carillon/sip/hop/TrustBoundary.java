package io.carillon.sip.hop;

import io.carillon.sip.message.SipMessage;

/**
 * Stands between a trust domain and those outside of it (RFC 3325): takes out of messages what may
 * not come in from a peer, or may not leave to it. Messages of internal hops never come here.
 *
 * <p>Called on the shards' threads, for every message: it neither waits nor throws, and gives back
 * the message itself where nothing has to be taken out.
 */
public interface TrustBoundary {
    /** What the inside sees of a message that came. */
    SipMessage received(SipMessage message, Hop from);

    /** What a peer sees of a message that leaves. */
    SipMessage leaving(SipMessage message, Hop to);

    /** Is that peer inside of the domain? */
    default boolean trusts(Hop peer) {
        return false;
    }
}
