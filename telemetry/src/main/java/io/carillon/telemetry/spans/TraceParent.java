package io.carillon.telemetry.spans;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The header {@code traceparent} of W3C Trace Context, level 1: which trace, which span of it, and
 * whether it is kept.
 *
 * @param high upper half of the trace's id
 * @param low its lower half
 * @param span id of the span that sent it
 * @param sampled does its sender keep the trace?
 */
public record TraceParent(long high, long low, long span, boolean sampled) {
    /** As SIP and HTTP have it. */
    public static final HeaderName NAME = HeaderName.of("traceparent");

    /** What vendors add to it; we have nothing to say in it. */
    static final HeaderName STATE = HeaderName.of("tracestate");

    private static final HexFormat HEX = HexFormat.of();
    private static final int LENGTH = 55;
    private static final int HIGH = 3;
    private static final int LOW = 19;
    private static final int LOW_END = 35;
    private static final int SPAN = 36;
    private static final int SPAN_END = 52;
    private static final int FLAGS = 53;

    /** That of a message; null where it has none that can be used. */
    static @Nullable TraceParent of(SipMessage message) {
        return message.has(NAME) ? parse(message.header(NAME)) : null;
    }

    /**
     * Reads one. A version that is not known is read as far as this one goes, as section 4.3 has
     * it; version 255 is none, and ids of zeros are none (3.2.2).
     *
     * @return null where it is wrong
     */
    public static @Nullable TraceParent parse(@Nullable String text) {
        if (text == null || text.length() < LENGTH || !dashes(text)) {
            return null;
        }
        boolean known = text.startsWith("00");
        if (known
                ? text.length() != LENGTH
                : text.length() > LENGTH && text.charAt(LENGTH) != '-') {
            return null;
        }
        if (text.startsWith("ff") || !lowerHex(text)) {
            return null;
        }
        long high = HexFormat.fromHexDigitsToLong(text, HIGH, LOW);
        long low = HexFormat.fromHexDigitsToLong(text, LOW, LOW_END);
        long span = HexFormat.fromHexDigitsToLong(text, SPAN, SPAN_END);
        boolean sampled = (HexFormat.fromHexDigits(text, FLAGS, LENGTH) & 1) != 0;
        return (high | low) == 0 || span == 0 ? null : new TraceParent(high, low, span, sampled);
    }

    private static boolean dashes(String text) {
        return text.charAt(HIGH - 1) == '-'
                && text.charAt(LOW_END) == '-'
                && text.charAt(SPAN_END) == '-';
    }

    private static boolean lowerHex(String text) {
        for (int i = 0; i < LENGTH; i++) {
            char c = text.charAt(i);
            boolean dash = i == HIGH - 1 || i == LOW_END || i == SPAN_END;
            if (!dash && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return "00-"
                + HEX.toHexDigits(high)
                + HEX.toHexDigits(low)
                + "-"
                + HEX.toHexDigits(span)
                + (sampled ? "-01" : "-00");
    }
}
