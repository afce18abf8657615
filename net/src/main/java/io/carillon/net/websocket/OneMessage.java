package io.carillon.net.websocket;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;

/**
 * What one WebSocket message holds. RFC 7118 5: "Each SIP message MUST be carried within a single
 * WebSocket message, and a WebSocket message MUST NOT contain more than one SIP message."
 * Stateless; any thread.
 */
public final class OneMessage {
    private OneMessage() {}

    /** What it is. */
    public enum Kind {
        /** A SIP message, as far as its boundaries tell. */
        SIP,
        /** Line breaks: a keep-alive that wants an answer (RFC 5626 3.5.1). */
        PING,
        /** Line breaks or nothing: to be ignored. */
        NOTHING,
        /** More bytes than the Content-Length says: another message, or what somebody hides. */
        MORE_THAN_ONE
    }

    /** Tells it. */
    public static Kind of(byte[] b, int length) {
        int start = 0;
        while (start < length && (b[start] == '\r' || b[start] == '\n')) {
            start++;
        }
        if (start == length) {
            return length >= 4 ? Kind.PING : Kind.NOTHING;
        }
        int body = bodyStart(b, start, length);
        if (body < 0) {
            // No empty line: the parser says what is wrong with it.
            return Kind.SIP;
        }
        long declared = contentLength(b, start, body);
        if (declared < 0 || declared >= length - body) {
            return Kind.SIP;
        }
        int p = (int) (body + declared);
        while (p < length && (b[p] == '\r' || b[p] == '\n')) {
            p++;
        }
        return p == length ? Kind.SIP : Kind.MORE_THAN_ONE;
    }

    private static int bodyStart(byte[] b, int start, int length) {
        for (int p = start + 3; p < length; p++) {
            if (b[p] == '\n' && b[p - 1] == '\r' && b[p - 2] == '\n' && b[p - 3] == '\r') {
                return p + 1;
            }
        }
        return -1;
    }

    /** The first one; negative when there is none that is a number. */
    private static long contentLength(byte[] b, int start, int body) {
        int p = start;
        while (p < body) {
            int lineEnd = Ascii.indexOf(b, p, body, '\n');
            if (lineEnd < 0) {
                return -1;
            }
            int name = p;
            while (p < lineEnd && Ascii.isToken(b[p])) {
                p++;
            }
            if (HeaderName.CONTENT_LENGTH.spelledBy(b, name, p)) {
                while (p < lineEnd && Ascii.isBlank(b[p])) {
                    p++;
                }
                int from = p < lineEnd && b[p] == ':' ? p + 1 : lineEnd;
                while (from < lineEnd && Ascii.isBlank(b[from])) {
                    from++;
                }
                return Ascii.parseDecimal(
                        b, from, Ascii.trimEnd(b, from, lineEnd), Integer.MAX_VALUE);
            }
            p = lineEnd + 1;
        }
        return -1;
    }
}
