package io.carillon.server.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which timers of applications have fired where, and which nodes were lost when. One thread. */
final class FiredOnce {
    /** A record is written 10 ms after a change, and has then to arrive at two nodes. */
    private static final long FLUSH_NANOS = 100_000_000;

    /** A node that is cut off, or stopped, acts for no longer than its lease. */
    private static final long LEASE_NANOS = 1_500_000_000;

    private record Fired(int node, long atNanos) {}

    private final Map<String, List<Fired>> all = new HashMap<>();
    private final List<Fired> losses = new ArrayList<>();

    void set(String timer) {
        all.putIfAbsent(timer, new ArrayList<>());
    }

    void fired(String timer, int node, long nanos) {
        all.computeIfAbsent(timer, _ -> new ArrayList<>()).add(new Fired(node, nanos));
    }

    /** The node was lost then: it died, stopped or was cut off. */
    void died(int node, long nanos) {
        losses.add(new Fired(node, nanos));
    }

    int count() {
        return all.size();
    }

    /** Timers that have not fired, or more than once without a loss that explains it. */
    List<String> wrong() {
        List<String> wrong = new ArrayList<>();
        all.forEach((timer, times) -> {
            if (times.isEmpty()) {
                wrong.add("timer " + timer + " has not fired");
            }
            for (int i = 1; i < times.size(); i++) {
                if (!explained(times.get(i - 1))) {
                    wrong.add("timer " + timer + " fired " + times);
                }
            }
        });
        return wrong;
    }

    private boolean explained(Fired first) {
        return losses.stream()
                .anyMatch(loss ->
                        loss.node() == first.node()
                                && first.atNanos() > loss.atNanos() - FLUSH_NANOS
                                && first.atNanos() < loss.atNanos() + LEASE_NANOS);
    }
}
