package io.carillon.telemetry.records;

/** Call detail records cannot be kept as they are configured; the message says why. */
public final class RecordException extends Exception {
    private static final long serialVersionUID = 1L;

    public RecordException(String message) {
        super(message);
    }

    public RecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
