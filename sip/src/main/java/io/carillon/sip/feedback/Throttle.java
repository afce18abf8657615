package io.carillon.sip.feedback;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What may be sent to one server: as much as it asks for (RFC 7339 7.2, RFC 7415 3.5), and hardly
 * anything while it is silent (RFC 7339 5.9).
 *
 * <p>Any thread: shards share it, as the server is one.
 */
final class Throttle {
    /** What a request is worth. */
    enum Category {
        /** RFC 7339 7.2: "candidates for reduction". */
        FIRST,
        /** Not reduced as long as there are others: of a dialog, or an emergency. */
        SECOND
    }

    /** RFC 7339 7.2: "Periodically (every 5-10 seconds)" the mix of categories is looked at. */
    private static final long MIX_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** "cat1 := 80.0 [...] the above ratio is simply a reasonable default." */
    private static final double USUAL_FIRST = 0.8;

    /** RFC 7415 3.5.2: "TAU1 = 1/2 * TAU2, and TAU2 = 10 * T". */
    private static final double FIRST_LIMIT = 5;

    private static final double SECOND_LIMIT = 10;

    /** So many requests after each other without any response are "repeated timeouts". */
    private static final int SILENT_AFTER = 3;

    private static final long FIRST_PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LAST_PROBE_NANOS = TimeUnit.SECONDS.toNanos(32);

    /** What it asks for; null while it asks for nothing. */
    private @Nullable OcValues asked;

    private long untilNanos;

    /** {@code oc-seq} of what was taken last. */
    private long sequence = OcValues.NONE;

    // The mix of categories.
    private double firstShare = USUAL_FIRST;
    private long mixFromNanos;
    private int firsts;
    private int seconds;

    /** The bucket of RFC 7415 3.5.1, in requests: X / T there. */
    private double content;

    /** LCT there. */
    private long leakedNanos;

    private int failures;
    private long probeNanos;
    private long nextProbeNanos;

    /** When somebody last asked or told something, for who forgets the oldest. */
    private long usedNanos;

    private long random;

    /**
     * @param seed of what is left to chance
     */
    Throttle(long seed, long nowNanos) {
        random = seed | 1;
        mixFromNanos = nowNanos;
        usedNanos = nowNanos;
    }

    /** May a request be sent now? If so it counts as sent. */
    synchronized boolean admits(Category category, long nowNanos) {
        usedNanos = nowNanos;
        countMix(category, nowNanos);
        if (failures >= SILENT_AFTER) {
            return probes(nowNanos);
        }
        OcValues now = inEffect(nowNanos);
        if (now == null) {
            return true;
        }
        return now.algorithm() == OcAlgorithm.LOSS
                ? !lost(now.value() / 100.0, category)
                : fits(now.value(), category, nowNanos);
    }

    /** A request is sent that nobody can hold back: an ACK. */
    synchronized void passes(long nowNanos) {
        OcValues now = inEffect(nowNanos);
        if (now != null && now.algorithm() == OcAlgorithm.RATE && now.value() > 0) {
            content = Math.min(leaked(now.value(), nowNanos), SECOND_LIMIT) + 1;
            leakedNanos = nowNanos;
        }
    }

    /**
     * RFC 7339 5.7 and 5.4: "MUST be reset to default values once the validity period has expired".
     */
    private @Nullable OcValues inEffect(long nowNanos) {
        if (asked != null && nowNanos - untilNanos >= 0) {
            asked = null;
            sequence = OcValues.NONE;
        }
        return asked;
    }

    private void countMix(Category category, long nowNanos) {
        if (nowNanos - mixFromNanos >= MIX_NANOS) {
            if (firsts + seconds > 0) {
                firstShare = (double) firsts / (firsts + seconds);
            }
            mixFromNanos = nowNanos;
            firsts = 0;
            seconds = 0;
        }
        if (category == Category.FIRST) {
            firsts++;
        } else {
            seconds++;
        }
    }

    /** RFC 7339 7.2: the reference algorithm. */
    private boolean lost(double loss, Category category) {
        if (loss <= firstShare) {
            return category == Category.FIRST && chance() * firstShare < loss;
        }
        // "Reduce 100% of msgs from category 1 and remaining from category 2."
        return category == Category.FIRST || chance() * (1 - firstShare) < loss - firstShare;
    }

    /** RFC 7415 3.5.2: the leaky bucket with two limits. */
    private boolean fits(long rate, Category category, long nowNanos) {
        // 3.5.1: "when the "oc" parameter is 0 with a non-zero "oc-validity", then the client
        // should reject 100% of SIP requests destined to the overload server."
        if (rate == 0) {
            return false;
        }
        double now = leaked(rate, nowNanos);
        if (now > (category == Category.FIRST ? FIRST_LIMIT : SECOND_LIMIT)) {
            return false;
        }
        // 3.5.3, against many clients that send in step: "u is set to a random value uniformly
        // distributed between -1/2 and +1/2" where the bucket has emptied.
        double step = now > 0 ? 1 : 0.5 + chance();
        content = Math.max(0, now) + step;
        leakedNanos = nowNanos;
        return true;
    }

    private double leaked(long rate, long nowNanos) {
        return content - (nowNanos - leakedNanos) * (double) rate / TimeUnit.SECONDS.toNanos(1);
    }

    /** At random, from 0 to below 1. */
    private double chance() {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return (random >>> 11) * 0x1.0p-53;
    }

    /** A response came from it, with these values or with none. */
    synchronized void heard(@Nullable OcValues told, long nowNanos) {
        usedNanos = nowNanos;
        failures = 0;
        if (told == null) {
            return;
        }
        OcValues before = inEffect(nowNanos);
        if (stale(told.sequence())) {
            return;
        }
        sequence = told.sequence();
        // 5.7: "If the value of the "oc-validity" parameter is 0, this indicates to the client that
        // overload control of messages destined to the server is no longer necessary".
        if (told.validityMillis() == 0) {
            asked = null;
            return;
        }
        if (before == null || before.algorithm() != told.algorithm()) {
            // RFC 7415 3.5.1 and 3.5.3: "the leaky bucket counter is initialized to" TAU0 + uT.
            content = chance() - 0.5;
            leakedNanos = nowNanos;
        }
        asked = told;
        untilNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(told.validityMillis());
    }

    /**
     * RFC 7339 5.4: the same number changes nothing, a lower one is late. 4.4: one that is
     * "significantly less than several previous values" is not late, but begins anew.
     */
    private boolean stale(long told) {
        return told != OcValues.NONE
                && sequence != OcValues.NONE
                && told <= sequence
                && (told == sequence || told >= sequence / 2);
    }

    /** No response came from it in time, or it could not be reached. */
    synchronized void failed(long nowNanos) {
        usedNanos = nowNanos;
        failures++;
        if (failures == SILENT_AFTER) {
            nextProbeNanos = FIRST_PROBE_NANOS;
            probeNanos = nowNanos + nextProbeNanos;
        }
    }

    /**
     * RFC 7339 5.9: "In the event of repeated timeouts or fatal transport errors, the SIP client
     * MUST stop sending requests to this server. The SIP client SHOULD periodically probe [...]
     * Clients should be conservative in their probing (e.g., using an exponential back-off)". The
     * next request is the probe.
     */
    private boolean probes(long nowNanos) {
        if (nowNanos - probeNanos < 0) {
            return false;
        }
        nextProbeNanos = Math.min(2 * nextProbeNanos, LAST_PROBE_NANOS);
        probeNanos = nowNanos + nextProbeNanos;
        return true;
    }

    synchronized long usedNanos() {
        return usedNanos;
    }
}
