package io.carillon.servlet.kernel;

/**
 * What was answered to a received request: RFC 3261 sections 8.2 and 13.3, RFC 3262 section 3.
 * {@link UasTransaction} changes it by {@link #to} alone. What the wire knows of it is the stack's
 * server transaction.
 */
enum UasState {
    /** No final response yet. */
    RECEIVED,
    /** A proxy forwards it; the application may still answer itself. */
    PROXIED,
    /** A request that was answered with a 2xx before, in the session of another 2xx to be sent. */
    FURTHER,
    /** A 2xx to the INVITE that may not leave before the PRACK of a reliable response. */
    HELD,
    /** A 2xx to the INVITE left, and waits for its ACK. */
    ACCEPTED,
    /** As {@link #ACCEPTED}, of a {@link #FURTHER} one. */
    FURTHER_ACCEPTED,
    /** The ACK came, or will never come: another 2xx may be sent while the stack can. */
    CONFIRMED,
    /** It has any other final response, or none is sent any more. */
    ANSWERED;

    /** Has it its final response? */
    boolean answered() {
        return compareTo(HELD) >= 0;
    }

    /** Does a 2xx to the INVITE that left wait for its ACK? */
    boolean awaitsAck() {
        return this == ACCEPTED || this == FURTHER_ACCEPTED;
    }

    /** Is there a 2xx to the INVITE without its ACK? */
    boolean unconfirmed() {
        return this == HELD || awaitsAck();
    }

    /** May reliable provisional responses to it be under way? */
    boolean provisional() {
        return this == RECEIVED || this == PROXIED || this == HELD;
    }

    /**
     * The one change of state.
     *
     * @return the next one
     */
    UasState to(UasState next) {
        boolean legal =
                switch (next) {
                    case RECEIVED, FURTHER -> false;
                    case PROXIED -> this == RECEIVED;
                    case HELD -> this == RECEIVED || this == PROXIED;
                    case ACCEPTED -> provisional();
                    case FURTHER_ACCEPTED -> this == FURTHER;
                    case CONFIRMED -> this == ACCEPTED;
                    case ANSWERED -> provisional() || this == FURTHER_ACCEPTED;
                };
        if (!legal) {
            throw new IllegalStateException(this + " -> " + next);
        }
        return next;
    }
}
