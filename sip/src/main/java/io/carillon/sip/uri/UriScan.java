package io.carillon.sip.uri;

import io.carillon.sip.bytes.Ascii;
import org.jspecify.annotations.Nullable;

/**
 * Checks the grammar of one URI in a byte slice without allocating, and leaves the offsets of its
 * parts. The one place that knows the URI grammar: eager checks of the message parser and the typed
 * {@link Uri} both stand on it. Not thread safe; reused by whoever owns it.
 */
public final class UriScan {
    /** What the scheme says the rest is. */
    public enum Kind {
        SIP,
        SIPS,
        TEL,
        OTHER
    }

    /** Of an IPv6 address, each of at most so many hexadecimal digits. */
    private static final int GROUPS = 8;

    private static final int HEX_DIGITS = 4;

    private Kind kind = Kind.OTHER;
    private int schemeEnd;
    private int userStart;
    private int userEnd;
    private int passwordStart;
    private int hostStart;
    private int hostEnd;
    private int port;
    private int paramsStart;
    private int headersStart;
    private boolean emptyParameter;

    /** Kind of the URI scanned last. */
    public Kind kind() {
        return kind;
    }

    /** Offset of the colon after the scheme. */
    public int schemeEnd() {
        return schemeEnd;
    }

    /** Offset of the user part. */
    public int userStart() {
        return userStart;
    }

    /** End of the user part (password not included), -1 without user. */
    public int userEnd() {
        return userEnd;
    }

    /** Offset of the password, -1 without one. It ends before the at sign. */
    public int passwordStart() {
        return passwordStart;
    }

    /** Offset of the host, an IPv6 bracket included. */
    public int hostStart() {
        return hostStart;
    }

    /** End of the host. */
    public int hostEnd() {
        return hostEnd;
    }

    /** Port, -1 without one. */
    public int port() {
        return port;
    }

    /** Offset of the first semicolon after host and port or number, or where it would stand. */
    public int paramsStart() {
        return paramsStart;
    }

    /** Offset of the question mark, or the end. */
    public int headersStart() {
        return headersStart;
    }

    /**
     * Was there a semicolon with no parameter behind it? It is passed over: phones write {@code
     * <sip:a@h;>}, against RFC 3261 25.1, {@code uri-parameters = *( ";" uri-parameter)}.
     */
    public boolean emptyParameter() {
        return emptyParameter;
    }

    /**
     * Scans {@code [from, to)}.
     *
     * @return null when it is a URI, else what is wrong with it (a constant)
     */
    public @Nullable String scan(byte[] b, int from, int to) {
        int p = from;
        emptyParameter = false;
        if (p >= to || !Ascii.isAlpha(b[p])) {
            return "URI Without Scheme";
        }
        while (p < to && b[p] != ':') {
            int c = b[p];
            if (!Ascii.isAlpha(c) && !Ascii.isDigit(c) && c != '+' && c != '-' && c != '.') {
                return "URI Without Scheme";
            }
            p++;
        }
        if (p >= to - 1) {
            return "URI Without Scheme";
        }
        schemeEnd = p;
        kind = kindOf(b, from, p);
        return switch (kind) {
            case SIP, SIPS -> scanSip(b, p + 1, to);
            case TEL -> scanTel(b, p + 1, to);
            case OTHER -> scanOpaque(b, p + 1, to);
        };
    }

    private static Kind kindOf(byte[] b, int from, int to) {
        int n = to - from;
        if (n == 3 || n == 4) {
            int c0 = b[from] | 0x20;
            int c1 = b[from + 1] | 0x20;
            int c2 = b[from + 2] | 0x20;
            if (c0 == 's' && c1 == 'i' && c2 == 'p') {
                if (n == 3) {
                    return Kind.SIP;
                }
                return (b[from + 3] | 0x20) == 's' ? Kind.SIPS : Kind.OTHER;
            }
            if (n == 3 && c0 == 't' && c1 == 'e' && c2 == 'l') {
                return Kind.TEL;
            }
        }
        return Kind.OTHER;
    }

    private static @Nullable String scanOpaque(byte[] b, int from, int to) {
        for (int p = from; p < to; p++) {
            if (!Ascii.isUri(b[p] & 0xff)) {
                return "Bad Character In URI";
            }
        }
        return null;
    }

    // RFC 3261 25.1: SIP-URI = "sip:" [ userinfo ] hostport uri-parameters [ headers ]
    private @Nullable String scanSip(byte[] b, int from, int to) {
        int at = -1;
        for (int p = from; p < to; p++) {
            int c = b[p];
            if (!Ascii.isUri(c & 0xff)) {
                // Grave, braces and the like are no URI characters, but phones put them in user
                // parts.
                if (at >= 0 || !(c == '\\' || c == '^' || c == '`' || (c >= '{' && c < 0x7f))) {
                    return "Bad Character In URI";
                }
            }
            // An at sign must be escaped anywhere else, so the first one ends the userinfo.
            if (c == '@' && at < 0) {
                at = p;
            }
            if (c == '%' && !(p + 2 < to && Ascii.isHex(b[p + 1]) && Ascii.isHex(b[p + 2]))) {
                return "Bad Escape In URI";
            }
        }
        userStart = from;
        userEnd = -1;
        passwordStart = -1;
        int host = from;
        if (at >= 0) {
            host = at + 1;
            userEnd = at;
            for (int p = from; p < at; p++) {
                if (b[p] == ':') {
                    userEnd = p;
                    passwordStart = p + 1;
                    break;
                }
            }
            if (userEnd == from) {
                return "Empty User In URI";
            }
        }
        int p = scanHostPort(b, host, to);
        if (p < 0) {
            return "Bad Host In URI";
        }
        return scanSipTail(b, p, to);
    }

