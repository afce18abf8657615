package io.carillon.servlet.session;

import org.jspecify.annotations.Nullable;

/**
 * One piece of work for a {@link Turn}; also the node of its mailbox, so queueing allocates nothing
 * more.
 */
public abstract class TurnTask {
    /**
     * Owned by the mailbox: newer to older while it lies there, older to newer in the runner's
     * batch.
     */
    @Nullable TurnTask next;

    /** A task that runs the work. */
    public static TurnTask of(Runnable work) {
        return new TurnTask() {
            @Override
            protected void run() {
                work.run();
            }
        };
    }

    /** Runs with the turn held. What it throws ends at {@link Turn#failed}. */
    protected abstract void run();
}
