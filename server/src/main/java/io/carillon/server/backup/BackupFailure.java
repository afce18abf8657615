package io.carillon.server.backup;

/** A backup could not be made or restored; the message is a sentence for the user. */
public final class BackupFailure extends Exception {
    private static final long serialVersionUID = 1L;

    public BackupFailure(String message) {
        super(message);
    }

    public BackupFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
