package io.carillon.lab.process;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Questions and how long each waited for its answer, in nanoseconds of the caller's clock. May be
 * used from several threads.
 */
final class AnswerTimes {
    private final long[] askedAt;
    private final Histogram nanos = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
    private long asked;
    private long longest;
    private long lost;

    /**
     * @param underWay how many questions may wait at once; one more makes the eldest count as lost
     */
    AnswerTimes(int underWay) {
        this.askedAt = new long[underWay];
    }

    /** A question is asked now; returns its number. */
    synchronized long ask(long now) {
        int slot = (int) (asked % askedAt.length);
        if (askedAt[slot] != 0) {
            record(now - askedAt[slot]);
            lost++;
        }
        askedAt[slot] = now;
        return asked++;
    }

    /**
     * The answer to a question is there; a second one, or one to no question, counts for nothing.
     */
    synchronized void answer(long number, long now) {
        if (number < 0 || number >= asked || asked - number > askedAt.length) {
            return;
        }
        int slot = (int) (number % askedAt.length);
        if (askedAt[slot] != 0) {
            record(now - askedAt[slot]);
            askedAt[slot] = 0;
        }
    }

    private void record(long wait) {
        nanos.recordValue(Math.min(Math.max(wait, 1), nanos.getHighestTrackableValue()));
        longest = Math.max(longest, wait);
    }

    /**
     * The longest wait since this was called last; one without an answer counts when it is lost.
     */
    synchronized long takeLongest() {
        long taken = longest;
        longest = 0;
        return taken;
    }

    /** Waits that are over, answered or lost. */
    synchronized long count() {
        return nanos.getTotalCount();
    }

    /** Waits so far at a percentile; 0 before the first answer. */
    synchronized long percentile(double percentile) {
        return count() == 0 ? 0 : nanos.getValueAtPercentile(percentile);
    }

    synchronized long lost() {
        return lost;
    }

    /** Forgets the waits so far, not the questions that are under way. */
    synchronized void reset() {
        nanos.reset();
        longest = 0;
        lost = 0;
    }
}
