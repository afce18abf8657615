package io.carillon.servlet.dispatch;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.AuthHeader;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Sips;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.proxy.Refusal;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.uri.OpaqueUri;
import io.carillon.sip.uri.SipUri;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What no application has to be asked about: initial requests that would only do harm, or that the
 * API could not show. Stateless; on the shard.
 */
final class Screening {
    /**
     * Besides sip, sips and tel: what an application can make a route of. RFC 3859, RFC 3860, RFC
     * 5031.
     */
    private static final Set<String> SCHEMES = Set.of("im", "pres", "urn");

    /** An element with two interfaces stands twice in a route; nobody needs it this often. */
    private static final int MAX_OWN_ROUTES = 8;

    private Screening() {}

    /** Null when the request may go on. */
    static @Nullable Refusal check(
            SipRequest request, Hop source, RoutePreprocessing routing, Wire wire) {
        // RFC 3261 8.2.2.1: "If the Request-URI uses a scheme not supported by the UAS, it SHOULD
        // reject the request with a 416 (Unsupported URI Scheme) response."
        if (request.requestUri() instanceof OpaqueUri other && !SCHEMES.contains(other.scheme())) {
            return new Refusal(416, "");
        }
        // RFC 5630 5.1.2: URIs that "are used inconsistently": sips says TLS on every hop, and this
        // one had none.
        if (Sips.is(request.requestUri()) && !source.internal() && !source.transport().secure()) {
            return new Refusal(400, "");
        }
        if (badCredentials(request, HeaderName.AUTHORIZATION)
                || badCredentials(request, HeaderName.PROXY_AUTHORIZATION)
                || (request.is(Methods.REGISTER) && badPreference(request))) {
            return new Refusal(400, "");
        }
        return request.topRoute() == null ? null : checkRoutes(request.routes(), routing, wire);
    }

    private static @Nullable Refusal checkRoutes(
            List<NameAddress> routes, RoutePreprocessing routing, Wire wire) {
        int first = routing.dropFirst() ? 1 : 0;
        if (first < routes.size() && isToMany(routes.get(first))) {
            return new Refusal(403, "");
        }
        int own = 0;
        while (own < routes.size() && isOwn(routes.get(own), wire)) {
            own++;
        }
        // RFC 5393 4: requests that come back again and again are what an attacker gets most work
        // out of.
        return own > MAX_OWN_ROUTES ? new Refusal(482, "") : null;
    }

    private static boolean isOwn(NameAddress route, Wire wire) {
        return route.uri() instanceof SipUri uri && wire.isLocal(uri.host(), uri.port());
    }

    /** RFC 4475 3.3.10: nothing that a stranger wrote makes us send to a whole network. */
    private static boolean isToMany(NameAddress route) {
        if (!(route.uri() instanceof SipUri uri)) {
            return false;
        }
        String host = uri.host();
        char first = host.isEmpty() ? ' ' : host.charAt(0);
        if (first != '[' && (first < '0' || first > '9')) {
            return false;
        }
        String digits = first == '[' ? host.substring(1, host.length() - 1) : host;
        try {
            return Hop.refused(InetAddress.ofLiteral(digits));
        } catch (IllegalArgumentException name) {
            return false;
        }
    }

    /**
     * Credentials of a scheme that we read, but cannot; those of other schemes are left alone (RFC
     * 4475 3.3.7).
     */
    private static boolean badCredentials(SipRequest request, HeaderName name) {
        for (int i = request.find(name, 0); i >= 0; i = request.find(name, i + 1)) {
            String value = request.valueAt(i);
            if (value.regionMatches(true, 0, "Digest", 0, 6)) {
                try {
                    AuthHeader.parse(value);
                } catch (SipParseException e) {
                    return true;
                }
            }
        }
        return false;
    }

    /** RFC 3261 25.1: qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] ). */
    private static boolean badPreference(SipRequest request) {
        for (NameAddress contact : request.contacts()) {
            String q = contact.param("q");
            if (q != null && !isPreference(q)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isPreference(String q) {
        // Leniently: ".5", and more digits than three.
        int digits = 0;
        int points = 0;
        for (int i = 0; i < q.length(); i++) {
            char c = q.charAt(i);
            if (c == '.') {
                points++;
            } else if (c >= '0' && c <= '9') {
                digits++;
            } else {
                return false;
            }
        }
        return digits > 0 && digits <= 15 && points <= 1 && Double.parseDouble(q) <= 1;
    }
}
