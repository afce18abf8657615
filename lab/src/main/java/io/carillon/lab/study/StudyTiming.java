package io.carillon.lab.study;

import io.carillon.lab.rig.CallTimes;

/**
 * How long the parts of a study take for each setting, seconds.
 *
 * @param warmup load before anything counts, so that the compilers have done their work
 * @param probe each trial of the search
 * @param fill load before the hold is measured, so that calls are up and transactions linger
 * @param hold the measured time
 */
public record StudyTiming(int warmup, int probe, int fill, int hold) {
    private static final int USUAL_PROBES = 9;
    private static final int START_AND_STOP = 15;
    private static final int SETTLE = 5;

    static StudyTiming quick() {
        return new StudyTiming(20, 8, 20, 60);
    }

    static StudyTiming of(double minutes, CallTimes calls) {
        // RFC 3261 table 4: timers D, H and J keep transactions for 32 s on UDP.
        int fill = (int) Math.ceil(calls.ringSeconds() + calls.holdSeconds()) + 33;
        return new StudyTiming(60, 20, fill, (int) Math.round(minutes * 60));
    }

    /** What one setting takes when nothing has to be done twice. */
    long secondsPerSetting(CallTimes probes, CallTimes held, boolean searches) {
        long search = (searches ? USUAL_PROBES : 1) * (long) (probe + probes.seconds() + SETTLE);
        return START_AND_STOP + warmup + search + fill + hold + (long) held.seconds() + SETTLE;
    }
}
