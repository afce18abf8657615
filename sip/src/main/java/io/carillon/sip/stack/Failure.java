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
    /**
     * All addresses of the target are such that nothing is sent there: to be treated as 403, since
     * asking again would not help.
     */
    REFUSED,
    /** Cancelled before anything was sent. */
    CANCELLED,
    /** The flow that its Route names is gone: to be treated as 430 (RFC 5626 section 5.3.1). */
    FLOW_FAILED,
    /** Its Route names a flow by a token that we did not make: 403 (RFC 5626 section 5.3.1). */
    FLOW_REFUSED
}
