package io.carillon.sip.dialog;

/**
 * What a dialog says to a request that arrived in it: process it, or answer with {@link #status()}.
 */
public enum Accept {
    OK(0, false),
    /** RFC 3261 12.2.2: the CSeq is lower than one seen before. */
    STALE_CSEQ(500, false),
    /** RFC 3261 14.2: an earlier INVITE of the peer has no final response yet. */
    INVITE_UNANSWERED(500, true),
    /**
     * RFC 3261 14.2: an INVITE of ours is in progress. Also RFC 3311 5.2 and RFC 3264 4: our offer
     * has no answer yet.
     */
    GLARE(491, false),
    /** RFC 3311 5.2: an earlier UPDATE, or an offer of the peer, has no answer yet. */
    UPDATE_UNANSWERED(500, true),
    /** RFC 3262 3: the PRACK acknowledges nothing that waits for it. */
    PRACK_UNMATCHED(481, false),
    /** The dialog is over. */
    TERMINATED(481, false);

    private final int status;
    private final boolean retryAfter;

    Accept(int status, boolean retryAfter) {
        this.status = status;
        this.retryAfter = retryAfter;
    }

    public boolean ok() {
        return this == OK;
    }

    /** The status to answer with; 0 for {@link #OK}. */
    public int status() {
        return status;
    }

    /**
     * Of a PRACK: did it match a response that waited for it? RFC 3262 3: "The UAS can be certain
     * at this point that the provisional response has been received in order", even where its offer
     * is refused.
     */
    public boolean acknowledges() {
        return this == OK || this == GLARE || this == UPDATE_UNANSWERED;
    }

    /**
     * Has the answer to carry a Retry-After of 0 to 10 seconds? See {@link
     * Glare#retryAfterSeconds}.
     */
    public boolean retryAfter() {
        return retryAfter;
    }
}
