package io.carillon.server.health;

import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** What health is made of. Any thread; every question is answered at once. */
public interface HealthSource {
    /** Of a side that has none: nothing listens. */
    HealthSource NONE =
            new HealthSource() {
                @Override
                public int listeningPoints() {
                    return 0;
                }

                @Override
                public int loops() {
                    return 0;
                }

                @Override
                public void pulse(IntConsumer answered) {}

                @Override
                public @Nullable String databaseFailure() {
                    return null;
                }

                @Override
                public void tryDatabase() {}
            };

    /** Listening points that are bound, and a cluster's link to its routers. */
    int listeningPoints();

    /** Event loops. */
    int loops();

    /**
     * Asks every event loop for a sign of life.
     *
     * @param answered gets the loop's number, on its own thread
     */
    void pulse(IntConsumer answered);

    /** Why the database that an application asked for is of no use now; null: all is well. */
    @Nullable String databaseFailure();

    /** Tries to open the database again; blocks. */
    void tryDatabase();
}
