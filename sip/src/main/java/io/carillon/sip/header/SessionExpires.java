package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;

/**
 * Session-Expires (RFC 4028 section 4): how long a session lasts unless somebody refreshes it, and
 * who does. Immutable.
 *
 * @param seconds the session interval; what is larger than an int counts as that
 * @param refresher who refreshes, seen from the request that carries it or is answered
 */
public record SessionExpires(int seconds, Refresher refresher) {
    /** Which side of a transaction refreshes. */
    public enum Refresher {
        /** Not said. */
        NONE,
        /** Who sent the request. */
        UAC,
        /** Who answers it. */
        UAS
    }

    /** RFC 4028 section 5: "the default value is 90 seconds"; nothing below it is allowed. */
    public static final int LEAST_SECONDS = 90;

    /**
     * @throws SipParseException when the value is no number of seconds, or its refresher is neither
     *     uac nor uas
     */
    public static SessionExpires parse(String text) throws SipParseException {
        Parameterized value = Parameterized.parse(text);
        int seconds = seconds(value);
        String who = value.param("refresher");
        if (who == null) {
            return new SessionExpires(seconds, Refresher.NONE);
        }
        if (Ascii.equalsIgnoreCase(who, "uac")) {
            return new SessionExpires(seconds, Refresher.UAC);
        }
        if (Ascii.equalsIgnoreCase(who, "uas")) {
            return new SessionExpires(seconds, Refresher.UAS);
        }
        throw new SipParseException("Bad Refresher");
    }

    /**
     * Seconds of a Min-SE value.
     *
     * @throws SipParseException when it is no number of seconds
     */
    public static int parseMinSe(String text) throws SipParseException {
        return seconds(Parameterized.parse(text));
    }

    private static int seconds(Parameterized value) throws SipParseException {
        long seconds = Ascii.parseDecimal(value.value(), Integer.MAX_VALUE);
        if (seconds == -1) {
            throw new SipParseException("Bad Session Interval");
        }
        return seconds < 0 ? Integer.MAX_VALUE : (int) seconds;
    }

    @Override
    public String toString() {
        return switch (refresher) {
            case NONE -> Integer.toString(seconds);
            case UAC -> seconds + ";refresher=uac";
            case UAS -> seconds + ";refresher=uas";
        };
    }
}
