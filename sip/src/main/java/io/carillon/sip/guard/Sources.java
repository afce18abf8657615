package io.carillon.sip.guard;

import java.util.function.LongPredicate;

/**
 * Where each source is counted in {@link Shares}: its <em>place</em>, an int, the same in all
 * accounts that were made with these sources, so that it can travel with what a source asked for.
 *
 * <p>A place is a hash of the source under a seed: a stranger can neither choose his own nor know
 * that of another. Immutable; any thread.
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

    private final LongPredicate exempt;
    private final long seed;

    /**
     * @param exempt sources without a share, by their {@link SourceKey}
     * @param seed unpredictable
     */
    public Sources(LongPredicate exempt, long seed) {
        this.exempt = exempt;
        this.seed = seed;
    }

    /** Where a source is counted; {@link #NOBODY} where it is exempt. */
    public int place(long source) {
        return exempt.test(source) ? NOBODY : marked(SourceKey.mix(source ^ seed));
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
