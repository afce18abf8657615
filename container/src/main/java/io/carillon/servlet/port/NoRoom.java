package io.carillon.servlet.port;

/**
 * A visitor of a page asked for a session, and there is no room for another. The page is answered
 * with 503 and Retry-After, unless the application catches it.
 */
public final class NoRoom extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public NoRoom(String message) {
        super(message);
    }
}
