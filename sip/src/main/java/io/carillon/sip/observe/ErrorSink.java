package io.carillon.sip.observe;

import io.carillon.sip.message.MessageDraft;

/** The one place where exceptions of layers above end, and requests that cannot be sent. */
public interface ErrorSink {
    /**
     * Takes an exception.
     *
     * @param during what was being done
     */
    void error(String during, Throwable error);

    /**
     * A request cannot be sent, as no address was found for its target, or none that it may go to.
     * Its user is told besides ({@code Failure.UNRESOLVED}, {@code Failure.REFUSED}); whoever reads
     * the log learns of it here.
     *
     * @param request as it would have left; only for reading, before this returns
     * @param why for people
     */
    default void unsent(MessageDraft request, String why) {}

    /** Writes them to the system logger. */
    ErrorSink LOGGER =
            (during, error) ->
                    System.getLogger("io.carillon.sip")
                            .log(System.Logger.Level.ERROR, during, error);
}
