package io.carillon.sip.overload;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.ViaScan;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.ReasonPhrases;
import io.carillon.sip.token.OwnTokens;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request that was not parsed, put together from its bytes: the same for each
 * repeat (RFC 3261 8.2.7), and no object is made for it.
 *
 * <p>Owner: the shard's thread. What it made holds until the next {@link #make}.
 */
final class Refusal {
    /** The longest answer; a request whose headers do not fit gets none. */
    private static final int MOST_BYTES = 8 << 10;

    /** Room for what stands between the parts of the request. */
    private static final int LEFT = 256;

    private static final byte[] VIA = ascii("Via: ");
    private static final byte[] RECEIVED = ascii(";received=");
    private static final byte[] RPORT = ascii(";rport=");
    private static final byte[] FROM = ascii("From: ");
    private static final byte[] TO = ascii("To: ");
    private static final byte[] TAG = ascii(";tag=");
    private static final byte[] CALL_ID = ascii("Call-ID: ");
    private static final byte[] CSEQ = ascii("CSeq: ");
    private static final byte[] RETRY_AFTER = ascii("Retry-After: ");
    private static final byte[] END = ascii("Content-Length: 0\r\n\r\n");
    private static final byte[] CRLF = ascii("\r\n");

    private final OwnTokens tokens;
    private final int shard;
    private final byte[] out = new byte[MOST_BYTES];
    private int length;
    private boolean unfit;
    private boolean rport;

    /** The last status line: nearly always the same. */
    private int status;

    private byte[] statusLine = CRLF;

