package io.carillon.lab.overload;

import io.carillon.lab.load.LoadSample;
import java.util.List;

/**
 * The seconds of a load that was below the capacity, above it, and below it again.
 *
 * @param beforeSeconds length of the first step
 * @param aboveSeconds length of the second
 * @param afterSeconds length of the third; what comes later ends the calls that are up
 * @param seconds all of them, the first one first
 * @param limited why the load itself was the bottleneck; empty when it was not
 */
record LoadCourse(
        int beforeSeconds,
        int aboveSeconds,
        int afterSeconds,
        List<LoadSample> seconds,
        String limited) {
    List<LoadSample> before() {
        return between(0, beforeSeconds);
    }

    List<LoadSample> above() {
        return between(beforeSeconds, beforeSeconds + aboveSeconds);
    }

    List<LoadSample> after() {
        int from = beforeSeconds + aboveSeconds;
        return between(from, from + afterSeconds);
    }

    /** Calls that are up when the load falls. */
    long heldBeforeTheFall() {
        List<LoadSample> until = between(0, beforeSeconds + aboveSeconds);
        return until.isEmpty() ? 0 : until.getLast().held();
    }

    /** From the first second above the capacity to the last call's end. */
    List<LoadSample> fromAbove() {
        return between(beforeSeconds, Integer.MAX_VALUE);
    }

    /** A sample is told at the end of its second. */
    private List<LoadSample> between(int from, int to) {
        return seconds.stream().filter(s -> s.second() > from && s.second() <= to).toList();
    }
}
