package io.carillon.cluster.link;

/**
 * Which numbers of a sequence have come (RFC 4303 3.4.3): each once, in any order, those that are
 * more than {@value #WIDTH} behind the highest not at all. Owner: one thread.
 */
final class ReplayWindow {
    /** How far a datagram may be overtaken. A power of two, a multiple of 64. */
    static final int WIDTH = 1024;

    private final long[] seen = new long[WIDTH / 64];
    private long highest;

    /**
     * Takes a number, of a frame whose MAC is right.
     *
     * @param number 1 or more
     * @return false when it has come before, or is too old to tell
     */
    boolean take(long number) {
        if (number <= 0 || number <= highest - WIDTH) {
            return false;
        }
        if (number > highest) {
            forget(number);
            highest = number;
        }
        int word = (int) (number >>> 6) & (seen.length - 1);
        long bit = 1L << (number & 63);
        if ((seen[word] & bit) != 0) {
            return false;
        }
        seen[word] |= bit;
        return true;
    }

    /** Makes room for all numbers up to a new highest one. */
    private void forget(long number) {
        long from = Math.max(highest + 1, number - WIDTH + 1);
        for (long i = from; i <= number; i++) {
            seen[(int) (i >>> 6) & (seen.length - 1)] &= ~(1L << (i & 63));
        }
    }
}
