package io.carillon.cluster.link;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Addresses that were read from frames lately, so that the thousands of messages of one peer share
 * one object. A direct-mapped table: a new one takes the place of whoever had it, so it cannot
 * grow. Owner: one thread.
 */
final class KnownAddresses {
    private static final int SLOTS = 1024;

    private static final class Known {
        final byte[] bytes;
        final InetSocketAddress address;

        Known(byte[] bytes, InetSocketAddress address) {
            this.bytes = bytes;
            this.address = address;
        }
    }

    private final @Nullable Known[] slots = new @Nullable Known[SLOTS];

    /**
     * The address in bytes [from, to): its digits and its port.
     *
     * @return null when it is none
     */
    @Nullable InetSocketAddress of(byte[] b, int from, int to) {
        int hash = 1;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + b[i];
        }
        int slot = (hash * 0x9E3779B9) >>> 22;
        Known known = slots[slot];
        if (known != null && Arrays.equals(known.bytes, 0, known.bytes.length, b, from, to)) {
            return known.address;
        }
        try {
            InetAddress host = InetAddress.getByAddress(Arrays.copyOfRange(b, from, to - 2));
            InetSocketAddress address =
                    new InetSocketAddress(host, FrameFormat.unsignedShort(b, to - 2));
            slots[slot] = new Known(Arrays.copyOfRange(b, from, to), address);
            return address;
        } catch (UnknownHostException e) {
            return null; // neither 4 nor 16 bytes; the reader knows only these two
        }
    }
}
