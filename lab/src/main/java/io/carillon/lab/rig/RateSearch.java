package io.carillon.lab.rig;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Finds the highest rate at which a trial is clean: it doubles the rate until a trial is not, then
 * halves the gap until that is small enough. The first rate that fails is tried twice, for the
 * compilers may not have been done yet; a trial that failed while the machine was disturbed
 * (another guest of the host, another process) is made once more. Used by one thread.
 */
public final class RateSearch {
    /** Rates below a sixteenth of the first one are not worth a short trial. */
    private static final int LEAST_SHARE = 16;

    private static final int FIRST_TRIES = 2;

    /** One load at a rate. */
    public interface Trial {
        RateProbe at(int rate) throws IOException;
    }

    /**
     * How far, how finely and how patiently.
     *
     * @param first rate of the first trial, calls per second
     * @param most no trial goes above
     * @param resolution gap between the highest clean and the lowest other rate, as a share of the
     *     former, at which the search ends
     * @param least a rate so low that is not clean ends the search
     * @param tries how often a rate in the gap is tried before it is too much
     * @param rounded whether rates in the gap are rounded
     */
    public record Limits(
            int first, int most, double resolution, int least, int tries, boolean rounded) {
        public Limits {
            if (first < 1 || most < first || resolution <= 0) {
                throw new IllegalArgumentException(
                        "rates from " + first + " to " + most + " in steps of " + resolution);
            }
        }

        /** For short trials, whose rate a long one confirms: one try decides. */
        public static Limits quick(int first, int most, double resolution) {
            return new Limits(first, most, resolution, Math.max(1, first / LEAST_SHARE), 1, true);
        }

        /** For trials that decide themselves: one stall of the machine is not the server's end. */
        public static Limits patient(int first, int most, double resolution) {
            return new Limits(first, most, resolution, 1, FIRST_TRIES, false);
        }
    }

    /**
     * What came out.
     *
     * @param rate highest rate whose trial was clean; 0: none was
     * @param probes all trials, in their order
     */
    public record Result(int rate, List<RateProbe> probes) {
        /** The load, not the server, ended the search. */
        public boolean limitedByLoad() {
            return probes.stream().anyMatch(p -> p.rate() > rate && p.limitedByLoad());
        }
    }

    private final Limits limits;
    private int best;
    private int next;
    private int tooMuch = Integer.MAX_VALUE;

    /** Tries of the rate that were not clean. */
    private int failed;

    /** The last trial was disturbed and is made once more. */
    private boolean again;

    public RateSearch(Limits limits) {
        this.limits = limits;
        this.next = limits.first();
    }

    /** Searches to the end. */
    public static Result run(Trial trial, Limits limits) throws IOException {
        RateSearch search = new RateSearch(limits);
        List<RateProbe> probes = new ArrayList<>();
        while (search.next().isPresent()) {
            RateProbe probe = trial.at(search.next().getAsInt());
            probes.add(probe);
            search.tried(probe.clean(), probe.disturbed());
        }
        return new Result(search.best(), List.copyOf(probes));
    }

    /** The rate to try; nothing when the search is over. */
    public OptionalInt next() {
        return next == 0 ? OptionalInt.empty() : OptionalInt.of(next);
    }

    /** The highest clean rate so far; 0: none. */
    public int best() {
        return best;
    }

    /** Whether the highest rate that may be tried was clean. */
    public boolean atTheTop() {
        return best == limits.most();
    }

    /**
     * Says how {@link #next} went.
     *
     * @param disturbed the machine had other things to do meanwhile
     */
    public void tried(boolean clean, boolean disturbed) {
        if (next == 0) {
            throw new IllegalStateException("the search is over");
        }
        if (clean) {
            best = next;
        } else if (disturbed && !again) {
            again = true;
            return;
        } else {
            again = false;
            failed++;
            if (failed < (tooMuch == Integer.MAX_VALUE ? FIRST_TRIES : limits.tries())) {
                return;
            }
            tooMuch = next;
        }
        again = false;
        failed = 0;
        next = following();
    }

    private int following() {
        if (best == limits.most()) {
            return 0;
        }
        if (tooMuch == Integer.MAX_VALUE) {
            return (int) Math.min(limits.most(), 2L * best);
        }
        boolean close = tooMuch - best <= Math.max(1, best * limits.resolution());
        if (close || tooMuch <= limits.least()) {
            return 0;
        }
        int middle = best + (tooMuch - best) / 2;
        return limits.rounded() ? round(middle, best, tooMuch) : middle;
    }

    /** Rates of two digits that matter are easier to read and to compare. */
    public static int round(int rate, int above, int below) {
        int unit = rate >= 1000 ? 50 : rate >= 200 ? 10 : 1;
        int rounded = rate / unit * unit;
        return rounded > above && rounded < below ? rounded : rate;
    }
}
