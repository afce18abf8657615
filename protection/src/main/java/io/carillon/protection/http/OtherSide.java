package io.carillon.protection.http;

/**
 * The visitor of a request, as far as it is waited for: for bytes of a body, or for room for those
 * of a response. Any thread.
 */
public interface OtherSide {
    /** Is it waited for now? */
    boolean keepsWaiting();

    /**
     * It is waited for no longer: reading a body fails with 503 (RFC 9110 section 15.6.4), and a
     * connection that takes no more of a response is closed.
     */
    void giveUp();
}
