package io.carillon.sip.hop;

/**
 * Why a request got no final response. RFC 3261 8.1.3.1: "When a timeout error is received from the
 * transaction layer, it MUST be treated as if a 408 (Request Timeout) status code has been
 * received. If a fatal transport error is reported ..., the condition MUST be treated as a 503
 * (Service Unavailable) status code."
 */
public enum Failure {
    /** Timer B or F, or 64*T1 after a CANCEL (RFC 3261 sections 17.1 and 9.1). */
    TIMEOUT(408),
    /**
     * The transport failed for the last hop; of a proxied request too (16.9: "the proxy MUST behave
     * as if the forwarded request received a 503").
     */
    TRANSPORT(503),
    /** No address was found for the target. */
    UNRESOLVED(503),
    /**
     * All addresses of the target are such that nothing is sent there: asking again would not help.
     */
    REFUSED(403),
    /** There are as many transactions as there may be (the capacity of a shard). */
    FULL(503),
    /**
     * The server where it goes is overloaded and has asked for less, or has not answered lately
     * (RFC 7339 5.10 and 5.9).
     */
    SHED(503),
    /** Cancelled before anything was sent. */
    CANCELLED(487),
    /** The flow that its Route names is gone (RFC 5626 section 5.3.1). */
    FLOW_FAILED(430),
    /** Its Route names a flow by a token that we did not make (RFC 5626 section 5.3.1). */
    FLOW_REFUSED(403);

    private final int status;

    Failure(int status) {
        this.status = status;
    }

    /** The status of the response that it is to be treated as. */
    public int status() {
        return status;
    }
}
