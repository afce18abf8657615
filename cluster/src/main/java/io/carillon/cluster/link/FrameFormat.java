package io.carillon.cluster.link;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The layout of a frame. Numbers are in network order.
 *
 * <pre>
 *  0  mark 0xCB (neither SIP nor STUN begins so)      8  receiver's number
 *  1  version, 1                                     10  how often it was passed on
 *  2  kind                                           11  part of a large message: index and count
 *  3  stream: one sequence of its sender             12  number in that sequence, from 1
 *  4  partition                                      20  content
 *  6  sender's number                               end  MAC of all before it, 16 bytes
 * </pre>
 */
final class FrameFormat {
    static final int MARK = 0xCB;
    static final int VERSION = 1;
    static final int KIND = 2;
    static final int STREAM = 3;
    static final int PARTITION = 4;
    static final int SENDER = 6;
    static final int RECEIVER = 8;
    static final int HOPS = 10;
    static final int PART = 11;
    static final int SEQUENCE = 12;
    static final int CONTENT = 20;

    /** RFC 768: 65,535 less the UDP and the smallest IP header. */
    static final int MOST_BYTES = 65_507;

    static final int LEAST_BYTES = CONTENT + LinkMac.BYTES;

    /** Bytes of a message in one frame; longer ones go in parts of so many. */
    static final int PART_BYTES = 60_000;

    /** Parts of the longest message: a datagram of SIP needs two, one of a stream may be longer. */
    static final int MOST_PARTS = 15;

    /** Families of addresses. */
    static final int IP_4 = 4;

    static final int IP_6 = 6;

    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private FrameFormat() {}

    static int unsignedShort(byte[] b, int at) {
        return (short) SHORTS.get(b, at) & 0xFFFF;
    }

    static void putShort(byte[] b, int at, int value) {
        SHORTS.set(b, at, (short) value);
    }

    static long getLong(byte[] b, int at) {
        return (long) LONGS.get(b, at);
    }

    static void putLong(byte[] b, int at, long value) {
        LONGS.set(b, at, value);
    }
}
