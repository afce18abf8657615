package io.carillon.sip.guard;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * How many of something that is bounded each source holds, so that one source cannot hold it all.
 *
 * <p>A share is a part of what <em>others</em> leave, and not of the whole; and where they leave
 * less than half of all, a smaller part in that proportion. With a quarter five sources hold five
 * eighths, twenty three quarters. Those who come one after the other, each taking all that it may,
 * leave to the next one what falls with the square of their number: it finds room beside a thousand
 * of them. (By a part that stays the same forty would leave nothing.) A share binds only while more
 * than half of all are taken: a source that is alone may have the first half. Sources that are
 * exempt are not counted, but what they hold is not left to others.
 *
 * <p>Memory is fixed. A source is hashed into two rows of counts, and its share is used up only
 * where both of its counts say so: a stranger meets both of one that holds much in one case of a
 * billion ({@link #small}: of 16 million). Where it is counted is its place ({@link Sources}), by
 * which whatever was taken is given back exactly.
 *
 * <p>Any thread, without a lock. Whoever asks and then takes may find that another did so in
 * between: a source may get a few more than its share.
 */
public final class Shares {
    /** The place of nobody: of a source that is exempt, or of what no source asked for. */
    public static final int NONE = Sources.NOBODY;

    private static final int ROW = 1 << Sources.ROW_BITS;

    /** Of a part of the server, as a shard, where few hold much. */
    private static final int SMALL_ROW = 1 << 12;

    /** Null where there is no limit, and nobody is counted. */
    private final @Nullable AtomicIntegerArray held;

    private final int row;
    private final int percent;
    private final Sources sources;

    /** Another one while it is used: {@link #resize}. */
    private volatile int all;

    private volatile int half;

    /**
     * @param all of it
     * @param percent of it that one source may hold; 100 for no limit
     * @param exempt sources by their {@link SourceKey}
     * @param seed unpredictable
     */
    public Shares(int all, int percent, LongPredicate exempt, long seed) {
        this(all, percent, new Sources(exempt, seed));
    }

    /** As {@link #Shares(int, int, LongPredicate, long)}; with places that others know too. */
    public Shares(int all, int percent, Sources sources) {
        this(all, percent, sources, ROW);
    }

    private Shares(int all, int percent, Sources sources, int row) {
        if (all < 1 || percent < 1 || percent > 100) {
            throw new IllegalArgumentException("a share is 1 to 100 percent of one at least");
        }
        this.held = percent == 100 ? null : new AtomicIntegerArray(2 * row);
        this.row = row;
        this.all = all;
        this.percent = percent;
        this.half = Math.max(1, all / 2);
        this.sources = sources;
    }

    /** One of many, of an eighth of the size: 32 KiB. */
    public static Shares small(int all, int percent, Sources sources) {
        return new Shares(all, percent, sources, SMALL_ROW);
    }

    /**
     * From now on it is of so many: what sources hold stays counted, also where that is more than
     * they may hold now.
     */
    public void resize(int room) {
        if (room < 1) {
            throw new IllegalArgumentException("a share is of one at least");
        }
        half = Math.max(1, room / 2);
        all = room;
    }

    /** Bytes are counted in units of 64, whole ones, so that an int holds a heap of 128 GiB. */
    public static int units(long bytes) {
        return Math.clamp((bytes + 63) >> 6, 1, Integer.MAX_VALUE);
    }

    /** As many bytes as so many units. */
    public static long bytes(int units) {
        return (long) units << 6;
    }

    /** Do shares bind while so many in all are taken? If not, nothing has to be asked. */
    public boolean bind(int taken) {
        return taken >= half;
    }

    /** Is there no limit, so that nobody is counted? */
    public boolean unlimited() {
        return held == null;
    }

    /** Where a source is counted; {@link #NONE} where it is exempt. */
    public int place(long source) {
        return sources.place(source);
    }

    /**
     * What the source of that place may hold while so many in all are taken: of what others leave
     * its part, at least one. A peer has as much as so many sources would have together as its
     * weight says ({@link Sources#weight}).
     */
    public int limit(int place, int taken) {
        return limit(place, taken, all, 4);
    }

    /**
     * As {@link #limit(int, int)}, of a room of another size, and with another part of it.
     *
     * @param room of that room, in what is counted here
     * @param quarters of the usual part: 4 for the whole of it
     */
    public int limit(int place, int taken, int room, int quarters) {
        long free = Math.max(0, (long) room - Math.max(0, (long) taken - held(place)));
        long left = 2 * free < room ? 2 * free * free / room : free;
        // In parts of 400. Beside w - 1 others like it, it has p of (1 - (w - 1) x).
        long part = Math.min(400, (long) percent * quarters);
        long weight = sources.weight(place);
        return (int) Math.max(1, left * part * weight / (400 + (weight - 1) * part));
    }

    /** Does the source of that place hold what it may, while so many in all are taken? */
    public boolean full(int place, int taken) {
        return place != NONE && !unlimited() && held(place) >= limit(place, taken);
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

    private int first(int place) {
        return Sources.first(place) & (row - 1);
    }

    private int second(int place) {
        return row + (Sources.second(place) & (row - 1));
    }
}
