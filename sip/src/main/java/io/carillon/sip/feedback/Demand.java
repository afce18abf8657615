package io.carillon.sip.feedback;

import java.util.concurrent.TimeUnit;

/**
 * What one client sends us, how much of it was refused as we are overloaded, and so what it is
 * asked to send: what we take of it, and a little more. What is refused here is what the client had
 * better refused itself. So a client that sends no more than its share is asked for nothing,
 * however loud others are.
 *
 * <p>Both algorithms stand on one number, the new work each second that is to come: as a rate it is
 * told as it is; as a loss by what the client would send without us, which is what comes divided by
 * the part that it sends. So a loss ends as soon as the load has fallen.
 *
 * <p>Any thread: shards share it, as the client sees one server.
 */
final class Demand {
    /** RFC 7339 4.3 has 500 ms; a client that is told nothing for so long sends all again. */
    private static final long VALIDITY_MILLIS = 1_000;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /**
     * So much of what a client sends is better refused here than not sent: it costs little, and a
     * server that refuses nothing may be idle.
     */
    private static final double WANTED = 0.1;

    /** For each tenth of a second: what is too much by it is refused here. */
    private static final double SLOW_RISE = 1.04;

    private static final double FAST_RISE = 1.1;
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final double MOST_STEPS = 20;
    private static final long REFUSED_LATELY_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** It is over when nothing was refused for so long and less came than may. */
    private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** So much of what may come uses it. */
    private static final double USED = 0.8;

    /** How much a look counts beside those before it. */
    private static final double WEIGHT = 0.4;

    /** Less in what is asked for: what was taken in a bad moment is not what we can do. */
    private static final double TARGET_WEIGHT = 0.2;

    private static final double NANOS_IN_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long epochMillis;
    private long lookedNanos;

    // Since the last look.
    private int begun;
    private int refused;
    private int others;

    // Requests each second: that begin something and were taken, would come without us, and others.
    private double taken;
    private double wanted;
    private double other;

    /** Is something asked for, or was until a moment ago? */
    private boolean active;

    /** New work each second that is to come, while {@link #active}. */
    private double target;

    /** The part of it that the client sends, by the loss that it was told last. */
    private double sent = 1;

    private long refusedNanos;
    private boolean asked;
    private long sequence;
    private long usedNanos;

    /**
     * @param epochMillis with the executor's clock the time of day, by which a sequence goes on
     *     above that of the run before
     */
    Demand(long epochMillis, long nowNanos) {
        this.epochMillis = epochMillis;
        lookedNanos = nowNanos;
        usedNanos = nowNanos;
        sequence = sequenceAt(nowNanos);
    }

    /**
     * A request came from it and was taken.
     *
     * @param begins it has no To tag
     */
    synchronized void came(boolean begins, long nowNanos) {
        seen(nowNanos);
        if (begins) {
            begun++;
        } else {
            others++;
        }
    }

    /** A request came from it and was refused, for we are overloaded. */
    synchronized void refused(long nowNanos) {
        seen(nowNanos);
        refused++;
    }

    /** One that {@link #came} and begins something was refused in the end. */
    synchronized void refusedAfterAll(long nowNanos) {
        begun = Math.max(0, begun - 1);
        refused(nowNanos);
    }

    private void seen(long nowNanos) {
        usedNanos = nowNanos;
        if (nowNanos - lookedNanos >= LOOK_NANOS && begun + refused + others == 0) {
            // Nothing came for a while: rates count from now on.
            look(nowNanos);
        }
    }

    /** What it is to be told now. */
    synchronized OcValues told(OcAlgorithm algorithm, long nowNanos) {
        if (nowNanos - lookedNanos >= LOOK_NANOS) {
            look(nowNanos);
            boolean before = asked;
            asked = active && (algorithm == OcAlgorithm.RATE || target < wanted);
            sent = asked && algorithm == OcAlgorithm.LOSS ? 1 - loss() / share() / 100 : 1;
            // 5.7: "The SIP server MUST increment the value of "oc-seq"" with what it changes; and
            // a client restarts the validity with a higher one only.
            if (before || asked) {
                sequence = Math.max(sequence + 1, sequenceAt(nowNanos));
            }
        }
        if (!asked) {
            // 5.1: "if the server is currently not in an overload condition, it MUST set the value
            // of the "oc" parameter to be 0 and MAY insert an "oc-validity=0" parameter".
            return new OcValues(algorithm, 0, 0, sequence);
        }
        long value =
                algorithm == OcAlgorithm.LOSS
                        ? loss()
                        : (long) Math.max(1, Math.ceil(target + other));
        return new OcValues(algorithm, value, VALIDITY_MILLIS, sequence);
    }

    /**
     * RFC 7339 5.3: a value that is expected to be applied "to all downstream SIP requests
     * (dialogue forming as well as in-dialogue)", of which the client takes those that begin
     * something first. Rather a few too many: a percent of ten times what we can do is a tenth of
     * it.
     */
    private long loss() {
        return Math.clamp((long) (100 * (1 - target / wanted) * share()), 1L, 99L);
    }

    /** The part of what would come that begins something. */
    private double share() {
        return wanted / (wanted + other);
    }

    private void look(long nowNanos) {
        long since = nowNanos - lookedNanos;
        double seconds = since / NANOS_IN_SECOND;
        double weight = since > 5 * LOOK_NANOS ? 1 : WEIGHT;
        double before = taken;
        taken += weight * (begun / seconds - taken);
        wanted += weight * ((begun + refused) / seconds / Math.max(0.01, sent) - wanted);
        other += weight * (others / seconds - other);
        if (refused > 0) {
            refusedNanos = nowNanos;
        }
        double share = refused / (begun + refused + 1.0);
        double fits = begun / seconds / (1 - WANTED);
        if (share > WANTED) {
            target = active ? target + TARGET_WEIGHT * (fits - target) : Math.max(before, fits);
            target = Math.max(1, target);
            active = true;
        } else if (active) {
            rise(since, share, nowNanos);
        }
        begun = 0;
        refused = 0;
        others = 0;
        lookedNanos = nowNanos;
    }

    private void rise(long since, double share, long nowNanos) {
        boolean used = taken > USED * target;
        long calm = nowNanos - refusedNanos;
        if (!used && calm >= CALM_NANOS) {
            active = false;
        } else if (used) {
            double steps = Math.min(MOST_STEPS, (double) since / STEP_NANOS);
            double rise = calm < REFUSED_LATELY_NANOS ? SLOW_RISE : FAST_RISE;
            target *= Math.pow(rise, steps * (1 - share / WANTED));
        }
    }

    /** 4.4: "A timestamp can be used as a value of the "oc-seq" parameter." In milliseconds. */
    private long sequenceAt(long nowNanos) {
        long millis = epochMillis + TimeUnit.NANOSECONDS.toMillis(nowNanos);
        return Math.max(0, millis) * (OcValues.PARTS / 1000);
    }

    synchronized long usedNanos() {
        return usedNanos;
    }
}
