package io.carillon.router;

import io.carillon.cluster.link.LinkPeer;
import io.carillon.cluster.link.NodeHealth;
import io.carillon.cluster.link.PeerId;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How nodes do, beyond what they say of themselves: the network has said that one cannot be
 * reached, or one gets requests of many sources and answers none (an <i>outlier</i>).
 *
 * <p>Owner: the router's thread; {@link #word} and {@link #unanswered} any, racily. A few numbers
 * for each node that there can be.
 */
final class NodeWatch {
    /** Requests in a row without a word from the node. Fewer say nothing. */
    static final int MANY_REQUESTS = 50;

    /**
     * Of so many sources, roughly counted: one alone may be a stranger whom the node's guard bans.
     */
    static final int MANY_SOURCES = 8;

    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** An outlier gets one new call in this time, as a question. */
    static final long TRIAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final int[] unanswered = new int[PeerId.NONE];
    private final long[] sources = new long[PeerId.NONE];
    private final long[] sinceNanos = new long[PeerId.NONE];
    private final long[] triedNanos = new long[PeerId.NONE];
    private final long[] unreachableNanos = new long[PeerId.NONE];

    NodeWatch() {
        Arrays.fill(unreachableNanos, Long.MIN_VALUE / 2);
    }

    /** A request was given to it. */
    void asked(int node, int sourceHash, long nowNanos) {
        if (unanswered[node]++ == 0) {
            sinceNanos[node] = nowNanos;
            sources[node] = 0;
        }
        sources[node] |= 1L << ((sourceHash * 0x9E3779B9) >>> 26);
    }

    /** It has sent a message. */
    void answers(int node) {
        unanswered[node] = 0;
    }

    /** It has begun anew, or says HELLO: what the network has said is over. */
    void heard(int node) {
        unreachableNanos[node] = Long.MIN_VALUE / 2;
    }

    /** ICMP says that nobody is there. It counts until the node is heard, a second at most. */
    void unreachable(int node, long nowNanos) {
        unreachableNanos[node] = nowNanos;
    }

    /** Does the network say that it cannot be reached? */
    boolean isUnreachable(int node, long nowNanos) {
        return nowNanos - unreachableNanos[node] < LinkPeer.SILENT_NANOS;
    }

    /** Requests that it was given since it was heard last. */
    int unanswered(int node) {
        return unanswered[node];
    }

    boolean outlier(int node, long nowNanos) {
        return unanswered[node] >= MANY_REQUESTS
                && Long.bitCount(sources[node]) >= MANY_SOURCES
                && nowNanos - sinceNanos[node] >= PATIENCE_NANOS;
    }

    /** May an outlier get this new call, as a question? */
    boolean mayTry(int node, long nowNanos) {
        if (nowNanos - triedNanos[node] < TRIAL_NANOS) {
            return false;
        }
        triedNanos[node] = nowNanos;
        return true;
    }

    /** How it is, in a word or two. */
    String word(@Nullable LinkPeer node, long nowNanos) {
        if (node == null || node.heardNanos() == 0) {
            return "never heard";
        }
        if (node.health() == NodeHealth.GONE) {
            return "gone";
        }
        if (!node.alive(nowNanos)) {
            long silent = TimeUnit.NANOSECONDS.toSeconds(nowNanos - node.heardNanos());
            return "silent for " + silent + " s";
        }
        if (isUnreachable(node.id(), nowNanos)) {
            return "unreachable";
        }
        if (outlier(node.id(), nowNanos)) {
            return "outlier: " + unanswered[node.id()] + " requests unanswered";
        }
        return node.health().name().toLowerCase(Locale.ROOT);
    }
}
