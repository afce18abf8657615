package io.carillon.lab.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether the load itself was the bottleneck: then its figures say nothing of the server.
 *
 * @param reason a sentence, or several; empty when the load kept up
 */
record LoadVerdict(String reason) {
    /** So late the last call in a hundred may begin. */
    static final double MOST_BEHIND_MILLIS = 10;

    /** So much of a CPU the event loop may use: above, what comes waits for it. */
    static final double MOST_LOOP = 0.85;

    /** Share of the time that garbage collections may stop the load. */
    static final double MOST_GC = 0.01;

    boolean limited() {
        return !reason.isEmpty();
    }

    /**
     * Judges.
     *
     * @param behindMillis 99 % of the calls were begun no later after their time
     * @param used of the measured time
     * @param nanos the measured time
     * @param localErrors datagrams that this process could not hand to the kernel
     */
    static LoadVerdict of(double behindMillis, ProcessCosts used, long nanos, long localErrors) {
        List<String> reasons = new ArrayList<>();
        if (used.drops() > 0) {
            reasons.add(
                    "the kernel dropped "
                            + used.drops()
                            + " datagrams at the load's own sockets (net.core.rmem_max)");
        }
        if (localErrors > 0) {
            reasons.add(localErrors + " datagrams could not be handed to the kernel");
        }
        if (behindMillis > MOST_BEHIND_MILLIS) {
            reasons.add(
                    String.format(
                            Locale.ROOT,
                            "one call in a hundred was begun more than %.0f ms late",
                            behindMillis));
        }
        double loop = (double) used.loopNanos() / Math.max(1, nanos);
        if (loop > MOST_LOOP) {
            reasons.add(
                    String.format(
                            Locale.ROOT, "its event loop used %.0f %% of its one CPU", loop * 100));
        }
        double gc = (double) used.gcNanos() / Math.max(1, nanos);
        if (gc > MOST_GC) {
            reasons.add(
                    String.format(
                            Locale.ROOT,
                            "its garbage collections stopped it for %.1f %% of the time",
                            gc * 100));
        }
        return new LoadVerdict(
                reasons.isEmpty()
                        ? ""
                        : "The load itself was the bottleneck: "
                                + String.join("; ", reasons)
                                + ".");
    }
}
