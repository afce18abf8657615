package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.uri.UriScan;
import org.jspecify.annotations.Nullable;

/**
 * Checks one name-addr or addr-spec with parameters (RFC 3261 section 25.1) without allocating more
 * than itself, and leaves its offsets. Stops at the end of the slice or at a comma. Not thread
 * safe.
 */
public final class AddressScan {
    private final UriScan uri = new UriScan();
    private int displayStart;
    private int displayEnd;
    private int uriStart;
    private int uriEnd;
    private int paramsStart;
    private int tagStart;
    private int tagEnd;
    private int end;
    private boolean brackets;
    private boolean wildcard;

    /** Offset of the display name, its opening quote included. */
    public int displayStart() {
        return displayStart;
    }

    /** End of the display name; equal to the start when there is none. */
    public int displayEnd() {
        return displayEnd;
    }

    public int uriStart() {
        return uriStart;
    }

    public int uriEnd() {
        return uriEnd;
    }

    /** Offset of the first semicolon after the address, or the end of the element. */
    public int paramsStart() {
        return paramsStart;
    }

    /** Offset of the tag parameter's value, -1 without tag. */
    public int tagStart() {
        return tagStart;
    }

    public int tagEnd() {
        return tagEnd;
    }

    /** End of the element: the end of the slice, or the position of the comma. */
    public int end() {
        return end;
    }

    /** Does the URI stand in angle brackets? */
    public boolean brackets() {
        return brackets;
    }

    /** Is the element the star of Contact? */
    public boolean wildcard() {
        return wildcard;
    }

    /**
     * Scans one element.
     *
     * @return null when it is well formed, else what is wrong with it (a constant)
     */
    public @Nullable String scan(byte[] b, int from, int to) {
        int p = Ascii.skipLws(b, from, to);
        tagStart = -1;
        tagEnd = -1;
        brackets = false;
        wildcard = false;
        displayStart = p;
        displayEnd = p;
        if (p >= to) {
            return "Empty Address";
        }
        if (b[p] == '*') {
            int after = Ascii.skipLws(b, p + 1, to);
            if (after == to || b[after] == ',') {
                wildcard = true;
                uriStart = p;
                uriEnd = p + 1;
                paramsStart = after;
                end = after;
                return null;
            }
        }
        p = scanDisplay(b, p, to);
        if (p < 0) {
            return "Bad Display Name";
        }
        return brackets ? scanBracketed(b, p, to) : scanBare(b, p, to);
    }

    /** Returns the offset of the URI, or -1. */
    private int scanDisplay(byte[] b, int from, int to) {
        int p = from;
        if (b[p] == '"') {
            p = Quoting.skipQuoted(b, p, to);
            if (p < 0) {
                return -1;
            }
            displayEnd = p;
            p = Ascii.skipLws(b, p, to);
            return bracketAt(b, p, to);
        }
        // display-name = *(token LWS): runs of tokens up to "<". A bare URI meets its colon first.
        while (p < to && (Ascii.isToken(b[p]) || b[p] < 0 || Ascii.isLws(b[p]))) {
            p++;
        }
        if (p < to && b[p] == '<') {
            displayEnd = Ascii.trimEnd(b, from, p);
            return bracketAt(b, p, to);
        }
        return p < to && b[p] == ':' ? from : -1;
    }

    private int bracketAt(byte[] b, int p, int to) {
        if (p >= to || b[p] != '<') {
            return -1;
        }
        brackets = true;
        return p + 1;
    }

    private @Nullable String scanBracketed(byte[] b, int from, int to) {
        int p = from;
        while (p < to && b[p] != '>') {
            p++;
        }
        if (p >= to) {
            return "Unclosed Angle Bracket";
        }
        uriStart = from;
        uriEnd = p;
        String error = uri.scan(b, from, p);
        return error != null ? error : scanParams(b, p + 1, to);
    }

    // RFC 3261 20: "If the URI contains a comma, question mark or semicolon, the URI MUST be
    // enclosed
    // in angle brackets": without them these characters end it, and what follows is the header's.
    private @Nullable String scanBare(byte[] b, int from, int to) {
        int p = from;
        while (p < to && b[p] != ';' && b[p] != ',' && !Ascii.isLws(b[p])) {
            if (b[p] == '?') {
                return "Question Mark In URI Without Brackets";
            }
            p++;
        }
        uriStart = from;
        uriEnd = p;
        String error = uri.scan(b, from, p);
        return error != null ? error : scanParams(b, p, to);
    }

    private @Nullable String scanParams(byte[] b, int from, int to) {
        ParamScan params = new ParamScan(b, from, to);
        paramsStart = params.pos();
        while (params.next()) {
            if (params.nameEnd() - params.nameStart() == 3 && params.nameIs("tag")) {
                if (tagStart >= 0 || params.valueStart() < 0) {
                    return "Bad Tag Parameter";
                }
                tagStart = params.valueStart();
                tagEnd = params.valueEnd();
            }
        }
        end = params.pos();
        if (params.bad()) {
            return "Bad Parameter";
        }
        return end == to || b[end] == ',' ? null : "Bad Parameter";
    }

    /** Scans a whole single-valued header: one element and nothing after it. */
    public @Nullable String scanOnly(byte[] b, int from, int to) {
        String error = scan(b, from, to);
        if (error == null && (end != to || wildcard)) {
            return "Comma In Single Address";
        }
        return error;
    }

    /**
     * Scans a comma separated list, every element of it.
     *
     * @param bracketsRequired as for Route and Record-Route, whose elements are name-addr only
     * @param starAllowed as for Contact: then the star must be alone
     */
    public @Nullable String scanList(
            byte[] b, int from, int to, boolean bracketsRequired, boolean starAllowed) {
        int p = from;
        for (; ; ) {
            String error = scan(b, p, to);
            if (error != null) {
                return error;
            }
            if (wildcard && (!starAllowed || p != from || end != to)) {
                return "Star Beside Other Contacts";
            }
            if (bracketsRequired && !brackets) {
                return "Address Without Brackets";
            }
            if (end == to) {
                return null;
            }
            p = end + 1;
        }
    }
}
