package io.carillon.testkit;

/** How a call ended for one of its ends. */
public enum Ending {
    /** It was answered, and this end sent the BYE. */
    RELEASED_HERE,
    /** It was answered, and the other end sent the BYE. */
    RELEASED_THERE,
    /** It was cancelled before it was answered. */
    CANCELLED,
    /** It was refused or redirected: a final response of 300 or above. */
    REJECTED,
    /**
     * This end gave up: Timer B, F or H, no ACK, no PRACK, or a 408 or 481 that says that the other
     * end has.
     */
    GAVE_UP
}
