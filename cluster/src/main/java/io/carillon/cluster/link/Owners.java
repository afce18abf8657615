package io.carillon.cluster.link;

import io.carillon.sip.token.Ownership;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who owns which partition and who would be next, as routers are told: the table of the cluster at
 * one version. Immutable; any thread.
 */
public final class Owners {
    /** Before any table was heard of: nobody owns anything. */
    public static final Owners UNKNOWN = new Owners(0, filled(), filled(), Map.of());

    private final long version;
    private final byte[] owners;
    private final byte[] next;
    private final Map<Integer, InetSocketAddress> addresses;

    private Owners(
            long version, byte[] owners, byte[] next, Map<Integer, InetSocketAddress> addresses) {
        this.version = version;
        this.owners = owners;
        this.next = next;
        this.addresses = Map.copyOf(addresses);
    }

    private static byte[] filled() {
        byte[] none = new byte[Ownership.PARTITIONS];
        Arrays.fill(none, (byte) PeerId.NONE);
        return none;
    }

    /**
     * A table.
     *
     * @param version rises with each change
     * @param owners for each partition the number of a node, {@link PeerId#NONE} for none
     * @param next who would take over, likewise
     * @param addresses of the links of nodes, by their number
     */
    public static Owners of(
            long version, int[] owners, int[] next, Map<Integer, InetSocketAddress> addresses) {
        return new Owners(version, packed(owners), packed(next), addresses);
    }

    private static byte[] packed(int[] nodes) {
        if (nodes.length != Ownership.PARTITIONS) {
            throw new IllegalArgumentException(nodes.length + " partitions");
        }
        byte[] bytes = new byte[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            if (nodes[i] < 0 || nodes[i] > PeerId.NONE) {
                throw new IllegalArgumentException("node " + nodes[i]);
            }
            bytes[i] = (byte) nodes[i];
        }
        return bytes;
    }

    public long version() {
        return version;
    }

    /** Who owns it; {@link PeerId#NONE} for nobody. */
    public int owner(int partition) {
        return owners[partition] & 0xFF;
    }

    /** Who takes over when the owner is gone; {@link PeerId#NONE} for nobody. */
    public int next(int partition) {
        return next[partition] & 0xFF;
    }

    /** Addresses of the links of nodes, by their number. */
    public Map<Integer, InetSocketAddress> addresses() {
        return addresses;
    }

    /** How many partitions a node owns. */
    public int owned(int node) {
        int count = 0;
        for (byte owner : owners) {
            count += (owner & 0xFF) == node ? 1 : 0;
        }
        return count;
    }

    /** As runs of partitions that have the same owner and next. */
    void write(FrameWriter frame) {
        frame.putLong(version).putByte(addresses.size());
        for (Map.Entry<Integer, InetSocketAddress> each : new TreeMap<>(addresses).entrySet()) {
            frame.putByte(each.getKey()).putAddress(each.getValue());
        }
        int start = 0;
        for (int i = 1; i <= owners.length; i++) {
            if (i == owners.length || owners[i] != owners[start] || next[i] != next[start]) {
                frame.putShort(i - start).putByte(owners[start]).putByte(next[start]);
                start = i;
            }
        }
    }

    /** Null when it makes no sense. */
    static @Nullable Owners read(FrameReader frame) {
        long version = frame.readLong();
        Map<Integer, InetSocketAddress> addresses = new TreeMap<>();
        int members = frame.readByte();
        for (int i = 0; i < members; i++) {
            int node = frame.readByte();
            InetSocketAddress address = frame.readAddress();
            if (address == null || node == PeerId.NONE) {
                return null;
            }
            addresses.put(node, address);
        }
        byte[] owners = new byte[Ownership.PARTITIONS];
        byte[] next = new byte[Ownership.PARTITIONS];
        int at = 0;
        while (at < owners.length) {
            int run = frame.readShort();
            byte owner = (byte) frame.readByte();
            byte after = (byte) frame.readByte();
            if (frame.bad() || run == 0 || run > owners.length - at) {
                return null;
            }
            Arrays.fill(owners, at, at + run, owner);
            Arrays.fill(next, at, at + run, after);
            at += run;
        }
        return frame.position() == frame.end()
                ? new Owners(version, owners, next, addresses)
                : null;
    }
}
