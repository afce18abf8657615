package io.carillon.sip.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * URIs by which a peer has to reach somebody inside. Outside such a one names our own address, the
 * user as it was, and in the parameter {@value #PARAM} a token of what is hidden; when a request
 * with it comes, it is what it was before.
 *
 * <p>Owner: one shard's thread.
 */
final class HiddenUris {
    /** The parameter of a URI that holds a token. */
    static final String PARAM = "crh";

    private static final String SEARCHED = ";" + PARAM + "=";
    private static final String REPLACES = "replaces=";
    private static final String MADDR = ";maddr=";

    private final Crossing way;
    private final HiddenCallIds callIds;
    private final UriTokens tokens;
    private String call = UriTokens.NO_CALL;

    HiddenUris(Crossing way, HiddenCallIds callIds) {
        this.way = way;
        this.callIds = callIds;
        this.tokens = new UriTokens(way);
    }

    // Outwards

    /** Copies a header's value in which every SIP URI that leads to an internal host is hidden. */
    void putText(byte[] b, int from, int to, ByteWriter out) {
        putText(b, from, to, false, out);
    }

    /**
     * The same of a Contact of that call.
     *
     * @param callId as the peer sees it, and so the tag, which is that of the side inside
     */
    void putContact(byte[] b, int from, int to, String callId, String tag, ByteWriter out) {
        call = tokens.call(callId, tag);
        putText(b, from, to, false, out);
        call = UriTokens.NO_CALL;
    }

    /** The same of a body, where no brackets may be put around a URI: it may be XML. */
    void putBody(byte[] b, int from, int to, ByteWriter out) {
        putText(b, from, to, true, out);
    }

    private void putText(byte[] b, int from, int to, boolean body, ByteWriter out) {
        Mentions mentions = way.mentions();
        boolean begun = false;
        int p = from;
        while (mentions.find(b, p, to)) {
            int found = mentions.start();
            int next = mentions.end();
            int open = openBracket(b, p, found, to);
            int start = open >= 0 ? open + 1 : bareStart(b, p, found, to);
            boolean quoted = start > from && b[start - 1] == '"';
            if (open < 0 && start >= 0) {
                // RFC 3261 25.1: an addr-spec is all that its element has but parameters.
                boolean within = begun(b, p, start, begun) && !quoted;
                boolean glued = start > from && Ascii.isToken(b[start - 1]);
                start = (body ? glued : within) ? -1 : start;
            }
            begun = true;
            int stop = -1;
            if (open >= 0) {
                stop = Ascii.indexOf(b, found, to, '>');
            } else if (start >= 0) {
                stop = bareEnd(b, start, to);
            }
            // Without brackets it may lie in a parameter behind the URI.
            if (stop > found && schemeEnd(b, start, stop) > 0) {
                out.put(b, p, start - p);
                if (leadsInside(b, start, stop)) {
                    boolean added = open < 0 && !quoted && !body;
                    // A parameter needs brackets around the URI to be one of the URI's.
                    out.put(added ? "<" : "");
                    putHidden(b, start, stop, out);
                    out.put(added ? ">" : "");
                } else {
                    putTelling(b, start, stop, out);
                }
                p = stop;
            } else {
                out.put(b, p, found - p);
                way.putHost(out);
                p = next;
            }
        }
        out.put(b, p, to - p);
    }

    /** Does an element of a list, which began or had not begun before, go on behind that? */
    private static boolean begun(byte[] b, int from, int to, boolean before) {
        boolean begun = before;
        for (int p = from; p < to; p++) {
            begun = b[p] != ',' && (begun || !Ascii.isLws(b[p]));
        }
        return begun;
    }

    /** The bracket that is open there around a SIP URI; -1 when none is. */
    private static int openBracket(byte[] b, int from, int at, int to) {
        for (int p = at - 1; p >= from; p--) {
            if (b[p] == '<') {
                return schemeEnd(b, p + 1, to) > 0 ? p : -1;
            }
            if (b[p] == '>') {
                return -1;
            }
        }
        return -1;
    }

    /** Where the URI without brackets begins that goes on there; -1 when none does. */
    private static int bareStart(byte[] b, int from, int at, int to) {
        int p = at;
        while (p > from && Ascii.isUri(b[p - 1]) && b[p - 1] != ',' && b[p - 1] != '"') {
            p--;
        }
        for (; p < at; p++) {
            if (schemeEnd(b, p, to) > 0 && (p == from || !Ascii.isToken(b[p - 1]))) {
                return p;
            }
        }
        return -1;
    }

    // RFC 3261 20: without brackets "all URI parameters are considered header parameters".
    private static int bareEnd(byte[] b, int from, int to) {
        int p = from;
        while (p < to && Ascii.isUri(b[p]) && b[p] != ';' && b[p] != ',' && b[p] != '?') {
            p++;
        }
        if (from > 0 && b[from - 1] == '"') {
            int quote = Ascii.indexOf(b, from, to, '"');
            return quote < 0 ? p : quote;
        }
        return p;
    }

    /** Offset behind {@code sip:} or {@code sips:}; 0 when it is neither. */
    static int schemeEnd(byte[] b, int from, int to) {
        if (to - from > 4 && Ascii.equalsIgnoreCase(b, from, from + 4, "sip:")) {
            return from + 4;
        }
        return to - from > 5 && Ascii.equalsIgnoreCase(b, from, from + 5, "sips:") ? from + 5 : 0;
    }

    /** Where a URI's headers begin: a user may have a question mark (RFC 3261 25.1). */
    private static int headersAt(byte[] b, int scheme, int to) {
        int at = Ascii.indexOf(b, scheme, to, '@');
        int question = Ascii.indexOf(b, at < 0 ? scheme : at, to, '?');
        return question < 0 ? to : question;
    }

    /** Behind the user of a URI, or its scheme. */
    private static int hostAt(byte[] b, int scheme, int headers) {
        int at = headers;
        while (at > scheme && b[at - 1] != '@') {
            at--;
        }
        return at;
    }

    /** Does a SIP URI lead to an internal host, by its host or by maddr? */
    boolean leadsInside(byte[] b, int from, int to) {
        int scheme = schemeEnd(b, from, to);
        int headers = headersAt(b, scheme, to);
        int host = hostAt(b, scheme, headers);
        int semicolon = Ascii.indexOf(b, host, headers, ';');
        int params = semicolon < 0 ? headers : semicolon;
        if (way.mentions().find(b, host, params)) {
            return true;
        }
        for (int p = params; p < headers; p++) {
            int value = p + MADDR.length();
            if (b[p] == ';' && value < headers && Ascii.equalsIgnoreCase(b, p, value, MADDR)) {
                int end = Ascii.indexOf(b, value, headers, ';');
                return way.mentions().find(b, value, end < 0 ? headers : end);
            }
        }
        return false;
    }

    /** Prints a SIP URI that leads to somebody outside and tells something of the inside. */
    void putTelling(byte[] b, int from, int to, ByteWriter out) {
        int scheme = schemeEnd(b, from, to);
        int headers = headersAt(b, scheme, to);
        // The colon of the scheme is none of an address: sip::1@example.com.
        out.put(b, from, scheme - from);
        way.putText(b, scheme, headers, out);
        putHeaders(b, headers, to, out);
    }

    /** Prints one SIP URI so that nothing of the inside is in it. */
    void putHidden(byte[] b, int from, int to, ByteWriter out) {
        int scheme = schemeEnd(b, from, to);
        int headers = headersAt(b, scheme, to);
        int at = hostAt(b, scheme, headers) - 1;
        boolean hasUser = at >= scheme;
        boolean userTells = hasUser && way.mentions().find(b, scheme, at);
        boolean secure = scheme - from == 5;
        out.put(b, from, scheme - from);
        int behind = scheme;
        String user = null;
        if (hasUser && !userTells) {
            out.put(b, scheme, at + 1 - scheme);
            behind = at + 1;
            user = unescaped(b, scheme, at);
        }
        way.putAddress(out, secure);
        String rest = unfolded(new String(b, behind, headers - behind, ISO_8859_1));
        String lower = rest.toLowerCase(Locale.ROOT);
        if (lower.contains(";user=phone")) {
            out.put(";user=phone");
        }
        if (has(lower, ";lr")) {
            out.put(";lr");
        }
        out.put(SEARCHED).put(tokens.close(user, call, rest));
        putHeaders(b, headers, to, out);
    }

    /** Shown again, it may stand in a start line. */
    private static String unfolded(String uri) {
        return uri.indexOf('\n') < 0 ? uri : uri.replaceAll("\\s*\n\\s+", "");
    }

    private static boolean has(String params, String name) {
        int at = params.indexOf(name);
        int end = at + name.length();
        return at >= 0
                && (end == params.length()
                        || params.charAt(end) == ';'
                        || params.charAt(end) == '=');
    }

    /** The headers of a URI: a Call-ID in Replaces has to be one that we know again. */
    private void putHeaders(byte[] b, int from, int to, ByteWriter out) {
        int p = from;
        while (p < to) {
            int next = Ascii.indexOf(b, p + 1, to, '&');
            int end = next < 0 ? to : next;
            int value = p + 1 + REPLACES.length();
            if (value < end && Ascii.equalsIgnoreCase(b, p + 1, value, REPLACES)) {
                out.put(b, p, value - p);
                putEscapedCallId(b, value, end, out, true, null);
            } else {
                way.putText(b, p, end, out);
            }
            p = end;
        }
    }

    /** A Replaces value that is escaped as a URI wants it: Call-ID first, then parameters. */
    private void putEscapedCallId(
            byte[] b, int from, int to, ByteWriter out, boolean outwards, @Nullable Peer peer) {
        int end = from;
        while (end < to && b[end] != ';' && !escaped(b, end, to, 0x3B)) {
            end++;
        }
        String callId = unescaped(b, from, end);
        String other = outwards ? callIds.outside(callId) : callIds.inside(callId, peer);
        if (other.equals(callId)) {
            out.put(b, from, end - from);
        } else {
            putEscaped(other, out);
        }
        if (outwards) {
            way.putText(b, end, to, out);
        } else {
            out.put(b, end, to - end);
        }
    }

    private static void putEscaped(String text, ByteWriter out) {
        for (byte c : text.getBytes(ISO_8859_1)) {
            if (Ascii.isUnreserved(c)) {
                out.put(c);
            } else {
                out.put('%').put("0123456789ABCDEF".charAt(c >> 4 & 15));
                out.put("0123456789ABCDEF".charAt(c & 15));
            }
        }
    }

    private static boolean escaped(byte[] b, int p, int to, int c) {
        return p + 2 < to
                && b[p] == '%'
                && Ascii.isHex(b[p + 1])
                && Ascii.isHex(b[p + 2])
                && Ascii.hexValue(b[p + 1]) * 16 + Ascii.hexValue(b[p + 2]) == c;
    }

    private static String unescaped(byte[] b, int from, int to) {
        byte[] plain = new byte[to - from];
        int n = 0;
        for (int p = from; p < to; p++) {
            boolean hex =
                    b[p] == '%' && p + 2 < to && Ascii.isHex(b[p + 1]) && Ascii.isHex(b[p + 2]);
            plain[n++] =
                    hex ? (byte) (Ascii.hexValue(b[p + 1]) * 16 + Ascii.hexValue(b[p + 2])) : b[p];
            p += hex ? 2 : 0;
        }
        return new String(plain, 0, n, ISO_8859_1);
    }

    // Inwards

    /** Where the parameter with a token begins in {@code [from, to)}; -1 without one. */
    static int find(byte[] b, int from, int to) {
        for (int p = from; p + SEARCHED.length() <= to; p++) {
            if (b[p] == ';' && Ascii.equalsIgnoreCase(b, p, p + SEARCHED.length(), SEARCHED)) {
                return p;
            }
        }
        return -1;
    }

    /** Where the token ends whose parameter begins there. */
    static int tokenEnd(byte[] b, int param, int to) {
        int p = param + SEARCHED.length();
        while (p < to
                && (Ascii.isAlpha(b[p]) || Ascii.isDigit(b[p]) || b[p] == '-' || b[p] == '_')) {
            p++;
        }
        return p;
    }

    /** What the token says whose parameter begins there; null when it is none of ours. */
    @Nullable String opened(byte[] b, int param, int to) {
        String token = Ascii.string(b, param + SEARCHED.length(), tokenEnd(b, param, to));
        return tokens.open(token, userBefore(b, param));
    }

    /** The user of the URI that has its parameter there; empty without one. */
    private static String userBefore(byte[] b, int param) {
        int at = param - 1;
        while (at >= 0 && b[at] != '@' && !opens(b[at])) {
            at--;
        }
        if (at < 0 || b[at] != '@') {
            return "";
        }
        int start = at;
        while (start > 0 && !opens(b[start - 1])) {
            start--;
        }
        int scheme = schemeEnd(b, start, at);
        return unescaped(b, scheme == 0 ? start : scheme, at);
    }

    /** Does a URI begin behind it? */
    private static boolean opens(byte c) {
        return c == '<' || c == '"' || c == ' ';
    }

    /** Was the token given to the peer in the call that a message of the peer's names? */
    boolean isOfCall(String opened, String callId, String tag) {
        return UriTokens.isOf(opened, tokens.call(callId, tag));
    }

    /**
     * Prints the URI in {@code [from, to)} as it was before it was hidden.
     *
     * @param param where the parameter with the token begins
     * @param opened what the token says
     */
    void putShown(byte[] b, int from, int to, int param, String opened, ByteWriter out) {
        int scheme = schemeEnd(b, from, to);
        if (scheme == 0) {
            // We never put a token into a URI of another scheme.
            out.put(b, from, to - from);
            return;
        }
        int at = param - 1;
        while (at >= scheme && b[at] != '@') {
            at--;
        }
        int kept = UriTokens.keepsUser(opened) && at >= scheme ? at + 1 : scheme;
        // What stands behind the token is not ours: it may not lead elsewhere (maddr).
        out.put(b, from, kept - from).put(UriTokens.rest(opened).getBytes(ISO_8859_1));
    }

    /**
     * Copies text in which every URI of ours is shown as it was, and every Call-ID in a Replaces of
     * a URI; a token that is none of ours stays.
     */
    void putShownText(byte[] b, int from, int to, @Nullable Peer peer, ByteWriter out) {
        int p = from;
        for (int param; (param = find(b, p, to)) >= 0; ) {
            int start = param;
            while (start > p && !opens(b[start - 1])) {
                start--;
            }
            int close = Ascii.indexOf(b, param, to, '>');
            int end = close < 0 ? to : close;
            String opened = opened(b, param, to);
            if (opened == null || !UriTokens.isUri(opened) || schemeEnd(b, start, to) == 0) {
                end = tokenEnd(b, param, to);
                out.put(b, p, end - p);
                p = end;
                continue;
            }
            out.put(b, p, start - p);
            int question = Ascii.indexOf(b, param, end, '?');
            int headers = question < 0 ? end : question;
            putShown(b, start, headers, param, opened, out);
            putShownHeaders(b, headers, end, peer, out);
            p = end;
        }
        putShownHeaders(b, p, to, peer, out);
    }

    private void putShownHeaders(byte[] b, int from, int to, @Nullable Peer peer, ByteWriter out) {
        int p = from;
        for (int q = from; q < to; q++) {
            int value = q + 1 + REPLACES.length();
            if ((b[q] == '?' || b[q] == '&')
                    && value < to
                    && Ascii.equalsIgnoreCase(b, q + 1, value, REPLACES)) {
                out.put(b, p, value - p);
                int end = value;
                while (end < to && b[end] != '&' && b[end] != '>') {
                    end++;
                }
                putEscapedCallId(b, value, end, out, false, peer);
                p = end;
                q = end - 1;
            }
        }
        out.put(b, p, to - p);
    }
}
