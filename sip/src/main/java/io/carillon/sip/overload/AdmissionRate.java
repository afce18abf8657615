package io.carillon.sip.overload;

/**
 * How much new work a shard lets in while it has more than it can do.
 *
 * <p>Two parts. The <em>delay</em> decides at once: from the wanted delay up to five times of it
 * ever less of the limit is let in. The <em>limit</em> follows slowly: it falls while messages wait
 * too long, and rises while they do not and something is refused. So a limit that is wrong costs
 * little, and where both meet the server is busy and messages wait no longer than they may.
 *
 * <p>Nothing is limited before messages have waited too long all the time for {@link
 * #PATIENCE_LOOKS} looks: a burst, or what a pause of the machine has left, is worked off by then.
 * A server that has not served much yet has little patience: it does not know what it can do, and
 * each call that it takes too many costs it more than later.
 *
 * <p>Owner: the shard's thread. Time is given in.
 */
final class AdmissionRate {
    /** Looks are so far apart. */
    static final long LOOK_NANOS = 10_000_000;

    /** While new work is limited. */
    static final long CLOSE_LOOK_NANOS = 2_000_000;

    /** Something is refused now, when something was so lately. */
    private static final long BOUND_NANOS = 100_000_000;

    /** Looks in a row at which messages waited too long. */
    static final int PATIENCE_LOOKS = 5;

    /** As many are enough at which they waited for far too long, or while little is known. */
    static final int PATIENCE_IF_FAR = 2;

    /** So many times the wanted delay is far too long. */
    static final int FAR = 5;

    /** It ends when nothing was refused for so long. */
    static final long CALM_NANOS = 1_000_000_000;

    /** Of new work, after which a server knows what it can do. */
    static final int KNOWN_AFTER = 5_000;

    /** Whatever waits: so much of the limit is let in, by which it is seen that all is well. */
    private static final double LEAST_PART = 0.02;

    /** For each second; it is let in whatever the limit would be. */
    private static final double LEAST_LIMIT = 20;

    /** For each second, as a part of it. */
    private static final double FALL = 5;

    private static final double RISE = 0.5;

    /** While little waits, or of a server that is not warm: it gets faster each second. */
    private static final double RISE_FAST = 2;

    /** Of the limit, what may come at once. */
    private static final double BURST_SECONDS = 0.02;

    private static final double LEAST_BURST = 8;

    private static final double NANOS = 1e-9;
    private static final double NO_ROOM = -2;

    /**
     * A queue of as many is no queue: where each takes long, they wait for one another by chance
     * alone, and who let none wait would let the server be idle.
     */
    private static final double SOME_REQUESTS = 10;

    private static final double MOST_WANTED_NANOS = 100_000_000;
    private static final double MOST_SPAN_NANOS = 100_000_000;

    /** Of the wanted delay: up to there little waits. */
    private static final double CLEAR_PART = 0.5;

    /** Of the rate over the longer time: what was too much is worked off before that is wrong. */
    private static final double LEAST_OF_LONG = 0.5;

    private static final long LONGEST_GRACE_NANOS = 1_000_000_000;
    private static final long BETWEEN_GRACES_NANOS = 2 * LONGEST_GRACE_NANOS;
    private static final long PAUSE_NANOS = 50_000_000;

    private final double least;

    private double wanted;
    private boolean limiting;
    private double limit;
    private double part = 1;
    private double tokens;
    private double burst;
    private long filledNanos;

    private long lookedNanos;
    private long sinceNanos;
    private long refusedNanos;
    private long graceUntilNanos;
    private int late;
    private int far;
    private final BegunRate begun = new BegunRate();

    /**
     * @param wantedNanos the delay that messages may have; more where few requests take as long. 0
     *     to refuse all, which shows what a refusal costs
     */
    AdmissionRate(long wantedNanos, long startNanos) {
        least = wantedNanos;
        wanted = wantedNanos;
        lookedNanos = startNanos;
        graceUntilNanos = startNanos - BETWEEN_GRACES_NANOS;
        limiting = wantedNanos == 0;
    }

    /** Is new work limited now? */
    boolean limiting() {
        return limiting;
    }

    /** Since when. */
    long sinceNanos() {
        return sinceNanos;
    }

    /** New work for each second that may be let in at most. */
    double limit() {
        return limit;
    }

    /** As the limit and the delay together have it. */
    double perSecond() {
        return limit * part;
    }

