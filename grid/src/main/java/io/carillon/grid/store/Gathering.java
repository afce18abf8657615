package io.carillon.grid.store;

import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node waits for before it keeps copies: that its grid holds all others whom the voters see.
 * One that finds nobody within the time for that begins a grid of its own (JGroups, GMS), which is
 * merged with the others' some seconds later. With copies in both, Infinispan compares all records
 * of all nodes then, and takes the newcomer for a holder of everything. Without copies here it
 * joins as any other.
 *
 * <p>Waits on the thread that starts the node, which owns it.
 */
final class Gathering {
    private static final Logger LOG = LoggerFactory.getLogger(Gathering.class);

    /** Grids that have found each other are one after some seconds (MERGE3). */
    static final Duration LONGEST = Duration.ofSeconds(20);

    /** The first node of a cluster goes on alone after so long: the voters may be divided too. */
    static final Duration FOR_MAJORITY = Duration.ofSeconds(10);

    private static final Duration LOOK = Duration.ofMillis(50);

    /** Time that goes by, of the machine or of a test. */
    interface Time {
        /** As {@link System#nanoTime}. */
        long nanos();

        /**
         * Returns after so long.
         *
         * @throws IllegalStateException when the thread is interrupted
         */
        void pass(Duration span);
    }

    private final Company company;
    private final Time time;
    private final long began;

    /** It begins now. */
    Gathering(Company company) {
        this(company, new RealTime());
    }

    Gathering(Company company, Time time) {
        this.company = company;
        this.time = time;
        this.began = time.nanos();
    }

    /**
     * Returns when a majority of the voters is seen, or nobody comes: who knows of others looks for
     * their grid, and begins none of its own.
     *
     * @throws IllegalStateException when the thread is interrupted
     */
    void awaitVoters() {
        while (!(company.majority() || passed(began, FOR_MAJORITY))) {
            time.pass(LOOK);
        }
    }

    /**
     * Returns when the others are in this node's grid, or nobody comes.
     *
     * @param grid numbers of the members of this node's grid
     * @throws IllegalStateException when the thread is interrupted
     */
    void awaitGrid(Supplier<Set<Integer>> grid) {
        long from = time.nanos();
        while (true) {
            Set<Integer> others = company.others();
            boolean all = grid.get().containsAll(others);
            if (all && (company.majority() || passed(began, FOR_MAJORITY))) {
                return;
            }
            if (passed(from, LONGEST)) {
                LOG.warn(
                        "The voters see members {}, but the grid of copies holds only {} after {} s:"
                                + " check that nodes reach each other's port above cluster.listen",
                        others,
                        grid.get(),
                        LONGEST.toSeconds());
                return;
            }
            time.pass(LOOK);
        }
    }

    private boolean passed(long from, Duration span) {
        return time.nanos() - from >= span.toNanos();
    }

    private static final class RealTime implements Time {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void pass(Duration span) {
            try {
                Thread.sleep(span);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(
                        "interrupted while it waited for the other nodes", e);
            }
        }
    }
}
