package io.carillon.net.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/** Frames of ours: each message one frame. Stateless; any thread. */
public final class FrameWriter {
    private FrameWriter() {}

    /** Bytes that a frame adds to its payload at most. */
    public static final int MAX_HEAD = 14;

    /**
     * A SIP message. RFC 7118 4.2: text where all of it is UTF-8, which scripts in browsers like
     * best, else binary.
     *
     * @param masked as a client's frames must be
     */
    public static ByteBuf message(
            ByteBufAllocator alloc, byte[] message, int length, boolean masked) {
        int opcode = Utf8.valid(message, length) ? Opcode.TEXT : Opcode.BINARY;
        return frame(alloc, opcode, message, length, masked);
    }

    /** The answer to a ping. */
    public static ByteBuf pong(ByteBufAllocator alloc, byte[] payload, boolean masked) {
        return frame(alloc, Opcode.PONG, payload, payload.length, masked);
    }

    /**
     * A close frame.
     *
     * @param code {@link FrameReader#NO_CODE} for none
     * @param why at most 123 bytes, for people
     */
    public static ByteBuf close(ByteBufAllocator alloc, int code, String why, boolean masked) {
        byte[] text = why.getBytes(StandardCharsets.US_ASCII);
        int length = code == FrameReader.NO_CODE ? 0 : 2 + Math.min(text.length, 123);
        byte[] payload = new byte[length];
        if (length > 0) {
            payload[0] = (byte) (code >> 8);
            payload[1] = (byte) code;
            System.arraycopy(text, 0, payload, 2, length - 2);
        }
        return frame(alloc, Opcode.CLOSE, payload, length, masked);
    }

    private static ByteBuf frame(
            ByteBufAllocator alloc, int opcode, byte[] payload, int length, boolean masked) {
        ByteBuf out = alloc.directBuffer(length + MAX_HEAD);
        out.writeByte(0x80 | opcode);
        int maskBit = masked ? 0x80 : 0;
        if (length < 126) {
            out.writeByte(maskBit | length);
        } else if (length < 65_536) {
            out.writeByte(maskBit | 126);
            out.writeShort(length);
        } else {
            out.writeByte(maskBit | 127);
            out.writeLong(length);
        }
        if (!masked) {
            return out.writeBytes(payload, 0, length);
        }
        // The mask keeps scripts from choosing the bytes on the wire (RFC 6455 10.3). No script
        // chooses ours, so a generator that can be guessed is enough.
        int mask = ThreadLocalRandom.current().nextInt();
        out.writeInt(mask);
        int p = 0;
        for (; p + 4 <= length; p += 4) {
            int word =
                    payload[p] << 24
                            | (payload[p + 1] & 0xFF) << 16
                            | (payload[p + 2] & 0xFF) << 8
                            | (payload[p + 3] & 0xFF);
            out.writeInt(word ^ mask);
        }
        for (; p < length; p++) {
            out.writeByte(payload[p] ^ (mask >> (24 - ((p & 3) << 3))));
        }
        return out;
    }
}
