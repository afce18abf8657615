package io.carillon.sip.hop;

import io.carillon.sip.header.Via;
import io.carillon.sip.message.SipRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * By what kind of listening point a request came, and so where it may be passed on to: an address
 * that only this machine, or only its link, can reach is for requests that came from there. Ordered
 * from the freest to the strictest.
 */
public enum Origin {
    /** No request: what a server or an application sends by itself. */
    OWN,
    /** A listening point on a loopback address, where only this machine sends to. */
    LOOPBACK,
    /** A listening point on a link-local address. */
    LINK_LOCAL,
    /** Any other one, those on all addresses included. */
    OUTSIDE;

    /** Knows where that came from which it travels with: see {@link Hop#beside}. */
    public interface Known {
        Origin origin();

        /** Where it came in; null when an application made it, or that is not known any more. */
        default @Nullable Hop initialHop() {
            return null;
        }

        /** Where whoever began it is counted: of {@link io.carillon.sip.guard.Sources}. */
        int countedAt();
    }

    /**
     * The origin of a request.
     *
     * @param source the hop that it came by
     * @param own which addresses are ours
     */
    public static Origin of(SipRequest received, Hop source, OwnAddresses own) {
        if (source.internal()) {
            return source.beside() instanceof Known known ? known.origin() : OUTSIDE;
        }
        InetSocketAddress local = source.local();
        InetAddress address = local == null ? null : local.getAddress();
        if (address == null) {
            return OUTSIDE;
        }
        Origin origin =
                address.isLoopbackAddress()
                        ? LOOPBACK
                        : address.isLinkLocalAddress() ? LINK_LOCAL : OUTSIDE;
        if (origin == OUTSIDE) {
            return OUTSIDE;
        }
        // What we sent to ourselves may have come from anywhere before.
        Via top = received.topVia();
        return own.isLocal(top.host(), top.port()) ? OUTSIDE : origin;
    }

    /** Of this and another one: what may go to fewer places. */
    public Origin stricter(Origin other) {
        return compareTo(other) < 0 ? other : this;
    }
}
