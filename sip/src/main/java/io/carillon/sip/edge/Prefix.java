package io.carillon.sip.edge;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A network: the first bits of its addresses. Immutable.
 *
 * <p>Two are equal when they hold the same addresses.
 */
public final class Prefix {
    private final byte[] address;
    private final int bits;

    private Prefix(byte[] address, int bits) {
        this.address = masked(address, bits);
        this.bits = bits;
    }

    /** The one address. */
    public static Prefix of(InetAddress address) {
        byte[] bytes = address.getAddress();
        return new Prefix(bytes, 8 * bytes.length);
    }

    /**
     * Reads {@code 10.0.0.0/8}, {@code fd00::/8} or a single address. No name is looked up.
     *
     * @throws IllegalArgumentException when the text is no network; the message says what is
     */
    public static Prefix parse(String text) {
        int slash = text.indexOf('/');
        String digits = slash < 0 ? text : text.substring(0, slash);
        try {
            byte[] bytes = literal(digits);
            int most = 8 * bytes.length;
            int bits = slash < 0 ? most : Integer.parseInt(text.substring(slash + 1));
            if (bits >= 0 && bits <= most) {
                return new Prefix(bytes, bits);
            }
        } catch (IllegalArgumentException e) {
            throw wrong(text, e);
        }
        throw wrong(text, null);
    }

    /** RFC 3261 25.1 has four numbers; the short forms of old resolvers would be read as others. */
    private static byte[] literal(String digits) {
        byte[] bytes = InetAddress.ofLiteral(digits).getAddress();
        if (bytes.length == 4 && digits.chars().filter(c -> c == '.').count() != 3) {
            throw new IllegalArgumentException("four numbers are wanted");
        }
        return bytes;
    }

    private static IllegalArgumentException wrong(String text, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "'" + text + "' is no network, as 192.0.2.0/24, 2001:db8::/32 or 192.0.2.7", cause);
    }

    /** Could this be meant as an address or a network, and not as a name? */
    public static boolean looksLike(String text) {
        return !text.isEmpty()
                && (text.indexOf(':') >= 0
                        || text.indexOf('/') >= 0
                        || text.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9')));
    }

    private static byte[] masked(byte[] bytes, int bits) {
        byte[] kept = bytes.clone();
        for (int i = 0; i < kept.length; i++) {
            int left = Math.clamp(bits - 8L * i, 0, 8);
            kept[i] &= (byte) (0xFF00 >> left);
        }
        return kept;
    }

    /** How many bits all its addresses share. */
    int bits() {
        return bits;
    }

    /** How many bytes its addresses have: 4 or 16. */
    int bytes() {
        return address.length;
    }

    /** The network of that size in which the address lies. */
    static Prefix around(byte[] address, int bits) {
        return new Prefix(address, bits);
    }

    /** Does that address, of 4 or 16 bytes, lie in it? */
    boolean contains(byte[] other) {
        if (other.length != address.length) {
            return false;
        }
        int whole = bits >> 3;
        for (int i = 0; i < whole; i++) {
            if (other[i] != address[i]) {
                return false;
            }
        }
        int rest = bits & 7;
        return rest == 0 || ((other[whole] ^ address[whole]) & 0xFF & (0xFF00 >> rest)) == 0;
    }

    @Override
    public boolean equals(@Nullable Object o) {
        return o instanceof Prefix other
                && bits == other.bits
                && Arrays.equals(address, other.address);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(address) + bits;
    }

    @Override
    public String toString() {
        try {
            return InetAddress.getByAddress(address).getHostAddress() + "/" + bits;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are an address", e);
        }
    }
}
