package io.carillon.net.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * An array of struct mmsghdr (recvmmsg(2)), each with one iovec and room for one address. Lives as
 * long as somebody refers to it. Owner: the loop of the socket.
 */
final class MessageVector {

    private static final int HEADER_BYTES = 64;
    private static final int NAME_AT = 0;
    private static final int NAME_LENGTH_AT = 8;
    private static final int IOVEC_AT = 16;
    private static final int IOVEC_COUNT_AT = 24;
    private static final int LENGTH_AT = 56;
    private static final int IOVEC_BYTES = 16;

    private final MemorySegment headers;
    private final MemorySegment iovecs;
    private final MemorySegment addresses;

    MessageVector(int count) {
        Arena arena = Arena.ofAuto();
        headers = arena.allocate((long) count * HEADER_BYTES, 64);
        iovecs = arena.allocate((long) count * IOVEC_BYTES, 16);
        addresses = arena.allocate((long) count * SocketAddresses.SLOT_BYTES, 32);
        for (int i = 0; i < count; i++) {
            long header = (long) i * HEADER_BYTES;
            long iovec = iovecs.address() + (long) i * IOVEC_BYTES;
            headers.set(ValueLayout.JAVA_LONG, header + NAME_AT, addressPointer(i));
            headers.set(ValueLayout.JAVA_INT, header + NAME_LENGTH_AT, SocketAddresses.IN6_BYTES);
            headers.set(ValueLayout.JAVA_LONG, header + IOVEC_AT, iovec);
            headers.set(ValueLayout.JAVA_LONG, header + IOVEC_COUNT_AT, 1L);
        }
    }

    /** Where the array is, from one entry on. */
    long pointer(int index) {
        return headers.address() + (long) index * HEADER_BYTES;
    }

    /** The memory that the addresses lie in, at {@link #addressAt}. */
    MemorySegment addresses() {
        return addresses;
    }

    static long addressAt(int index) {
        return (long) index * SocketAddresses.SLOT_BYTES;
    }

    long addressPointer(int index) {
        return addresses.address() + addressAt(index);
    }

    /** Where the bytes of an entry lie, and how many. */
    void bytes(int index, long pointer, long length) {
        long iovec = (long) index * IOVEC_BYTES;
        iovecs.set(ValueLayout.JAVA_LONG, iovec, pointer);
        iovecs.set(ValueLayout.JAVA_LONG, iovec + 8, length);
    }

    long bytesPointer(int index) {
        return iovecs.get(ValueLayout.JAVA_LONG, (long) index * IOVEC_BYTES);
    }

    long bytesLength(int index) {
        return iovecs.get(ValueLayout.JAVA_LONG, (long) index * IOVEC_BYTES + 8);
    }

    /** How long the entry's address is. */
    void addressLength(int index, int bytes) {
        headers.set(ValueLayout.JAVA_INT, (long) index * HEADER_BYTES + NAME_LENGTH_AT, bytes);
    }

    int addressLength(int index) {
        return headers.get(ValueLayout.JAVA_INT, (long) index * HEADER_BYTES + NAME_LENGTH_AT);
    }

    /** How many bytes were received into an entry. */
    int received(int index) {
        return headers.get(ValueLayout.JAVA_INT, (long) index * HEADER_BYTES + LENGTH_AT);
    }
}
