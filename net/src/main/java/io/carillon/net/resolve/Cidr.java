package io.carillon.net.resolve;

import java.net.InetAddress;

/**
 * A range of addresses, {@code 10.0.0.0/8} or one address. Immutable.
 *
 * @param address any address of the range
 * @param bits how many bits of it count
 */
public record Cidr(InetAddress address, int bits) {
    public Cidr {
        if (bits < 0 || bits > address.getAddress().length * 8) {
            throw new IllegalArgumentException("a range has 0 to 32 bits, or to 128 for IPv6");
        }
    }

    /**
     * Reads {@code ADDRESS/BITS} or {@code ADDRESS}.
     *
     * @throws IllegalArgumentException when it is neither
     */
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        InetAddress address = HostLiteral.parse(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            throw new IllegalArgumentException("no address: " + text);
        }
        int all = address.getAddress().length * 8;
        return new Cidr(address, slash < 0 ? all : Integer.parseInt(text.substring(slash + 1)));
    }

    /** Is the address in the range? */
    public boolean contains(InetAddress other) {
        return contains(other.getAddress());
    }

    boolean contains(byte[] other) {
        byte[] mine = address.getAddress();
        if (mine.length != other.length) {
            return false;
        }
        int whole = bits / 8;
        for (int i = 0; i < whole; i++) {
            if (mine[i] != other[i]) {
                return false;
            }
        }
        int rest = bits % 8;
        return rest == 0 || ((mine[whole] ^ other[whole]) & (0xFF00 >> rest) & 0xFF) == 0;
    }

    @Override
    public String toString() {
        return address.getHostAddress() + "/" + bits;
    }
}
