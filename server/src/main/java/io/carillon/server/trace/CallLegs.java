package io.carillon.server.trace;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The legs of one call: those of a B2BUA have a Call-ID each and one application session. Changed
 * by {@link TracedLegs} under its lock.
 */
final class CallLegs {
    /** A conference in one application session is not one call to look at. */
    static final int MOST_LEGS = 64;

    /** The Call-ID that stands for the whole. */
    final String name;

    private final List<TracedLeg> legs = new ArrayList<>(2);
    private final List<String> sessions = new ArrayList<>(1);

    /** The group that this one turned out to belong to. */
    private volatile @Nullable CallLegs into;

    CallLegs(String name) {
        this.name = name;
    }

    /** The group that stands for it now. */
    CallLegs root() {
        CallLegs at = this;
        for (CallLegs next = at.into; next != null; next = at.into) {
            at = next;
        }
        return at;
    }

    void add(TracedLeg leg) {
        legs.add(leg);
    }

    void session(String id) {
        if (!sessions.contains(id) && sessions.size() < MOST_LEGS) {
            sessions.add(id);
        }
    }

    /** Everything of the other one is this one's from now on. */
    void absorb(CallLegs other) {
        legs.addAll(other.legs);
        other.sessions.forEach(this::session);
        other.legs.clear();
        other.into = this;
    }

    void remove(TracedLeg leg) {
        legs.remove(leg);
    }

    /** Under the lock of {@link TracedLegs}. */
    List<TracedLeg> legs() {
        return legs;
    }

    /** Ids of its application sessions; under the lock of {@link TracedLegs}. */
    List<String> sessions() {
        return sessions;
    }
}
