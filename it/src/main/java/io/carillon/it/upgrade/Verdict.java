package io.carillon.it.upgrade;

import io.carillon.it.place.RestlessCallers;
import io.carillon.lab.load.LoadSummary;
import io.carillon.sip.token.Ownership;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Judges a rolling upgrade. Stateless. */
final class Verdict {
    /** A node is gone within so many seconds. */
    static final double LEFT_SECONDS = 60;

    /** Messages that are sent again, of all. */
    static final double AGAIN = 0.001;

    /** What a node may own more than its even share. */
    static final double OVER_SHARE = 1.05;

    /**
     * Messages of a call that its two phones send and receive: INVITE, 100 or 180, 200, ACK, BYE
     * and 200 at either.
     */
    private static final int MESSAGES = 14;

    /**
     * A line of the judgement.
     *
     * @param good does it hold
     */
    record Line(boolean good, String text) {
        @Override
        public String toString() {
            return (good ? "ok    " : "SHORT ") + text;
        }
    }

    /** As the load calls it. */
    private static final String STOPPED = "stopped";

    private Verdict() {}

    /**
     * All lines.
     *
     * @param nodes how many there are
     * @param up calls of it that were up when the first node left
     * @param held the load whose calls were up all the time, and ended after it
     * @param passing the load whose calls came and went
     */
    static List<Line> of(Course course, int nodes, long up, LoadSummary held, LoadSummary passing) {
        List<Line> lines = new ArrayList<>();
        lines.add(
                new Line(
                        failures(passing) == 0,
                        passing.made() + " calls made meanwhile; failed " + causes(passing)));
        lines.add(
                new Line(
                        held.completed() >= up,
                        up
                                + " calls held throughout; lost "
                                + Math.max(0, up - held.completed())
                                + (failures(held) == 0 ? "" : "; failed in all " + causes(held))));
        lines.add(again(held, passing));
        lines.add(left(course));
        lines.add(share(course, nodes));
        long notTaken =
                course.steps().stream().mapToLong(Course.Step::notTakenOver).max().orElse(0);
        lines.add(
                new Line(
                        notTaken == 0,
                        notTaken
                                + " records that a node could not read or had no application for"));
        String late = because(held) + because(passing);
        lines.add(
                new Line(
                        held.generatorDrops() == 0 && passing.generatorDrops() == 0,
                        "the load lost nothing itself"
                                + (late.isEmpty() ? "" : "; times say little:" + late)));
        return lines;
    }

    /** Phones on connections, beside the load. */
    static Line streams(RestlessCallers.Calls calls) {
        return new Line(
                calls.good(),
                "calls meanwhile on connections: "
                        + calls.made()
                        + "; failed "
                        + calls.faults().size()
                        + (calls.faults().isEmpty() ? "" : ", as " + calls.faults().getFirst()));
    }

    private static String because(LoadSummary load) {
        return load.generatorReason().isEmpty() ? "" : " " + load.generatorReason();
    }

    /** Calls that the load gave up as it was told to end are none of the server's. */
    private static Map<String, Long> faults(LoadSummary load) {
        Map<String, Long> all = new TreeMap<>(load.failed());
        all.remove(STOPPED);
        return all;
    }

    private static long failures(LoadSummary load) {
        return faults(load).values().stream().mapToLong(Long::longValue).sum();
    }

    private static String causes(LoadSummary load) {
        StringBuilder text = new StringBuilder();
        text.append(failures(load));
        faults(load)
                .forEach((why, count) -> text.append(", ").append(count).append(" x ").append(why));
        return text.toString();
    }

    private static Line again(LoadSummary held, LoadSummary passing) {
        long again = 0;
        long all = 0;
        for (LoadSummary load : List.of(held, passing)) {
            again += load.retransmissionsSent() + load.retransmissionsReceived();
            all += load.made() * MESSAGES;
        }
        double part = all == 0 ? 0 : (double) again / all;
        return new Line(
                part <= AGAIN,
                String.format(
                        Locale.ROOT,
                        "%d messages were sent again, %.3f %% of some %d (at most %.1f %%)",
                        again,
                        100 * part,
                        all,
                        100 * AGAIN));
    }

    private static Line left(Course course) {
        double longest =
                course.steps().stream().mapToDouble(Course.Step::leftSeconds).max().orElse(0);
        return new Line(
                longest <= LEFT_SECONDS,
                String.format(
                        Locale.ROOT,
                        "a node that was told to stop was gone after %.1f s at most (at most %.0f)",
                        longest,
                        LEFT_SECONDS));
    }

    private static Line share(Course course, int nodes) {
        int most = course.steps().stream().mapToInt(Course.Step::owns).max().orElse(0);
        int least = course.steps().stream().mapToInt(Course.Step::owns).min().orElse(0);
        double even = (double) Ownership.PARTITIONS / nodes;
        return new Line(
                least > 0 && most <= even * OVER_SHARE + 1,
                String.format(
                        Locale.ROOT,
                        "nodes that joined took %d to %d of %d partitions (at most %.0f)",
                        least,
                        most,
                        Ownership.PARTITIONS,
                        even * OVER_SHARE + 1));
    }
}
