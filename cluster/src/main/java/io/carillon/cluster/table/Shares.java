package io.carillon.cluster.table;

import java.util.Arrays;

/** How many partitions each of some members should have. */
final class Shares {
    private Shares() {}

    /**
     * How many each may take so that all have about the same.
     *
     * @param able who may take some, ascending
     * @param owned how many each member number has
     * @param more how many there are to take; the rooms add up to it
     */
    static int[] room(int[] able, int[] owned, int more) {
        int[] room = new int[able.length];
        int[] has = Arrays.stream(able).map(each -> owned[each]).toArray();
        for (int left = more; left > 0; left--) {
            int least = 0;
            for (int i = 1; i < has.length; i++) {
                if (has[i] < has[least]) {
                    least = i;
                }
            }
            has[least]++;
            room[least]++;
        }
        return room;
    }
}
