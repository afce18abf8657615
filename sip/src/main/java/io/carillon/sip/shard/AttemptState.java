package io.carillon.sip.shard;

/**
 * Where a request of ours is on its way: RFC 3261 sections 8.1.3, 9.1 and 13.2.2.4, RFC 3263
 * section 4.3. {@link RequestAttempt} changes it by {@link #to} alone.
 */
enum AttemptState {
    /** Its hops are looked for. */
    RESOLVING,
    /** It left for a hop that has said nothing yet. */
    TRYING,
    /** The hop has said 100. */
    PROCEEDING,
    /** It has said more: a 503 from there is no reason to try another one. */
    RINGING,
    /** As {@link #TRYING}; a CANCEL follows as soon as a provisional response allows it. */
    CANCEL_WAITS,
    /** A CANCEL left, where the method has one: no further hop is tried. */
    CANCELLED,
    /** An INVITE got a 2xx, and there was no room to tell of any. */
    NO_ROOM,
    /** A 2xx to the INVITE was told: further forks may follow until Timer M. */
    ACCEPTED,
    FINISHED;

    /** Has it left, and waits for its final response? */
    boolean waits() {
        return compareTo(TRYING) >= 0 && compareTo(CANCELLED) <= 0;
    }

    /** Has the hop at work said nothing yet? */
    boolean silent() {
        return this == TRYING || this == CANCEL_WAITS;
    }

    /** Is it to be cancelled? */
    boolean cancels() {
        return this == CANCEL_WAITS || this == CANCELLED;
    }

    /** Has a 2xx to the INVITE come? */
    boolean succeeds() {
        return this == NO_ROOM || this == ACCEPTED;
    }

    /**
     * The one change of state.
     *
     * @return the next one
     */
    AttemptState to(AttemptState next) {
        boolean legal =
                switch (next) {
                    case RESOLVING -> false;
                    // Another hop, or one that was left and answers after all.
                    case TRYING -> this == RESOLVING || (waits() && !cancels());
                    case PROCEEDING -> this == TRYING;
                    case RINGING -> this == TRYING || this == PROCEEDING;
                    case CANCEL_WAITS -> this == TRYING || cancels();
                    case CANCELLED -> waits() && this != TRYING && this != CANCELLED;
                    case NO_ROOM -> waits();
                    case ACCEPTED -> this == NO_ROOM;
                    case FINISHED -> this != FINISHED;
                };
        if (!legal) {
            throw new IllegalStateException(this + " -> " + next);
        }
        return next;
    }
}
