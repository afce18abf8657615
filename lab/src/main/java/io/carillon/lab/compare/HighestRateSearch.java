package io.carillon.lab.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Searches the highest rate that a server takes: doubles it until one is not clean, then halves the
 * gap. A rate counts as too much when it was not clean twice: one stall of the machine is not the
 * server's end.
 */
final class HighestRateSearch {
    private static final int TRIES = 2;

    private final int most;
    private final double precision;
    private final List<Integer> unclean = new ArrayList<>();
    private int best;
    private int next;
    private int tooMuch;

    /**
     * Begins a search.
     *
     * @param from first rate, calls/s
     * @param most highest rate that is tried
     * @param precision the search ends when the lowest rate that is too much is less than this
     *     share above the best one
     */
    HighestRateSearch(int from, int most, double precision) {
        if (from < 1 || most < from) {
            throw new IllegalArgumentException(
                    "--from must be at least 1 and at most --most, not " + from + " and " + most);
        }
        if (precision <= 0 || precision >= 1) {
            throw new IllegalArgumentException(
                    "--precision must be between 0 and 1, not " + precision);
        }
        this.most = most;
        this.precision = precision;
        this.next = from;
        this.tooMuch = Integer.MAX_VALUE;
    }

    /** The rate to try; nothing when the search is over. */
    OptionalInt next() {
        return next == 0 ? OptionalInt.empty() : OptionalInt.of(next);
    }

    /** The highest clean rate so far; 0: none. */
    int best() {
        return best;
    }

    /** Whether the highest rate that may be tried was clean. */
    boolean atTheTop() {
        return best == most;
    }

    /** Says how {@link #next} went. */
    void tried(boolean clean) {
        if (next == 0) {
            throw new IllegalStateException("the search is over");
        }
        if (clean) {
            best = next;
        } else {
            unclean.add(next);
            long times = unclean.stream().filter(rate -> rate == next).count();
            if (times < TRIES) {
                return;
            }
            tooMuch = next;
        }
        next = following();
    }

    private int following() {
        if (best == most) {
            return 0;
        }
        if (tooMuch == Integer.MAX_VALUE) {
            return (int) Math.min(most, 2L * best);
        }
        if (tooMuch - best <= Math.max(1, precision * best)) {
            return 0;
        }
        return best + (tooMuch - best) / 2;
    }
}
