package io.carillon.sip.proxy;

/**
 * What has come of the request of a {@link ProxyBranch}, on the shard's thread. Changed by {@link
 * #to} alone.
 */
enum Outcome {
    /** No final response yet. */
    OPEN,
    /** No timer is needed any more: it failed, or a 2xx came that nobody here remembers. */
    OVER,
    /** A 2xx to the INVITE came, and there was no room for it. */
    MISSED,
    /** The turn knows, or will know, of a 2xx to the INVITE. */
    ACCEPTED,
    /** The turn knows, or will know, that the stack has finished. */
    TOLD;

    /**
     * The one change.
     *
     * @return the next one
     */
    Outcome to(Outcome next) {
        boolean legal =
                switch (next) {
                    case OPEN -> false;
                    case OVER -> this == OPEN;
                    case MISSED -> this == OVER;
                    case ACCEPTED -> this == OVER || this == MISSED;
                    case TOLD -> this != TOLD;
                };
        if (!legal) {
            throw new IllegalStateException(this + " -> " + next);
        }
        return next;
    }
}
