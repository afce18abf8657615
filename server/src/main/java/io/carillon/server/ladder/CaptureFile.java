package io.carillon.server.ladder;

import java.io.ByteArrayOutputStream;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls as a capture file (pcap, version 2.4, microseconds, link type RAW: each packet begins with
 * its IP header), for Wireshark and sngrep. What went over UDP is UDP and what went over TCP is
 * TCP, without the opening and closing of connections; what went inside TLS or WebSocket is there
 * in the clear, as UDP, since at those ports a reader would look for something else inside TCP.
 */
public final class CaptureFile {
    private static final int MAGIC = 0xa1b2c3d4;
    private static final int LINKTYPE_RAW = 101;
    private static final int SNAP_LENGTH = 262_144;
    private static final int UDP = 17;
    private static final int TCP = 6;
    private static final int MOST_PAYLOAD = 65_000;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 16);

    /** Next sequence number by direction. */
    private final Map<String, Integer> sequences = new HashMap<>();

    private int identification;

    private CaptureFile() {}

    /** The file's bytes: the messages of these calls, by time. */
    public static byte[] of(List<CallTrace> calls) {
        CaptureFile file = new CaptureFile();
        file.head();
        calls.stream()
                .flatMap(call -> call.events().stream())
                .sorted((one, other) -> Long.compare(one.micros(), other.micros()))
                .forEach(file::add);
        return file.out.toByteArray();
    }

    private void head() {
        out.writeBytes(
                ByteBuffer.allocate(24)
                        .order(ByteOrder.BIG_ENDIAN)
                        .putInt(MAGIC)
                        .putShort((short) 2)
                        .putShort((short) 4)
                        .putInt(0)
                        .putInt(0)
                        .putInt(SNAP_LENGTH)
                        .putInt(LINKTYPE_RAW)
                        .array());
    }

    private void add(TraceEvent event) {
        TraceEvent.Message message = event.message();
        if (message == null || message.internal()) {
            return;
        }
        InetSocketAddress remote = address(message.remote(), null);
        InetSocketAddress local = address(message.local(), remote.getAddress());
        byte[] payload = message.bytes();
        int length = Math.min(payload.length, MOST_PAYLOAD);
        InetSocketAddress from = message.received() ? remote : local;
        InetSocketAddress to = message.received() ? local : remote;
        byte[] packet =
                message.transport().equals("TCP")
                        ? ip(from, to, TCP, tcp(from, to, payload, length))
                        : ip(from, to, UDP, udp(from, to, payload, length));
        long micros = event.micros();
        out.writeBytes(
                ByteBuffer.allocate(16)
                        .putInt((int) (micros / 1_000_000))
                        .putInt((int) (micros % 1_000_000))
                        .putInt(packet.length)
                        .putInt(packet.length)
                        .array());
        out.writeBytes(packet);
    }

    /**
     * The address in digits; where it is a name or not known, the one that stands for none.
     *
     * @param like of this family; null: any
     */
    private static InetSocketAddress address(String text, @Nullable InetAddress like) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        int port = colon < 0 ? 0 : Integer.parseInt(text.substring(colon + 1));
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int zone = host.indexOf('%');
        InetAddress found = literal(zone < 0 ? host : host.substring(0, zone));
        if (found == null || (like != null && found.getClass() != like.getClass())) {
            found = literal(like instanceof Inet6Address ? "::" : "0.0.0.0");
        }
        return new InetSocketAddress(found, port);
    }

    private static @Nullable InetAddress literal(String host) {
        try {
            return InetAddress.ofLiteral(host);
        } catch (IllegalArgumentException e) {
            return null; // a name
        }
    }

    private static byte[] udp(
            InetSocketAddress from, InetSocketAddress to, byte[] payload, int length) {
        ByteBuffer segment = ByteBuffer.allocate(8 + length);
        segment.putShort((short) from.getPort());
        segment.putShort((short) to.getPort());
        segment.putShort((short) (8 + length));
        segment.putShort((short) 0);
        segment.put(payload, 0, length);
        int sum = checksum(from, to, UDP, segment.array());
        segment.putShort(6, (short) (sum == 0 ? 0xffff : sum)); // RFC 768: 0 means none
        return segment.array();
    }

    private byte[] tcp(InetSocketAddress from, InetSocketAddress to, byte[] payload, int length) {
        String forth = from + ">" + to;
        String back = to + ">" + from;
        int sequence = sequences.getOrDefault(forth, 1);
        sequences.put(forth, sequence + length);
        ByteBuffer segment = ByteBuffer.allocate(20 + length);
        segment.putShort((short) from.getPort());
        segment.putShort((short) to.getPort());
        segment.putInt(sequence);
        segment.putInt(sequences.getOrDefault(back, 1));
        segment.putShort((short) (5 << 12 | 0x18)); // five words of header; ACK, PSH
        segment.putShort((short) 0xffff);
        segment.putInt(0);
        segment.put(payload, 0, length);
        segment.putShort(16, (short) checksum(from, to, TCP, segment.array()));
        return segment.array();
    }

    private byte[] ip(InetSocketAddress from, InetSocketAddress to, int protocol, byte[] segment) {
        byte[] source = from.getAddress().getAddress();
        byte[] destination = to.getAddress().getAddress();
        if (source.length == 16) {
            return ByteBuffer.allocate(40 + segment.length)
                    .putInt(6 << 28)
                    .putShort((short) segment.length)
                    .put((byte) protocol)
                    .put((byte) 64)
                    .put(source)
                    .put(destination)
                    .put(segment)
                    .array();
        }
        ByteBuffer packet = ByteBuffer.allocate(20 + segment.length);
        packet.put((byte) 0x45).put((byte) 0);
        packet.putShort((short) (20 + segment.length));
        packet.putShort((short) ++identification);
        packet.putShort((short) 0x4000); // not to be fragmented
        packet.put((byte) 64).put((byte) protocol).putShort((short) 0);
        packet.put(source).put(destination);
        packet.putShort(10, (short) fold(sum(packet.array(), 0, 20)));
        packet.put(segment);
        return packet.array();
    }

    /** RFC 768, RFC 9293 3.1, RFC 8200 8.1: over addresses, protocol, length and segment. */
    private static int checksum(
            InetSocketAddress from, InetSocketAddress to, int protocol, byte[] segment) {
        byte[] source = from.getAddress().getAddress();
        byte[] destination = to.getAddress().getAddress();
        return fold(
                sum(source, 0, source.length)
                        + sum(destination, 0, destination.length)
                        + protocol
                        + segment.length
                        + sum(segment, 0, segment.length));
    }

    private static long sum(byte[] bytes, int start, int end) {
        long sum = 0;
        for (int i = start; i < end; i += 2) {
            sum += (bytes[i] & 0xff) << 8 | (i + 1 < end ? bytes[i + 1] & 0xff : 0);
        }
        return sum;
    }

    private static int fold(long sum) {
        long folded = sum;
        while (folded > 0xffff) {
            folded = (folded & 0xffff) + (folded >>> 16);
        }
        return (int) ~folded & 0xffff;
    }
}
