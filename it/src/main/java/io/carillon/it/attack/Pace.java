package io.carillon.it.attack;

import java.util.concurrent.locks.LockSupport;

/** Says how many are due, millisecond by millisecond. Owner: one thread. */
final class Pace {
    private static final long SLOT_NANOS = 1_000_000;

    private final double perNano;
    private final long beginNanos = System.nanoTime();
    private final long untilNanos;
    private long sent;

    Pace(int perSecond, long untilNanos) {
        this.perNano = perSecond / 1e9;
        this.untilNanos = untilNanos;
    }

    /** Waits for the next slot; how many are due in it, or -1 when the time has come. */
    int due() {
        LockSupport.parkNanos(SLOT_NANOS);
        long now = System.nanoTime();
        if (now - untilNanos >= 0) {
            return -1;
        }
        int due = (int) Math.min(1000, (long) ((now - beginNanos) * perNano) - sent);
        sent += Math.max(0, due);
        return Math.max(0, due);
    }
}
