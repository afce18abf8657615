package io.carillon.server.trace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The Call-IDs that are traced, and which of them make one call. Bounded: the oldest is forgotten.
 * Any thread: a look takes no lock.
 */
final class TracedLegs {
    /** Of a Call-ID on average: a peer may choose one as long as a header. */
    private static final int USUAL_CHARS = 256;

    private final ConcurrentHashMap<String, TracedLeg> byCallId = new ConcurrentHashMap<>();
    private final ArrayDeque<TracedLeg> oldestFirst = new ArrayDeque<>();
    private final int most;
    private int next = 1;
    private long chars;
    private long forgotten;

    TracedLegs(int most) {
        this.most = most;
    }

    @Nullable TracedLeg find(String callId) {
        return byCallId.get(callId);
    }

    /**
     * The leg with that Call-ID; made when there is none.
     *
     * @param group to which it belongs; null: a new one
     */
    synchronized TracedLeg add(
            String callId, long sequence, TraceRule rule, @Nullable CallLegs group) {
        TracedLeg known = byCallId.get(callId);
        if (known != null) {
            return known;
        }
        CallLegs its = group == null ? new CallLegs(callId) : group.root();
        if (its.legs().size() >= CallLegs.MOST_LEGS) {
            its = new CallLegs(callId);
        }
        TracedLeg made = new TracedLeg(next++, callId, sequence, its, rule);
        its.add(made);
        byCallId.put(callId, made);
        oldestFirst.add(made);
        chars += callId.length();
        while (oldestFirst.size() > most || chars > (long) most * USUAL_CHARS) {
            TracedLeg oldest = oldestFirst.remove();
            chars -= oldest.callId.length();
            byCallId.remove(oldest.callId);
            oldest.group().remove(oldest);
            forgotten++;
        }
        return made;
    }

    /** These two are one call. */
    synchronized CallLegs join(CallLegs one, CallLegs other) {
        CallLegs first = one.root();
        CallLegs second = other.root();
        if (first == second || first.legs().size() + second.legs().size() > CallLegs.MOST_LEGS) {
            return first;
        }
        first.absorb(second);
        return first;
    }

    synchronized void session(CallLegs group, String id) {
        group.root().session(id);
    }

    /** The first leg of a call; null when it was forgotten. */
    synchronized @Nullable TracedLeg first(CallLegs group) {
        List<TracedLeg> legs = group.root().legs();
        return legs.isEmpty() ? null : legs.getFirst();
    }

    /** A call as it is now. */
    record Call(List<TracedLeg> legs, List<String> sessions) {}

    /** All calls, oldest first. */
    synchronized List<Call> calls() {
        List<Call> all = new ArrayList<>();
        for (TracedLeg leg : oldestFirst) {
            CallLegs group = leg.group();
            if (group.legs().getFirst() == leg) {
                all.add(new Call(List.copyOf(group.legs()), List.copyOf(group.sessions())));
            }
        }
        return all;
    }

    /** Those that gave way to others, since the start. */
    synchronized long forgotten() {
        return forgotten;
    }

    synchronized int size() {
        return oldestFirst.size();
    }

    /** Chosen anew: all legs of its call. */
    synchronized void choose(TracedLeg leg, TraceRule rule) {
        leg.rule(rule);
        leg.group().legs().forEach(other -> other.rule(rule));
    }

    /**
     * Forgets everything; sessions that live still hold their group, which is empty from now on.
     */
    synchronized void clear() {
        for (TracedLeg leg : oldestFirst) {
            CallLegs group = leg.group();
            group.legs().clear();
            group.sessions().clear();
        }
        chars = 0;
        byCallId.clear();
        oldestFirst.clear();
    }
}
