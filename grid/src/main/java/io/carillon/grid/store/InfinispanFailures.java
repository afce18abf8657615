package io.carillon.grid.store;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.infinispan.commons.TimeoutException;

/** Failures of the grid as sentences. */
final class InfinispanFailures {
    private static final int MOST_CAUSES = 20;

    private InfinispanFailures() {}

    /** Why this node did not get its copies when it joined, and what to do. */
    static String ofJoin(Throwable failure) {
        Throwable at = failure;
        for (int depth = 0; at.getCause() != null && depth < MOST_CAUSES; depth++) {
            at = at.getCause();
        }
        return at instanceof TimeoutException
                ? "the other nodes did not hand over their copies of calls in time; start this node"
                        + " again, and look whether another one is stopped or cut off"
                : "the copies of calls cannot be joined: " + sentence(at);
    }

    /** What went wrong, without a stack. */
    static String sentence(Throwable failure) {
        Throwable at = failure;
        while ((at instanceof CompletionException || at instanceof ExecutionException)
                && at.getCause() != null) {
            at = at.getCause();
        }
        String message = at.getMessage();
        String name = at.getClass().getSimpleName();
        return message == null || message.isBlank() ? name : name + ": " + message;
    }
}
