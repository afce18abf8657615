package io.carillon.sip.feedback;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import java.util.Locale;

/** RFC 7339 5.10.1: which requests are kept when not all may be sent. Stateless. */
final class Priority {
    private static final String EMERGENCY = "urn:service:sos";

    private Priority() {}

    /**
     * "requests associated with existing sessions"; "the content of the Resource-Priority header"
     * where it is believed; "emergency calls as identified by the SOS URN [RFC5031]".
     */
    static boolean precedes(MessageDraft request, boolean trusted) {
        return request.to().param("tag") != null
                || emergency(request.requestUri().toString())
                || (trusted && request.has(HeaderName.RESOURCE_PRIORITY));
    }

    private static boolean emergency(String uri) {
        String text = uri.toLowerCase(Locale.ROOT);
        return text.startsWith(EMERGENCY)
                && (text.length() == EMERGENCY.length() || text.charAt(EMERGENCY.length()) == '.');
    }
}
