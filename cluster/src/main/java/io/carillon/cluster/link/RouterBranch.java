package io.carillon.cluster.link;

import io.carillon.sip.token.ShardToken;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The branch that a router puts over a node's: the partition in a token, and a keyed hash of the
 * node's branch as its chance. So it is the same for a request, its repeats, its CANCEL and the ACK
 * to its refusal (RFC 3261 16.11), and a response proves that it answers a request of the cluster:
 * it repeats both branches, and nobody without the key can make one from the other.
 *
 * <p>Owner: one thread.
 */
public final class RouterBranch {
    /** Bytes of a branch. */
    public static final int LENGTH = ShardToken.MAGIC_COOKIE.length() + ShardToken.LENGTH;

    private static final String LABEL = "carillon router branch 1";
    private static final byte[] COOKIE =
            ShardToken.MAGIC_COOKIE.getBytes(StandardCharsets.US_ASCII);

    private final int cluster;
    private final List<LinkMac> keys = new ArrayList<>();
    private final byte[] made = new byte[LENGTH];

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
        write(out, at, partition, keys.getFirst().hash(nodes, from, to));
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
        if (partition < 0 || to - from != LENGTH) {
            return false;
        }
        for (LinkMac key : keys) {
            write(made, 0, partition, key.hash(b, nodesFrom, nodesTo));
            if (Arrays.equals(made, 0, LENGTH, b, from, to)) {
                return true;
            }
        }
        return false;
    }
}
