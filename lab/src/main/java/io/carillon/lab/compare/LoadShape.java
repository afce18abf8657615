package io.carillon.lab.compare;

import java.util.List;

/**
 * The load of a comparison and how it is read.
 *
 * @param rates calls per second, one comparison each
 * @param pairs pairs of windows per rate, in the order A B, B A, A B, ...
 * @param warmupSeconds load on each server before its first window
 * @param fillSeconds load before the CPU is read, so that lingering transactions are in it (32 s)
 * @param measureSeconds length of the CPU reading
 * @param holdMillis talk time of the calls
 * @param load sipp or carillon: what makes the calls
 */
record LoadShape(
        List<Integer> rates,
        int pairs,
        int warmupSeconds,
        int fillSeconds,
        int measureSeconds,
        int holdMillis,
        String load) {

    LoadShape {
        if (rates.isEmpty() || rates.stream().anyMatch(rate -> rate < 1)) {
            throw new IllegalArgumentException("--rates must be numbers from 1, not " + rates);
        }
        check("--pairs", pairs, 1);
        check("--warmup", warmupSeconds, 0);
        check("--fill", fillSeconds, 0);
        check("--measure", measureSeconds, 1);
        check("--hold", holdMillis, 0);
    }

    private static void check(String option, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    option + " must be at least " + least + ", not " + value);
        }
    }
}
