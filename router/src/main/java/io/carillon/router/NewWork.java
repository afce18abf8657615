package io.carillon.router;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;

/**
 * Tells by the bytes of a request whether it begins something: what belongs to a call or a
 * registration that is there is never refused at the edge. Stateless.
 */
final class NewWork {
    private static final int TO = HeaderName.TO.id();
    private static final String EMERGENCY = "urn:service:sos";

    private NewWork() {}

    /**
     * Is it new work that may be refused? Not within a dialog, no ACK, BYE, CANCEL or PRACK, and no
     * emergency call (RFC 5031).
     *
     * @param from where the request begins
     */
    static boolean is(byte[] b, int from, int to) {
        int space = Ascii.indexOf(b, from, to, ' ');
        if (space < 0
                || Ascii.equals(b, from, space, "ACK")
                || Ascii.equals(b, from, space, "BYE")
                || Ascii.equals(b, from, space, "CANCEL")
                || Ascii.equals(b, from, space, "PRACK")) {
            return false;
        }
        int uriEnd = space + 1 + EMERGENCY.length();
        if (uriEnd < to && Ascii.equalsIgnoreCase(b, space + 1, uriEnd, EMERGENCY)) {
            return false;
        }
        int at = Ascii.indexOf(b, from, to, '\n') + 1;
        while (at > 0 && at < to && b[at] != '\r' && b[at] != '\n') {
            int end = TopVias.headerEnd(b, at, to);
            int colon = Ascii.indexOf(b, at, end, ':');
            if (colon > 0 && HeaderName.idOf(b, at, Ascii.trimEnd(b, at, colon)) == TO) {
                return !Unavailable.hasTag(b, colon + 1, end);
            }
            at = end;
        }
        return true;
    }
}