    /**
     * @param tokens which are ours
     * @param shard number of the shard
     */
    Refusal(OwnTokens tokens, int shard) {
        this.tokens = tokens;
        this.shard = shard;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Makes the answer.
     *
     * @param request identified
     * @param hash of the request, by which its tag is always the same
     * @param retryAfterSeconds 0 for no Retry-After
     * @param oc what stands for parameters of RFC 7339 in the top Via; null: as they are
     * @return false when there can be none
     */
    boolean make(
            MessageScan request,
            Hop from,
            int code,
            int retryAfterSeconds,
            long hash,
            @Nullable String oc) {
        length = 0;
        unfit = false;
        byte[] b = request.bytes();
        put(statusLine(code));
        topVia(request, from.remote(), oc);
        for (int i = 1; i < request.viaCount(); i++) {
            put(VIA);
            line(b, request.viaFrom(i), request.viaTo(i));
        }
        put(FROM);
        line(b, request.from().from(), request.from().to());
        put(TO);
        text(b, request.to().from(), request.to().to());
        put(TAG);
        tag(hash);
        put(CRLF);
        put(CALL_ID);
        line(b, request.callId().from(), request.callId().to());
        put(CSEQ);
        line(b, request.cseq().from(), request.cseq().to());
        if (retryAfterSeconds > 0) {
            put(RETRY_AFTER);
            number(retryAfterSeconds);
            put(CRLF);
        }
        put(END);
        return !unfit;
    }

    /** The answer's bytes; not to be kept. */
    byte[] bytes() {
        return out;
    }

    int length() {
        return length;
    }

    /** Where it goes, see {@code ViaRules.responseHop}. */
    Hop way(MessageScan request, Hop from) {
        if (from.reliable()) {
            return from;
        }
        int written = request.topVia().port();
        int port = written < 0 ? from.transport().defaultPort() : written;
        InetSocketAddress remote = from.remote();
        return rport || port == remote.getPort()
                ? from
                : new Hop(
                        from.transport(),
                        from.local(),
                        new InetSocketAddress(remote.getAddress(), port),
                        0);
    }

    private byte[] statusLine(int code) {
        if (code != status) {
            status = code;
            statusLine = ascii("SIP/2.0 " + code + " " + ReasonPhrases.of(code) + "\r\n");
        }
        return statusLine;
    }

    // Via

    /** RFC 3261 18.2.1 and RFC 3581 4, as {@code ViaRules.tag}. */
    private void topVia(MessageScan request, InetSocketAddress remote, @Nullable String oc) {
        byte[] b = request.bytes();
        ViaScan via = request.topVia();
        rport = false;
        put(VIA);
        boolean received = via.tagged();
        if (received || oc != null) {
            received = withoutAddress(b, request.viaFrom(0), via, oc != null);
        } else {
            text(b, request.viaFrom(0), via.end());
        }
        InetAddress source = remote.getAddress();
        if (rport || received || !isAddress(b, via.hostStart(), via.hostEnd(), source)) {
            put(RECEIVED);
            address(source);
        }
        if (rport) {
            put(RPORT);
            number(remote.getPort());
        }
        if (oc != null) {
            put(ascii(oc));
        }
        line(b, via.end(), request.viaTo(0));
    }

    /** All of it but received and rport; true when it had a received. */
    private boolean withoutAddress(byte[] b, int start, ViaScan via, boolean withoutOc) {
        text(b, start, via.paramsStart());
        boolean received = false;
        int at = via.paramsStart();
        while (at < via.end()) {
            int next = parameterEnd(b, at + 1, via.end());
            int name = Ascii.skipLws(b, at + 1, next);
            if (named(b, name, next, "received")) {
                received = true;
            } else if (named(b, name, next, "rport")) {
                rport = true;
            } else if (!withoutOc || !ofOverloadControl(b, name, next)) {
                text(b, at, next);
            }
            at = next;
        }
        return received;
    }

    private static boolean ofOverloadControl(byte[] b, int from, int to) {
        return named(b, from, to, "oc")
                || named(b, from, to, "oc-algo")
                || named(b, from, to, "oc-validity")
                || named(b, from, to, "oc-seq");
    }

    private static int parameterEnd(byte[] b, int from, int to) {
        boolean quoted = false;
        int i = from;
        while (i < to && (quoted || b[i] != ';')) {
            if (quoted && b[i] == '\\') {
                i++;
            } else if (b[i] == '"') {
                quoted = !quoted;
            }
            i++;
        }
        return Math.min(i, to);
    }

    private static boolean named(byte[] b, int from, int to, String name) {
        int end = from;
        while (end < to && Ascii.isToken(b[end])) {
            end++;
        }
        return Ascii.equalsIgnoreCase(b, from, end, name);
    }

    private static boolean isAddress(byte[] b, int from, int to, InetAddress source) {
        if (!(source instanceof Inet4Address)) {
            return false; // RFC 3581 4: received may stand there "even if it is identical"
        }
        int bits = source.hashCode(); // the address itself, without an array
        int at = from;
        for (int shift = 24; shift >= 0; shift -= 8) {
            int end = at;
            while (end < to && Ascii.isDigit(b[end])) {
                end++;
            }
            if (Ascii.parseDecimal(b, at, end, 255) != (bits >>> shift & 0xFF)) {
                return false;
            }
            if (shift > 0 && (end >= to || b[end] != '.')) {
                return false;
            }
            at = shift > 0 ? end + 1 : end;
        }
        return at == to;
    }

    private void address(InetAddress source) {
        if (source instanceof Inet4Address) {
            int bits = source.hashCode();
            for (int shift = 24; shift >= 0; shift -= 8) {
                number(bits >>> shift & 0xFF);
                if (shift > 0) {
                    put((byte) '.');
                }
            }
            return;
        }
        String digits = source.getHostAddress();
        int zone = digits.indexOf('%');
        put(ascii(zone < 0 ? digits : digits.substring(0, zone)));
    }

    // Bytes

    private void tag(long hash) {
        if (fits(tokens.length())) {
            tokens.writeStateless(out, length, shard, hash);
            length += tokens.length();
        }
    }

    private void line(byte[] b, int from, int to) {
        text(b, from, to);
        put(CRLF);
    }

    /** A part of the request; nothing in it may end the line but a fold. */
    private void text(byte[] b, int from, int to) {
        if (!fits(to - from)) {
            return;
        }
        int end = length;
        for (int i = from; i < to; i++) {
            byte c = b[i];
            if (c == '\r' || c == '\n') {
                c = ' '; // RFC 3261 7.3.1: a fold is white space
            } else if (c >= 0 && c < ' ' && c != '\t') {
                unfit = true;
                return;
            }
            out[end++] = c;
        }
        length = end;
    }

    private void put(byte[] constant) {
        if (fits(constant.length)) {
            System.arraycopy(constant, 0, out, length, constant.length);
            length += constant.length;
        }
    }

    private void put(byte one) {
        out[length++] = one;
    }

    private void number(int value) {
        int digits = 1;
        for (int rest = value; rest >= 10; rest /= 10) {
            digits++;
        }
        if (!fits(digits)) {
            return;
        }
        int at = length + digits;
        int rest = value;
        do {
            out[--at] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        length += digits;
    }

    private boolean fits(int more) {
        if (length + more > MOST_BYTES - LEFT) {
            unfit = true;
        }
        return !unfit;
    }
}
