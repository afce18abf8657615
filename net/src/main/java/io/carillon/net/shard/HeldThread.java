package io.carillon.net.shard;

/**
 * A thread that a handler holds and that its loop has left: is it time to tell whose handler it is?
 * What counts is what the handler has had of a processor. A machine whose processors others have, a
 * pause of the JVM and a stopped process hold a thread as well, and are no fault of the handler.
 *
 * <p>A handler that waits within native code has nothing of a processor, and holds its thread all
 * the same: it is told of after {@value #LOOKS_OF_ONE_THAT_WAITS} looks of the guard. One that gets
 * little of a processor is told of after {@value #MOST_LOOKS}.
 *
 * <p>Each takes a spare thread, and these are bounded: where many are held the clock counts, as all
 * loops would wait for the last one.
 *
 * <p>Made by the thread that carries on; then the guard's own.
 */
final class HeldThread {
    /** With what it had before its loop left it, 20 ms. */
    static final long MOST_USED_NANOS = 20_000_000 - LoopCarrier.LONGEST_NANOS;

    /** Less than this is no computing. */
    static final long LEAST_USED_NANOS = 1_000_000;

    /** At four milliseconds and more from one look to the next. */
    static final int LOOKS_OF_ONE_THAT_WAITS = 50;

    static final int MOST_LOOKS = 250;

    /** About 20 ms, where many threads are held. */
    static final int LOOKS_OF_MANY = 5;

    private final long sinceNanos;
    private final long usedBefore;
    private int looks;

    /**
     * @param sinceNanos when its handler began
     * @param usedBefore what the thread had used of a processor when its loop left it, in
     *     nanoseconds; negative: not known
     */
    HeldThread(long sinceNanos, long usedBefore) {
        this.sinceNanos = sinceNanos;
        this.usedBefore = usedBefore;
    }

    /** When its handler began. */
    long sinceNanos() {
        return sinceNanos;
    }

    /**
     * The guard looks.
     *
     * @param used what the thread has used of a processor so far; negative: not known
     * @param many are many threads held?
     * @return true when its handler holds it for too long
     */
    boolean tooLong(long used, boolean many) {
        looks++;
        long since = used < 0 || usedBefore < 0 ? 0 : used - usedBefore;
        return since >= MOST_USED_NANOS
                || (many && looks >= LOOKS_OF_MANY)
                || looks >= (since < LEAST_USED_NANOS ? LOOKS_OF_ONE_THAT_WAITS : MOST_LOOKS);
    }
}
