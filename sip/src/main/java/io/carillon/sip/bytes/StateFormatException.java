package io.carillon.sip.bytes;

/**
 * Bytes that are no state written by {@link StateWriter}, or state that a rule of its reader
 * refuses.
 */
public final class StateFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StateFormatException(String message) {
        super(message);
    }

    public StateFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
