package io.carillon.fuzz;

/**
 * When a target has been tried enough: all of these have to be reached.
 *
 * @param seconds of trying
 * @param executions inputs tried
 * @param settled inputs tried since the last new edge
 */
record FuzzGoal(long seconds, long executions, long settled) {
    /** Below this, starting costs more than trying. */
    private static final long LEAST_SECONDS = 20;

    private static final long MOST_SECONDS = 3_600;

    boolean reached(FuzzResult result) {
        return result.seconds() >= seconds
                && result.executions() >= executions
                && result.settled() >= settled;
    }

    /** How long the next sitting is, for what is still missing at the pace so far. */
    long next(FuzzResult result) {
        long missing = seconds - result.seconds();
        if (result.executions() == 0) {
            return Math.clamp(missing, 1, MOST_SECONDS);
        }
        long pace = Math.max(1, result.executions() / Math.max(1, result.seconds()));
        long inputs = Math.max(executions - result.executions(), settled - result.settled());
        long wanted = Math.max(missing, inputs / pace + 1);
        if (wanted == missing) {
            return Math.max(1, Math.min(wanted, MOST_SECONDS));
        }
        return Math.clamp(wanted, LEAST_SECONDS, MOST_SECONDS);
    }
}
