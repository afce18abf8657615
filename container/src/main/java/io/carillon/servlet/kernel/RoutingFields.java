package io.carillon.servlet.kernel;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;

/** What in a request decides where it goes. A pure function. */
final class RoutingFields {
    private RoutingFields() {}

    /**
     * RFC 5393 4.2.1: "The second part MUST depend at least on the received Request-URI and any
     * Route header field values used when processing the received request." A back-to-back user
     * agent, and a router before it, decide by From and To as well. Never 0.
     */
    static int hash(SipRequest received) {
        int hash = received.requestUri().hashCode();
        hash = 31 * hash + received.from().uri().hashCode();
        hash = 31 * hash + received.to().uri().hashCode();
        for (int i = received.find(HeaderName.ROUTE, 0);
                i >= 0;
                i = received.find(HeaderName.ROUTE, i + 1)) {
            hash = 31 * hash + received.valueAt(i).hashCode();
        }
        return hash == 0 ? 1 : hash;
    }
}
