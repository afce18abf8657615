package io.carillon.server.reload;

import io.carillon.server.config.Configuration;
import io.carillon.server.start.StartException;

/** A part of the server that takes another configuration while it runs. Asked by one thread. */
@FunctionalInterface
public interface LivePart {
    /**
     * Does all that can fail, and changes nothing.
     *
     * @param before what runs
     * @param after what is to run
     * @throws StartException with a sentence for the user; nothing is left behind
     */
    Change prepare(Configuration before, Configuration after) throws StartException;

    /**
     * A change that is ready. One of both is called, once.
     *
     * @param apply cannot fail
     * @param cancel leaves everything as it was
     */
    record Change(Runnable apply, Runnable cancel) {
        /** One that holds nothing while it waits. */
        public static Change of(Runnable apply) {
            return new Change(apply, () -> {});
        }
    }
}
