package io.carillon.grid.store;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Failures of the grid as sentences. */
final class InfinispanFailures {
    private InfinispanFailures() {}

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
