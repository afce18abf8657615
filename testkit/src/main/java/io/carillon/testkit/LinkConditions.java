package io.carillon.testkit;

/**
 * How a way between two addresses treats datagrams. Streams (TCP and the like) keep order and lose
 * nothing: of these only the delay holds for them.
 *
 * @param loss share of datagrams that vanish, 0 to 1
 * @param duplication share that arrives twice
 * @param reordering share that is held back by up to {@code holdNanos}, so that later ones overtake
 *     it
 * @param minDelayNanos shortest way
 * @param maxDelayNanos longest way of those not held back
 * @param holdNanos longest time a datagram is held back
 */
public record LinkConditions(
        double loss,
        double duplication,
        double reordering,
        long minDelayNanos,
        long maxDelayNanos,
        long holdNanos) {
    private static final long MILLI = 1_000_000L;

    /** One millisecond, nothing lost, order kept. */
    public static final LinkConditions PERFECT = new LinkConditions(0, 0, 0, MILLI, MILLI, 0);

    /**
     * The worst that our simulation promises to survive: a fifth lost, a tenth doubled, a fifth
     * late by up to a second.
     */
    public static final LinkConditions WORST =
            new LinkConditions(0.2, 0.1, 0.2, MILLI, 50 * MILLI, 1_000 * MILLI);

    public LinkConditions {
        if (loss < 0
                || loss > 1
                || duplication < 0
                || duplication > 1
                || reordering < 0
                || reordering > 1) {
            throw new IllegalArgumentException("a share lies between 0 and 1");
        }
        if (minDelayNanos < 0 || maxDelayNanos < minDelayNanos || holdNanos < 0) {
            throw new IllegalArgumentException(
                    "delays are not negative, the longest not shorter than the shortest");
        }
    }

    public LinkConditions withLoss(double share) {
        return new LinkConditions(
                share, duplication, reordering, minDelayNanos, maxDelayNanos, holdNanos);
    }
}
