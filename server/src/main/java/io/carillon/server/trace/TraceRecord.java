package io.carillon.server.trace;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One record of the ring, written and read back; with its secrets, so it stays in this package.
 *
 * @param sequence larger than those recorded before, over all rings
 * @param leg number of the {@link TracedLeg}
 * @param atNanos when, by the clock of the shards
 * @param kind what it is
 * @param way of a message
 * @param bytes of a message
 * @param handler of a HANDLER
 * @param note of a NOTE
 */
@SuppressWarnings({
    "ArrayRecordComponent", // handed on, never compared
    "EnumOrdinal" // bytes that live no longer than the process
})
record TraceRecord(
        long sequence,
        int leg,
        long atNanos,
        Kind kind,
        @Nullable Way way,
        byte @Nullable [] bytes,
        @Nullable Handler handler,
        @Nullable Note note) {

    enum Kind {
        RECEIVED,
        SENT,
        SENT_AGAIN,
        NOTE,
        HANDLER
    }

    /**
     * How a message travelled.
     *
     * @param local our address as HOST:PORT, empty when it is not known
     * @param remote the peer's
     * @param internal between two applications of ours
     */
    record Way(Transport transport, String local, String remote, boolean internal) {}

    /**
     * A piece of application code; its record's time is when it began.
     *
     * @param what a method, a status code and its method, or a listener's method
     */
    record Handler(
            String application, String servlet, String what, long tookNanos, boolean threw) {}

    /**
     * What befell a message.
     *
     * @param what name of the counter
     * @param about which message
     */
    record Note(String what, String about, String cause) {}

    private static final byte[] RESPONSE = "SIP/2.0 ".getBytes(StandardCharsets.US_ASCII);
    private static final Kind[] KINDS = Kind.values();
    private static final Transport[] TRANSPORTS = Transport.values();
    private static final int MOST_MESSAGE_BYTES = 64 << 10;
    private static final int MOST_TEXT_BYTES = 1000;

    // ---- writing ----

    static void head(ByteBuffer out, long sequence, int leg, long atNanos, Kind kind) {
        out.putLong(sequence).putInt(leg).putLong(atNanos).put((byte) kind.ordinal());
    }

    /**
     * @param localHost of ours, where the hop does not say it; or null
     */
    static void way(ByteBuffer out, Hop hop, @Nullable String localHost, int localPort) {
        out.put((byte) hop.transport().ordinal());
        out.put((byte) (hop.internal() ? 1 : 0));
        InetSocketAddress local = hop.local();
        if (localHost != null) {
            text(out, localHost);
            out.putInt(localPort);
        } else {
            address(out, local);
        }
        address(out, hop.remote());
    }

    /** Raw bytes, as making a text of an address costs more than all else here. */
    private static void address(ByteBuffer out, @Nullable InetSocketAddress address) {
        if (address == null) {
            text(out, "");
            out.putInt(0);
            return;
        }
        InetAddress ip = address.getAddress();
        if (ip == null) {
            text(out, address.getHostString());
        } else {
            byte[] raw = ip.getAddress();
            out.putShort((short) -raw.length);
            out.put(raw);
        }
        out.putInt(address.getPort());
    }

    static void message(ByteBuffer out, byte[] bytes, int length) {
        int kept = Math.min(length, MOST_MESSAGE_BYTES);
        out.putInt(kept);
        out.put(bytes, 0, kept);
    }

    static void handler(ByteBuffer out, Handler handler) {
        text(out, handler.application);
        text(out, handler.servlet);
        text(out, handler.what);
        out.putLong(handler.tookNanos);
        out.put((byte) (handler.threw ? 1 : 0));
    }

    static void note(ByteBuffer out, Note note) {
        text(out, note.what);
        text(out, note.about);
        text(out, note.cause);
    }

    private static void text(ByteBuffer out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int kept = Math.min(bytes.length, MOST_TEXT_BYTES);
        out.putShort((short) kept);
        out.put(bytes, 0, kept);
    }

    // ---- reading ----

    /** The leg of a record, without reading the rest of it. */
    static int legOf(ByteBuffer in) {
        return in.getInt(Long.BYTES);
    }

    static long sequenceOf(ByteBuffer in) {
        return in.getLong(0);
    }

    static long timeOf(ByteBuffer in) {
        return in.getLong(Long.BYTES + Integer.BYTES);
    }

    /** A message that is a request: it does not begin like a response. */
    static boolean isRequest(ByteBuffer in) {
        Kind kind = KINDS[in.get(2 * Long.BYTES + Integer.BYTES)];
        if (kind == Kind.NOTE || kind == Kind.HANDLER) {
            return false;
        }
        byte[] bytes = read(in.duplicate()).bytes();
        return bytes != null
                && bytes.length > RESPONSE.length
                && !Arrays.equals(bytes, 0, RESPONSE.length, RESPONSE, 0, RESPONSE.length);
    }

    static TraceRecord read(ByteBuffer in) {
        long sequence = in.getLong();
        int leg = in.getInt();
        long atNanos = in.getLong();
        Kind kind = KINDS[in.get()];
        return switch (kind) {
            case RECEIVED, SENT, SENT_AGAIN -> {
                Way way = readWay(in);
                byte[] bytes = new byte[in.getInt()];
                in.get(bytes);
                yield new TraceRecord(sequence, leg, atNanos, kind, way, bytes, null, null);
            }
            case HANDLER -> {
                Handler handler =
                        new Handler(
                                readText(in),
                                readText(in),
                                readText(in),
                                in.getLong(),
                                in.get() != 0);
                yield new TraceRecord(sequence, leg, atNanos, kind, null, null, handler, null);
            }
            case NOTE -> {
                Way way = in.get() == 0 ? null : readWay(in);
                Note note = new Note(readText(in), readText(in), readText(in));
                yield new TraceRecord(sequence, leg, atNanos, kind, way, null, null, note);
            }
        };
    }

    private static Way readWay(ByteBuffer in) {
        Transport transport = TRANSPORTS[in.get()];
        boolean internal = in.get() != 0;
        return new Way(transport, readAddress(in), readAddress(in), internal);
    }

    private static String readAddress(ByteBuffer in) {
        int length = in.getShort();
        byte[] bytes = new byte[Math.abs(length)];
        in.get(bytes);
        int port = in.getInt();
        if (length == 0) {
            return "";
        }
        String host = length > 0 ? new String(bytes, StandardCharsets.UTF_8) : literal(bytes);
        return (host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host)
                + ":"
                + port;
    }

    private static String literal(byte[] raw) {
        try {
            return InetAddress.getByAddress(raw).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + raw.length + " bytes", e);
        }
    }

    private static String readText(ByteBuffer in) {
        byte[] bytes = new byte[in.getShort()];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
