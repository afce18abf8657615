package io.carillon.sip.stack;

/** Why a request got no final response. */
public enum Failure {
    /**
     * Timer B or F, or 64*T1 after a CANCEL (RFC 3261 sections 17.1 and 9.1): to be treated as 408.
     */
    TIMEOUT,
    /** The transport failed for the last hop: to be treated as 503 (section 8.1.3.1). */
    TRANSPORT,
    /** No address was found for the target. */
    UNRESOLVED,
    /** Cancelled before anything was sent. */
    CANCELLED
}
