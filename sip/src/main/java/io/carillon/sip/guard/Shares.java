package io.carillon.sip.guard;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * How many of something that is bounded each source holds, so that one source cannot hold it all.
 *
 * <p>A share binds only while more than half of all are taken: a source that is alone may have the
 * first half, and what is beyond is for those with less than their share. Sources that are exempt
 * are not counted.
 *
 * <p>Memory is fixed. A source is hashed into two rows of counts, and its share is used up only
 * where both of its counts say so: a stranger meets both of one that holds much in one case of a
 * billion, and the hash has a seed of this process, so that nobody can choose whom he meets. Where
 * it is counted is its <em>place</em>, an int, by which whatever was taken is given back exactly.
 *
 * <p>Any thread, without a lock. Whoever asks and then takes may find that another did so in
 * between: a source may get a few more than its share.
 */
public final class Shares {
    /** The place of nobody: of a source that is exempt, or of what no source asked for. */
    public static final int NONE = 0;

    private static final int ROW_BITS = 15;
    private static final int ROW = 1 << ROW_BITS;
    private static final int MASK = ROW - 1;

    /** Places are never {@link #NONE}. */
    private static final int MARK = 1 << (2 * ROW_BITS);

    /** Null where there is no limit, and nobody is counted. */
    private final @Nullable AtomicIntegerArray held;

    private final int share;
    private final int half;
    private final LongPredicate exempt;
    private final long seed;

    /**
     * @param all of it
     * @param percent of it that one source may hold; 100 for no limit
     * @param exempt sources by their {@link SourceKey}
     * @param seed unpredictable
     */
    public Shares(int all, int percent, LongPredicate exempt, long seed) {
        if (all < 1 || percent < 1 || percent > 100) {
            throw new IllegalArgumentException("a share is 1 to 100 percent of one at least");
        }
        this.held = percent == 100 ? null : new AtomicIntegerArray(2 * ROW);
        this.share = part(all, percent);
        this.half = part(all, 50);
        this.exempt = exempt;
        this.seed = seed;
    }

    private static int part(int all, int percent) {
        return (int) Math.max(1, (long) all * percent / 100);
    }

    /** Do shares bind while so many in all are taken? If not, nothing has to be asked. */
    public boolean bind(int taken) {
        return taken >= half;
    }

    /** Where a source is counted; {@link #NONE} where it is exempt, or nobody is counted. */
    public int place(long source) {
        if (held == null || exempt.test(source)) {
            return NONE;
        }
        long hash = SourceKey.mix(source ^ seed);
        return MARK | (((int) hash & MASK) << ROW_BITS) | ((int) (hash >>> 32) & MASK);
    }

    /** Does the source of that place hold its share? */
    public boolean full(int place) {
        return place != NONE && held(place) >= share;
    }

    /** What the source of that place holds. */
    public int held(int place) {
        AtomicIntegerArray counts = held;
        return place == NONE || counts == null
                ? 0
                : Math.min(counts.get(first(place)), counts.get(second(place)));
    }

    /**
     * It takes, whether it holds its share or not.
     *
     * @param weight how much
     */
    public void take(int place, int weight) {
        AtomicIntegerArray counts = held;
        if (place != NONE && counts != null) {
            counts.getAndAdd(first(place), weight);
            counts.getAndAdd(second(place), weight);
        }
    }

    /** It gives back what it took, once. */
    public void giveBack(int place, int weight) {
        take(place, -weight);
    }

    private static int first(int place) {
        return (place >>> ROW_BITS) & MASK;
    }

    private static int second(int place) {
        return ROW + (place & MASK);
    }
}
