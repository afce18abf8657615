package io.carillon.grid.voting;

/**
 * When to ask for something that may not come: at that look, and then after twice as many each
 * time, up to a bound. One thread.
 */
final class Asking {
    private static final int MOST_LOOKS = 256;

    private final int first;
    private int looks;
    private int at;

    /**
     * @param first looks until it is asked for the first time
     */
    Asking(int first) {
        this.first = first;
        this.at = first;
    }

    /** It is there. */
    void reset() {
        looks = 0;
        at = first;
    }

    /** It is not there, at a further look: is it to be asked for now? */
    boolean isDue() {
        if (++looks < at) {
            return false;
        }
        looks = 0;
        at = Math.min(2 * at, MOST_LOOKS);
        return true;
    }
}
