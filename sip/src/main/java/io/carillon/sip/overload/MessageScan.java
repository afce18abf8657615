package io.carillon.sip.overload;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.CSeq;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import io.carillon.sip.header.ViaScan;
import io.carillon.sip.message.Methods;

/**
 * Looks at the bytes of a message for what decides whether it is worth to be parsed, and for what a
 * refusal repeats. Makes no object. What it does not understand is left to the parser.
 *
 * <p>Owner: the shard's thread. What it found holds until the next {@link #read}.
 */
final class MessageScan {
    /** Via lines that are looked at: a request has at most one for each hop. */
    static final int MOST_VIAS = 70;

    private static final int VIA = HeaderName.VIA.id();
    private static final int FROM = HeaderName.FROM.id();
    private static final int TO = HeaderName.TO.id();
    private static final int CALL_ID = HeaderName.CALL_ID.id();
    private static final int CSEQ = HeaderName.CSEQ.id();
    private static final int RECORD_ROUTE = HeaderName.RECORD_ROUTE.id();
    private static final int AUTHORIZATION = HeaderName.AUTHORIZATION.id();
    private static final int PROXY_AUTHORIZATION = HeaderName.PROXY_AUTHORIZATION.id();
    private static final int RESOURCE_PRIORITY = HeaderName.RESOURCE_PRIORITY.id();

    private static final byte[] NOTHING = {};

    /** Parts of a message: where it begins, and its end; 0 to 0 for none. */
    static final class Slice {
        private int from;
        private int to;

        int from() {
            return from;
        }

        int to() {
            return to;
        }

        boolean empty() {
            return from == to;
        }

        private void set(int start, int end) {
            from = start;
            to = end;
        }

        boolean is(byte[] b, String text) {
            return Ascii.equals(b, from, to, text);
        }
    }

    private final ViaScan topVia = new ViaScan();
    private final Slice method = new Slice();
    private final Slice uri = new Slice();
    private final Slice toTag = new Slice();
    private final Slice priority = new Slice();

    /** By the header's number: From, To, Call-ID, CSeq. */
    private final Slice[] single = new Slice[CSEQ + 1];

    private final int[] vias = new int[2 * MOST_VIAS];

    private byte[] bytes = NOTHING;
    private int viaCount;
    private boolean request;
    private boolean recordRoute;
    private boolean credentials;
    private boolean repeated;
    private boolean ended;
    private long cseqNumber;

    MessageScan() {
        for (int i = 0; i < single.length; i++) {
            single[i] = new Slice();
        }
    }

    /** Reads start line and headers. */
    void read(byte[] message, int length) {
        read(message, length, false);
    }

    /** Reads no more than says whether it is {@link #underWay}: up to the first To at most. */
    void readWhetherUnderWay(byte[] message, int length) {
        read(message, length, true);
    }

    private void read(byte[] message, int length, boolean briefly) {
        bytes = message;
        reset();
        int at = startLine(message, length);
        if (briefly && underWay()) {
            return;
        }
        while (at < length) {
            int end = Ascii.indexOf(message, at, length, '\n');
            if (end < 0) {
                return; // without an end of the headers nothing is known
            }
            if (end == at || (end == at + 1 && message[at] == '\r')) {
                ended = true;
                return;
            }
            int next = end + 1;
            // RFC 3261 7.3.1: a line that begins with white space goes on with the one before.
            while (next < length && (message[next] == ' ' || message[next] == '\t')) {
                end = Ascii.indexOf(message, next, length, '\n');
                next = end < 0 ? length : end + 1;
            }
            header(message, at, next);
            if (briefly && !to().empty()) {
                return;
            }
            at = next;
        }
    }

    private void reset() {
        request = false;
        recordRoute = false;
        credentials = false;
        repeated = false;
        ended = false;
        viaCount = 0;
        cseqNumber = -1;
        method.set(0, 0);
        uri.set(0, 0);
        for (Slice one : single) {
            one.set(0, 0);
        }
        toTag.set(0, 0);
        priority.set(0, 0);
    }

    /** Behind the start line of a request; the end of the message for anything else. */
    private int startLine(byte[] b, int length) {
        int start = 0;
        while (start < length && (b[start] == '\r' || b[start] == '\n')) {
            start++;
        }
        int end = Ascii.indexOf(b, start, length, '\n');
        int space = end < 0 ? -1 : Ascii.indexOf(b, start, end, ' ');
        int last = space < 0 ? -1 : Ascii.indexOf(b, space + 1, end, ' ');
        if (last < 0 || b[last + 1] != 'S' || !token(b, start, space)) {
            return length;
        }
        request = true;
        method.set(start, space);
        uri.set(space + 1, last);
        return end + 1;
    }

    private static boolean token(byte[] b, int start, int end) {
        for (int i = start; i < end; i++) {
            if (!Ascii.isToken(b[i])) {
                return false;
            }
        }
        return end > start;
    }

