package io.carillon.sip.proxy;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.uri.OpaqueUri;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * RFC 3261 16.3 as updated by RFC 5393: may this request be proxied? Stateless. Syntax was checked
 * when the message was parsed, credentials are the application's.
 */
public final class RequestValidation {
    private RequestValidation() {}

    /**
     * @param understood option tags, in lower case, that are accepted in Proxy-Require
     * @param internal it came from another application of ours: that is no loop
     * @return null when it may be proxied
     */
    public static @Nullable Refusal check(
            SipRequest request, Set<String> understood, Wire wire, boolean internal) {
        // RFC 3261 16.3 item 2: "If the Request-URI has a URI whose scheme is not understood by the
        // proxy, the proxy SHOULD reject the request with a 416 (Unsupported URI Scheme) response."
        if (request.requestUri() instanceof OpaqueUri) {
            return new Refusal(416, "");
        }
        // RFC 3261 16.3 item 3: "If the request contains a Max-Forwards header field with a field
        // value of zero (0), the element MUST NOT forward the request. ... the element MUST return
        // a 483 (Too many hops) response."
        if (request.maxForwards() == 0) {
            return new Refusal(483, "");
        }
        // RFC 5393 4.2.2: "If these values are equal, the request has looped and the proxy MUST
        // reject the request with a 482 (Loop Detected) response."
        if (!internal && LoopDetection.looped(request, wire)) {
            return new Refusal(482, "");
        }
        // RFC 3261 6: a spiral "is not an error condition, unlike a loop". One without an end is as
        // bad as a loop.
        if (!internal && LoopDetection.spiralsOn(request, wire)) {
            return new Refusal(482, "");
        }
        // RFC 5393 5.3.1: "The Max-Breadth header field takes a single positive integer as its
        // value."
        if (maxBreadth(request) == 0) {
            return new Refusal(440, "");
        }
        return proxyRequire(request, understood);
    }

    private static @Nullable Refusal proxyRequire(SipRequest request, Set<String> understood) {
        if (!request.has(HeaderName.PROXY_REQUIRE)) {
            return null;
        }
        String unsupported =
                UnknownOptions.of(request.headers(HeaderName.PROXY_REQUIRE), understood);
        // RFC 3261 16.3 item 5: "the element MUST return a 420 (Bad Extension) response. The
        // response MUST include an Unsupported (Section 20.40) header field listing those
        // option-tags the element did not understand."
        return unsupported == null ? null : new Refusal(420, unsupported);
    }

    /**
     * The Incoming Max-Breadth (RFC 5393 5.3.3), at most {@link ProxyPolicy#MAX_BREADTH}, which
     * also stands for an absent or unreadable one.
     */
    static int maxBreadth(SipRequest request) {
        String value = request.header(HeaderName.MAX_BREADTH);
        if (value == null || value.isEmpty()) {
            return ProxyPolicy.MAX_BREADTH;
        }
        int number = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < '0' || c > '9') {
                return ProxyPolicy.MAX_BREADTH;
            }
            number = Math.min(ProxyPolicy.MAX_BREADTH, number * 10 + (c - '0'));
        }
        return number;
    }
}
