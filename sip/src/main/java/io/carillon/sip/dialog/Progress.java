package io.carillon.sip.dialog;

/** What a dialog says to a response to a request of ours. */
public enum Progress {
    /** Process it. */
    PROCESS,
    /**
     * RFC 3262 4: a reliable provisional response in order: process it and send {@link
     * Dialog#prack}.
     */
    PROCESS_AND_PRACK,
    /** A reliable provisional response that was seen before: drop it, its PRACK is on its way. */
    REPEATED,
    /** RFC 3262 4: a gap in RSeq: neither acknowledge nor process; the peer will send it again. */
    OUT_OF_ORDER;

    public boolean process() {
        return this == PROCESS || this == PROCESS_AND_PRACK;
    }
}
