package io.carillon.servlet.feature.b2bua;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;

/**
 * What of a received request goes into its copy on the other leg: all but what belongs to a leg.
 */
final class CopiedHeaders {
    private CopiedHeaders() {}

    /**
     * @param withContact is Contact the application's own?
     * @param timed does the container keep the time of each leg?
     */
    static void copy(ServletRequest from, ServletRequest to, boolean withContact, boolean timed) {
        SipMessage message = from.freeze();
        int count = message.headerCount();
        for (int i = 0; i < count; i++) {
            HeaderName name = message.nameAt(i);
            if (timed && ofTheTimer(name)) {
                continue; // RFC 4028: each leg is a session of its own, with its own interval
            }
            if (!ofTheLeg(name) || (withContact && name.equals(HeaderName.CONTACT))) {
                to.edit().addLast(name, message.valueAt(i));
            }
        }
        if (message.bodyLength() > 0) {
            to.edit().body(message.body(), message.header(HeaderName.CONTENT_TYPE));
        }
    }

    private static boolean ofTheTimer(HeaderName name) {
        return name.equals(HeaderName.SESSION_EXPIRES) || name.equals(HeaderName.MIN_SE);
    }

    /**
     * SIP Servlet 1.1, 12.2: system headers are each leg's own; demands on proxies before us and
     * the body's frame are too.
     */
    private static boolean ofTheLeg(HeaderName name) {
        return name.equals(HeaderName.VIA)
                || name.equals(HeaderName.FROM)
                || name.equals(HeaderName.TO)
                || name.equals(HeaderName.CALL_ID)
                || name.equals(HeaderName.CSEQ)
                || name.equals(HeaderName.MAX_FORWARDS)
                || name.equals(HeaderName.CONTACT)
                || name.equals(HeaderName.ROUTE)
                || name.equals(HeaderName.RECORD_ROUTE)
                || name.equals(HeaderName.PATH)
                || name.equals(HeaderName.RACK)
                || name.equals(HeaderName.RSEQ)
                || name.equals(HeaderName.MAX_BREADTH)
                || name.equals(HeaderName.CONTENT_LENGTH)
                || name.equals(HeaderName.CONTENT_TYPE)
                || name.equals(HeaderName.PROXY_REQUIRE);
    }
}
