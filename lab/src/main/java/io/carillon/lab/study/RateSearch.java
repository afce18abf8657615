package io.carillon.lab.study;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the highest rate at which a short trial is clean: it doubles the rate until a trial is not,
 * then halves the gap until that is small enough. A trial that failed while the machine was
 * disturbed (another guest of the host, another process) is made once more, and so is the first one
 * that fails at all.
 */
final class RateSearch {
    /** One short load at a rate. */
    interface Trial {
        RateProbe at(int rate) throws IOException;
    }

    /**
     * How far and how finely.
     *
     * @param first rate of the first trial, calls per second
     * @param most no trial goes above
     * @param resolution gap between the highest clean and the lowest other rate, as a share of the
     *     former, at which the search ends
     */
    record Limits(int first, int most, double resolution) {
        Limits {
            if (first < 1 || most < first || resolution <= 0) {
                throw new IllegalArgumentException(
                        "rates from " + first + " to " + most + " in steps of " + resolution);
            }
        }
    }

    /**
     * What came out.
     *
     * @param rate highest rate whose trial was clean; 0: none was
     * @param probes all trials, in their order
     */
    record Result(int rate, List<RateProbe> probes) {
        /** The load, not the server, ended the search. */
        boolean limitedByLoad() {
            return probes.stream().anyMatch(p -> p.rate() > rate && p.limitedByLoad());
        }
    }

    private final Trial trial;
    private final Limits limits;
    private final List<RateProbe> probes = new ArrayList<>();

    private RateSearch(Trial trial, Limits limits) {
        this.trial = trial;
        this.limits = limits;
    }

    static Result run(Trial trial, Limits limits) throws IOException {
        RateSearch search = new RateSearch(trial, limits);
        return new Result(search.highest(), List.copyOf(search.probes));
    }

    private int highest() throws IOException {
        int clean = 0;
        int rate = limits.first();
        while (isCleanOfTwo(rate)) {
            clean = rate;
            if (rate == limits.most()) {
                return clean;
            }
            rate = Math.min(limits.most(), rate * 2);
        }
        int dirty = rate;
        int leastWorthTrying = Math.max(1, limits.first() / 16);
        while (dirty - clean > Math.max(1, clean * limits.resolution())) {
            if (dirty <= leastWorthTrying) {
                return 0;
            }
            int middle = round(clean + (dirty - clean) / 2, clean, dirty);
            if (isClean(middle)) {
                clean = middle;
            } else {
                dirty = middle;
            }
        }
        return clean;
    }

    /** The first rate that fails is tried twice: the compilers may not have been done yet. */
    private boolean isCleanOfTwo(int rate) throws IOException {
        boolean first = isClean(rate);
        return first || isClean(rate);
    }

    private boolean isClean(int rate) throws IOException {
        RateProbe probe = trial.at(rate);
        probes.add(probe);
        if (!probe.clean() && probe.disturbed()) {
            probe = trial.at(rate);
            probes.add(probe);
        }
        return probe.clean();
    }

    /** Rates of two digits that matter are easier to read and to compare. */
    static int round(int rate, int above, int below) {
        int unit = rate >= 1000 ? 50 : rate >= 200 ? 10 : 1;
        int rounded = rate / unit * unit;
        return rounded > above && rounded < below ? rounded : rate;
    }
}
