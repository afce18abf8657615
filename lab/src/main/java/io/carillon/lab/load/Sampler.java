package io.carillon.lab.load;

import org.HdrHistogram.Histogram;

/**
 * Turns snapshots and own costs, both cumulative, into the samples of single seconds. Owner: the
 * thread that runs the load.
 */
final class Sampler {
    private final long startNanos;
    private final boolean serverKnown;
    private LoadCounts before = new LoadCounts();
    private Outcomes outcomesBefore = Outcomes.NONE;
    private ProcessCosts costBefore;
    private long nanosBefore;

    Sampler(long startNanos, boolean serverKnown, ProcessCosts cost) {
        this.startNanos = startNanos;
        this.serverKnown = serverKnown;
        nanosBefore = startNanos;
        costBefore = cost;
    }

    LoadSample sample(Snapshot now, ProcessCosts cost) {
        LoadCounts all = now.all();
        Histogram times = now.interval();
        ProcessCosts used = cost.minus(costBefore);
        double wall = Math.max(1, now.atNanos() - nanosBefore);
        LoadSample sample =
                new LoadSample(
                        Math.max(0, Math.round((now.atNanos() - startNanos) / 1e9)),
                        !now.warm(),
                        now.rate(),
                        all.made - before.made,
                        all.completed - before.completed,
                        all.failed() - before.failed(),
                        now.held(),
                        all.retransmissionsSent - before.retransmissionsSent,
                        all.retransmissionsReceived - before.retransmissionsReceived,
                        all.unexpected - before.unexpected,
                        all.late - before.late,
                        millis(times, 50),
                        millis(times, 95),
                        millis(times, 99),
                        millis(times, 99.9),
                        times.getMaxValue() / 1e3,
                        millis(now.lateness(), 99),
                        used.cpuNanos() / wall,
                        used.drops(),
                        serverKnown ? used.serverCpuNanos() / wall : -1,
                        used.serverDrops(),
                        millis(now.inDialog(), 99),
                        now.outcomes().minus(outcomesBefore));
        before = all;
        outcomesBefore = now.outcomes();
        costBefore = cost;
        nanosBefore = now.atNanos();
        return sample;
    }

    /** A percentile of a histogram of microseconds, in milliseconds; 0 when it is empty. */
    static double millis(Histogram micros, double percentile) {
        return micros.getTotalCount() == 0 ? 0 : micros.getValueAtPercentile(percentile) / 1e3;
    }
}
