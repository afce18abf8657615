package io.carillon.server.api;

import java.util.HashMap;
import java.util.Map;

/**
 * How many answers are made at once of operations that look at much: of one operation, so that one
 * which hangs keeps no other out; of all, so that threads are left for the rest.
 *
 * <p>Any thread; guarded by its own monitor. It holds a number for each operation under way.
 */
final class HeavyAnswers {
    static final int MOST_OF_ONE = 2;

    /** Of the threads of {@link ApiHandler} two stay for what is quick. */
    static final int MOST = 6;

    private final Map<String, Integer> underWay = new HashMap<>();
    private int all;

    /** Is there room for one more of that operation? Then {@link #end} is to follow. */
    synchronized boolean begin(String operation) {
        if (all >= MOST || underWay.getOrDefault(operation, 0) >= MOST_OF_ONE) {
            return false;
        }
        underWay.merge(operation, 1, Integer::sum);
        all++;
        return true;
    }

    synchronized void end(String operation) {
        underWay.computeIfPresent(operation, (same, count) -> count == 1 ? null : count - 1);
        all--;
    }
}
