package io.carillon.lab.compare;

/**
 * When a window does not count.
 *
 * @param busyPercent of the machine's CPU time, taken by processes of others or by the host
 * @param attempts how often a window is tried until the machine is quiet enough
 */
record DisturbanceLimits(double busyPercent, int attempts) {
    DisturbanceLimits {
        if (busyPercent <= 0 || busyPercent > 100) {
            throw new IllegalArgumentException(
                    "--busy-limit must be above 0 and at most 100, not " + busyPercent);
        }
        if (attempts < 1) {
            throw new IllegalArgumentException("--attempts must be at least 1, not " + attempts);
        }
    }

    boolean tooBusy(MeasuredWindow window) {
        return window.othersPercent() + window.stealPercent() > busyPercent;
    }
}
