package io.carillon.sip.guard;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;

/**
 * Where each source is counted in {@link Shares}: its <em>place</em>, an int, the same in all
 * accounts that were made with these sources, so that it can travel with what a source asked for.
 *
 * <p>A place is a hash of the source under a seed: a stranger can neither choose his own nor know
 * that of another. Any thread. It remembers the weights of peers that have more than 1, of {@value
 * #MOST_WEIGHED} addresses at most: what is beyond has 1.
 */
public final class Sources {
    /** The place of nobody: of a source that is exempt, or of what no source asked for. */
    public static final int NOBODY = 0;

    /** All exempt. */
    public static final Sources EXEMPT = new Sources(source -> true, 0);

    static final int ROW_BITS = 15;
    private static final int MASK = (1 << ROW_BITS) - 1;

    /** Places are never {@link #NOBODY}. */
    private static final int MARK = 1 << (2 * ROW_BITS);

    /** Addresses of peers whose weight is remembered. */
    private static final int MOST_WEIGHED = 4096;

    private final LongPredicate exempt;
    private final long seed;
    private final PeerTerms.Table peers;

    /** By place, where it is more than 1. */
    private final Map<Integer, Integer> weights = new ConcurrentHashMap<>();

    /**
     * @param exempt sources without a share, by their {@link SourceKey}
     * @param seed unpredictable
     */
    public Sources(LongPredicate exempt, long seed) {
        this(exempt, seed, PeerTerms.Table.NOBODY);
    }

    /**
     * As {@link #Sources(LongPredicate, long)}.
     *
     * @param peers with whom something else is agreed
     */
    public Sources(LongPredicate exempt, long seed, PeerTerms.Table peers) {
        this.exempt = exempt;
        this.seed = seed;
        this.peers = peers;
    }

    /** Where a source is counted; {@link #NOBODY} where it is exempt. */
    public int place(long source) {
        if (exempt.test(source)) {
            return NOBODY;
        }
        int place = marked(SourceKey.mix(source ^ seed));
        int weight = peers.of(source).weight();
        if (weight != 1) {
            weigh(place, weight);
        } else if (!weights.isEmpty()) {
            weights.remove(place); // it was a peer's, whose name leads elsewhere now
        }
        return place;
    }

    private void weigh(int place, int weight) {
        if (weights.size() < MOST_WEIGHED || weights.containsKey(place)) {
            weights.put(place, weight);
        }
    }

    /** How many sources the one of that place stands for: 1, or what was agreed with a peer. */
    public int weight(int place) {
        return weights.isEmpty() ? 1 : weights.getOrDefault(place, 1);
    }

    /** What is agreed with a source, by its {@link SourceKey}. */
    public PeerTerms terms(long source) {
        return peers.of(source);
    }

    /**
     * Where the source of a place is counted for one of many things, each of which has a bound of
     * its own, in one account of all of them.
     *
     * @param thing its hash
     */
    public static int within(int place, int thing) {
        return place == NOBODY
                ? NOBODY
                : marked(SourceKey.mix((long) place << 32 | (thing & 0xFFFF_FFFFL)));
    }

    private static int marked(long hash) {
        return MARK | (((int) hash & MASK) << ROW_BITS) | ((int) (hash >>> 32) & MASK);
    }

    static int first(int place) {
        return (place >>> ROW_BITS) & MASK;
    }

    static int second(int place) {
        return place & MASK;
    }
}
