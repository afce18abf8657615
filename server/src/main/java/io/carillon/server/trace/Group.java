package io.carillon.server.trace;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The legs of one call: those of a B2BUA have a Call-ID each and one application session. Changed
 * by {@link Legs} under its lock.
 */
final class Group {
    /** A conference in one application session is not one call to look at. */
    static final int MOST_LEGS = 64;

    /** The Call-ID that stands for the whole. */
    final String name;

    private final List<Leg> legs = new ArrayList<>(2);
    private final List<String> sessions = new ArrayList<>(1);

    /** The group that this one turned out to belong to. */
    private volatile @Nullable Group into;

    Group(String name) {
        this.name = name;
    }

    /** The group that stands for it now. */
    Group root() {
        Group at = this;
        for (Group next = at.into; next != null; next = at.into) {
            at = next;
        }
        return at;
    }

    void add(Leg leg) {
        legs.add(leg);
    }

    void session(String id) {
        if (!sessions.contains(id) && sessions.size() < MOST_LEGS) {
            sessions.add(id);
        }
    }

    /** Everything of the other one is this one's from now on. */
    void absorb(Group other) {
        legs.addAll(other.legs);
        other.sessions.forEach(this::session);
        other.legs.clear();
        other.into = this;
    }

    void remove(Leg leg) {
        legs.remove(leg);
    }

    /** Under the lock of {@link Legs}. */
    List<Leg> legs() {
        return legs;
    }

    /** Ids of its application sessions; under the lock of {@link Legs}. */
    List<String> sessions() {
        return sessions;
    }
}
