package io.carillon.lab.overload;

/**
 * How long a load is below the capacity, above it, and below again, seconds.
 *
 * @param after long enough that the last refused callers have called again
 */
record Steps(int before, int above, int after) {
    /** Share of the capacity before and after. */
    static final double LOW = 0.5;

    private static final int BEFORE_SECONDS = 10;
    private static final int AFTER_SECONDS = 25;

    static Steps of(int above) {
        return new Steps(BEFORE_SECONDS, above, AFTER_SECONDS);
    }

    int seconds() {
        return before + above + after;
    }
}
