package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;

/**
 * Retry-After (RFC 3261 section 20.33).
 *
 * @param seconds until another attempt makes sense
 * @param durationSeconds how long the callee will then be there, -1 when not said
 */
public record RetryAfter(long seconds, long durationSeconds) {
    private static final long MAX = 0xffff_ffffL;

    /** Parses a value; its comment is left out. */
    public static RetryAfter parse(String text) throws SipParseException {
        int comment = text.indexOf('(');
        int close = text.lastIndexOf(')');
        if (comment >= 0 && close < comment) {
            throw new SipParseException("Bad Retry-After");
        }
        String bare = comment < 0 ? text : text.substring(0, comment) + text.substring(close + 1);
        Parameterized value = Parameterized.parse(bare);
        long seconds = Ascii.parseDecimal(value.value(), MAX);
        String duration = value.param("duration");
        long lasting = duration == null ? -1 : Ascii.parseDecimal(duration, MAX);
        if (seconds < 0 || (duration != null && lasting < 0)) {
            throw new SipParseException("Bad Retry-After");
        }
        return new RetryAfter(seconds, lasting);
    }

    @Override
    public String toString() {
        return durationSeconds < 0
                ? Long.toString(seconds)
                : seconds + ";duration=" + durationSeconds;
    }
}
