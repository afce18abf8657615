package io.carillon.servlet.store;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.session.ApplicationSession;

/**
 * Where session state is kept beside the heap. The container tells it when a turn's work on an
 * application session has ended and when one is gone; a store that keeps bytes encodes then. Called
 * with the turn held, on any thread; must not wait.
 */
public interface SessionStore {
    /** System property: {@code true} makes every session go through its bytes, for tests. */
    String ROUND_TRIP = "carillon.roundtrip";

    /**
     * Sessions live on the heap alone: nothing is encoded, unless {@value #ROUND_TRIP} asks for the
     * test mode.
     */
    static SessionStore inMemory() {
        return Boolean.getBoolean(ROUND_TRIP) ? new RoundTripStore() : new SessionStore() {};
    }

    /** A piece of work on this application session has ended. */
    default void turnEnded(ApplicationSession session) {}

    /**
     * An attribute is about to be set. @throws IllegalArgumentException when the store could not
     * keep it
     */
    default void checkAttribute(Application application, String name, Object value) {
        if (application.description().distributable()
                && !(value instanceof java.io.Serializable)
                && !AttributeCodec.ofTheContainer(value)) {
            throw new IllegalArgumentException(
                    "attribute "
                            + name
                            + " of a distributable application is not serializable: "
                            + value.getClass().getName());
        }
    }
}
