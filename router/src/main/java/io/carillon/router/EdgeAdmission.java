package io.carillon.router;

import io.carillon.cluster.link.LinkPeer;
import io.carillon.cluster.link.NodeHealth;
import io.carillon.cluster.link.PeerId;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.overload.SourceRate;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Refuses new work for a node that has said how much of it it lets in, before it costs the node
 * anything. Each node that sheds tells a rate; what goes over it is refused here. Who asks for no
 * more than a fair share of it comes first ({@link SourceRate}), nearly as at the node: each source
 * counts once here, whatever its weight. Else a flood would take what is left for all.
 *
 * <p>What was decided about a request is kept for its repeats, for {@value #KEPT_SECONDS} s: else a
 * repeat of a call that was let in would be refused, or one that was refused would ring. So what
 * comes by datagrams is noted before a node sheds, too. The table has a fixed size of 1.1 MiB and
 * forgets by being written over.
 *
 * <p>Owner: the router's thread.
 */
final class EdgeAdmission {
    static final int KEPT_SECONDS = 32;
    private static final int PLACES = 1 << 16;
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(KEPT_SECONDS);

    /** RFC 3261 17.1.2.2: within 64*T1 a request that is not answered is sent 11 times. */
    static final int MOST_REPEATS = 10;

    /** A tenth of a second of calls may come at once. */
    private static final double BURST_SECONDS = 0.1;

    private static final double LEAST_BURST = 4;

    /** Of what may come at once: so much is kept for those who ask for little. */
    private static final double FOR_FAIR = 0.5;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Whom no request was for for so long sheds anew. */
    private static final long ANEW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final double NANOS = 1e9;
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final @Nullable Share[] shares = new @Nullable Share[PeerId.NONE];
    private long[] hashes = {};
    private long[] sinceNanos = {};
    private boolean[] refused = {};
    private byte[] repeats = {};

    /** Whether there is something to decide: only then is a request looked at more closely. */
    static boolean limits(LinkPeer node) {
        return node.health() == NodeHealth.OVERLOADED && node.report().newPerSecond() > 0;
    }

    /** What was decided about a request before. */
    enum Fate {
        NEW,
        LET_IN,
        REFUSED
    }

    /**
     * What was decided about it, however its node does now: a repeat of what rings already is let
     * through, and what was refused does not ring for a caller who has gone.
     *
     * @param hash see {@link #hash}
     */
    Fate fate(long hash, long nowNanos) {
        int place = place(hash, nowNanos);
        return !knows(place, hash, nowNanos)
                ? Fate.NEW
                : refused[place] ? Fate.REFUSED : Fate.LET_IN;
    }

    /**
     * May new work go to a node that sheds?
     *
     * @param hash see {@link #hash}; nothing was decided about it
     * @param source of {@link SourceKey}
     */
    boolean admits(LinkPeer node, long hash, long source, long nowNanos) {
        boolean admitted =
                share(node.id(), nowNanos).take(source, node.report().newPerSecond(), nowNanos);
        note(place(hash, nowNanos), hash, !admitted, nowNanos);
        return admitted;
    }

    /** New work went to a node that lets in all. */
    void letIn(long hash, long nowNanos) {
        note(place(hash, nowNanos), hash, false, nowNanos);
    }

    /** New work was refused, as its node answers nobody. */
    void refused(long hash, long nowNanos) {
        note(place(hash, nowNanos), hash, true, nowNanos);
    }

    /**
     * Is it a repeat of what was let in? It is counted: who sends the same more often than anybody
     * repeats it floods.
     */
    boolean repeatsWhatWasLetIn(long hash, long nowNanos) {
        int place = place(hash, nowNanos);
        boolean repeat =
                knows(place, hash, nowNanos) && !refused[place] && repeats[place] < MOST_REPEATS;
        repeats[place] += (byte) (repeat ? 1 : 0);
        return repeat;
    }

    private int place(long hash, long nowNanos) {
        if (hashes.length == 0) {
            hashes = new long[PLACES];
            sinceNanos = new long[PLACES];
            refused = new boolean[PLACES];
            repeats = new byte[PLACES];
            Arrays.fill(sinceNanos, nowNanos - KEPT_NANOS);
        }
        return (int) (hash & (PLACES - 1));
    }

    private boolean knows(int place, long hash, long nowNanos) {
        return hashes[place] == hash && nowNanos - sinceNanos[place] < KEPT_NANOS;
    }

    private void note(int place, long hash, boolean no, long nowNanos) {
        hashes[place] = hash;
        sinceNanos[place] = nowNanos;
        refused[place] = no;
        repeats[place] = 0;
    }

    private Share share(int node, long nowNanos) {
        Share share = shares[node];
        if (share == null) {
            share = new Share(new SourceRate(new SecureRandom().nextLong()), nowNanos);
            shares[node] = share;
        }
        return share;
    }

    /** What a node lets in, and who gets it. */
    private static final class Share {
        private final SourceRate sources;
        private double room = Double.MAX_VALUE;
        private long filledNanos;
        private long lookedNanos;

        Share(SourceRate sources, long nowNanos) {
            this.sources = sources;
            filledNanos = nowNanos;
            lookedNanos = nowNanos - ANEW_NANOS;
        }

        boolean take(long source, int perSecond, long nowNanos) {
            look(perSecond, nowNanos);
            double most = Math.max(LEAST_BURST, perSecond * BURST_SECONDS);
            double more = (nowNanos - filledNanos) / NANOS * perSecond;
            room = Math.min(most, room + Math.max(0, more));
            filledNanos = nowNanos;
            boolean fair = sources.fair(source, 1, nowNanos);
            boolean taken = room >= (fair ? 1 : 1 + most * FOR_FAIR);
            sources.decided(fair, taken);
            room -= taken ? 1 : 0;
            return taken;
        }

        private void look(int perSecond, long nowNanos) {
            long since = nowNanos - lookedNanos;
            if (since >= ANEW_NANOS) {
                sources.begin(perSecond, nowNanos);
            } else if (since >= LOOK_NANOS) {
                sources.look(perSecond);
            } else {
                return;
            }
            lookedNanos = nowNanos;
        }
    }

    /**
     * A hash of a request and its source, the same for each repeat: by datagrams that is the same
     * bytes once more (RFC 3261 17.1.1.2). So nobody gets anything else let in by the branch of a
     * request that was.
     */
    static long hash(byte[] b, int from, int to, int source) {
        long h = source;
        int i = from;
        for (; i + Long.BYTES <= to; i += Long.BYTES) {
            h = SourceKey.mix(h ^ (long) LONGS.get(b, i));
        }
        for (; i < to; i++) {
            h = h * 0x9E3779B97F4A7C15L + b[i];
        }
        return SourceKey.mix(h);
    }
}
