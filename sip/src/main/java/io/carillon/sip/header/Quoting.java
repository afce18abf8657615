package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;

/** Quoted strings of RFC 3261 section 25.1. Pure functions. */
public final class Quoting {
    private Quoting() {}

    /** The text inside the quotes with quoted pairs resolved; a text without quotes unchanged. */
    public static String unquote(String text) {
        int n = text.length();
        if (n < 2 || text.charAt(0) != '"' || text.charAt(n - 1) != '"') {
            return text;
        }
        if (text.indexOf('\\') < 0) {
            return text.substring(1, n - 1);
        }
        StringBuilder out = new StringBuilder(n);
        for (int i = 1; i < n - 1; i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < n - 1) {
                c = text.charAt(++i);
            }
            out.append(c);
        }
        return out.toString();
    }

    /**
     * The text in quotes; quotes, backslashes and control characters become quoted pairs.
     *
     * @throws IllegalArgumentException when it holds a line break
     */
    public static String quote(String text) {
        if (text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("line break in a quoted string");
        }
        StringBuilder out = new StringBuilder(text.length() + 8).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\' || c == 0x7f || (c < ' ' && c != '\t')) {
                out.append('\\');
            }
            out.append(c);
        }
        return out.append('"').toString();
    }

    /** Is all of it one quoted string, without control characters but tabs? */
    public static boolean isQuoted(String text) {
        int last = text.length() - 1;
        if (last < 1 || text.charAt(0) != '"') {
            return false;
        }
        int i = 1;
        while (i <= last && text.charAt(i) != '"') {
            char c = text.charAt(i);
            if (c == 0x7f || (c < ' ' && c != '\t')) {
                return false;
            }
            i += c == '\\' ? 2 : 1;
        }
        return i == last;
    }

    // RFC 3261 25.1: gen-value = token / host / quoted-string. Brackets and colons are for IPv6
    // hosts.
    static String paramValue(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (!Ascii.isToken(c) && c != '[' && c != ']' && c != ':') {
                return quote(value);
            }
        }
        return value;
    }

    /** Position after the closing quote of the quoted string that opens at {@code from}, or -1. */
    public static int skipQuoted(byte[] b, int from, int to) {
        for (int p = from + 1; p < to; p++) {
            if (b[p] == '\\') {
                // RFC 3261 25.1: quoted-pair = "\" (%x00-09 / %x0B-0C / %x0E-7F)
                p++;
                if (p < to && (b[p] == '\r' || b[p] == '\n')) {
                    return -1;
                }
            } else if (b[p] == '"') {
                return p + 1;
            } else if (b[p] < ' ' && b[p] >= 0 && (b[p] == 0 || isLoneBreak(b, p, to))) {
                return -1;
            }
        }
        return -1;
    }

    /** A line break that is no fold (RFC 3261 25.1: LWS = [*WSP CRLF] 1*WSP). */
    private static boolean isLoneBreak(byte[] b, int at, int to) {
        if (b[at] != '\r' && b[at] != '\n') {
            return false;
        }
        int feed = b[at] == '\r' ? at + 1 : at;
        int p = feed + 1;
        return feed >= to || b[feed] != '\n' || p >= to || (b[p] != ' ' && b[p] != '\t');
    }
}
