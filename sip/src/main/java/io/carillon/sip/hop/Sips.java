package io.carillon.sip.hop;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.List;

/** What the scheme sips asks of those who send and forward: RFC 3261 and RFC 5630. Stateless. */
public final class Sips {

    /** RFC 5630 9: the warning of who may not answer a sips request. */
    public static final int NOT_ALLOWED = 380;

    private Sips() {}

    /** Is it a URI of scheme sips? */
    public static boolean is(Uri uri) {
        return uri instanceof SipUri sip && sip.secure();
    }

    /**
     * RFC 3261 8.1.2: "independent of which URI is used as input to the procedures of [4], if the
     * Request-URI specifies a SIPS resource, the UAC MUST follow the procedures of [4] as if the
     * input URI were a SIPS URI." Any thread.
     */
    public static Uri target(Uri requestUri, Uri target) {
        return is(requestUri) && target instanceof SipUri sip && !sip.secure()
                ? sip.withSecure(true)
                : target;
    }

    /** May a request with that Request-URI take this way? There is no fallback from sips to sip. */
    static boolean mayTake(Uri requestUri, Hop hop) {
        return !is(requestUri) || hop.internal() || hop.transport().secure();
    }

    /** The ways that are left for a request with that Request-URI. */
    public static List<Hop> usable(Uri requestUri, List<Hop> hops) {
        if (!is(requestUri)) {
            return hops;
        }
        List<Hop> left = new ArrayList<>(hops.size());
        for (Hop hop : hops) {
            if (mayTake(requestUri, hop)) {
                left.add(hop);
            }
        }
        return left;
    }

    /**
     * RFC 3261 8.1.1.8: "If the Request-URI or top Route header field value contains a SIPS URI,
     * the Contact header field MUST contain a SIPS URI as well." RFC 5630 5.1.1.2: else it must
     * not, whatever the transport is.
     */
    public static boolean asksOfContact(MessageDraft request) {
        if (is(request.requestUri())) {
            return true;
        }
        NameAddress route =
                request.has(HeaderName.ROUTE) ? request.address(HeaderName.ROUTE) : null;
        return route != null && is(route.uri());
    }

    /**
     * RFC 3261 12.1.1: "If the request that initiated the dialog contained a SIPS URI in the
     * Request-URI or in the top Record-Route header field value, if there was any, or the Contact
     * header field if there was no Record-Route header field, the Contact header field in the
     * response MUST be a SIPS URI."
     */
    public static boolean asksOfAnswer(SipRequest request) {
        if (is(request.requestUri())) {
            return true;
        }
        List<NameAddress> routes = request.recordRoutes();
        if (!routes.isEmpty()) {
            return is(routes.getFirst().uri());
        }
        List<NameAddress> contacts = request.contacts();
        return !contacts.isEmpty()
                && !contacts.getFirst().wildcard()
                && is(contacts.getFirst().uri());
    }
}
