package io.carillon.net.udp;

import io.carillon.sip.guard.SourceKey;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/** The kernel's form of addresses: sockaddr_in and sockaddr_in6, ip(7) and ipv6(7). */
final class SocketAddresses {

    /** Bytes kept for one address; the longer form, sockaddr_in6, has 28. */
    static final int SLOT_BYTES = 32;

    static final int IN_BYTES = 16;
    static final int IN6_BYTES = 28;

    static final ValueLayout.OfShort FAMILY = ValueLayout.JAVA_SHORT;
    static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    static final ValueLayout.OfInt IN_ADDRESS =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

    /** Half of an IPv6 address, in network order. */
    private static final ValueLayout.OfLong HALF =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final int PORT_AT = 2;
    private static final int IN_ADDRESS_AT = 4;
    private static final int IN6_ADDRESS_AT = 8;
    private static final int IN6_SCOPE_AT = 24;
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private SocketAddresses() {}

    static int port(MemorySegment memory, long at) {
        return memory.get(PORT, at + PORT_AT) & 0xFFFF;
    }

    static boolean isIn(MemorySegment memory, long at) {
        return memory.get(FAMILY, at) == DatagramCalls.AF_INET;
    }

    /** The four bytes of a sockaddr_in. */
    static int inAddress(MemorySegment memory, long at) {
        return memory.get(IN_ADDRESS, at + IN_ADDRESS_AT);
    }

    /** Half of the address of a sockaddr_in6, enough to choose a slot by. */
    static int in6Hash(MemorySegment memory, long at) {
        int hash = 0;
        for (int i = 0; i < 16; i += 4) {
            hash = 31 * hash + memory.get(ValueLayout.JAVA_INT, at + IN6_ADDRESS_AT + i);
        }
        return hash;
    }

    /** Who sent it, for the guard; no object is made. */
    static long source(MemorySegment memory, long at) {
        return isIn(memory, at)
                ? SourceKey.ofInet4(memory.get(IN_ADDRESS, at + IN_ADDRESS_AT))
                : SourceKey.ofInet6(
                        memory.get(HALF, at + IN6_ADDRESS_AT),
                        memory.get(HALF, at + IN6_ADDRESS_AT + Long.BYTES));
    }

    static InetSocketAddress read(MemorySegment memory, long at) {
        boolean in = isIn(memory, at);
        byte[] bytes = new byte[in ? 4 : 16];
        long from = at + (in ? IN_ADDRESS_AT : IN6_ADDRESS_AT);
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, from, bytes, 0, bytes.length);
        try {
            int scope = in ? 0 : memory.get(ValueLayout.JAVA_INT, at + IN6_SCOPE_AT);
            InetAddress address =
                    scope == 0
                            ? InetAddress.getByAddress(bytes)
                            : Inet6Address.getByAddress(null, bytes, scope);
            return new InetSocketAddress(address, port(memory, at));
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("4 or 16 bytes are an address", impossible);
        }
    }

    /**
     * Writes an address.
     *
     * @param family of the socket; RFC 4291 2.5.5.2: an IPv4 address on an IPv6 socket is mapped
     * @return bytes written, 0 when a socket of this family cannot reach it
     */
    static int write(InetSocketAddress remote, int family, MemorySegment memory, long at) {
        byte[] bytes = remote.getAddress().getAddress();
        memory.set(FAMILY, at, (short) family);
        memory.set(PORT, at + PORT_AT, (short) remote.getPort());
        if (family == DatagramCalls.AF_INET) {
            if (bytes.length != 4) {
                return 0;
            }
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, at + IN_ADDRESS_AT, 4);
            memory.set(ValueLayout.JAVA_LONG, at + 8, 0L);
            return IN_BYTES;
        }
        memory.set(ValueLayout.JAVA_INT, at + 4, 0);
        long to = at + IN6_ADDRESS_AT;
        if (remote.getAddress() instanceof Inet4Address) {
            MemorySegment.copy(MAPPED, 0, memory, ValueLayout.JAVA_BYTE, to, MAPPED.length);
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, to + 12, 4);
        } else {
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, to, 16);
        }
        int scope = remote.getAddress() instanceof Inet6Address six ? six.getScopeId() : 0;
        memory.set(ValueLayout.JAVA_INT, at + IN6_SCOPE_AT, scope);
        return IN6_BYTES;
    }
}
