package io.carillon.servlet.feature.protect;

import java.time.Duration;

/**
 * Times and bounds of the way into the call store. Immutable.
 *
 * @param flushWithin a change of a call is handed to the store so long after it at the latest
 * @param gather a record for which a message waits goes at once, but so long after the last ones at
 *     the earliest: each batch costs the same, whatever is in it
 * @param waitAtMost a message that waits for its record leaves after so long all the same
 * @param retryAfter after a failure of the store nothing is written for so long
 * @param bytesInFlight of records that the store was given and has not answered for, for each event
 *     loop; then calls stay marked, and are written once when there is room
 * @param statesInBatch records that the store is given at once
 * @param messagesWaiting messages that wait for their records, for each event loop; further ones
 *     leave at once
 * @param removalsWaiting ended calls whose records are still to be removed, for each event loop;
 *     further ones are left to whoever finds them
 */
public record ProtectionSettings(
        Duration flushWithin,
        Duration gather,
        Duration waitAtMost,
        Duration retryAfter,
        int bytesInFlight,
        int statesInBatch,
        int messagesWaiting,
        int removalsWaiting) {
    public static final ProtectionSettings DEFAULT =
            new ProtectionSettings(
                    Duration.ofMillis(10),
                    Duration.ofMillis(2),
                    Duration.ofMillis(50),
                    Duration.ofMillis(100),
                    8 << 20,
                    64,
                    10_000,
                    10_000);

    public ProtectionSettings {
        if (flushWithin.isNegative()
                || gather.isNegative()
                || waitAtMost.isNegative()
                || retryAfter.isNegative()) {
            throw new IllegalArgumentException("a time of the protection of calls is negative");
        }
        if (bytesInFlight < 1 || statesInBatch < 1 || messagesWaiting < 0 || removalsWaiting < 0) {
            throw new IllegalArgumentException("a bound of the protection of calls is too small");
        }
    }
}
