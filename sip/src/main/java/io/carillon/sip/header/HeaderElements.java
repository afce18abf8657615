package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import java.util.List;

/**
 * Takes comma separated header values apart (RFC 3261 section 7.3.1). Commas inside quoted strings
 * and angle brackets do not part elements. Pure functions.
 */
public final class HeaderElements {
    private HeaderElements() {}

    /** End of the element that begins at {@code from}: position of its comma, or {@code to}. */
    public static int end(byte[] b, int from, int to) {
        int p = from;
        while (p < to && b[p] != ',') {
            if (b[p] == '"') {
                int after = Quoting.skipQuoted(b, p, to);
                if (after < 0) {
                    return to;
                }
                p = after;
            } else if (b[p] == '<') {
                int close = Ascii.indexOf(b, p, to, '>');
                if (close < 0) {
                    return to;
                }
                p = close + 1;
            } else {
                p++;
            }
        }
        return p;
    }

    /** Adds every element of the slice, unfolded and trimmed; empty ones are left out. */
    public static void split(byte[] b, int from, int to, List<String> out) {
        for (int p = from; p < to; ) {
            int end = end(b, p, to);
            int start = Ascii.skipLws(b, p, end);
            int stop = Ascii.trimEnd(b, start, end);
            if (stop > start) {
                out.add(Ascii.unfolded(b, start, stop));
            }
            p = end + 1;
        }
    }
}
