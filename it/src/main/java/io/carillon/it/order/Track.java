package io.carillon.it.order;

/**
 * The messages of one direction at one place: of each call the number of the last one. Owner: one
 * thread.
 */
final class Track {
    private final OrderCounts counts;
    private final String what;
    private final int[] last;

    /**
     * @param what the direction, for people
     */
    Track(int calls, OrderCounts counts, String what) {
        this.counts = counts;
        this.what = what;
        this.last = new int[calls];
    }

    /**
     * A message came.
     *
     * @param number of the call's in this direction, from 1 on
     * @param transport by which the phone sends and hears
     */
    void came(int call, int number, String transport) {
        counts.came();
        int before = last[call];
        if (number == before) {
            counts.twice(what + " by " + transport);
        } else if (number < before) {
            counts.overtaken(what + " by " + transport);
        } else {
            if (number > before + 1) {
                counts.skipped(what + " by " + transport, number - before - 1L);
            }
            last[call] = number;
        }
    }
}
