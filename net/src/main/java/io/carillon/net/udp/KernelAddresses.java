package io.carillon.net.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's form of the addresses that were sent to last. A direct-mapped table: a new one takes
 * the place of whoever had it, so it cannot grow. Owner: one loop.
 */
final class KernelAddresses {

    private static final int SLOTS = 1024;

    private final int family;
    private final @Nullable InetSocketAddress[] remotes = new @Nullable InetSocketAddress[SLOTS];
    private final int[] lengths = new int[SLOTS];
    private final MemorySegment memory =
            Arena.ofAuto().allocate((long) SLOTS * SocketAddresses.SLOT_BYTES, 32);

    /**
     * @param family AF_INET or AF_INET6, of the socket
     */
    KernelAddresses(int family) {
        this.family = family;
    }

    /** Puts an address into an entry; false when the socket's family cannot reach it. */
    boolean put(InetSocketAddress remote, MessageVector vector, int index) {
        int slot = (remote.hashCode() * 0x9E3779B9) >>> 22;
        long at = (long) slot * SocketAddresses.SLOT_BYTES;
        InetSocketAddress known = remotes[slot];
        if (!remote.equals(known)) {
            remotes[slot] = remote;
            lengths[slot] = SocketAddresses.write(remote, family, memory, at);
        }
        int length = lengths[slot];
        MemorySegment to = vector.addresses();
        long toAt = MessageVector.addressAt(index);
        // Eight bytes at a time: cheaper than a bulk copy of 16 or 28.
        for (int i = 0; i < SocketAddresses.SLOT_BYTES; i += Long.BYTES) {
            to.set(ValueLayout.JAVA_LONG, toAt + i, memory.get(ValueLayout.JAVA_LONG, at + i));
        }
        vector.addressLength(index, length);
        return length > 0;
    }
}
