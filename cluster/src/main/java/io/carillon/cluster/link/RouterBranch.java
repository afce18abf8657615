package io.carillon.cluster.link;

import io.carillon.sip.token.ShardToken;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The branch that a router puts over a node's: the partition in a token, and a keyed hash of both,
 * partition and node's branch, as its chance. So it is the same for a request, its repeats, its
 * CANCEL and the ACK to its refusal (RFC 3261 16.11), and a response proves that it answers a
 * request of the cluster: it repeats both branches, and nobody without the key can make one from
 * the other.
 *
 * <p>Owner: one thread.
 */
public final class RouterBranch {
    /** Bytes of a branch. */
    public static final int LENGTH = ShardToken.MAGIC_COOKIE.length() + ShardToken.LENGTH;

    private static final String LABEL = "carillon router branch 1";
    private static final byte[] COOKIE =
            ShardToken.MAGIC_COOKIE.getBytes(StandardCharsets.US_ASCII);

    private static final int PARTITION_BYTES = 2;

    /** No node makes a longer branch. */
    private static final int MOST_BYTES = 256;

    private final int cluster;
    private final List<LinkMac> keys = new ArrayList<>();
    private final byte[] made = new byte[LENGTH];
    private final byte[] hashed = new byte[PARTITION_BYTES + MOST_BYTES];

    /**
     * @param cluster its number
     * @param secrets the cluster's; the first makes branches, the others are known too
     */
    public RouterBranch(int cluster, List<LinkSecret> secrets) {
        this.cluster = cluster;
        for (LinkSecret secret : secrets) {
            keys.add(new LinkMac(secret.derive(LABEL)));
        }
    }

    /** The partition in a branch of the cluster; -1 when it is none. */
    public int partition(byte[] b, int from, int to) {
        return ShardToken.decode(cluster, b, from, to);
    }

    /**
     * Writes the branch for a request.
     *
     * @param nodes bytes of the message in which the node's branch stands
     */
    public void write(byte[] out, int at, int partition, byte[] nodes, int from, int to) {
        write(out, at, partition, hash(keys.getFirst(), partition, nodes, from, to));
    }

    private long hash(LinkMac key, int partition, byte[] b, int from, int to) {
        int length = PARTITION_BYTES + to - from;
        byte[] room = length <= hashed.length ? hashed : new byte[length];
        FrameFormat.putShort(room, 0, partition);
        System.arraycopy(b, from, room, PARTITION_BYTES, to - from);
        return key.hash(room, 0, length);
    }

    private void write(byte[] out, int at, int partition, long chance) {
        System.arraycopy(COOKIE, 0, out, at, COOKIE.length);
        ShardToken.write(out, at + COOKIE.length, cluster, partition, chance);
    }

    /**
     * Is the one branch what a router made for the other?
     *
     * @param from of the router's, in the message
     * @param nodesFrom of the node's
     */
    public boolean matches(byte[] b, int from, int to, int nodesFrom, int nodesTo) {
        int partition = partition(b, from, to);
        if (partition < 0 || to - from != LENGTH || nodesTo - nodesFrom > MOST_BYTES) {
            return false;
        }
        for (LinkMac key : keys) {
            write(made, 0, partition, hash(key, partition, b, nodesFrom, nodesTo));
            if (Arrays.equals(made, 0, LENGTH, b, from, to)) {
                return true;
            }
        }
        return false;
    }
}
