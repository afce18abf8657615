package io.carillon.cluster.member;

/**
 * The number of a node's life: a count that rises from life to life, above some bits that are a
 * process's own. A process that starts learns the past of its number change by change, and counts
 * on from what it has learnt; without bits of its own it could come to the number of a life that it
 * has yet to learn of, and take it for its own.
 */
public final class Incarnation {
    private static final int OWN_BITS = 30;
    private static final long OWN = (1L << OWN_BITS) - 1;

    private Incarnation() {}

    /**
     * Of a process that begins.
     *
     * @param count rises from process to process, such as seconds since 1970; 33 bits
     * @param own by chance, another one for each process
     */
    public static long first(long count, int own) {
        return (count << OWN_BITS) | (own & OWN);
    }

    /** The next life of the process whose number is given, above another one. */
    public static long above(long other, long mine) {
        return (((other >>> OWN_BITS) + 1) << OWN_BITS) | (mine & OWN);
    }
}
