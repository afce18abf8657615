package io.carillon.lab.load;

/**
 * What became of calls at a server that may refuse them: counts since the beginning of the load, or
 * of one second. Every attempt counts, a caller's second one too.
 *
 * @param redialed attempts that a refused caller made once more
 * @param good answered within 200 ms and completed
 * @param accepted a provisional answer came, or the 200
 * @param acceptedFailed of those that were accepted: not completed, whatever the cause
 * @param refused a final answer other than 2xx came first
 * @param silent nothing came at all
 * @param ghosts refused, and answered by a 1xx or 2xx all the same: a late repeat was served
 * @param inDialog requests within a dialog that were answered, or given up
 * @param inDialogSlow of those: later than 50 ms, or never
 */
public record Outcomes(
        long redialed,
        long good,
        long accepted,
        long acceptedFailed,
        long refused,
        long silent,
        long ghosts,
        long inDialog,
        long inDialogSlow) {
    public static final Outcomes NONE = new Outcomes(0, 0, 0, 0, 0, 0, 0, 0, 0);

    public Outcomes minus(Outcomes earlier) {
        return plus(earlier, -1);
    }

    public Outcomes plus(Outcomes other) {
        return plus(other, 1);
    }

    private Outcomes plus(Outcomes other, int sign) {
        return new Outcomes(
                redialed + sign * other.redialed,
                good + sign * other.good,
                accepted + sign * other.accepted,
                acceptedFailed + sign * other.acceptedFailed,
                refused + sign * other.refused,
                silent + sign * other.silent,
                ghosts + sign * other.ghosts,
                inDialog + sign * other.inDialog,
                inDialogSlow + sign * other.inDialogSlow);
    }
}
