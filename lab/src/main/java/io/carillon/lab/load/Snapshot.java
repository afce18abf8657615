package io.carillon.lab.load;

import org.HdrHistogram.Histogram;

/**
 * The engine at one moment, taken on its thread and given away.
 *
 * @param atNanos when
 * @param rate calls per second that are due now
 * @param all counts since the beginning
 * @param measured counts of calls made after the warm-up
 * @param interval response times since the last snapshot, microseconds
 * @param lateness of the calls begun since the last snapshot, microseconds
 * @param outcomes what became of calls since the beginning
 * @param inDialog times of requests within dialogs since the last snapshot, microseconds
 * @param ended no further call is due
 * @param warm the warm-up is over
 */
record Snapshot(
        long atNanos,
        double rate,
        LoadCounts all,
        LoadCounts measured,
        Histogram interval,
        Histogram lateness,
        long held,
        Outcomes outcomes,
        Histogram inDialog,
        boolean ended,
        boolean warm) {

    static Snapshot of(LoadEngine engine, long now) {
        LoadStats stats = engine.stats();
        return new Snapshot(
                now,
                engine.arrivals().rateAt(now),
                stats.all().copy(),
                stats.measured().copy(),
                stats.takeInterval(),
                stats.takeLateness(),
                stats.held(),
                stats.outcomes().soFar(),
                stats.takeInDialog(),
                engine.ended(),
                stats.isWarm());
    }
}
