package io.carillon.lab.load;

import org.HdrHistogram.Histogram;

/**
 * What the engine counts and times: everything, and apart from it what belongs to calls made after
 * the warm-up. Times are recorded in microseconds. Owner: the engine's thread.
 */
final class LoadStats {
    /** An hour: longer than any answer may take. */
    private static final long MOST_MICROS = 3_600_000_000L;

    private final long lateNanos;
    private final LoadCounts all = new LoadCounts();
    private final LoadCounts measured = new LoadCounts();
    private Histogram interval = histogram();
    private final Histogram response = histogram();
    private Histogram latenessInterval = histogram();
    private final Histogram lateness = histogram();
    private final OutcomeCounts outcomes = new OutcomeCounts();
    private Histogram inDialogInterval = histogram();
    private boolean warm;
    private long held;

    /**
     * @param lateNanos answers later than this are counted as late
     */
    LoadStats(long lateNanos) {
        this.lateNanos = lateNanos;
    }

    static Histogram histogram() {
        return new Histogram(MOST_MICROS, 3);
    }

    /** The warm-up is over: from now on calls are measured. */
    void warm() {
        warm = true;
    }

    boolean isWarm() {
        return warm;
    }

    LoadCounts all() {
        return all;
    }

    LoadCounts measured() {
        return measured;
    }

    /** Response times of measured calls, microseconds. */
    Histogram response() {
        return response;
    }

    /** How long after their time measured calls were begun, microseconds. */
    Histogram lateness() {
        return lateness;
    }

    /** Takes the response times since the last call of this method. */
    Histogram takeInterval() {
        Histogram taken = interval;
        interval = histogram();
        return taken;
    }

    /** Takes the latenesses since the last call of this method. */
    Histogram takeLateness() {
        Histogram taken = latenessInterval;
        latenessInterval = histogram();
        return taken;
    }

    /** Takes the times of requests within dialogs since the last call of this method. */
    Histogram takeInDialog() {
        Histogram taken = inDialogInterval;
        inDialogInterval = histogram();
        return taken;
    }

    OutcomeCounts outcomes() {
        return outcomes;
    }

    long held() {
        return held;
    }

    /** A request within a dialog was answered after this time, or given up after it. */
    void inDialog(long nanos) {
        record(inDialogInterval, nanos);
        outcomes.inDialog(nanos);
    }

    void made(boolean counted, long lateByNanos) {
        all.made++;
        held++;
        record(latenessInterval, lateByNanos);
        if (counted) {
            measured.made++;
            record(lateness, lateByNanos);
        }
    }

    /** An answer whose time counts: from when the request was due. */
    void answered(boolean counted, long nanos) {
        record(interval, nanos);
        if (counted) {
            record(response, nanos);
        }
        answerTaken(counted, nanos);
    }

    /** An answer that is only asked whether it was late. */
    void answerTaken(boolean counted, long nanos) {
        if (nanos > lateNanos) {
            all.late++;
            if (counted) {
                measured.late++;
            }
        }
    }

    private static void record(Histogram histogram, long nanos) {
        histogram.recordValue(Math.clamp(nanos / 1000, 0, MOST_MICROS));
    }

    void completed(boolean counted) {
        held--;
        all.completed++;
        if (counted) {
            measured.completed++;
        }
    }

    void failed(boolean counted, String cause) {
        held--;
        failedBeside(counted, cause);
    }

    /** Something failed that is no call of the caller's side: counted, but nothing was held. */
    void failedBeside(boolean counted, String cause) {
        all.fail(cause);
        if (counted) {
            measured.fail(cause);
        }
    }

    void sentAgain() {
        all.retransmissionsSent++;
        if (warm) {
            measured.retransmissionsSent++;
        }
    }

    void receivedAgain() {
        all.retransmissionsReceived++;
        if (warm) {
            measured.retransmissionsReceived++;
        }
    }

    void unexpected() {
        all.unexpected++;
        if (warm) {
            measured.unexpected++;
        }
    }
}
