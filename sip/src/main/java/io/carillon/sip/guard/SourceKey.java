package io.carillon.sip.guard;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Who a message came from, as one long: an IPv4 address, or the first 64 bits of an IPv6 address,
 * since one customer owns that many addresses. Never 0.
 */
public final class SourceKey {
    /** Above the 32 bits of an IPv4 address. 0:1::/32 is reserved, so no IPv6 source has it. */
    private static final long IPV4 = 1L << 32;

    private static final long LOW = 0xFFFF_FFFFL;
    private static final int HOST_BITS = 8;
    private static final int SUBNET_BITS = 16;
    private static final long MAPPED = 0xFFFFL;

    private SourceKey() {}

    /** Of an IPv4 address in network order. */
    public static long ofInet4(int address) {
        return IPV4 | (address & LOW);
    }

    /** Of an IPv6 address, in halves. RFC 4291 2.5.5.2: an IPv4-mapped one is that IPv4 address. */
    public static long ofInet6(long high, long low) {
        if (high == 0) {
            // ::1 and what else has no prefix: one source, which is not the empty slot.
            return low >>> 32 == MAPPED ? ofInet4((int) low) : 1;
        }
        return high;
    }

    /** Of any address. */
    public static long of(InetAddress address) {
        if (address instanceof Inet4Address) {
            return ofInet4(address.hashCode()); // the address itself, without an array
        }
        byte[] b = address.getAddress();
        return ofInet6(big(b, 0, 8), big(b, 8, 8));
    }

    public static boolean isInet4(long key) {
        return key >>> 32 == 1;
    }

    /** The network of a source, which one may own: /24 of IPv4, /48 of IPv6. */
    public static long network(long key) {
        return isInet4(key) ? key >>> HOST_BITS : key >>> SUBNET_BITS;
    }

    /** Scatters keys over a table: every bit of the result depends on every bit of the key. */
    public static long mix(long key) {
        long h = key;
        h = (h ^ h >>> 32) * 0xD6E8FEB86659FD93L;
        h = (h ^ h >>> 32) * 0xD6E8FEB86659FD93L;
        return h ^ h >>> 32;
    }

    /** For people: {@code 192.0.2.7} or {@code 2001:db8:0:1:0:0:0:0/64}. */
    public static String text(long key) {
        byte[] bytes = new byte[isInet4(key) ? 4 : 16];
        if (bytes.length == 4) {
            put(bytes, key << 32, 4);
        } else if (key == 1) {
            bytes[15] = 1;
        } else {
            put(bytes, key, 8);
        }
        try {
            String digits = InetAddress.getByAddress(bytes).getHostAddress();
            return bytes.length == 4 || key == 1 ? digits : digits + "/64";
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("4 or 16 bytes are an address", impossible);
        }
    }

    private static void put(byte[] to, long value, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = (byte) (value >>> (56 - 8 * i));
        }
    }

    private static long big(byte[] bytes, int from, int count) {
        long value = 0;
        for (int i = from; i < from + count; i++) {
            value = value << 8 | (bytes[i] & 0xFF);
        }
        return value;
    }
}
