package io.carillon.sip.dialog;

import java.util.random.RandomGenerator;

/**
 * The random waits by which two peers stop running into each other. Times from the random source
 * given, so that a seed repeats them.
 */
public final class Glare {
    private static final long MILLI = 1_000_000L;

    private Glare() {}

    /**
     * How long to wait after a 491 before the request is tried again, in nanoseconds.
     *
     * @param callIdOwner did we create the Call-ID of the dialog?
     */
    public static long waitNanos(boolean callIdOwner, RandomGenerator random) {
        // RFC 3261 14.1: "If the UAC is the owner of the Call-ID of the dialog ID (meaning it
        // generated the value), T has a randomly chosen value between 2.1 and 4 seconds in units of
        // 10 ms."
        if (callIdOwner) {
            return (210 + random.nextInt(191)) * 10L * MILLI;
        }
        // RFC 3261 14.1: "If the UAC is not the owner of the Call-ID of the dialog ID, T has a
        // randomly chosen value of between 0 and 2 seconds in units of 10 ms."
        return random.nextInt(201) * 10L * MILLI;
    }

    /**
     * RFC 3261 14.2, RFC 3311 5.2: "a Retry-After header field with a randomly chosen value of
     * between 0 and 10 seconds".
     */
    public static int retryAfterSeconds(RandomGenerator random) {
        return random.nextInt(11);
    }
}
