package io.carillon.lab.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the user allows; -1 for what is not limited.
 *
 * @param p99Millis response time
 */
record FailureLimits(long failed, long retransmissions, long late, double p99Millis) {
    static final FailureLimits NONE = new FailureLimits(-1, -1, -1, -1);

    /** A sentence for each that is broken. */
    List<String> broken(LoadCounts counts, double p99) {
        List<String> broken = new ArrayList<>();
        if (failed >= 0 && counts.failed() > failed) {
            broken.add(counts.failed() + " calls failed, --max-failed allows " + failed + ".");
        }
        long again = counts.retransmissionsSent + counts.retransmissionsReceived;
        if (retransmissions >= 0 && again > retransmissions) {
            broken.add(
                    again
                            + " messages were sent again, --max-retransmissions allows "
                            + retransmissions
                            + ".");
        }
        if (late >= 0 && counts.late > late) {
            broken.add(counts.late + " answers were late, --max-late allows " + late + ".");
        }
        if (p99Millis >= 0 && p99 > p99Millis) {
            broken.add(
                    String.format(
                            Locale.ROOT,
                            "One answer in a hundred took more than %.1f ms, --max-p99 allows %.1f ms.",
                            p99,
                            p99Millis));
        }
        return broken;
    }

    /** The options among the limits that nothing can be said of when no response time is known. */
    List<String> ofResponseTimes() {
        List<String> options = new ArrayList<>();
        if (late >= 0) {
            options.add("--max-late");
        }
        if (p99Millis >= 0) {
            options.add("--max-p99");
        }
        return options;
    }
}
