package io.carillon.net.guard;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;

/**
 * A set of address ranges, as in {@code 192.0.2.0/24} or {@code 2001:db8::/32}. Immutable; a look
 * costs one comparison per range and no object.
 */
public final class Networks {
    /** No range at all. */
    public static final Networks NONE = of(List.of());

    private final long[] values;
    private final long[] masks;

    private Networks(long[] values, long[] masks) {
        this.values = values;
        this.masks = masks;
    }

    /**
     * @param ranges addresses in digits, each perhaps with a prefix length; an IPv6 prefix longer
     *     than 64 bits counts as one of 64
     * @throws IllegalArgumentException naming the one that is no range
     */
    public static Networks of(List<String> ranges) {
        long[] values = new long[ranges.size()];
        long[] masks = new long[ranges.size()];
        for (int i = 0; i < values.length; i++) {
            String range = ranges.get(i);
            int slash = range.indexOf('/');
            InetAddress address = literal(range, slash < 0 ? range : range.substring(0, slash));
            int bits = address.getAddress().length * Byte.SIZE;
            int prefix = slash < 0 ? bits : prefix(range, range.substring(slash + 1), bits);
            long key = SourceKey.of(address);
            masks[i] = SourceKey.isInet4(key) ? high(32 + prefix) : high(Math.min(prefix, 64));
            values[i] = key & masks[i];
        }
        return new Networks(values, masks);
    }

    private static InetAddress literal(String range, String digits) {
        try {
            InetAddress address = InetAddress.ofLiteral(digits);
            // The old short forms, in which 192.0.2 is 192.0.0.2, mean something else as a range.
            if (!(address instanceof Inet4Address) || address.getHostAddress().equals(digits)) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(noRange(range), e);
        }
        throw new IllegalArgumentException(noRange(range));
    }

    private static String noRange(String range) {
        return "'" + range + "' is no address in digits, nor a range as in 192.0.2.0/24";
    }

    private static int prefix(String range, String digits, int bits) {
        try {
            int prefix = Integer.parseInt(digits);
            if (prefix >= 0 && prefix <= bits) {
                return prefix;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + range + "' has no prefix length", e);
        }
        throw new IllegalArgumentException(
                "'" + range + "' has a prefix length that is not from 0 to " + bits);
    }

    /** A mask of so many leading ones. */
    private static long high(int ones) {
        return ones == 0 ? 0 : -1L << (64 - ones);
    }

    /** Whether a source is in one of the ranges. */
    public boolean contains(long key) {
        for (int i = 0; i < values.length; i++) {
            // ::/0 is for IPv6 sources alone; an IPv4 range carries the mark of its kind.
            if ((key & masks[i]) == values[i]
                    && SourceKey.isInet4(values[i]) == SourceKey.isInet4(key)) {
                return true;
            }
        }
        return false;
    }
}
