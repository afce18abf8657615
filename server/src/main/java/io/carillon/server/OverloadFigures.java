package io.carillon.server;

import io.carillon.server.measure.ServerStatus;
import io.carillon.servlet.feature.overload.HandlerLoad;
import io.carillon.sip.overload.OverloadState;
import io.carillon.sip.overload.Waiting;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** How loaded the shards and the applications are, as one value for people. */
final class OverloadFigures {
    private static final double NANOS_PER_MILLI = 1e6;

    private OverloadFigures() {}

    /**
     * What they say together: sheds one shard, then the server does.
     *
     * @param nowNanos by the clock of the shards
     * @param now the same moment on the wall
     */
    static ServerStatus.Overload of(
            List<OverloadState> shards,
            List<HandlerLoad.Seen> applications,
            long nowNanos,
            Instant now) {
        boolean shedding = false;
        long longestNanos = 0;
        double shed = 0;
        int load = 0;
        OverloadState worst = OverloadState.IDLE;
        for (OverloadState one : shards) {
            if (one.shedding()) {
                shedding = true;
                longestNanos = Math.max(longestNanos, nowNanos - one.sinceNanos());
            }
            shed += one.shedPerSecond();
            load = Math.max(load, one.load());
            if (one.delayNanos() > worst.delayNanos()) {
                worst = one;
            }
        }
        return new ServerStatus.Overload(
                shedding,
                shed,
                worst.delayNanos() / NANOS_PER_MILLI,
                load,
                shedding ? now.minusNanos(longestNanos).toString() : "",
                shedding ? because(worst.where(), applications) : "",
                applications.stream()
                        .filter(HandlerLoad.Seen::shedding)
                        .map(one -> late(one, nowNanos, now))
                        .toList());
    }

    private static ServerStatus.LateApplication late(
            HandlerLoad.Seen one, long nowNanos, Instant now) {
        return new ServerStatus.LateApplication(
                one.application(),
                one.shedPerSecond(),
                one.delayNanos() / NANOS_PER_MILLI,
                now.minusNanos(Math.max(0, nowNanos - one.sinceNanos())).toString());
    }

    /** Where handlers wait, those of which application wait longest. */
    private static String because(Waiting where, List<HandlerLoad.Seen> applications) {
        return where != Waiting.HANDLER
                ? where.because()
                : applications.stream()
                        .max(Comparator.comparingLong(HandlerLoad.Seen::notBegunNanos))
                        .filter(one -> one.notBegunNanos() > 0)
                        .map(one -> "handlers of " + one.application() + " wait")
                        .orElse(where.because());
    }
}
