package io.carillon.server.control;

/** A command could not be done; the message is one line for the user. */
public final class ControlFailure extends Exception {
    private static final long serialVersionUID = 1L;

    public ControlFailure(String message) {
        super(message);
    }

    public ControlFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
