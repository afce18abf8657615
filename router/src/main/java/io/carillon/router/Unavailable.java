package io.carillon.router;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.ViaScan;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
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
    private static final byte[] TAG = ascii(";tag=unavailable-");
    private static final int MARK_LENGTH = 16;

    /** RFC 3261 17.1.1.2: so long a request is sent again, and its answer acknowledged. */
    private static final long REPEATED_NANOS = TimeUnit.SECONDS.toNanos(32);

    private static final byte[] RECEIVED = ascii(";received=");
    private static final byte[] CRLF = ascii("\r\n");
    private static final byte[] VIA = ascii("Via: ");

    /** Another one in each process: nobody else makes tags of ours. */
    private final long key = new SecureRandom().nextLong();

    private final byte[] mark = new byte[MARK_LENGTH];
    private long answeredUntilNanos = Long.MIN_VALUE / 2;
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
     * @param vias where its topmost Via is
     * @param repeated does its sender send it again until it is answered?
     * @return where it goes; null when there is none, as to an ACK
     */
    @Nullable InetSocketAddress answer(
            byte[] b, int from, int to, TopVias vias, InetSocketAddress source, boolean repeated) {
        int space = Ascii.indexOf(b, from, to, ' ');
        if (space < 0
                || Ascii.equals(b, from, space, "ACK")
                || Ascii.equals(b, from, space, "CANCEL")) {
            return null;
        }
        mark(b, vias);
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

    /** An answer has left: its ACK may come. */
    void answered(long nowNanos) {
        answeredUntilNanos = nowNanos + REPEATED_NANOS;
    }

    /**
     * Is it the ACK to an answer of ours? It has the topmost Via of the request (RFC 3261
     * 17.1.1.3). A server without transactions ignores it (RFC 3261 8.2.7): its node would have
     * work with it.
     */
    boolean isAnswered(byte[] b, int from, int to, TopVias vias, long nowNanos) {
        if (nowNanos - answeredUntilNanos >= 0) {
            return false; // nothing was answered here of late
        }
        int at = Ascii.indexOf(b, from, to, '\n') + 1;
        while (at > 0 && at < to && b[at] != '\r' && b[at] != '\n') {
            int end = TopVias.headerEnd(b, at, to);
            int colon = Ascii.indexOf(b, at, end, ':');
            if (colon > 0
                    && HeaderName.idOf(b, at, Ascii.trimEnd(b, at, colon)) == HeaderName.TO.id()) {
                return isTagged(b, colon, Ascii.trimEnd(b, colon, end), vias);
            }
            at = end;
        }
        return false;
    }

    private boolean isTagged(byte[] b, int from, int end, TopVias vias) {
        int at = end - MARK_LENGTH;
        if (at - TAG.length < from || !Arrays.equals(b, at - TAG.length, at, TAG, 0, TAG.length)) {
            return false;
        }
        mark(b, vias);
        return Arrays.equals(b, at, end, mark, 0, MARK_LENGTH);
    }

    private void mark(byte[] b, TopVias vias) {
        long hash = key;
        for (int i = vias.branchStart(); vias.hasBranch() && i < vias.branchEnd(); i++) {
            hash = SourceKey.mix(hash ^ b[i]);
        }
        for (int i = 0; i < MARK_LENGTH; i++) {
            mark[i] = (byte) Character.forDigit((int) (hash >>> (4 * i)) & 0xF, 16);
        }
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
                put(mark, 0, mark.length);
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