    /** Host and port; returns the offset after them or -1. Leaves host and port fields. */
    int scanHostPort(byte[] b, int from, int to) {
        hostStart = from;
        port = -1;
        int p = scanHost(b, from, to);
        if (p < 0) {
            return -1;
        }
        hostEnd = p;
        if (p < to && b[p] == ':') {
            int digits = p + 1;
            int q = digits;
            while (q < to && Ascii.isDigit(b[q])) {
                q++;
            }
            long n = Ascii.parseDecimal(b, digits, q, 65535);
            if (n < 0) {
                return -1;
            }
            port = (int) n;
            p = q;
        }
        return p;
    }

    /**
     * Scans a host name, IPv4 address or bracketed IPv6 reference.
     *
     * @return the offset after it, -1 when there is none
     */
    public static int scanHost(byte[] b, int from, int to) {
        if (from < to && b[from] == '[') {
            return scanReference(b, from, to);
        }
        int p = from;
        while (p < to && Ascii.isHost(b[p])) {
            p++;
        }
        return p > from ? p : -1;
    }

    // RFC 3261 25.1: IPv6reference = "[" IPv6address "]", IPv6address = hexpart [ ":" IPv4address
    // ].
    // What else stands in brackets is no host; a resolver would be asked for it in vain.
    private static int scanReference(byte[] b, int from, int to) {
        int groups = 0;
        boolean gap = false;
        int p = from + 1;
        if (p < to && b[p] == ':') {
            p++;
            if (p >= to || b[p] != ':') {
                return -1;
            }
            gap = true;
            p = behindGap(b, p, to);
        }
        while (p < to && b[p] != ']') {
            int start = p;
            while (p < to && Ascii.isHex(b[p])) {
                p++;
            }
            if (p < to && b[p] == '.') {
                // An IPv4 address is the end, and stands for two groups.
                groups += 2;
                p = scanDotted(b, start, to);
                break;
            }
            if (p == start || p - start > HEX_DIGITS) {
                return -1;
            }
            groups++;
            if (p < to && b[p] == ':') {
                p++;
                if (p < to && b[p] == ':' && !gap) {
                    gap = true;
                    p = behindGap(b, p, to);
                } else if (p >= to || !Ascii.isHex(b[p])) {
                    return -1;
                }
            }
        }
        boolean whole = gap ? groups < GROUPS : groups == GROUPS;
        return p > from && p < to && b[p] == ']' && whole ? p + 1 : -1;
    }

    // RFC 5118 4.10: three colons, an old ABNF fault, are accepted.
    private static int behindGap(byte[] b, int secondColon, int to) {
        int p = secondColon + 1;
        return p < to && b[p] == ':' ? p + 1 : p;
    }

    /** The offset after four decimal numbers of one to three digits, at most 255; -1 without. */
    private static int scanDotted(byte[] b, int from, int to) {
        int p = from;
        for (int part = 0; part < 4; part++) {
            if (part > 0) {
                if (p >= to || b[p] != '.') {
                    return -1;
                }
                p++;
            }
            int start = p;
            while (p < to && Ascii.isDigit(b[p])) {
                p++;
            }
            if (p == start || p - start > 3 || Ascii.parseDecimal(b, start, p, 255) < 0) {
                return -1;
            }
        }
        return p;
    }

    private @Nullable String scanSipTail(byte[] b, int from, int to) {
        paramsStart = from;
        int p = from;
        while (p < to && b[p] == ';') {
            int name = ++p;
            while (p < to && b[p] != ';' && b[p] != '?' && b[p] != '=') {
                p++;
            }
            if (p == name) {
                if (p < to && b[p] == '=') {
                    return "Empty URI Parameter";
                }
                emptyParameter = true;
            }
            while (p < to && b[p] != ';' && b[p] != '?') {
                p++;
            }
        }
        headersStart = p;
        if (p < to && (b[p] != '?' || p + 1 == to)) {
            return "Bad Host In URI";
        }
        return null;
    }

    // RFC 3966 3: global-number-digits or local-number-digits, then parameters.
    private @Nullable String scanTel(byte[] b, int from, int to) {
        userStart = from;
        int p = from;
        boolean digit = false;
        boolean global = b[p] == '+';
        if (global) {
            p++;
        }
        for (; p < to && b[p] != ';'; p++) {
            int c = b[p];
            if (Ascii.isDigit(c) || (!global && (Ascii.isHex(c) || c == '*' || c == '#'))) {
                digit = true;
            } else if (c != '-' && c != '.' && c != '(' && c != ')') {
                return "Bad Character In Telephone Number";
            }
        }
        if (!digit) {
            return "Empty Telephone Number";
        }
        userEnd = p;
        paramsStart = p;
        headersStart = to;
        while (p < to && b[p] == ';') {
            int name = ++p;
            while (p < to && b[p] != ';') {
                if (!Ascii.isUri(b[p] & 0xff)) {
                    return "Bad Character In URI";
                }
                p++;
            }
            if (p == name) {
                emptyParameter = true;
            } else if (b[name] == '=') {
                return "Empty URI Parameter";
            }
        }
        return null;
    }
}
