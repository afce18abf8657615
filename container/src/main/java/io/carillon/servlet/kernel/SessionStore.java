package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.bytes.AttributeCodec;

/**
 * Where session state is kept beside the heap. The container tells it when a turn's work on an
 * application session has ended and when one is gone; a store that keeps bytes encodes then. Called
 * with the turn held, on any thread; must not wait.
 */
public interface SessionStore {
    /** A piece of work on this application session has ended. */
    default void turnEnded(ApplicationSession session) {}

    /**
     * An attribute is about to be set.
     *
     * @throws IllegalArgumentException when the store could not keep it
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
