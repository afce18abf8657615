package io.carillon.router;

import io.carillon.cluster.link.LinkPeer;
import io.carillon.cluster.link.NodeHealth;
import io.carillon.cluster.link.PeerId;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Refuses new work for a node that has said how much of it it lets in, before it costs the node
 * anything. Each node that sheds tells a rate; what goes over it is refused here.
 *
 * <p>What was decided about a request is kept for its repeats, for {@value #KEPT_SECONDS} s: else a
 * repeat of a call that was let in would be refused, or one that was refused would ring. The table
 * has a fixed size, is made when a node sheds first, and forgets by being written over.
 *
 * <p>Owner: the router's thread.
 */
final class EdgeAdmission {
    static final int KEPT_SECONDS = 32;
    private static final int PLACES = 1 << 16;
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(KEPT_SECONDS);

    /** A tenth of a second of calls may come at once. */
    private static final double BURST_SECONDS = 0.1;

    private static final double NANOS = 1e9;

    private final double[] room = new double[PeerId.NONE];
    private final long[] filledNanos = new long[PeerId.NONE];
    private long[] hashes = {};
    private long[] sinceNanos = {};
    private boolean[] refused = {};

    /** Whether there is something to decide: only then is a request looked at more closely. */
    static boolean limits(LinkPeer node) {
        return node.health() == NodeHealth.OVERLOADED && node.report().newPerSecond() > 0;
    }

    /**
     * May new work go to a node that sheds?
     *
     * @param hash of the request's topmost branch and its source
     */
    boolean admits(LinkPeer node, long hash, long nowNanos) {
        if (hashes.length == 0) {
            hashes = new long[PLACES];
            sinceNanos = new long[PLACES];
            refused = new boolean[PLACES];
            Arrays.fill(sinceNanos, nowNanos - KEPT_NANOS);
        }
        int place = (int) (hash & (PLACES - 1));
        if (hashes[place] == hash && nowNanos - sinceNanos[place] < KEPT_NANOS) {
            return !refused[place];
        }
        boolean admitted = take(node.id(), node.report().newPerSecond(), nowNanos);
        hashes[place] = hash;
        sinceNanos[place] = nowNanos;
        refused[place] = !admitted;
        return admitted;
    }

    private boolean take(int node, int perSecond, long nowNanos) {
        double most = Math.max(1, perSecond * BURST_SECONDS);
        double more = (nowNanos - filledNanos[node]) / NANOS * perSecond;
        room[node] = Math.min(most, room[node] + Math.max(0, more));
        filledNanos[node] = nowNanos;
        if (room[node] < 1) {
            return false;
        }
        room[node]--;
        return true;
    }

    /** A hash of bytes, the same for each repeat. */
    static long hash(byte[] b, int from, int to, int source) {
        long h = source;
        for (int i = from; i < to; i++) {
            h = h * 0x9E3779B97F4A7C15L + b[i];
        }
        h = (h ^ (h >>> 32)) * 0xBF58476D1CE4E5B9L;
        return h ^ (h >>> 29);
    }
}
