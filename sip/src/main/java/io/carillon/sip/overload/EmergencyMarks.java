package io.carillon.sip.overload;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import java.util.Locale;

/**
 * How a request says that it begins an emergency call. Stateless.
 *
 * <p>RFC 5031 4.1: {@code urn:service:sos} and what is below it. RFC 4412: a Resource-Priority of
 * ets or wps, and esnet of RFC 7135; only where the peer is trusted, as anybody can write one.
 */
public final class EmergencyMarks {
    private static final String SOS = "urn:service:sos";
    private static final String[] NAMESPACES = {"esnet.", "ets.", "wps."};

    private EmergencyMarks() {}

    /**
     * Of a request that was parsed.
     *
     * @param trusted its Resource-Priority is believed
     */
    public static boolean of(SipRequest request, boolean trusted) {
        String uri = request.requestUri().toString().toLowerCase(Locale.ROOT);
        if (uri.startsWith(SOS)
                && (uri.length() == SOS.length() || uri.charAt(SOS.length()) == '.')) {
            return true;
        }
        byte[] b = request.bytes();
        int line = trusted ? request.find(HeaderName.RESOURCE_PRIORITY, 0) : -1;
        return line >= 0 && priority(b, request.valueStart(line), request.valueEnd(line));
    }

    static boolean of(MessageScan request, boolean trusted) {
        byte[] b = request.bytes();
        MessageScan.Slice uri = request.uri();
        int end = uri.from() + SOS.length();
        if (end <= uri.to()
                && Ascii.equalsIgnoreCase(b, uri.from(), end, SOS)
                && (end == uri.to() || b[end] == '.')) {
            return true;
        }
        MessageScan.Slice priority = request.priority();
        if (!trusted || priority.empty()) {
            return false;
        }
        return priority(b, priority.from(), priority.to());
    }

    private static boolean priority(byte[] b, int from, int to) {
        int at = from;
        while (at < to) {
            int comma = Ascii.indexOf(b, at, to, ',');
            int stop = comma < 0 ? to : comma;
            if (named(b, Ascii.skipLws(b, at, stop), stop)) {
                return true;
            }
            at = stop + 1;
        }
        return false;
    }

    private static boolean named(byte[] b, int from, int to) {
        for (String namespace : NAMESPACES) {
            int end = from + namespace.length();
            if (end < to && Ascii.equalsIgnoreCase(b, from, end, namespace)) {
                return true;
            }
        }
        return false;
    }
}
