package io.carillon.lab.compare;

import io.carillon.lab.peers.Contender;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Measures the first server against each other one: both run and are warm, one of them has the
 * load, in the order A B, B A. Each window is stored before the next one begins.
 */
final class WindowPairs {
    /** A server that was not clean in its first windows at a rate is not asked for more of it. */
    private static final int GIVE_UP_AFTER = 2;

    private final ServerUnderTest.Starter starter;
    private final LoadShape shape;
    private final AfterReady when;
    private final DisturbanceLimits limits;
    private final ComparisonFolder results;
    private final PrintStream console;

    WindowPairs(
            ServerUnderTest.Starter starter,
            LoadShape shape,
            AfterReady when,
            DisturbanceLimits limits,
            ComparisonFolder results,
            PrintStream console) {
        this.starter = starter;
        this.shape = shape;
        this.when = when;
        this.limits = limits;
        this.results = results;
        this.console = console;
    }

    /** What is still to be measured, in order. */
    void run(List<Contender> contenders) throws IOException {
        Contender first = contenders.getFirst();
        List<Contender> others =
                contenders.size() == 1 ? List.of(first) : contenders.subList(1, contenders.size());
        if (others.stream().allMatch(other -> isDone(first, other))) {
            return;
        }
        if (when.isLimited()) {
            for (Contender other : others) {
                inTheirTime(first, other);
            }
            return;
        }
        try (ServerUnderTest reference = starter.start(first)) {
            for (Contender other : others) {
                if (!isDone(first, other)) {
                    meet(reference, first, other);
                }
            }
        }
    }

    private void meet(ServerUnderTest reference, Contender first, Contender other)
            throws IOException {
        if (other == first) {
            duel(reference, reference);
        } else {
            try (ServerUnderTest peer = starter.start(other)) {
                duel(reference, peer);
            }
        }
    }

    /** Two servers have time for a few pairs only: the next pairs are of new ones. */
    private void inTheirTime(Contender first, Contender other) throws IOException {
        while (!isDone(first, other)) {
            long before = measured(first, other);
            console.printf("%nwindows lie %s; both servers start%n", when);
            try (ServerUnderTest reference = starter.start(first)) {
                meet(reference, first, other);
            }
            if (measured(first, other) == before && !isDone(first, other)) {
                throw new IOException(
                        "no pair of windows was whole "
                                + when
                                + "; go on when the machine is quiet: --resume "
                                + results.folder());
            }
        }
    }

    private long measured(Contender first, Contender other) {
        return shape.rates().stream()
                .mapToLong(rate ->
                        IntStream.range(0, shape.pairs())
                                .filter(pair ->
                                        results.hasPair(first.name(), other.name(), rate, pair))
                                .count())
                .sum();
    }

    private boolean isDone(Contender first, Contender other) {
        for (int rate : shape.rates()) {
            for (int pair = 0; pair < shape.pairs(); pair++) {
                boolean there = results.hasPair(first.name(), other.name(), rate, pair);
                if (!there && !givenUp(first.name(), other.name(), rate)) {
                    return false;
                }
            }
        }
        return true;
    }

    private void duel(ServerUnderTest first, ServerUnderTest other) throws IOException {
        for (int rate : shape.rates()) {
            console.printf(
                    "%n%s and %s at %d calls/s, hold %d ms%n",
                    first.name(), other.name(), rate, shape.holdMillis());
            for (int pair = 0; pair < shape.pairs(); pair++) {
                if (givenUp(first.name(), other.name(), rate)) {
                    console.println("not clean at this rate or a lower one: no more of it");
                    break;
                }
                if (!results.hasPair(first.name(), other.name(), rate, pair)) {
                    ServerUnderTest begins = pair % 2 == 0 ? first : other;
                    ServerUnderTest ends = pair % 2 == 0 ? other : first;
                    boolean inTime =
                            awaitTime(first, other)
                                    && window(begins, first, other, rate, pair)
                                    && (ends == begins || window(ends, first, other, rate, pair));
                    if (!inTime) {
                        console.println("no time for another pair " + when);
                        return;
                    }
                }
            }
        }
    }

    /** Waits until windows of both may begin; false where a pair would be too late. */
    private boolean awaitTime(ServerUnderTest first, ServerUnderTest other) throws IOException {
        long left =
                Math.max(
                        when.secondsToWait(first.secondsSinceReady()),
                        when.secondsToWait(other.secondsSinceReady()));
        if (left > 0) {
            console.printf("waiting %d s: windows lie %s%n", left, when);
            first.idle(left);
        }
        return when.hasRoom(Math.max(first.secondsSinceReady(), other.secondsSinceReady()), shape);
    }

    /**
     * Measures until the machine was quiet; a window that was not clean stands as it is.
     *
     * @return false where the server's time was over
     */
    private boolean window(
            ServerUnderTest server,
            ServerUnderTest first,
            ServerUnderTest other,
            int rate,
            int pair)
            throws IOException {
        for (int attempt = 1; attempt <= limits.attempts(); attempt++) {
            Path place = results.place(other.name(), rate, pair, server.name());
            long begun = server.secondsSinceReady();
            MeasuredWindow window = server.window(rate, place);
            long ended = server.secondsSinceReady();
            boolean late = !when.holds(ended);
            boolean busy = limits.tooBusy(window);
            results.add(
                    new StoredWindow(
                            first.name(),
                            other.name(),
                            pair,
                            attempt,
                            !busy && !late,
                            begun,
                            ended,
                            window));
            console.println(
                    window
                            + (late ? "; NOT COUNTED: " + ended + " s after READY" : "")
                            + (busy ? "; NOT COUNTED: the machine was busy" : ""));
            if (late) {
                return false;
            }
            if (!busy) {
                return true;
            }
        }
        throw new IOException(
                String.format(
                        "the machine was too busy in %d windows (limit %.1f %% of its CPU time, --busy-limit);"
                                + " go on when it is quiet: --resume %s",
                        limits.attempts(), limits.busyPercent(), results.folder()));
    }

    /** Whether one of the two was never clean, in several windows at this rate or a lower one. */
    private boolean givenUp(String first, String other, int rate) {
        for (int tried : shape.rates()) {
            boolean hopeless =
                    neverClean(first, other, tried, first)
                            || neverClean(first, other, tried, other);
            if (tried <= rate && hopeless) {
                return true;
            }
        }
        return false;
    }

    private boolean neverClean(String first, String other, int rate, String server) {
        List<MeasuredWindow> windows =
                results.rows().stream()
                        .filter(row -> row.counted() && row.of(first, other, rate))
                        .map(StoredWindow::window)
                        .filter(window -> window.server().equals(server))
                        .toList();
        return windows.size() >= GIVE_UP_AFTER && windows.stream().noneMatch(MeasuredWindow::clean);
    }
}
