package io.carillon.net.keepalive;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * As much of STUN (RFC 5389) as keep-alives need: Binding requests and their answers with
 * XOR-MAPPED-ADDRESS, without credentials. Stateless; any thread.
 */
public final class Stun {
    /** Of the transaction id. */
    static final int ID_BYTES = 12;

    private static final int HEADER_BYTES = 20;
    private static final int COOKIE = 0x2112A442;
    private static final int COOKIE_AT = 4;
    private static final int ID_AT = 8;
    private static final int BINDING_REQUEST = 0x0001;
    private static final int BINDING_SUCCESS = 0x0101;
    private static final int BINDING_ERROR = 0x0111;
    private static final int ERROR_CODE = 0x0009;
    private static final int UNKNOWN_ATTRIBUTES = 0x000A;
    private static final int XOR_MAPPED_ADDRESS = 0x0020;
    private static final int UNKNOWN_ATTRIBUTE = 420;

    /** RFC 5389 15: attributes below have to be understood, those above may be passed over. */
    private static final int OPTIONAL = 0x8000;

    private static final int MOST_UNKNOWN = 4;
    private static final int IPV4 = 1;
    private static final int IPV6 = 2;

    private Stun() {}

    /**
     * Is a datagram STUN, and not SIP? RFC 5389 6: "The most significant 2 bits of every STUN
     * message MUST be zeroes", and the magic cookie follows; no SIP message looks so.
     */
    public static boolean is(byte[] datagram) {
        return datagram.length >= HEADER_BYTES
                && (datagram[0] & 0xC0) == 0
                && ByteBuffer.wrap(datagram).getInt(COOKIE_AT) == COOKIE;
    }

    private static int type(byte[] message) {
        return ByteBuffer.wrap(message).getShort(0) & 0xFFFF;
    }

    /** Of a datagram that {@link #is} STUN. */
    public static boolean isRequest(byte[] message) {
        return type(message) == BINDING_REQUEST;
    }

    /** Success or error, of a datagram that {@link #is} STUN. */
    public static boolean isAnswer(byte[] message) {
        int type = type(message);
        return type == BINDING_SUCCESS || type == BINDING_ERROR;
    }

    /** RFC 5389 6: the length counts what follows the header, in whole words. */
    public static boolean wellFormed(byte[] message) {
        int length = ByteBuffer.wrap(message).getShort(2) & 0xFFFF;
        return length % 4 == 0 && length == message.length - HEADER_BYTES;
    }

    static byte[] id(byte[] message) {
        return Arrays.copyOfRange(message, ID_AT, ID_AT + ID_BYTES);
    }

    /** A Binding request with that transaction id. */
    static byte[] request(byte[] id) {
        return ByteBuffer.allocate(HEADER_BYTES)
                .putShort((short) BINDING_REQUEST)
                .putShort((short) 0)
                .putInt(COOKIE)
                .put(id)
                .array();
    }

    /**
     * The answer to a well-formed Binding request. RFC 5626 8: "responds to a valid Binding Request
     * with a Binding Response that MUST include the XOR-MAPPED-ADDRESS attribute"; RFC 5389 7.3.1:
     * a required attribute that is not known is a 420.
     */
    public static byte[] answer(byte[] request, InetSocketAddress source) {
        int[] unknown = unknown(request);
        return unknown.length > 0 ? refusal(request, unknown) : success(request, source);
    }

    private static byte[] success(byte[] request, InetSocketAddress source) {
        byte[] address = source.getAddress().getAddress();
        int value = 4 + address.length;
        byte[] answer = new byte[HEADER_BYTES + 4 + value];
        ByteBuffer out = header(request, BINDING_SUCCESS, answer);
        out.putShort((short) XOR_MAPPED_ADDRESS).putShort((short) value);
        out.put((byte) 0).put((byte) (address.length == 4 ? IPV4 : IPV6));
        out.putShort((short) (source.getPort() ^ (COOKIE >>> 16)));
        out.put(masked(address, request));
        return answer;
    }

    /** RFC 5389 15.2: an address under the cookie, and for IPv6 under the transaction id too. */
    private static byte[] masked(byte[] address, byte[] message) {
        byte[] masked = new byte[address.length];
        for (int i = 0; i < address.length; i++) {
            masked[i] = (byte) (address[i] ^ message[COOKIE_AT + i]);
        }
        return masked;
    }

    private static ByteBuffer header(byte[] request, int type, byte[] answer) {
        return ByteBuffer.wrap(answer)
                .putShort((short) type)
                .putShort((short) (answer.length - HEADER_BYTES))
                .putInt(COOKIE)
                .put(request, ID_AT, ID_BYTES);
    }

    private static byte[] refusal(byte[] request, int[] unknown) {
        int padded = (unknown.length * 2 + 3) / 4 * 4;
        byte[] answer = new byte[HEADER_BYTES + 8 + 4 + padded];
        ByteBuffer out = header(request, BINDING_ERROR, answer);
        out.putShort((short) ERROR_CODE).putShort((short) 4);
        out.putShort((short) 0).put((byte) (UNKNOWN_ATTRIBUTE / 100));
        out.put((byte) (UNKNOWN_ATTRIBUTE % 100));
        out.putShort((short) UNKNOWN_ATTRIBUTES).putShort((short) (unknown.length * 2));
        for (int type : unknown) {
            out.putShort((short) type);
        }
        return answer;
    }

    /** Types of attributes that have to be understood, and are not; the first few of them. */
    private static int[] unknown(byte[] request) {
        int[] found = new int[MOST_UNKNOWN];
        int count = 0;
        ByteBuffer in = ByteBuffer.wrap(request).position(HEADER_BYTES);
        while (in.remaining() >= 4 && count < MOST_UNKNOWN) {
            int type = in.getShort() & 0xFFFF;
            int length = in.getShort() & 0xFFFF;
            if (type < OPTIONAL) {
                found[count++] = type;
            }
            in.position(Math.min(in.limit(), in.position() + (length + 3) / 4 * 4));
        }
        return Arrays.copyOf(found, count);
    }

    /** The address that a success response shows; null in an error, or without one. */
    public static @Nullable InetSocketAddress mapped(byte[] answer) {
        if (type(answer) != BINDING_SUCCESS) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(answer).position(HEADER_BYTES);
        while (in.remaining() >= 4) {
            int type = in.getShort() & 0xFFFF;
            int length = in.getShort() & 0xFFFF;
            if (length > in.remaining()) {
                return null;
            }
            if (type == XOR_MAPPED_ADDRESS && (length == 8 || length == 20)) {
                return mapped(in, length, answer);
            }
            in.position(Math.min(in.limit(), in.position() + (length + 3) / 4 * 4));
        }
        return null;
    }

    private static @Nullable InetSocketAddress mapped(ByteBuffer in, int length, byte[] answer) {
        in.getShort();
        int port = (in.getShort() ^ (COOKIE >>> 16)) & 0xFFFF;
        byte[] address = new byte[length - 4];
        in.get(address);
        try {
            return new InetSocketAddress(InetAddress.getByAddress(masked(address, answer)), port);
        } catch (UnknownHostException e) {
            return null; // never: 4 or 16 bytes
        }
    }
}
