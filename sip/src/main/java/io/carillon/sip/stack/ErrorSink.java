package io.carillon.sip.stack;

/** The one place where exceptions of layers above end. */
public interface ErrorSink {
    /**
     * Takes an exception.
     *
     * @param during what was being done
     */
    void error(String during, Throwable error);

    /** Writes them to the system logger. */
    ErrorSink LOGGER =
            (during, error) ->
                    System.getLogger("io.carillon.sip")
                            .log(System.Logger.Level.ERROR, during, error);
}
