package io.carillon.sip.admission;

/**
 * How much room a message may take among what is held for peers. There are two accounts, so that
 * neither starves the other: open requests, and messages that wait ({@link WaitingMessages}). In
 * both each kind has some room above the one before it: a flood of new work leaves room to what
 * belongs to calls, and both leave room to what ends them. All of it together is never more than
 * twice {@link Capacity#requestHeapBytes}.
 */
public enum Room {
    /** Requests that begin something. */
    NEW(4, 2),
    /**
     * What belongs to a dialog or to a request of ours, and comes again or is asked for again when
     * it is not taken.
     */
    DIALOG(5, 3),
    /** What frees room, or comes once: BYE, CANCEL, the final response to a request of ours. */
    RESERVED(6, 4);

    private static final long LARGEST = 1L << 60;

    private final int quartersOpen;
    private final int eighthsWaiting;

    Room(int quartersOpen, int eighthsWaiting) {
        this.quartersOpen = quartersOpen;
        this.eighthsWaiting = eighthsWaiting;
    }

    /** How much of it there is of open requests, and of a source's share of them, in quarters. */
    int quartersOpen() {
        return quartersOpen;
    }

    /** Bytes of open requests from which on there is no room; other things likewise. */
    long open(long requestHeapBytes) {
        return Math.max(1, Math.min(requestHeapBytes, LARGEST) * quartersOpen / 4);
    }

    /** Bytes of waiting messages from which on there is no room. */
    long waiting(long requestHeapBytes) {
        return Math.max(1, Math.min(requestHeapBytes, LARGEST) / 8 * eighthsWaiting);
    }
}
