package io.carillon.lab.overload;

import static io.carillon.lab.study.FigureText.format;

import io.carillon.lab.load.LoadSample;
import io.carillon.lab.load.Outcomes;
import java.util.ArrayList;
import java.util.List;

/**
 * What a refused call costs beside one that is served.
 *
 * @param served the load that was served
 * @param refused the loads of which nothing was let in, the lower rate first
 */
record RefusalFigures(Cost served, List<Cost> refused) {
    /** A refused call costs so much of a served one, at most. */
    static final double MOST_SHARE = 0.15;

    /** So many of the calls have to be what the load is for. */
    private static final double ALL = 0.999;

    /**
     * The CPU of a load.
     *
     * @param rate calls/s
     * @param made calls begun
     * @param done of them: served well, or refused
     * @param cpuSeconds of the server, in the load's time
     * @param idleSeconds of the server without load, in as much time
     */
    record Cost(int rate, double made, double done, double cpuSeconds, double idleSeconds) {
        /** Of one call: what the server takes beside what it takes without any, microseconds. */
        double micros() {
            return done == 0 ? Double.NaN : 1e6 * (cpuSeconds - idleSeconds) / done;
        }

        private boolean whole() {
            return made > 0 && done >= ALL * made;
        }
    }

    /** Of a load that was served. */
    static Cost served(int rate, List<LoadSample> seconds, double idleShare) {
        return cost(rate, seconds, OverloadFigures.sum(seconds).good(), idleShare);
    }

    /** Of a load that was refused. */
    static Cost refused(int rate, List<LoadSample> seconds, double idleShare) {
        Outcomes sum = OverloadFigures.sum(seconds);
        return cost(rate, seconds, sum.refused() - sum.ghosts(), idleShare);
    }

    private static Cost cost(int rate, List<LoadSample> seconds, long done, double idleShare) {
        return new Cost(
                rate,
                OverloadFigures.total(seconds, LoadSample::made),
                (double) done,
                OverloadFigures.total(seconds, LoadSample::serverCpu),
                idleShare * seconds.size());
    }

    List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        lines.add(
                new Line(
                        format("served at %,d calls/s", served.rate()),
                        format(
                                "%,.0f of %,.0f good, %,.1f us of CPU each",
                                served.done(), served.made(), served.micros()),
                        "99.9 % good",
                        served.whole()));
        for (Cost one : refused) {
            String at = format("refused at %,d calls/s", one.rate());
            double share = one.micros() / served.micros();
            lines.add(
                    new Line(
                            at,
                            format("%,.0f of %,.0f", one.done(), one.made()),
                            "99.9 %",
                            one.whole()));
            lines.add(
                    new Line(
                            at + ", CPU of one",
                            format("%,.1f us, %.3f of a served call", one.micros(), share),
                            format("at most %.2f", MOST_SHARE),
                            share <= MOST_SHARE));
        }
        return lines;
    }
}
