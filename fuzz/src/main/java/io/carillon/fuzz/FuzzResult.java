package io.carillon.fuzz;

/**
 * What Jazzer reached for a target, in one sitting or in several.
 *
 * @param executions inputs tried
 * @param coverage edges that were reached
 * @param lastNew how many inputs had been tried when the last new edge was reached
 * @param seconds how long it ran
 * @param cpuSeconds of processor time that took
 * @param corpus inputs that each reach something of their own
 * @param megabytes of memory in the end
 * @param slowestSeconds the input that took longest
 * @param finding file of the input that failed; empty: none did
 */
record FuzzResult(
        FuzzTarget target,
        long executions,
        long coverage,
        long lastNew,
        long seconds,
        long cpuSeconds,
        long corpus,
        long megabytes,
        long slowestSeconds,
        String finding) {

    /** In a short run the slowest input is the first one, for which all classes are loaded. */
    private static final long A_MINUTE = 60;

    static FuzzResult none(FuzzTarget target) {
        return new FuzzResult(target, 0, 0, 0, 0, 0, 0, 0, 0, "");
    }

    boolean clean() {
        return finding.isEmpty() && (slowestSeconds <= 1 || seconds < A_MINUTE);
    }

    /** Inputs per second of processor time: what else the machine does hardly counts in it. */
    long pace() {
        return executions / Math.max(1, cpuSeconds);
    }

    /** How many inputs were tried since the last new edge. */
    long settled() {
        return executions - lastNew;
    }
}
