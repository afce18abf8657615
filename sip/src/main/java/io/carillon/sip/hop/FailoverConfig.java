package io.carillon.sip.hop;

/**
 * How a request goes from one server of its target to the next (RFC 3263 section 4.3). Immutable.
 *
 * @param tryNextNanos a server that has answered nothing for so long is left for the next one; 0:
 *     only Timer B or F ends the waiting, as the RFC has it
 * @param downTimeNanos how long a server that failed is tried after the others; 0: it keeps its
 *     place
 * @param maxRetryAfterNanos the longest time that the Retry-After of a 503 is believed
 * @param maxDown servers remembered as failed; more push out the oldest
 * @param responses a response that cannot reach the client's address is sent to where the name in
 *     the Via leads (RFC 3263 section 5)
 */
public record FailoverConfig(
        long tryNextNanos,
        long downTimeNanos,
        long maxRetryAfterNanos,
        int maxDown,
        boolean responses) {

    /** As the RFC has it, with half a minute in which a dead server comes last. */
    public static final FailoverConfig DEFAULT =
            new FailoverConfig(0, 30_000_000_000L, 300_000_000_000L, 1024, true);

    public FailoverConfig {
        if (tryNextNanos < 0 || downTimeNanos < 0 || maxRetryAfterNanos < 0 || maxDown < 1) {
            throw new IllegalArgumentException("times of failover cannot be negative");
        }
    }

    /** The same with another time for a silent server. */
    public FailoverConfig withTryNextNanos(long nanos) {
        return new FailoverConfig(nanos, downTimeNanos, maxRetryAfterNanos, maxDown, responses);
    }
}
