package io.carillon.server.http;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import org.eclipse.jetty.client.Request;

/**
 * Requests that are being passed on to other nodes, bounded in all; a source may hold as many as it
 * leaves free, unless it is trusted. Any thread, one lock for some steps.
 */
final class OpenPasses {
    /**
     * One of them.
     *
     * @param source of the visitor, by its {@link io.carillon.sip.guard.SourceKey}
     * @param node that serves it
     * @param request to that node
     */
    record Pass(long source, int node, Request request) {}

    private final int most;
    private final LongPredicate trusted;

    // Guarded by this.
    private final Set<Pass> open = new HashSet<>();

    /** How many each source has. Guarded by this. */
    private final Map<Long, Integer> held = new HashMap<>();

    /**
     * @param most at once
     */
    OpenPasses(int most, LongPredicate trusted) {
        this.most = most;
        this.trusted = trusted;
    }

    /** Is there room for one more of that source? */
    synchronized boolean hasRoom(long source) {
        int free = most - open.size();
        return free > 0 && (trusted.test(source) || held.getOrDefault(source, 0) < free);
    }

    synchronized void add(Pass pass) {
        if (open.add(pass)) {
            held.merge(pass.source(), 1, Integer::sum);
        }
    }

    synchronized void remove(Pass pass) {
        if (open.remove(pass)) {
            held.computeIfPresent(pass.source(), (source, count) -> count == 1 ? null : count - 1);
        }
    }

    /** How many there may be at once. */
    int most() {
        return most;
    }

    synchronized int size() {
        return open.size();
    }

    /** Those to nodes that are gone, which nobody will answer. */
    synchronized List<Pass> lost(IntPredicate lives) {
        return open.stream().filter(one -> !lives.test(one.node())).toList();
    }
}
