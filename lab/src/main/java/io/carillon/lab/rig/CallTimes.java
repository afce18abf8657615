package io.carillon.lab.rig;

import java.util.List;
import java.util.Locale;

/**
 * How long the calls of a load take, seconds.
 *
 * @param ringSeconds from INVITE to 200
 * @param holdSeconds from ACK to BYE
 */
public record CallTimes(double ringSeconds, double holdSeconds) {
    /** Basic B2BUA as its users measured it: 10 s of ringing, 30 s of talk. */
    public static CallTimes usual(String workload) {
        return workload.equals("b2bua") ? new CallTimes(10, 30) : new CallTimes(0, 0);
    }

    /** In the search, so that a trial has its calls up and down in time. */
    public static CallTimes shortest(String workload) {
        return workload.equals("b2bua") ? new CallTimes(1, 1) : new CallTimes(0, 0);
    }

    /** In a quick study. */
    public static CallTimes quick(String workload) {
        return workload.equals("b2bua") ? new CallTimes(2, 8) : new CallTimes(0, 0);
    }

    public double seconds() {
        return ringSeconds + holdSeconds;
    }

    public List<String> arguments() {
        return List.of("--ring", text(ringSeconds), "--hold", text(holdSeconds));
    }

    private static String text(double seconds) {
        return String.format(Locale.ROOT, "%dms", Math.round(seconds * 1000));
    }
}
