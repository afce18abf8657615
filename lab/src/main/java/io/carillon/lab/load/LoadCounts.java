package io.carillon.lab.load;

import java.util.Map;
import java.util.TreeMap;

/** What is counted of calls. Owner: the engine's thread; a {@link #copy} may be given away. */
final class LoadCounts {
    long made;
    long completed;
    long late;
    long retransmissionsSent;
    long retransmissionsReceived;
    long unexpected;
    private final TreeMap<String, Long> failures = new TreeMap<>();

    void fail(String cause) {
        fail(cause, 1);
    }

    void fail(String cause, long times) {
        failures.merge(cause, times, Long::sum);
    }

    /** Failed calls by their cause. */
    Map<String, Long> failures() {
        return failures;
    }

    long failed() {
        long sum = 0;
        for (long count : failures.values()) {
            sum += count;
        }
        return sum;
    }

    LoadCounts copy() {
        LoadCounts copy = new LoadCounts();
        copy.made = made;
        copy.completed = completed;
        copy.late = late;
        copy.retransmissionsSent = retransmissionsSent;
        copy.retransmissionsReceived = retransmissionsReceived;
        copy.unexpected = unexpected;
        copy.failures.putAll(failures);
        return copy;
    }
}
