package io.carillon.sip.privacy;

import java.net.InetAddress;
import java.util.List;

/** A set of addresses, each given as an {@link AddressRange}. Immutable. */
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
            AddressRange range = AddressRange.parse(texts.get(i));
            addresses[i] = range.address().getAddress();
            bits[i] = range.bits();
        }
        return new AddressRanges(addresses, bits);
    }

    public boolean isEmpty() {
        return bits.length == 0;
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
