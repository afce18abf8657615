package io.carillon.sip.feedback;

import java.util.concurrent.TimeUnit;

/**
 * What one client sends us, how much of it was refused as we are overloaded, and so what it is
 * asked to send. What is refused here is what the client had better refused itself: as long as
 * there is any, it is asked for less by just that share; then for more, slowly, and faster when
 * nothing was refused for a while. So a client that sends no more than its share is asked for
 * nothing, however loud others are.
 *
 * <p>Any thread: shards share it, as the client sees one server.
 */
final class Demand {
    /** RFC 7339 4.3 has 500 ms; a client that is told nothing for so long sends all again. */
    private static final long VALIDITY_MILLIS = 1_000;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MOST_STEPS = 100;

    /**
     * So much of what a client sends is better refused here than not sent: it costs little, and a
     * server that refuses nothing may be idle.
     */
    private static final double WANTED = 0.1;

    /** What is asked for falls no further at one look. */
    private static final double DEEPEST_FALL = 0.2;

    private static final double LEAST = 0.01;

    /** A step up: what is too much by it is refused here, at a low price. */
    private static final double SLOW_RISE = 1.02;

    private static final double FAST_RISE = 1.1;
    private static final long REFUSED_LATELY_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** How much a look counts beside those before it. */
    private static final double WEIGHT = 0.3;

    private static final double NANOS_IN_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long epochMillis;
    private long lookedNanos;

    // Since the last look.
    private int begun;
    private int refused;
    private int others;

    /** Requests each second that begin something, and others, as they came. */
    private double beginRate;

    private double otherRate;

    /** The part of new work that the client is to send; 1: all, nothing is asked for. */
    private double accepts = 1;

    /** That part in requests each second. */
    private double acceptedRate;

    private long refusedNanos;
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

    private void seen(long nowNanos) {
        usedNanos = nowNanos;
        long since = nowNanos - lookedNanos;
        if (since >= LOOK_NANOS && begun + refused + others == 0) {
            // Nothing came for a while: rates count from now on.
            look(since, nowNanos);
        }
    }

    /** What it is to be told now. */
    synchronized OcValues told(OcAlgorithm algorithm, long nowNanos) {
        long since = nowNanos - lookedNanos;
        if (since >= LOOK_NANOS) {
            look(since, nowNanos);
        }
        if (accepts >= 1) {
            // 5.1: "if the server is currently not in an overload condition, it MUST set the value
            // of the "oc" parameter to be 0 and MAY insert an "oc-validity=0" parameter".
            return new OcValues(algorithm, 0, 0, sequence);
        }
        long value =
                algorithm == OcAlgorithm.LOSS
                        ? loss()
                        : (long) Math.max(1, Math.ceil(acceptedRate + otherRate));
        return new OcValues(algorithm, value, VALIDITY_MILLIS, sequence);
    }

    /**
     * RFC 7339 5.3: a value that is expected to be applied "to all downstream SIP requests
     * (dialogue forming as well as in-dialogue)", of which the client takes those that begin
     * something first: their part of what it would send without us.
     */
    private long loss() {
        double wanted = beginRate / accepts;
        double all = wanted + otherRate;
        double share = all > 0 ? wanted / all : 1;
        // Rather a few too many, which are refused here: a percent of ten times our capacity is a
        // tenth of it.
        return Math.clamp((long) (100 * (1 - accepts) * share), 1L, 100L);
    }

    private void look(long since, long nowNanos) {
        boolean asked = accepts < 1;
        double seconds = since / NANOS_IN_SECOND;
        double weight = since > 5 * LOOK_NANOS ? 1 : WEIGHT;
        beginRate += weight * ((begun + refused) / seconds - beginRate);
        otherRate += weight * (others / seconds - otherRate);
        if (refused > 0) {
            refusedNanos = nowNanos;
        }
        double share = refused / (begun + refused + 1.0);
        if (share > WANTED) {
            if (!asked) {
                acceptedRate = (begun + refused) / seconds;
            }
            change(Math.max(DEEPEST_FALL, (1 - share) / (1 - WANTED)));
        } else if (asked) {
            boolean lately = nowNanos - refusedNanos < REFUSED_LATELY_NANOS;
            double steps = Math.min(MOST_STEPS, (double) since / STEP_NANOS);
            change(Math.pow(lately ? SLOW_RISE : FAST_RISE, steps * (1 - share / WANTED)));
        }
        // 5.7: "The SIP server MUST increment the value of "oc-seq"" with what it changes; and a
        // client restarts the validity with a higher one only.
        if (asked || accepts < 1) {
            sequence = Math.max(sequence + 1, sequenceAt(nowNanos));
        }
        begun = 0;
        refused = 0;
        others = 0;
        lookedNanos = nowNanos;
    }

    private void change(double by) {
        accepts = Math.clamp(accepts * by, LEAST, 1);
        acceptedRate *= by;
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
