package io.carillon.sip.overload;

/** What a message is worth while not all of them can be served, the first ones most. */
public enum MessageKind {
    /** A response, an ACK, CANCEL, PRACK or BYE, or anything that has a To tag: work accepted. */
    UNDER_WAY,

    /**
     * Begins an emergency call: a trusted peer says so (RFC 4412), or the Request-URI does ({@code
     * urn:service:sos}, RFC 5031).
     */
    EMERGENCY,

    /** A REGISTER of a source that is registered: it is known, and refreshes. */
    REFRESH,

    /** Begins something else. */
    NEW
}
