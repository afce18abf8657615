package io.carillon.fuzz;

/**
 * What a run of Jazzer said.
 *
 * @param executions inputs tried
 * @param coverage edges that were reached
 * @param lastNewSeconds when coverage grew last, from the start
 * @param seconds how long it ran
 * @param corpus inputs that each reach something of their own
 * @param slowestSeconds the input that took longest
 * @param finding file of the input that failed; empty: none did
 */
record FuzzResult(
        FuzzTarget target,
        long executions,
        long coverage,
        long lastNewSeconds,
        long seconds,
        long corpus,
        long slowestSeconds,
        String finding) {

    /** In a short run the slowest input is the first one, for which all classes are loaded. */
    private static final long A_MINUTE = 60;

    boolean clean() {
        return finding.isEmpty() && (slowestSeconds <= 1 || seconds < A_MINUTE);
    }
}
