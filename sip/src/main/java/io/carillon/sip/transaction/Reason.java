package io.carillon.sip.transaction;

/** Why a transaction changed its state; every legal change has one. */
public enum Reason {
    STARTED,
    PROVISIONAL,
    FINAL_2XX,
    FINAL_NON_2XX,
    /**
     * A 401 or 407, or what refuses somebody unknown, before anything else was sent: it is not
     * repeated.
     */
    CHALLENGE,
    FINAL,
    ACK,
    TIMER_B,
    TIMER_D,
    TIMER_F,
    TIMER_H,
    TIMER_I,
    TIMER_J,
    TIMER_K,
    TIMER_L,
    TIMER_M,
    /** RFC 3261 section 9.1: no final response within 64*T1 of the CANCEL. */
    CANCEL_UNANSWERED,
    /**
     * RFC 4320 section 4.2: "an element that cannot respond before the transaction expires will not
     * send a final response at all".
     */
    EXPIRED,
    TRANSPORT_ERROR,
    /** The shard ends: everything is dropped. */
    DISCARDED
}
