package io.carillon.servlet.kernel;

/**
 * Where a request of ours is, seen by the application that made it: RFC 3261 sections 8.1, 9.1,
 * 13.2 and 15. {@link UacTransaction} changes it by {@link #to} alone. Where it is on the wire
 * knows the stack's attempt.
 */
enum UacState {
    /** The application writes it. */
    PREPARED,
    /** As {@link #PREPARED}: it is the ACK for a 2xx to another request of ours. */
    ACKNOWLEDGES,
    /** As {@link #PREPARED}: it is the CANCEL of another request of ours. */
    CANCELS,
    /** A BYE that waits for the ACK of our own 2xx (section 15). */
    HELD,
    /** It left, and waits for its final response. */
    SENT,
    /** An INVITE with a 2xx: further ones may follow until Timer M. */
    ACCEPTED,
    /** As {@link #ACCEPTED}, and its session is over: what is still to come is the container's. */
    RELEASED,
    /** It has its final response, or needs none. */
    FINISHED;

    /** Does another request of ours go before it, which it is about? */
    boolean concernsAnother() {
        return this == ACKNOWLEDGES || this == CANCELS;
    }

    /** Has a 2xx to the INVITE come that others may follow? */
    boolean lingers() {
        return this == ACCEPTED || this == RELEASED;
    }

    /** Has its final response come? */
    boolean answered() {
        return compareTo(ACCEPTED) >= 0;
    }

    /** May it have dialogs of several forks? */
    boolean forks() {
        return this == SENT || lingers();
    }

    /**
     * The one change of state.
     *
     * @return the next one
     */
    UacState to(UacState next) {
        boolean legal =
                switch (next) {
                    case PREPARED -> false;
                    case ACKNOWLEDGES, CANCELS, HELD -> this == PREPARED;
                    case SENT -> this == PREPARED || this == HELD;
                    case ACCEPTED -> this == SENT;
                    case RELEASED -> this == ACCEPTED;
                    case FINISHED -> concernsAnother() || forks();
                };
        if (!legal) {
            throw new IllegalStateException(this + " -> " + next);
        }
        return next;
    }
}
