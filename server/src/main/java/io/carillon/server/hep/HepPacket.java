package io.carillon.server.hep;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One message as HEP version 3: the letters {@code HEP3}, the length of all, and chunks of vendor
 * (0: those of the specification), type, length with this head, and value. Numbers are in network
 * byte order.
 *
 * @param source raw address of who sent it, 4 or 16 bytes, as many as the destination's
 * @param sourcePort with it
 * @param destination raw address of who got it
 * @param destinationPort with it
 * @param datagram over UDP, else over a stream
 * @param micros since 1970
 * @param captureId the server's number
 * @param key the collector's password, or null
 * @param node the server's name
 * @param correlation the same for all legs of a call
 * @param payload the message
 */
@SuppressWarnings("ArrayRecordComponent") // encoded, never compared
record HepPacket(
        byte[] source,
        int sourcePort,
        byte[] destination,
        int destinationPort,
        boolean datagram,
        long micros,
        int captureId,
        @Nullable String key,
        String node,
        String correlation,
        byte[] payload) {

    static final int FAMILY = 0x01;
    static final int PROTOCOL = 0x02;
    static final int IP4_SOURCE = 0x03;
    static final int IP4_DESTINATION = 0x04;
    static final int IP6_SOURCE = 0x05;
    static final int IP6_DESTINATION = 0x06;
    static final int SOURCE_PORT = 0x07;
    static final int DESTINATION_PORT = 0x08;
    static final int SECONDS = 0x09;
    static final int MICROSECONDS = 0x0a;
    static final int PAYLOAD_KIND = 0x0b;
    static final int CAPTURE_ID = 0x0c;
    static final int KEY = 0x0e;
    static final int PAYLOAD = 0x0f;
    static final int CORRELATION = 0x11;
    static final int NODE = 0x13;

    static final int SIP = 1;
    static final int IPV4 = 2;
    static final int IPV6 = 10;
    static final int UDP = 17;
    static final int TCP = 6;

    private static final int HEAD_BYTES = 6;
    private static final int MILLION = 1_000_000;

    /** The packet, as one datagram. */
    byte[] encode() {
        boolean six = source.length == 16;
        Chunks chunks = new Chunks();
        chunks.one(FAMILY, six ? IPV6 : IPV4);
        chunks.one(PROTOCOL, datagram ? UDP : TCP);
        chunks.add(six ? IP6_SOURCE : IP4_SOURCE, source);
        chunks.add(six ? IP6_DESTINATION : IP4_DESTINATION, destination);
        chunks.two(SOURCE_PORT, sourcePort);
        chunks.two(DESTINATION_PORT, destinationPort);
        chunks.four(SECONDS, (int) Math.floorDiv(micros, MILLION));
        chunks.four(MICROSECONDS, Math.floorMod(micros, MILLION));
        chunks.one(PAYLOAD_KIND, SIP);
        chunks.four(CAPTURE_ID, captureId);
        if (key != null) {
            chunks.text(KEY, key);
        }
        chunks.text(NODE, node);
        chunks.text(CORRELATION, correlation);
        chunks.add(PAYLOAD, payload);
        byte[] all = chunks.out.toByteArray();
        return ByteBuffer.allocate(HEAD_BYTES + all.length)
                .put("HEP3".getBytes(StandardCharsets.US_ASCII))
                .putShort((short) (HEAD_BYTES + all.length))
                .put(all)
                .array();
    }

    private static final class Chunks {
        final ByteArrayOutputStream out = new ByteArrayOutputStream(1024);

        void add(int type, byte[] value) {
            byte[] head =
                    ByteBuffer.allocate(HEAD_BYTES)
                            .putShort((short) 0)
                            .putShort((short) type)
                            .putShort((short) (HEAD_BYTES + value.length))
                            .array();
            out.writeBytes(head);
            out.writeBytes(value);
        }

        void one(int type, int value) {
            add(type, new byte[] {(byte) value});
        }

        void two(int type, int value) {
            add(type, new byte[] {(byte) (value >> 8), (byte) value});
        }

        void four(int type, int value) {
            add(type, ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
        }

        void text(int type, String value) {
            add(type, value.getBytes(StandardCharsets.UTF_8));
        }
    }
}
