package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.sip.shard.Shard;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where session state is kept beside the heap. The container tells it when a turn's work on an
 * application session has ended and when one is gone; a store that keeps bytes encodes then. Called
 * with the turn held, on any thread; must not wait.
 */
public interface SessionStore {
    /** The shards serve from now on; before the first message. */
    default void start(List<Shard> shards) {}

    /**
     * An application session is being made; nobody else knows it yet.
     *
     * @return what is kept beside it; null for nothing
     */
    default @Nullable Companion begun(ApplicationSession session) {
        return null;
    }

    /** A piece of work on this application session has ended. */
    default void turnEnded(ApplicationSession session) {}

    /**
     * It was made of its record, which stays until it ends here. With its turn held.
     *
     * @param how it came here
     */
    default void adopted(ApplicationSession session, TakeOver how) {}

    /**
     * What was kept of it may be lost, although it has not changed: it does not count as kept until
     * it was {@linkplain #writeAgain written again}. Any thread.
     */
    default void mayBeLost(ApplicationSession session) {}

    /** It is to be kept once more, as it is. Any thread. */
    default void writeAgain(ApplicationSession session) {}

    /**
     * It ends here only: another node goes on with it, or may. Its record is no matter of this node
     * any more. Any thread, before it ends.
     */
    default void dropped(ApplicationSession session) {}

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
