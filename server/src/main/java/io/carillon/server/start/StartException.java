package io.carillon.server.start;

/** The server cannot start; the message is a sentence for the user. */
public class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    /** A sentence without a cause worth knowing. */
    public StartException(String message) {
        super(message);
    }

    /** A sentence, and what it came from. */
    public StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
