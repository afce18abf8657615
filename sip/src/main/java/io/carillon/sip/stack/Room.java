package io.carillon.sip.stack;

/**
 * How much room a message may take among the bytes that are held for peers. Each kind has some
 * above the one before it, so that a flood of new work leaves room to what belongs to calls, and
 * both leave room to what ends them.
 */
public enum Room {
    /** Requests that begin something: {@link StackConfig#maxHeldBytes}. */
    NEW(2),
    /**
     * What belongs to a dialog or to a request of ours, and comes again or is asked for again when
     * it is not taken: half as much more.
     */
    DIALOG(3),
    /**
     * What frees room, or comes once: BYE, CANCEL, the final response to a request of ours. Twice
     * as much as new work.
     */
    RESERVED(4);

    private final int halves;

    Room(int halves) {
        this.halves = halves;
    }

    /**
     * Is it full?
     *
     * @param heldBytes what is held now
     * @param maxHeldBytes the share of new work
     */
    boolean full(long heldBytes, long maxHeldBytes) {
        return heldBytes / halves >= Math.max(1, maxHeldBytes / 2);
    }
}
