package io.carillon.it.order;

/**
 * The messages of one direction at one place: of each call the number of the last one. Owner: one
 * thread.
 */
final class Track {
    private final OrderCounts counts;
    private final int[] last;

    Track(int calls, OrderCounts counts) {
        this.counts = counts;
        this.last = new int[calls];
    }

    /**
     * A message came.
     *
     * @param number of the call's in this direction, from 1 on
     */
    void came(int call, int number) {
        counts.came();
        int before = last[call];
        if (number == before) {
            counts.twice();
        } else if (number < before) {
            counts.overtaken();
        } else {
            if (number > before + 1) {
                counts.skipped(number - before - 1L);
            }
            last[call] = number;
        }
    }
}
