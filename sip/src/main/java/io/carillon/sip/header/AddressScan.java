package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.uri.UriScan;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Checks one name-addr or addr-spec with parameters (RFC 3261 section 25.1) without allocating more
 * than itself, and leaves its offsets. Stops at the end of the slice or at a comma. Not thread
 * safe.
 */
public final class AddressScan {
    /** Bit of {@link #faults()}: a semicolon with no parameter behind it. */
    public static final int EMPTY_PARAMETER = 1;

    /** Bit of {@link #faults()}: a comma with no element behind it. */
    public static final int EMPTY_ELEMENT = 2;

    /** Bit of {@link #faults()}: a line fold inside angle brackets; the URI is read without it. */
    public static final int FOLD_IN_URI = 4;

    /** Bit of {@link #faults()}: a URI without scheme in angle brackets, read as a SIP URI. */
    public static final int SCHEME_MISSING = 8;

    /** Bit of {@link #faults()}: text after an address that is no parameter; it is skipped. */
    public static final int JUNK_AFTER_ADDRESS = 16;

    /** Bit of {@link #faults()}: a user part before the host of a Via; it is skipped. */
    public static final int USER_IN_VIA = 32;

    /** Bit of {@link #faults()}: a route without the angle brackets that it must stand in. */
    public static final int BRACKETS_MISSING = 64;

    private final UriScan uri = new UriScan();
    private final ParamScan params = new ParamScan();
    private int faults;
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
    private boolean repaired;
    private int paramCount;

    /** Faults passed over since {@link #clearFaults}: what is meant is clear in spite of them. */
    public int faults() {
        return faults;
    }

    public void clearFaults() {
        faults = 0;
    }

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

    /** Was the URI against the grammar, and only {@link #repaired} one is well formed? */
    boolean repaired() {
        return repaired;
    }

    /** Number of parameters. */
    int paramCount() {
        return paramCount;
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
        repaired = false;
        paramCount = 0;
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

    /**
     * Looks for the tag of the first element alone, past a URI that was checked before. Leaves
     * nothing but {@link #tagStart()} and {@link #tagEnd()}; no tag when the rest is malformed.
     */
    public void scanTag(byte[] b, int from, int to) {
        int p = Ascii.skipLws(b, from, to);
        tagStart = -1;
        tagEnd = -1;
        brackets = false;
        p = p < to ? scanDisplay(b, p, to) : -1;
        if (p < 0) {
            return;
        }
        if (brackets) {
            p = Ascii.indexOf(b, p, to, '>') + 1;
        } else {
            while (p < to && b[p] != ';' && b[p] != ',' && !Ascii.isLws(b[p])) {
                p++;
            }
        }
        if (p > 0 && scanParams(b, p, to) != null) {
            tagStart = -1;
        }
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
        if (error != null) {
            int kind = repairable(b, from, p);
            if (kind != 0) {
                byte[] better = repaired(b, from, p);
                error = uri.scan(better, 0, better.length);
                faults |= kind;
                repaired = true;
            }
        }
        return error != null ? error : behindUri(b, p + 1, to);
    }

    /** Fault bits of a URI whose meaning is clear although it is against the grammar, else 0. */
    private static int repairable(byte[] b, int from, int to) {
        return (Ascii.indexOf(b, from, to, '\n') >= 0 ? FOLD_IN_URI : 0)
                | (Ascii.indexOf(b, from, to, ':') < 0 ? SCHEME_MISSING : 0);
    }

    /** The URI without line folds and the white space around them, with a scheme. */
    static byte[] repaired(byte[] b, int from, int to) {
        byte[] out = new byte[to - from + 4];
        int n = 0;
        if (Ascii.indexOf(b, from, to, ':') < 0) {
            out[0] = 's';
            out[1] = 'i';
            out[2] = 'p';
            out[3] = ':';
            n = 4;
        }
        for (int p = from; p < to; p++) {
            if (b[p] == '\n' || b[p] == '\r') {
                n = Ascii.trimEnd(out, 0, n);
                p = Ascii.skipLws(b, p, to) - 1;
            } else {
                out[n++] = b[p];
            }
        }
        return Arrays.copyOf(out, n);
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
        return error != null ? error : behindUri(b, p, to);
    }

    private @Nullable String behindUri(byte[] b, int from, int to) {
        if (uri.emptyParameter()) {
            faults |= EMPTY_PARAMETER;
        }
        return scanParams(b, from, to);
    }

    private @Nullable String scanParams(byte[] b, int from, int to) {
        params.begin(b, from, to, true);
        paramsStart = params.pos();
        while (params.next()) {
            paramCount++;
            if (params.nameEnd() - params.nameStart() == 3 && params.nameIs("tag")) {
                if (tagStart >= 0 || params.valueStart() < 0) {
                    return "Bad Tag Parameter";
                }
                tagStart = params.valueStart();
                tagEnd = params.valueEnd();
            }
        }
        end = params.pos();
        if (params.empty()) {
            faults |= EMPTY_PARAMETER;
        }
        if (params.junk()) {
            faults |= JUNK_AFTER_ADDRESS;
        }
        return !params.bad() && (end == to || b[end] == ',') ? null : "Bad Parameter";
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
                faults |= BRACKETS_MISSING;
            }
            if (end == to) {
                return bracketsError();
            }
            p = end + 1;
            if (Ascii.skipLws(b, p, to) == to) {
                faults |= EMPTY_ELEMENT;
                return bracketsError();
            }
        }
    }

    private @Nullable String bracketsError() {
        return (faults & BRACKETS_MISSING) == 0 ? null : "Address Without Brackets";
    }
}