    private void header(byte[] b, int start, int end) {
        int colon = Ascii.indexOf(b, start, end, ':');
        if (colon < 0) {
            return;
        }
        int nameEnd = Ascii.trimEnd(b, start, colon);
        int id = HeaderName.idOf(b, start, nameEnd);
        if (id < 0) {
            return;
        }
        if (id == RECORD_ROUTE) {
            recordRoute = true;
        } else if (id == AUTHORIZATION || id == PROXY_AUTHORIZATION) {
            credentials = true;
        } else if (id <= CSEQ || id == RESOURCE_PRIORITY) {
            value(b, id, Ascii.skipLws(b, colon + 1, end), end);
        }
    }

    private void value(byte[] b, int id, int start, int lineEnd) {
        int end = Math.max(start, Ascii.trimEnd(b, start, lineEnd));
        if (id == VIA) {
            if (viaCount == MOST_VIAS) {
                repeated = true;
                return;
            }
            vias[2 * viaCount] = start;
            vias[2 * viaCount + 1] = end;
            viaCount++;
        } else if (id <= CSEQ) {
            repeated |= !single[id].empty();
            single[id].set(start, end);
            if (id == TO) {
                tag(b, start, end);
            } else if (id == CSEQ) {
                cseqNumber = CSeq.number(b, start, end);
            }
        } else if (priority.empty()) {
            priority.set(start, end);
        }
    }

    /** The tag of To, outside of quotes and angle brackets. */
    private void tag(byte[] b, int start, int end) {
        boolean quoted = false;
        boolean inside = false;
        for (int i = start; i < end; i++) {
            byte c = b[i];
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && c == '<') {
                inside = true;
            } else if (!quoted && c == '>') {
                inside = false;
            } else if (!quoted && !inside && c == ';' && tagAt(b, i + 1, end)) {
                return;
            }
        }
    }

    private boolean tagAt(byte[] b, int start, int end) {
        int name = Ascii.skipLws(b, start, end);
        if (name + 3 > end || !Ascii.equalsIgnoreCase(b, name, name + 3, "tag")) {
            return false;
        }
        int equals = Ascii.skipLws(b, name + 3, end);
        if (equals >= end || b[equals] != '=') {
            return false;
        }
        int value = Ascii.skipLws(b, equals + 1, end);
        int stop = value;
        while (stop < end && b[stop] != ';' && !Ascii.isLws(b[stop])) {
            stop++;
        }
        toTag.set(value, stop);
        return stop > value;
    }

    // What was found

    /** Responses are work under way. */
    boolean request() {
        return request;
    }

    boolean is(String name) {
        return method.is(bytes, name);
    }

    /** Does it belong to something that was begun: by its method, or by a To tag? */
    boolean underWay() {
        return !request
                || !toTag.empty()
                || is(Methods.ACK)
                || is(Methods.BYE)
                || is(Methods.CANCEL)
                || is(Methods.PRACK);
    }

    byte[] bytes() {
        return bytes;
    }

    /** As {@link String#hashCode} of the method. */
    int methodHash() {
        int hash = 0;
        for (int i = method.from(); i < method.to(); i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }

    Slice uri() {
        return uri;
    }

    Slice from() {
        return single[FROM];
    }

    Slice to() {
        return single[TO];
    }

    Slice toTag() {
        return toTag;
    }

    Slice callId() {
        return single[CALL_ID];
    }

    Slice cseq() {
        return single[CSEQ];
    }

    /** Of the first Resource-Priority. */
    Slice priority() {
        return priority;
    }

    long cseqNumber() {
        return cseqNumber;
    }

    boolean credentials() {
        return credentials;
    }

    int viaCount() {
        return viaCount;
    }

    int viaFrom(int index) {
        return vias[2 * index];
    }

    int viaTo(int index) {
        return vias[2 * index + 1];
    }

    /** The topmost Via, when {@link #identified}. */
    ViaScan topVia() {
        return topVia;
    }

    /**
     * Is it sure which transaction it is of, and how it is answered? If not, only the parser can
     * tell. To be asked before {@link #topVia} and {@link #ofPhone}.
     */
    boolean identified() {
        if (!ended
                || repeated
                || viaCount == 0
                || from().empty()
                || to().empty()
                || callId().empty()
                || cseqNumber < 0
                || topVia.scan(bytes, viaFrom(0), viaTo(0)) != null) {
            return false;
        }
        int branch = topVia.branchStart();
        // RFC 3261 17.2.3: without the magic cookie more than the branch says what it belongs to.
        return branch >= 0
                && Ascii.isAscii(bytes, branch, topVia.branchEnd())
                && Ascii.isAscii(bytes, callId().from(), callId().to())
                && cookie(branch, topVia.branchEnd());
    }

    private boolean cookie(int start, int end) {
        int length = Via.MAGIC_COOKIE.length();
        return end - start > length && Ascii.equals(bytes, start, start + length, Via.MAGIC_COOKIE);
    }

    /**
     * Does it come from a phone, as far as a message tells: one Via, and nobody who records a
     * route? A proxy is above others.
     */
    boolean ofPhone() {
        return viaCount == 1 && topVia.end() == viaTo(0) && !recordRoute;
    }

    /** Lets the message go. */
    void forget() {
        bytes = NOTHING;
    }
}
