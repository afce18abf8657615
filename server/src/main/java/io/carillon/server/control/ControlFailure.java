package io.carillon.server.control;

/** A command could not be done; the message is one line for the user. */
public final class ControlFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** Whose fault it is. */
    public enum Kind {
        /** It cannot be done as things stand. */
        REFUSED,
        /** What it is about is not there. */
        NOT_FOUND,
        /** What was asked for has no meaning. */
        BAD,
        /** It may be done later. */
        BUSY
    }

    public ControlFailure(String message) {
        this(Kind.REFUSED, message);
    }

    public ControlFailure(String message, Throwable cause) {
        this(Kind.REFUSED, message, cause);
    }

    public ControlFailure(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public ControlFailure(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** Whose fault it is. */
    public Kind kind() {
        return kind;
    }
}