    /** New work was let in. */
    void began() {
        begun.add();
    }

    /**
     * Looks how it goes; about each {@link #LOOK_NANOS}.
     *
     * @param delayNanos what each message waited since the last look, at least
     */
    void look(long delayNanos, long nowNanos) {
        double elapsed = (nowNanos - lookedNanos) * NANOS;
        if (elapsed <= 0 || least == 0) {
            return;
        }
        begun.look(elapsed);
        double few = SOME_REQUESTS / Math.max(begun.lately(), begun.forLong()) / NANOS;
        wanted = Math.max(least, Math.min(few, MOST_WANTED_NANOS));
        pause(delayNanos, nowNanos);
        lookedNanos = nowNanos;
        late = delayNanos > wanted ? late + 1 : 0;
        far = delayNanos > wanted + span() ? far + 1 : 0;
        boolean grace = nowNanos < graceUntilNanos;
        if (limiting) {
            adapt(delayNanos, nowNanos, elapsed, grace);
            if (nowNanos - refusedNanos > CALM_NANOS && late == 0) {
                limiting = false;
                sinceNanos = 0;
                part = 1;
            }
        } else if (!grace && tooLate()) {
            begin(delayNanos, nowNanos);
        }
    }

    /**
     * Nothing that a loop does takes as long: the machine stood still, or the collector had it.
     * What has come meanwhile is no overload; twice the time is enough to work it off. After that
     * it is overload, whatever the reason.
     */
    private void pause(long delayNanos, long nowNanos) {
        long paused = nowNanos - lookedNanos;
        boolean again = nowNanos - graceUntilNanos < BETWEEN_GRACES_NANOS;
        if (paused > PAUSE_NANOS && delayNanos > wanted && !again) {
            graceUntilNanos = nowNanos + Math.min(2 * paused, LONGEST_GRACE_NANOS);
        }
    }

    private boolean tooLate() {
        boolean warm = begun.all() >= KNOWN_AFTER;
        return late >= (warm ? PATIENCE_LOOKS : PATIENCE_IF_FAR) || far >= PATIENCE_IF_FAR;
    }

    private void begin(long delayNanos, long nowNanos) {
        limiting = true;
        sinceNanos = nowNanos;
        refusedNanos = nowNanos;
        limit = Math.max(begun.lately(), LEAST_LIMIT);
        part = part(delayNanos);
        filledNanos = nowNanos;
        setBurst();
        tokens = burst / 2;
    }

    private double part(long delayNanos) {
        return Math.clamp(1 - (delayNanos - wanted) / span(), LEAST_PART, 1);
    }

    /** From the wanted delay to one that is far too long. */
    private double span() {
        return Math.min((FAR - 1) * wanted, MOST_SPAN_NANOS);
    }

    /** The delay that is wanted now, in nanoseconds. */
    double wantedNanos() {
        return wanted;
    }

    private void adapt(long delayNanos, long nowNanos, double elapsed, boolean grace) {
        part = part(delayNanos);
        if (part < 1 && !grace) {
            limit *= 1 - Math.min(0.5, FALL * elapsed * (1 - part));
        }
        if (nowNanos - refusedNanos < BOUND_NANOS) {
            // Below the wanted delay too little is let in. A little above it both are in balance:
            // the server is never idle.
            boolean fast =
                    part == 1 && (begun.all() < KNOWN_AFTER || delayNanos < CLEAR_PART * wanted);
            limit *= 1 + (fast ? RISE_FAST : RISE) * elapsed;
        }
        limit = Math.max(limit, Math.max(LEAST_LIMIT, LEAST_OF_LONG * begun.forLong()));
        setBurst();
    }

    private void setBurst() {
        burst = Math.max(LEAST_BURST, limit * BURST_SECONDS);
    }

    /** How much may come at once now, as a part of what may come at most; less than 0: too much. */
    double room(long nowNanos) {
        if (least == 0) {
            return NO_ROOM;
        }
        double more = (nowNanos - filledNanos) * NANOS * limit * part;
        if (more > 0) {
            filledNanos = nowNanos;
            tokens = Math.min(burst, tokens + more);
        }
        return tokens / burst;
    }

    /** One is let in. */
    void take() {
        tokens--;
    }

    /** One was refused. */
    void refused(long nowNanos) {
        refusedNanos = nowNanos;
    }
}
