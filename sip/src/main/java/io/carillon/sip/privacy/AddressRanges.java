package io.carillon.sip.privacy;

import java.net.InetAddress;
import java.util.List;

/**
 * A set of addresses, as {@code 192.0.2.7}, {@code 192.0.2.0/24} or {@code 2001:db8::/32}.
 * Immutable; no name is looked up.
 */
public final class AddressRanges {
    private final byte[][] addresses;
    private final int[] bits;

    private AddressRanges(byte[][] addresses, int[] bits) {
        this.addresses = addresses;
        this.bits = bits;
    }

    /**
     * @throws IllegalArgumentException naming the one that is no range
     */
    public static AddressRanges of(List<String> texts) {
        byte[][] addresses = new byte[texts.size()][];
        int[] bits = new int[texts.size()];
        for (int i = 0; i < bits.length; i++) {
            String text = texts.get(i);
            int slash = text.indexOf('/');
            try {
                String digits = slash < 0 ? text : text.substring(0, slash);
                addresses[i] = InetAddress.ofLiteral(digits).getAddress();
                int most = addresses[i].length * Byte.SIZE;
                bits[i] = slash < 0 ? most : Integer.parseInt(text.substring(slash + 1));
                if (bits[i] < 0 || bits[i] > most) {
                    throw new IllegalArgumentException("prefix of " + bits[i]);
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "'" + text + "' is no address in digits, nor a range as in 192.0.2.0/24",
                        e);
            }
        }
        return new AddressRanges(addresses, bits);
    }

    /** An IPv4 address inside an IPv6 one counts as the IPv4 one, as Java has it. */
    public boolean contains(InetAddress address) {
        if (bits.length == 0) {
            return false;
        }
        byte[] bytes = address.getAddress();
        for (int i = 0; i < bits.length; i++) {
            if (begins(addresses[i], bytes, bits[i])) {
                return true;
            }
        }
        return false;
    }

    private static boolean begins(byte[] range, byte[] address, int bits) {
        if (range.length != address.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        for (int i = 0; i < whole; i++) {
            if (range[i] != address[i]) {
                return false;
            }
        }
        int rest = bits % Byte.SIZE;
        int mask = 0xFF00 >> rest;
        return rest == 0 || ((range[whole] ^ address[whole]) & mask & 0xFF) == 0;
    }
}
