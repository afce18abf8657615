package io.carillon.router;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.ViaScan;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A 503 put together from the bytes of a request, as a server without transactions makes it (RFC
 * 3261 8.2.7): the same for each repeat. Without Retry-After: the sender may try its next server at
 * once (RFC 3263 4.3).
 *
 * <p>Owner: one thread; what it made holds until the next {@link #answer}.
 */
final class Unavailable {
    private static final int MOST_BYTES = 8 << 10;
    private static final byte[] START = ascii("SIP/2.0 503 Service Unavailable\r\n");
    private static final byte[] END = ascii("Content-Length: 0\r\n\r\n");
    private static final byte[] TAG = ascii(";tag=unavailable");
    private static final byte[] RECEIVED = ascii(";received=");
    private static final byte[] CRLF = ascii("\r\n");
    private static final byte[] VIA = ascii("Via: ");

    private final ViaScan via = new ViaScan();
    private final byte[] out = new byte[MOST_BYTES];
    private int length;
    private boolean unfit;
    private boolean topSeen;
    private boolean toSeen;
    private boolean tagged;
    private boolean rport;

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    byte[] bytes() {
        return out;
    }

    int length() {
        return length;
    }

    /**
     * Makes the answer. Within a dialog there is none for who repeats his request: no other server
     * has the call, and it goes on when a node is back.
     *
     * @param from where the request begins
     * @param repeated does its sender send it again until it is answered?
     * @return where it goes; null when there is none, as to an ACK
     */
    @Nullable InetSocketAddress answer(
            byte[] b, int from, int to, InetSocketAddress source, boolean repeated) {
        int space = Ascii.indexOf(b, from, to, ' ');
        if (space < 0
                || Ascii.equals(b, from, space, "ACK")
                || Ascii.equals(b, from, space, "CANCEL")) {
            return null;
        }
        length = 0;
        unfit = false;
        topSeen = false;
        toSeen = false;
        tagged = false;
        rport = false;
        put(START, 0, START.length);
        int at = Ascii.indexOf(b, from, to, '\n') + 1;
        while (at > 0 && at < to && b[at] != '\r' && b[at] != '\n') {
            int end = TopVias.headerEnd(b, at, to);
            int colon = Ascii.indexOf(b, at, end, ':');
            if (colon > 0) {
                header(b, at, colon, end, source);
            }
            at = end;
        }
        put(END, 0, END.length);
        if (unfit || !topSeen || !toSeen || (tagged && repeated)) {
            return null;
        }
        int port = via.port() < 0 ? 5060 : via.port();
        return rport ? source : new InetSocketAddress(source.getAddress(), port);
    }

    private void header(byte[] b, int at, int colon, int end, InetSocketAddress source) {
        int id = HeaderName.idOf(b, at, Ascii.trimEnd(b, at, colon));
        int value = Ascii.skipLws(b, colon + 1, end);
        int valueEnd = Math.max(value, Ascii.trimEnd(b, value, end));
        if (id == HeaderName.VIA.id() && !topSeen) {
            topSeen = true;
            top(b, value, valueEnd, source);
        } else if (id == HeaderName.TO.id() && !toSeen) {
            toSeen = true;
            put(b, at, valueEnd);
            tagged = hasTag(b, value, valueEnd);
            if (!tagged) {
                put(TAG, 0, TAG.length);
            }
            put(CRLF, 0, CRLF.length);
        } else if (id == HeaderName.VIA.id()
                || id == HeaderName.FROM.id()
                || id == HeaderName.CALL_ID.id()
                || id == HeaderName.CSEQ.id()) {
            put(b, at, valueEnd);
            put(CRLF, 0, CRLF.length);
        }
    }

    /** Is there a tag behind the address, in the value of From or To? */
    static boolean hasTag(byte[] b, int from, int to) {
        int bracket = Ascii.indexOf(b, from, to, '>');
        for (int i = Math.max(from, bracket); i + 5 <= to; i++) {
            if (b[i] == ';' && Ascii.equalsIgnoreCase(b, i + 1, i + 4, "tag")) {
                return true;
            }
        }
        return false;
    }

    /** RFC 3261 18.2.1: received; RFC 3581 4: rport. */
    private void top(byte[] b, int value, int valueEnd, InetSocketAddress source) {
        if (via.scan(b, value, valueEnd) != null) {
            unfit = true;
            return;
        }
        put(VIA, 0, VIA.length);
        int asked = rport(b, via.paramsStart(), via.end());
        rport = asked > 0;
        put(b, value, rport ? asked : via.end());
        if (rport) {
            byte[] port = ascii("=" + source.getPort());
            put(port, 0, port.length);
            put(b, asked, via.end());
        }
        put(RECEIVED, 0, RECEIVED.length);
        InetAddress host = source.getAddress();
        byte[] text = ascii(host.getHostAddress());
        put(text, 0, text.length);
        put(b, via.end(), valueEnd);
        put(CRLF, 0, CRLF.length);
    }

    /** Behind the parameter rport when it has no value, else 0. */
    private static int rport(byte[] b, int from, int to) {
        for (int i = Math.max(0, from); i + 6 <= to; i++) {
            int end = i + 6;
            if (b[i] == ';'
                    && Ascii.equalsIgnoreCase(b, i + 1, end, "rport")
                    && (end == to || b[end] == ';' || Ascii.isLws(b[end]))) {
                return end;
            }
        }
        return 0;
    }

    private void put(byte[] b, int from, int to) {
        if (length + to - from > out.length) {
            unfit = true;
            return;
        }
        System.arraycopy(b, from, out, length, to - from);
        length += to - from;
    }
}
