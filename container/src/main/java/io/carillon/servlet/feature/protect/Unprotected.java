package io.carillon.servlet.feature.protect;

/**
 * Why a call would not outlive this node, or the message of one left before its record was safe.
 */
public enum Unprotected {
    /**
     * The store has not answered in time, or there is no room for more that it has not answered.
     */
    SLOW("the store is slow"),
    /** The store failed. */
    FAILING("the store fails"),
    /** No other node holds a copy. */
    ONE_HOLDER("no other node holds it"),
    /** Something of the call cannot be written. */
    INCOMPLETE("something of it cannot be written"),
    /** This node may not act for its partition now. */
    NOT_OWNER("this node does not own it now"),
    /** Another node owns its partition: it was made here without a request that belongs there. */
    ELSEWHERE("another node owns its partition");

    private final String text;

    Unprotected(String text) {
        this.text = text;
    }

    /** For people. */
    public String text() {
        return text;
    }
}
