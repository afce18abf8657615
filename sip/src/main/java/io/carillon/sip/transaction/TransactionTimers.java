package io.carillon.sip.transaction;

/**
 * The timer values of RFC 3261 section 17 (table 4 of appendix A), in nanoseconds.
 *
 * @param t1Nanos estimate of the round-trip time, 500 ms by default
 * @param t2Nanos longest interval between retransmissions of non-INVITE requests and INVITE
 *     responses, 4 s
 * @param t4Nanos longest time a message stays in the network, 5 s
 * @param timerDNanos how long an INVITE client transaction absorbs repeated finals over UDP: at
 *     least 32 s
 * @param tryingNanos a 100 is sent when the layer above has sent nothing for this long: 200 ms; 0
 *     sends it at once
 */
public record TransactionTimers(
        long t1Nanos, long t2Nanos, long t4Nanos, long timerDNanos, long tryingNanos) {
    private static final long MILLIS = 1_000_000L;

    /** The default values of RFC 3261. */
    public static final TransactionTimers DEFAULT =
            of(500 * MILLIS, 4_000 * MILLIS, 5_000 * MILLIS, 200 * MILLIS);

    public TransactionTimers {
        if (t1Nanos <= 0 || t2Nanos < t1Nanos || t4Nanos <= 0 || tryingNanos < 0) {
            throw new IllegalArgumentException("0 < T1 <= T2, 0 < T4 and 0 <= trying must hold");
        }
    }

    /** Values with Timer D as the longer of 32 s and 64*T1. */
    public static TransactionTimers of(long t1Nanos, long t2Nanos, long t4Nanos, long tryingNanos) {
        return new TransactionTimers(
                t1Nanos, t2Nanos, t4Nanos, Math.max(32_000 * MILLIS, 64 * t1Nanos), tryingNanos);
    }

    /** 64*T1: the length of Timers B, F, H, J, L and M. */
    public long timeoutNanos() {
        return 64 * t1Nanos;
    }

    /**
     * RFC 4320 section 4.1: "the amount of time it takes a client transaction's Timer E to be reset
     * to T2": the sum of the intervals before the one that is T2 long.
     */
    public long timerEToT2Nanos() {
        long elapsed = 0;
        for (long interval = t1Nanos;
                interval < t2Nanos;
                interval = Math.min(2 * interval, t2Nanos)) {
            elapsed += interval;
        }
        return elapsed;
    }
}
