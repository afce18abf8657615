package io.carillon.lab.load;

/** Counts {@link Outcomes}. Owner: the engine's thread. */
final class OutcomeCounts {
    /** A request within a dialog has to be answered within this. */
    static final long SLOW_NANOS = 50_000_000L;

    private long redialed;
    private long good;
    private long accepted;
    private long acceptedFailed;
    private long refused;
    private long silent;
    private long ghosts;
    private long inDialog;
    private long inDialogSlow;

    void redialed() {
        redialed++;
    }

    void accepted() {
        accepted++;
    }

    void ghost() {
        ghosts++;
    }

    void completed(boolean prompt) {
        if (prompt) {
            good++;
        }
    }

    void failed(boolean wasAccepted) {
        if (wasAccepted) {
            acceptedFailed++;
        }
    }

    void refused() {
        refused++;
    }

    void silent() {
        silent++;
    }

    /** A request within a dialog was answered after this time, or given up after it. */
    void inDialog(long nanos) {
        inDialog++;
        if (nanos > SLOW_NANOS) {
            inDialogSlow++;
        }
    }

    Outcomes soFar() {
        return new Outcomes(
                redialed,
                good,
                accepted,
                acceptedFailed,
                refused,
                silent,
                ghosts,
                inDialog,
                inDialogSlow);
    }
}
