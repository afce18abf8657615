package io.carillon.servlet.feature.proxy;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.dialog.RouteSet;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who has named the place where a request goes that a proxy of ours sends on. What its sender alone
 * has named, by a Route or in a dialog by the Request-URI, gets the request once: with our timers
 * (RFC 3261 17.1) anybody could have us send it to anybody eleven times. Functions; any thread.
 */
public final class NextHop {
    private NextHop() {}

    /** The first Route, or the Request-URI without one. */
    static Uri of(MessageDraft leaving) {
        NameAddress top = leaving.has(HeaderName.ROUTE) ? leaving.address(HeaderName.ROUTE) : null;
        return top != null ? top.uri() : leaving.requestUri();
    }

    /**
     * Does it leave by a Route that its sender has written, who is nobody whom the operator trusts?
     * So it does by a flow that a route of ours names (RFC 5626 5.3): whoever has seen that route
     * may write it.
     *
     * @param source where it came from: for a second application of ours the first one
     * @param routing what of the received request's routing was about ourselves
     * @param from where it came into this server; null when that is not known
     */
    public static boolean bySendersRoute(
            Shard shard,
            SipRequest received,
            Hop source,
            RoutePreprocessing routing,
            MessageDraft leaving,
            @Nullable Hop from) {
        return (leaving.has(HeaderName.ROUTE) || routing.flow(received, source, shard) != null)
                && asReceived(received, routing, leaving)
                && !trusted(shard, from);
    }

    /** As {@link #bySendersRoute}, or without a Route by his Request-URI. */
    public static boolean bySender(
            Shard shard,
            SipRequest received,
            RoutePreprocessing routing,
            MessageDraft leaving,
            @Nullable Hop from) {
        return asReceived(received, routing, leaving) && !trusted(shard, from);
    }

    private static boolean asReceived(
            SipRequest received, RoutePreprocessing routing, MessageDraft leaving) {
        if (received.topRoute() == null) {
            return !leaving.has(HeaderName.ROUTE)
                    && leaving.requestUri().equals(routing.requestUri());
        }
        MessageDraft plain = MessageDraft.copyOf(received);
        routing.applyTo(plain);
        return leaving.has(HeaderName.ROUTE) == plain.has(HeaderName.ROUTE)
                && of(leaving).equals(of(plain));
    }

    /**
     * RFC 3261 16.6 step 6: a Route without {@code lr} becomes the Request-URI. So whoever writes
     * one with a user would choose whom the request is for, past the application that has looked at
     * its Request-URI: his is taken for one with {@code lr}. A strict router's own URI names a host
     * alone, and is obeyed. One that leads to ourselves comes back, and is looked at as what it has
     * become.
     */
    static void loosen(Shard shard, MessageDraft leaving) {
        NameAddress top = leaving.address(HeaderName.ROUTE);
        if (top != null
                && top.uri() instanceof SipUri uri
                && !RouteSet.loose(uri)
                && uri.rawUser() != null
                && !shard.wire().isLocal(uri.host(), uri.port())) {
            leaving.removeFirst(HeaderName.ROUTE);
            leaving.addFirst(
                    HeaderName.ROUTE, NameAddress.of(uri.withParam("lr", null)).toString());
        }
    }

    /** Has it a strict Route, which becomes the Request-URI here or further on, but for those? */
    static boolean strictBeside(MessageDraft leaving, List<NameAddress> known) {
        if (!leaving.has(HeaderName.ROUTE)) {
            return false;
        }
        for (NameAddress route : leaving.routes()) {
            if (!RouteSet.loose(route.uri()) && !has(known, route.uri())) {
                return true;
            }
        }
        return false;
    }

    private static boolean has(List<NameAddress> routes, Uri uri) {
        for (int i = 0; i < routes.size(); i++) {
            if (routes.get(i).uri().equals(uri)) {
                return true;
            }
        }
        return false;
    }

    static boolean trusted(Shard shard, @Nullable Hop from) {
        PeerConduct conduct = shard.config().conduct();
        // The address of an internal hop is ours, whoever is behind it.
        return conduct != null
                && from != null
                && !from.internal()
                && conduct.trusts(from.initial());
    }

    /** Do both lead to one port of one host, whatever else they say? */
    static boolean same(@Nullable Uri some, Uri other) {
        if (some == null || some.equals(other)) {
            return some != null;
        }
        return some instanceof SipUri one
                && other instanceof SipUri two
                && port(one) == port(two)
                && host(one).equalsIgnoreCase(host(two));
    }

    /** RFC 3261 19.1.1: maddr is "the server address to be contacted for this user, overriding". */
    static String host(SipUri uri) {
        String maddr = uri.maddr();
        return maddr == null ? uri.host() : maddr;
    }

    static int port(SipUri uri) {
        boolean tls = uri.secure() || "tls".equalsIgnoreCase(uri.transport());
        return uri.port() >= 0 ? uri.port() : tls ? 5061 : 5060;
    }
}
