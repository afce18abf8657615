package io.carillon.servlet.feature.protect;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How well calls are protected now, and what was done for it. Immutable; {@code
 * docs/how-it-works/clustering-protection.md} says it for operators.
 *
 * @param calls that would outlive this node: two nodes hold their last state
 * @param unprotected calls that would not, by reason
 * @param leftProtected messages that waited for their record and left when it was safe
 * @param leftUnprotected messages that left before it was, by reason
 * @param states of calls given to the store
 * @param bytes of them
 * @param batches given to the store
 * @param failures batches that failed
 * @param removals of records of ended calls
 * @param removalsLost records that stay although their calls have ended
 * @param unchanged changes after which the record was as before
 * @param unwritable calls that could not be written at all
 * @param waitedWithin of the messages that left, those that had waited no longer than so many
 *     milliseconds
 * @param waiting messages that wait now
 * @param bytesInFlight that the store was given and has not answered for
 * @param lagMillis since when the oldest batch waits for its answer; 0 for none
 */
public record ProtectionStatus(
        long calls,
        Map<Unprotected, Long> unprotected,
        long leftProtected,
        Map<Unprotected, Long> leftUnprotected,
        long states,
        long bytes,
        long batches,
        long failures,
        long removals,
        long removalsLost,
        long unchanged,
        long unwritable,
        Map<Integer, Long> waitedWithin,
        int waiting,
        long bytesInFlight,
        long lagMillis) {
    public ProtectionStatus {
        unprotected = Map.copyOf(unprotected);
        leftUnprotected = Map.copyOf(leftUnprotected);
        waitedWithin = Map.copyOf(waitedWithin);
    }

    /** Calls that would not outlive this node. */
    public long unprotectedCalls() {
        return unprotected.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Calls that are not protected for that reason. */
    public long unprotected(Unprotected why) {
        return unprotected.getOrDefault(why, 0L);
    }

    /** Messages that left unprotected for that reason. */
    public long leftUnprotected(Unprotected why) {
        return leftUnprotected.getOrDefault(why, 0L);
    }

    /**
     * Are there calls that this node would lose, but for those of which something cannot be
     * written, and those that it made in a partition of another? Those are a matter of their
     * application, not of the store.
     */
    public boolean alarm() {
        return unprotectedCalls()
                > unprotected(Unprotected.INCOMPLETE) + unprotected(Unprotected.ELSEWHERE);
    }

    /** What only rises, by the names of the server's counters. */
    public Map<String, Long> counters() {
        Map<String, Long> all = new LinkedHashMap<>();
        all.put("protection.states", states);
        all.put("protection.bytes", bytes);
        all.put("protection.batches", batches);
        all.put("protection.failures", failures);
        all.put("protection.removals", removals);
        all.put("protection.removals_lost", removalsLost);
        all.put("protection.unchanged", unchanged);
        all.put("protection.unwritable", unwritable);
        all.put("protection.left_protected", leftProtected);
        for (Unprotected why : Unprotected.values()) {
            all.put("protection.left_" + name(why), leftUnprotected(why));
        }
        waitedWithin.forEach(
                (millis, count) -> all.put("protection.waited_" + millis + "_ms", count));
        return all;
    }

    /** What is so now, by the names of the server's counters. */
    public Map<String, Long> gauges() {
        Map<String, Long> all = new LinkedHashMap<>();
        all.put("protection.now_alarm", alarm() ? 1L : 0L);
        all.put("protection.now_calls", calls);
        for (Unprotected why : Unprotected.values()) {
            all.put("protection.now_calls_" + name(why), unprotected(why));
        }
        all.put("protection.now_waiting", (long) waiting);
        all.put("protection.now_bytes_in_flight", bytesInFlight);
        all.put("protection.now_lag_millis", lagMillis);
        return all;
    }

    private static String name(Unprotected why) {
        return why.name().toLowerCase(Locale.ROOT);
    }
}
