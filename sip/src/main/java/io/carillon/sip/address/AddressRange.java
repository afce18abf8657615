package io.carillon.sip.address;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range of addresses: those that share their first bits, as {@code 192.0.2.0/24}, {@code
 * 2001:db8::/32} or the one address {@code 192.0.2.7}. What every setting that names addresses
 * means by them. Immutable.
 *
 * <p>Two are equal when they hold the same addresses.
 */
public final class AddressRange {
    private final byte[] network;
    private final int bits;

    private AddressRange(byte[] address, int bits) {
        this.network = masked(address, bits);
        this.bits = bits;
    }

    /** The one address. */
    public static AddressRange of(InetAddress address) {
        byte[] bytes = address.getAddress();
        return new AddressRange(bytes, Byte.SIZE * bytes.length);
    }

    /**
     * The range of that size in which the address lies.
     *
     * @param address 4 or 16 bytes
     */
    public static AddressRange around(byte[] address, int bits) {
        return new AddressRange(address, bits);
    }

    /**
     * Reads an address in digits, perhaps with the length of a prefix. No name is looked up.
     *
     * @throws IllegalArgumentException naming the text, when it is no range
     */
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        byte[] address = literal(text, slash < 0 ? text : text.substring(0, slash)).getAddress();
        int most = Byte.SIZE * address.length;
        return new AddressRange(
                address, slash < 0 ? most : prefix(text, text.substring(slash + 1), most));
    }

    /** Could this be meant as an address or a range, and not as a name? */
    public static boolean looksLike(String text) {
        return !text.isEmpty()
                && (text.indexOf(':') >= 0
                        || text.indexOf('/') >= 0
                        || text.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9')));
    }

    private static InetAddress literal(String range, String digits) {
        try {
            InetAddress address = InetAddress.ofLiteral(digits);
            // The old short forms, in which 192.0.2 is 192.0.0.2, mean something else as a range.
            if (!(address instanceof Inet4Address)
                    || digits.indexOf(':') >= 0
                    || address.getHostAddress().equals(digits)) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(noRange(range), e);
        }
        throw new IllegalArgumentException(noRange(range));
    }

    private static int prefix(String range, String digits, int most) {
        try {
            int prefix = Integer.parseInt(digits);
            if (prefix >= 0 && prefix <= most) {
                return prefix;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(noRange(range), e);
        }
        throw new IllegalArgumentException(noRange(range));
    }

    private static String noRange(String range) {
        return "'" + range + "' is no network, as 192.0.2.0/24, 2001:db8::/32 or 192.0.2.7";
    }

    private static byte[] masked(byte[] bytes, int bits) {
        byte[] kept = bytes.clone();
        for (int i = 0; i < kept.length; i++) {
            int left = Math.clamp(bits - 8L * i, 0, 8);
            kept[i] &= (byte) (0xFF00 >> left);
        }
        return kept;
    }

    /** Its first address. */
    public InetAddress first() {
        try {
            return InetAddress.getByAddress(network);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are an address", e);
        }
    }

    /** How many bits all its addresses share. */
    public int bits() {
        return bits;
    }

    /** How many bytes its addresses have: 4 or 16. */
    public int bytes() {
        return network.length;
    }

    /** Does that address, of 4 or 16 bytes, lie in it? */
    public boolean contains(byte[] address) {
        if (address.length != network.length) {
            return false;
        }
        int whole = bits >> 3;
        for (int i = 0; i < whole; i++) {
            if (address[i] != network[i]) {
                return false;
            }
        }
        int rest = bits & 7;
        return rest == 0 || ((address[whole] ^ network[whole]) & 0xFF & (0xFF00 >> rest)) == 0;
    }

    @Override
    public boolean equals(@Nullable Object o) {
        return o instanceof AddressRange other
                && bits == other.bits
                && Arrays.equals(network, other.network);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(network) + bits;
    }

    @Override
    public String toString() {
        return first().getHostAddress() + "/" + bits;
    }
}
