package io.carillon.servlet.feature.store;

import io.carillon.servlet.kernel.SessionStore;

/** The stores that there are. */
public final class SessionStores {
    /** System property: {@code true} makes every session go through its bytes, for tests. */
    public static final String ROUND_TRIP = "carillon.roundtrip";

    private SessionStores() {}

    /**
     * Sessions live on the heap alone: nothing is encoded, unless {@value #ROUND_TRIP} asks for the
     * test mode.
     */
    public static SessionStore inMemory() {
        return Boolean.getBoolean(ROUND_TRIP) ? new RoundTripStore() : new SessionStore() {};
    }
}
