package io.carillon.sip.hop;

import io.carillon.sip.header.Via;
import io.carillon.sip.message.SipRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * By what kind of listening point a request came, and so where it may be passed on to: an address
 * that only this machine, or only its link, can reach is for requests that came from there. And
 * whether it came over TLS: what an application makes of it is as secure as that, whatever it
 * chooses for its own.
 */
@SuppressWarnings("EnumOrdinal") // stored sessions have the ordinals: new ones stand at the end
public enum Origin {
    /** No request: what a server or an application sends by itself, and no network has carried. */
    OWN,
    /** A listening point on a loopback address, where only this machine sends to. */
    LOOPBACK,
    /** A listening point on a link-local address. */
    LINK_LOCAL,
    /** Any other one, those on all addresses included. */
    OUTSIDE,
    /** As {@link #LOOPBACK}, over TLS. */
    TLS_LOOPBACK,
    /** As {@link #LINK_LOCAL}, over TLS. */
    TLS_LINK_LOCAL,
    /** As {@link #OUTSIDE}, over TLS. */
    TLS_OUTSIDE;

    private static final Origin[] ALL = values();

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
        Origin origin =
                address == null
                        ? OUTSIDE
                        : address.isLoopbackAddress()
                                ? LOOPBACK
                                : address.isLinkLocalAddress() ? LINK_LOCAL : OUTSIDE;
        boolean tls = source.transport().secure();
        if (origin == OUTSIDE && !tls) {
            return OUTSIDE;
        }
        // What we sent to ourselves may have come from anywhere before, and by anything.
        Via top = received.topVia();
        if (own.isLocal(top.host(), top.port())) {
            return OUTSIDE.overTls(
                    tls
                            && source.beside() instanceof Hop.CameBack copy
                            && copy.began().transport().secure());
        }
        return origin.overTls(tls && source.initial().transport().secure());
    }

    /** The same kind of listening point, by TLS or not. {@link #OWN} came by none. */
    public Origin overTls(boolean tls) {
        return this == OWN ? OWN : ALL[where().ordinal() + (tls ? OUTSIDE.ordinal() : 0)];
    }

    /** The same kind of listening point, whether it was TLS or not. */
    public Origin where() {
        return ordinal() <= OUTSIDE.ordinal() ? this : ALL[ordinal() - OUTSIDE.ordinal()];
    }

    /** Did it come over TLS, if over any network at all? */
    public boolean secure() {
        return this == OWN || ordinal() > OUTSIDE.ordinal();
    }

    /** Of this and another one: what may go to fewer places, and is secure where both are. */
    public Origin stricter(Origin other) {
        if (this == other || other == OWN) {
            return this;
        }
        Origin stricter = where().compareTo(other.where()) < 0 ? other : this;
        return stricter.overTls(secure() && other.secure());
    }
}
