package io.carillon.sip.server;

/** What this server is for a request: decided by the layer above. */
public enum Role {
    /** Not decided yet: a CANCEL is answered as a UAS would, merged requests are not looked for. */
    UNDECIDED,
    /** It answers itself: RFC 3261 section 8.2.2.2 about merged requests holds. */
    UAS,
    /**
     * It forwards: a CANCEL is only reported, a second copy of the request is a spiral or a fork of
     * its own.
     */
    PROXY
}
