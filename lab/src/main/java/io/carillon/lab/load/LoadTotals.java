package io.carillon.lab.load;

import org.HdrHistogram.Histogram;

/**
 * Gathers over the seconds what the summary tells: the costs between the end of the warm-up and the
 * last call made. Owner: the thread that runs the load.
 */
final class LoadTotals {
    private final long errorsBefore;
    private ProcessCosts begin;
    private ProcessCosts end;
    private long beginNanos;
    private long endNanos;
    private long heldMax;
    private long madeBetween;
    private boolean warm;
    private boolean ended;

    LoadTotals(ProcessCosts before, long errorsBefore, long startNanos) {
        begin = before;
        end = before;
        beginNanos = startNanos;
        endNanos = startNanos;
        this.errorsBefore = errorsBefore;
    }

    void add(Snapshot snapshot, LoadSample sample, ProcessCosts cost) {
        heldMax = Math.max(heldMax, sample.held());
        if (!warm && !snapshot.warm()) {
            begin = cost;
            beginNanos = snapshot.atNanos();
            end = cost;
            endNanos = beginNanos;
            return;
        }
        warm = true;
        if (!ended) {
            end = cost;
            endNanos = snapshot.atNanos();
            madeBetween += sample.made();
            ended = snapshot.ended();
        }
    }

    LoadSummary summary(
            LoadSettings settings, Snapshot last, LoadStats stats, long errors, String tls) {
        LoadCounts counts = last.measured();
        Histogram times = stats.response();
        ProcessCosts used = end.minus(begin);
        long nanos = Math.max(1, endNanos - beginNanos);
        double calls = Math.max(1, madeBetween);
        double behind = Sampler.millis(stats.lateness(), 99);
        double p99 = Sampler.millis(times, 99);
        LoadVerdict verdict = LoadVerdict.of(behind, used, nanos, errors - errorsBefore);
        return new LoadSummary(
                settings.workload().text(),
                settings.rate().to(),
                nanos / 1e9,
                counts.made,
                counts.completed,
                counts.failures(),
                heldMax,
                counts.retransmissionsSent,
                counts.retransmissionsReceived,
                counts.unexpected,
                counts.late,
                Sampler.millis(times, 50),
                Sampler.millis(times, 95),
                p99,
                Sampler.millis(times, 99.9),
                times.getMaxValue() / 1e3,
                behind,
                stats.lateness().getMaxValue() / 1e3,
                used.cpuNanos() / 1e3 / calls,
                used.gcNanos() / 1e6,
                used.drops(),
                verdict.limited(),
                verdict.reason(),
                settings.serverPids().isEmpty() ? -1 : used.serverCpuNanos() / 1e3 / calls,
                used.serverDrops(),
                tls,
                settings.limits().broken(counts, p99));
    }
}
