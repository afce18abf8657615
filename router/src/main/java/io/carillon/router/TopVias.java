package io.carillon.router;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.ViaScan;
import java.util.Arrays;

/**
 * Finds the two topmost Vias of a message in its bytes, and what of it goes when the top one is
 * taken away. Makes no object. Owner: one thread; what was found holds until the next {@link
 * #scan}.
 */
final class TopVias {
    private static final int VIA = HeaderName.VIA.id();
    private static final int CSEQ = HeaderName.CSEQ.id();
    private static final byte[] VERSION = {'S', 'I', 'P', '/', '2', '.', '0', ' '};

    private final ViaScan top = new ViaScan();
    private final ViaScan second = new ViaScan();
    private boolean response;
    private int start;
    private int lineStart;
    private int cutFrom;
    private int cutTo;
    private boolean hasSecond;

    /**
     * Looks for them.
     *
     * @return false when it is no SIP, or its topmost Via cannot be read
     */
    boolean scan(byte[] b, int from, int to) {
        start = from;
        while (start < to && (b[start] == '\r' || b[start] == '\n')) {
            start++; // RFC 3261 7.5
        }
        int lineEnd = Ascii.indexOf(b, start, to, '\n');
        if (lineEnd < 0 || !startLine(b, lineEnd)) {
            return false;
        }
        hasSecond = false;
        int found = 0;
        int at = lineEnd + 1;
        while (at < to && b[at] != '\r' && b[at] != '\n') {
            int end = headerEnd(b, at, to);
            int colon = Ascii.indexOf(b, at, end, ':');
            if (colon > 0 && HeaderName.idOf(b, at, Ascii.trimEnd(b, at, colon)) == VIA) {
                int value = Ascii.skipLws(b, colon + 1, end);
                int valueEnd = Math.max(value, Ascii.trimEnd(b, value, end));
                if (found == 1) {
                    hasSecond = second.scan(b, value, valueEnd) == null;
                    return true;
                }
                if (top.scan(b, value, valueEnd) != null) {
                    return false;
                }
                found = 1;
                lineStart = at;
                if (top.end() < valueEnd) {
                    // RFC 3261 7.3.1: a list in one line.
                    cutFrom = value;
                    cutTo = Ascii.skipLws(b, top.end() + 1, valueEnd);
                    hasSecond = second.scan(b, cutTo, valueEnd) == null;
                    return true;
                }
                cutFrom = at;
                cutTo = end;
            }
            at = end;
        }
        return found == 1;
    }

    private boolean startLine(byte[] b, int lineEnd) {
        response = true;
        for (int i = 0; i < VERSION.length; i++) {
            if (start + i >= lineEnd || (b[start + i] & 0xDF) != (VERSION[i] & 0xDF)) {
                response = false;
            }
        }
        if (response) {
            return true;
        }
        // Request-Line = Method SP Request-URI SP SIP-Version CRLF
        int space = Ascii.indexOf(b, start, lineEnd, ' ');
        int last = space < 0 ? -1 : Ascii.indexOf(b, space + 1, lineEnd, ' ');
        return space > start
                && last > 0
                && last + 4 < lineEnd
                && Ascii.equalsIgnoreCase(b, last + 1, last + 5, "SIP/");
    }

    /** Behind the header that begins here, its folded lines included. */
    static int headerEnd(byte[] b, int from, int to) {
        int at = from;
        do {
            int end = Ascii.indexOf(b, at, to, '\n');
            if (end < 0) {
                return to;
            }
            at = end + 1;
        } while (at < to && (b[at] == ' ' || b[at] == '\t'));
        return at;
    }

    boolean response() {
        return response;
    }

    /** Does the message begin with that method, and the space behind it? */
    boolean method(byte[] b, byte[] name) {
        for (int i = 0; i < name.length; i++) {
            if (start + i >= b.length || b[start + i] != name[i]) {
                return false;
            }
        }
        return true;
    }

    /** Does the response answer a request of that method, by its CSeq (RFC 3261 17.1.3)? */
    boolean answers(byte[] b, int to, byte[] name) {
        int at = Ascii.indexOf(b, start, to, '\n') + 1;
        while (at < to && b[at] != '\r' && b[at] != '\n') {
            int end = headerEnd(b, at, to);
            int colon = Ascii.indexOf(b, at, end, ':');
            if (colon > 0 && HeaderName.idOf(b, at, Ascii.trimEnd(b, at, colon)) == CSEQ) {
                int digits = Ascii.skipLws(b, colon + 1, end);
                while (digits < end && b[digits] >= '0' && b[digits] <= '9') {
                    digits++;
                }
                int method = Ascii.skipLws(b, digits, end);
                return Arrays.equals(
                        b, method, Ascii.trimEnd(b, method, end), name, 0, name.length);
            }
            at = end;
        }
        return false;
    }

    /** Where the message begins, behind line breaks. */
    int start() {
        return start;
    }

    /** Where the header line of the topmost Via begins. */
    int lineStart() {
        return lineStart;
    }

    /** What goes with the topmost Via: from here. */
    int cutFrom() {
        return cutFrom;
    }

    /** To here. */
    int cutTo() {
        return cutTo;
    }

    boolean hasBranch() {
        return top.branchStart() >= 0;
    }

    int branchStart() {
        return top.branchStart();
    }

    int branchEnd() {
        return top.branchEnd();
    }

    boolean hasSecondBranch() {
        return hasSecond && second.branchStart() >= 0;
    }

    int secondBranchStart() {
        return second.branchStart();
    }

    int secondBranchEnd() {
        return second.branchEnd();
    }
}
