package io.carillon.lab.overload;

import io.carillon.lab.load.LoadSample;
import io.carillon.lab.load.Outcomes;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a load above the capacity came to.
 *
 * @param capacity calls/s that the server carries
 * @param offered attempts per second, those of refused callers included
 * @param goodput good calls per second over the capacity
 * @param worstGoodput the same in the worst 5 s after the first 5
 * @param refused attempts per second
 * @param silent attempts that nothing was answered to, per second
 * @param accepted calls, those of the time after included
 * @param acceptedFailed of them
 * @param ghosts calls that were refused and served all the same
 * @param inDialogSlow share of the requests within dialogs that took longer than 50 ms
 * @param inDialogP99Millis of the worst second
 * @param drops datagrams that the kernel dropped at the server
 * @param serverCpu share of one CPU
 * @param cpuPerCall CPU of a good call before the overload, microseconds
 * @param cpuPerRefusal what the overload's CPU leaves for each refusal when its good calls cost as
 *     much as those before, microseconds; NaN without refusals
 * @param fallSeconds from the fall of the first calls' rate until refused callers, who call once
 *     more, asked for no more than the capacity
 * @param recoverySeconds from then on until every second was as before
 * @param limited why the load itself was the bottleneck; empty when it was not
 */
record OverloadFigures(
        double capacity,
        double offered,
        double goodput,
        double worstGoodput,
        double refused,
        double silent,
        long accepted,
        long acceptedFailed,
        long ghosts,
        double inDialogSlow,
        double inDialogP99Millis,
        long drops,
        double serverCpu,
        double cpuPerCall,
        double cpuPerRefusal,
        int fallSeconds,
        int recoverySeconds,
        String limited) {
    /** The windows in which goodput must not fall. */
    static final int WINDOW_SECONDS = 5;

    /** A second after the fall is as before when so many of its calls are good. */
    static final double NORMAL_SHARE = 0.95;

    static OverloadFigures of(LoadCourse course, double capacity) {
        List<LoadSample> above = course.above();
        Outcomes during = sum(above);
        Outcomes whole = sum(course.fromAbove());
        double seconds = Math.max(1, above.size());
        double cpuPerCall =
                1e6
                        * total(course.before(), LoadSample::serverCpu)
                        / Math.max(1, sum(course.before()).good());
        double cpu = total(above, LoadSample::serverCpu);
        int fall = fall(course.after(), capacity);
        return new OverloadFigures(
                capacity,
                total(above, LoadSample::made) / seconds,
                during.good() / seconds / capacity,
                worst(above) / capacity,
                during.refused() / seconds,
                during.silent() / seconds,
                whole.accepted(),
                whole.acceptedFailed(),
                whole.ghosts(),
                whole.inDialog() == 0 ? 0 : (double) whole.inDialogSlow() / whole.inDialog(),
                above.stream().mapToDouble(LoadSample::inDialogP99Millis).max().orElse(0),
                (long) total(above, LoadSample::serverDrops),
                cpu / seconds,
                cpuPerCall,
                during.refused() == 0
                        ? Double.NaN
                        : Math.max(0, 1e6 * cpu - during.good() * cpuPerCall) / during.refused(),
                fall,
                Math.max(0, lastMissing(course) - fall),
                course.limited());
    }

    static Outcomes sum(List<LoadSample> seconds) {
        Outcomes sum = Outcomes.NONE;
        for (LoadSample second : seconds) {
            sum = sum.plus(second.outcomes());
        }
        return sum;
    }

    static double total(List<LoadSample> seconds, ToDoubleFunction<LoadSample> value) {
        return seconds.stream().mapToDouble(value).sum();
    }

    /** Good calls per second in the worst window; the first one does not count. */
    static double worst(List<LoadSample> seconds) {
        double worst = Double.NaN;
        for (int from = WINDOW_SECONDS; from + WINDOW_SECONDS <= seconds.size(); from++) {
            double good =
                    (double) sum(seconds.subList(from, from + WINDOW_SECONDS)).good()
                            / WINDOW_SECONDS;
            worst = Double.isNaN(worst) ? good : Math.min(worst, good);
        }
        return worst;
    }

    /** Seconds until the last one in which more was asked than the server holds. */
    static int fall(List<LoadSample> after, double capacity) {
        int last = 0;
        for (int i = 0; i < after.size(); i++) {
            last = after.get(i).made() > capacity ? i + 1 : last;
        }
        return last;
    }

    /**
     * Seconds from the fall of the first calls' rate until the last one that was not as before was
     * over. What is up when a second ends is good in the next one.
     */
    static int lastMissing(LoadCourse course) {
        List<LoadSample> after = course.after();
        long held = course.heldBeforeTheFall();
        int last = 0;
        for (int i = 0; i < after.size(); i++) {
            LoadSample second = after.get(i);
            double missing =
                    second.made() - second.outcomes().good() - (double) (second.held() - held);
            held = second.held();
            if (missing > Math.max(2, (1 - NORMAL_SHARE) * second.made())) {
                last = i + 1;
            }
        }
        return last;
    }

    double acceptedFailedShare() {
        return accepted == 0 ? 0 : (double) acceptedFailed / accepted;
    }
}
