package io.carillon.sip.overload;

import io.carillon.sip.guard.PeerTerms;
import java.util.concurrent.TimeUnit;

/**
 * When new work is shed. Immutable.
 *
 * @param on whether it ever is
 * @param delayNanos the queueing delay above which new work is shed; 0 refuses all of it
 * @param retryAfterSeconds the longest Retry-After that a phone is told, each another one; 0 for
 *     none. Proxies and trunks are told none, as RFC 3261 21.5.4 has them send nothing at all then
 * @param peers who is a peer, and what is agreed with each
 */
public record OverloadConfig(
        boolean on, long delayNanos, int retryAfterSeconds, PeerTerms.Table peers) {
    /** Sheds above 10 ms. */
    public static final OverloadConfig DEFAULT =
            new OverloadConfig(true, TimeUnit.MILLISECONDS.toNanos(10), 10);

    /** Never sheds. */
    public static final OverloadConfig OFF = new OverloadConfig(false, Long.MAX_VALUE, 0);

    public OverloadConfig {
        if (delayNanos < 0 || retryAfterSeconds < 0) {
            throw new IllegalArgumentException("a delay and Retry-After are 0 or more");
        }
    }

    /** As the other, without peers. */
    public OverloadConfig(boolean on, long delayNanos, int retryAfterSeconds) {
        this(on, delayNanos, retryAfterSeconds, PeerTerms.Table.NOBODY);
    }
}
