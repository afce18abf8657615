package io.carillon.cluster.link;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** One frame that is being made, in a buffer that serves all. Owner: one thread. */
final class FrameWriter {
    private final byte[] bytes = new byte[FrameFormat.MOST_BYTES];
    private int at;
    private boolean full;

    /** Begins a frame; what is not known yet is 0. */
    FrameWriter begin(FrameKind kind, int partition, int sender, int receiver) {
        bytes[0] = (byte) FrameFormat.MARK;
        bytes[1] = FrameFormat.VERSION;
        bytes[FrameFormat.KIND] = (byte) kind.code();
        bytes[FrameFormat.STREAM] = 0;
        FrameFormat.putShort(bytes, FrameFormat.PARTITION, partition);
        FrameFormat.putShort(bytes, FrameFormat.SENDER, sender);
        FrameFormat.putShort(bytes, FrameFormat.RECEIVER, receiver);
        bytes[FrameFormat.HOPS] = 0;
        bytes[FrameFormat.PART] = 1;
        at = FrameFormat.CONTENT;
        full = false;
        return this;
    }

    FrameWriter hops(int hops) {
        bytes[FrameFormat.HOPS] = (byte) hops;
        return this;
    }

    /**
     * It is a part of a message.
     *
     * @param index from 0
     * @param count 1 for a whole one
     */
    FrameWriter part(int index, int count) {
        bytes[FrameFormat.PART] = (byte) (index << 4 | count);
        return this;
    }

    FrameWriter putByte(int value) {
        if (hasRoom(1)) {
            bytes[at++] = (byte) value;
        }
        return this;
    }

    FrameWriter putShort(int value) {
        if (hasRoom(2)) {
            FrameFormat.putShort(bytes, at, value);
            at += 2;
        }
        return this;
    }

    FrameWriter putLong(long value) {
        if (hasRoom(8)) {
            FrameFormat.putLong(bytes, at, value);
            at += 8;
        }
        return this;
    }

    /**
     * @param address resolved
     */
    FrameWriter putAddress(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        byte[] digits = host.getAddress();
        putByte(digits.length == 4 ? FrameFormat.IP_4 : FrameFormat.IP_6);
        put(digits, 0, digits.length);
        return putShort(address.getPort());
    }

    FrameWriter put(byte[] from, int start, int end) {
        int length = end - start;
        if (hasRoom(length)) {
            System.arraycopy(from, start, bytes, at, length);
            at += length;
        }
        return this;
    }

    private boolean hasRoom(int length) {
        full |= at + length + LinkMac.BYTES > bytes.length;
        return !full;
    }

    /**
     * Ends the frame with its MAC.
     *
     * @return its length; 0 when it did not fit
     */
    int end(int stream, long sequence, LinkMac mac) {
        if (full) {
            return 0;
        }
        bytes[FrameFormat.STREAM] = (byte) stream;
        FrameFormat.putLong(bytes, FrameFormat.SEQUENCE, sequence);
        mac.write(bytes, 0, at, bytes, at);
        return at + LinkMac.BYTES;
    }

    /** The frame; the next one is made in the same array. */
    byte[] bytes() {
        return bytes;
    }
}
