package io.carillon.sip.proxy;

/**
 * Where a {@link ProxyBranch} is for its context, on its turn: RFC 3261 16.6 to 16.10. Changed by
 * {@link #to} alone.
 */
enum BranchState {
    WAITING,
    TRYING,
    /** A provisional response came. */
    PROCEEDING,
    /** As {@link #TRYING}, and to be cancelled: its redirects are not followed any more. */
    CANCEL_WAITS,
    /** As {@link #PROCEEDING}, and to be cancelled. */
    CANCELLED,
    /** A final response came. */
    ENDED,
    /** None came, or it never started: what is its final response was made here. */
    GIVEN_UP;

    /** Has it started, and no final response yet? */
    boolean active() {
        return this != WAITING && !ended();
    }

    /** Is there nothing more to wait for, but 2xx to an INVITE? */
    boolean ended() {
        return this == ENDED || this == GIVEN_UP;
    }

    /** Is it to be cancelled? */
    boolean cancels() {
        return this == CANCEL_WAITS || this == CANCELLED;
    }

    /**
     * The one change of state.
     *
     * @return the next one
     */
    BranchState to(BranchState next) {
        boolean legal =
                switch (next) {
                    case WAITING -> false;
                    case TRYING -> this == WAITING;
                    case PROCEEDING, CANCEL_WAITS -> this == TRYING;
                    case CANCELLED -> this == PROCEEDING || this == CANCEL_WAITS;
                    // A repeated 2xx ends it again, a late one what was given up.
                    case ENDED -> this != WAITING;
                    case GIVEN_UP -> !ended();
                };
        if (!legal) {
            throw new IllegalStateException(this + " -> " + next);
        }
        return next;
    }
}
