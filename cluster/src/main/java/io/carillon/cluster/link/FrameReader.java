package io.carillon.cluster.link;

import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One frame that is being read. What stands in its header can be asked at once, and means nothing
 * before its MAC was found right. The content is read in order; what goes over its end is 0, and
 * {@link #bad} tells. Owner: one thread.
 */
final class FrameReader {
    private static final byte[] NOTHING = {};

    private final KnownAddresses addresses = new KnownAddresses();
    private byte[] bytes = NOTHING;
    private int end;
    private int at;
    private boolean bad;

    /**
     * Begins with a datagram.
     *
     * @return false when it is no frame of this version
     */
    boolean begin(byte[] datagram, int length) {
        if (length < FrameFormat.LEAST_BYTES
                || (datagram[0] & 0xFF) != FrameFormat.MARK
                || datagram[1] != FrameFormat.VERSION
                || FrameKind.of(datagram[FrameFormat.KIND] & 0xFF) == null) {
            return false;
        }
        bytes = datagram;
        end = length - LinkMac.BYTES;
        at = FrameFormat.CONTENT;
        bad = false;
        return true;
    }

    /** Lets the datagram go. */
    void forget() {
        bytes = NOTHING;
        end = 0;
    }

    boolean genuine(LinkMac mac) {
        return mac.matches(bytes, 0, end, end);
    }

    FrameKind kind() {
        FrameKind kind = FrameKind.of(bytes[FrameFormat.KIND] & 0xFF);
        if (kind == null) {
            throw new IllegalStateException("no frame was begun");
        }
        return kind;
    }

    int stream() {
        return bytes[FrameFormat.STREAM] & 0xFF;
    }

    int partition() {
        return FrameFormat.unsignedShort(bytes, FrameFormat.PARTITION);
    }

    int sender() {
        return FrameFormat.unsignedShort(bytes, FrameFormat.SENDER);
    }

    int receiver() {
        return FrameFormat.unsignedShort(bytes, FrameFormat.RECEIVER);
    }

    int hops() {
        return bytes[FrameFormat.HOPS] & 0xFF;
    }

    int partIndex() {
        return bytes[FrameFormat.PART] >>> 4 & 0xF;
    }

    int partCount() {
        return bytes[FrameFormat.PART] & 0xF;
    }

    long sequence() {
        return FrameFormat.getLong(bytes, FrameFormat.SEQUENCE);
    }

    // The content

    int readByte() {
        return has(1) ? bytes[at++] & 0xFF : 0;
    }

    int readShort() {
        if (!has(2)) {
            return 0;
        }
        at += 2;
        return FrameFormat.unsignedShort(bytes, at - 2);
    }

    long readLong() {
        if (!has(8)) {
            return 0;
        }
        at += 8;
        return FrameFormat.getLong(bytes, at - 8);
    }

    /** So many bytes in an array of their own. */
    byte[] readBytes(int length) {
        if (length == 0 || !has(length)) {
            return NOTHING;
        }
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    /** Null when none can be read. */
    @Nullable InetSocketAddress readAddress() {
        int digits =
                switch (readByte()) {
                    case FrameFormat.IP_4 -> 4;
                    case FrameFormat.IP_6 -> 16;
                    default -> -1;
                };
        if (digits < 0 || !has(digits + 2)) {
            bad = true;
            return null;
        }
        at += digits + 2;
        InetSocketAddress address = addresses.of(bytes, at - digits - 2, at);
        bad |= address == null;
        return address;
    }

    /** Passes over so many bytes; false when they are not there. */
    boolean skip(int length) {
        if (has(length)) {
            at += length;
        }
        return !bad;
    }

    private boolean has(int length) {
        bad |= at + length > end;
        return !bad;
    }

    /** Was something read that is not there? */
    boolean bad() {
        return bad;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Where the rest of the content begins. */
    int position() {
        return at;
    }

    /** Where the content ends. */
    int end() {
        return end;
    }
}
