package io.carillon.servlet.route;

import javax.servlet.sip.Address;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipServletRequest;

/** The second field of an entry: a URI, nothing, or {@code DAR:Header}. */
final class DarSubscriber {
    static final String PREFIX = "DAR:";

    private DarSubscriber() {}

    /**
     * The subscriber URI for a request; of {@code DAR:Header} the URI in that header, or its text
     * where it holds no address, or nothing.
     */
    static String of(String field, SipServletRequest request) {
        if (!field.startsWith(PREFIX)) {
            return field;
        }
        String header = field.substring(PREFIX.length());
        if (header.equalsIgnoreCase("From")) {
            return request.getFrom().getURI().toString();
        }
        if (header.equalsIgnoreCase("To")) {
            return request.getTo().getURI().toString();
        }
        String text = request.getHeader(header);
        if (text == null) {
            return "";
        }
        try {
            Address address = request.getAddressHeader(header);
            return address == null || address.isWildcard() ? text : address.getURI().toString();
        } catch (ServletParseException noAddress) {
            return text; // any header may be named, says the specification's appendix C
        }
    }
}
