package io.carillon.sip.proxy;

/**
 * What a {@link ResponseContext} does with responses: RFC 3261 16.5 to 16.10. Changed by {@link
 * #to} alone.
 */
enum ContextState {
    /** Targets may be added, nothing was forwarded. */
    COLLECTING,
    /** As {@link #COLLECTING}, but it was cancelled: it is answered by 487 when it starts. */
    WITHDRAWN,
    FORWARDING,
    /** A parallel proxy's time is over: no redirect is followed until the user adds a branch. */
    TIMED_OUT,
    /** RFC 3261 16.7 step 5: after a 6xx no new branches. */
    CLOSED,
    /** A CANCEL came: no new branches, and the answer is 487 as a rule. */
    CANCELLED,
    /** A 2xx is on its way upstream: no new branches. */
    ACCEPTING,
    /** A final response went upstream; late 2xx still follow. */
    ANSWERED,
    /** The user answers the server transaction itself. */
    TAKEN_OVER,
    /** As {@link #ANSWERED}, and nothing more comes. */
    ANSWERED_DONE,
    /** As {@link #TAKEN_OVER}, and nothing more comes. */
    TAKEN_OVER_DONE;

    /** Is the final response still to be found among the branches? */
    boolean forwarding() {
        return compareTo(FORWARDING) >= 0 && compareTo(ACCEPTING) <= 0;
    }

    /** May redirects be followed? */
    boolean recurses() {
        return this == FORWARDING;
    }

    /** May branches start? */
    boolean starts() {
        return this == FORWARDING || this == TIMED_OUT;
    }

    /** May the user add branches? */
    boolean admits() {
        return this == COLLECTING || starts() || takenOver();
    }

    boolean answered() {
        return this == ANSWERED || this == ANSWERED_DONE;
    }

    private boolean takenOver() {
        return this == TAKEN_OVER || this == TAKEN_OVER_DONE;
    }

    /**
     * The one change of state.
     *
     * @return the next one
     */
    ContextState to(ContextState next) {
        boolean legal =
                switch (next) {
                    case COLLECTING -> false;
                    case WITHDRAWN -> this == COLLECTING;
                    case FORWARDING -> this == COLLECTING || this == TIMED_OUT;
                    case TIMED_OUT -> this == FORWARDING;
                    case CLOSED -> starts();
                    case CANCELLED -> this == WITHDRAWN || starts() || this == CLOSED;
                    case ACCEPTING -> forwarding() && this != ACCEPTING;
                    // A late 2xx goes up although the user has answered by itself.
                    case ANSWERED -> forwarding() || this == TAKEN_OVER;
                    case TAKEN_OVER -> forwarding();
                    case ANSWERED_DONE -> this == ANSWERED;
                    case TAKEN_OVER_DONE -> this == TAKEN_OVER;
                };
        if (!legal) {
            throw new IllegalStateException(this + " -> " + next);
        }
        return next;
    }
}
