package io.carillon.lab.measure;

import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Pause;
import io.carillon.lab.process.ThreadTimes;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.Carillon;
import io.carillon.lab.rig.LoadProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * Loads on servers of the same application, and what is read of these meanwhile. Owner: one thread.
 */
final class GridCostLoads {
    private static final int HOLD_SECONDS = 3_600;

    /** Calls that are held come about more slowly: nothing is measured then. */
    private static final int MOST_GENTLE_RATE = 500;

    /** Transactions linger for 32 s (RFC 3261, timers of UDP). */
    private static final int LINGER_SECONDS = 40;

    private static final double CAME_ABOUT = 0.99;

    /** Load behind each reading, so that it is whole. */
    private static final int BEHIND_SECONDS = 2;

    private static final int[] WAITED_MILLIS = {1, 2, 3, 5, 10, 15, 25, 50};

    private final String application;
    private final int rate;
    private final String cpus;
    private final Path folder;
    private final GridCostFigures figures;
    private int loads;

    /**
     * @param rate calls/s
     * @param cpus of the load
     * @param folder of its logs
     * @param figures is told of waits and of loads that were not clean
     */
    GridCostLoads(String application, int rate, String cpus, Path folder, GridCostFigures figures) {
        this.application = application;
        this.rate = rate;
        this.cpus = cpus;
        this.folder = folder;
        this.figures = figures;
    }

    /** Calls of which nothing is read: some may fail while classes are loaded. */
    void warmUp(int port, int seconds) throws IOException {
        try (LoadProcess load = start(plan(port, rate, seconds, new CallTimes(0, 0), List.of()))) {
            load.awaitSummary();
        }
    }

    /**
     * CPU microseconds per call of these servers together, without what their compilers use.
     *
     * @param port that is called
     * @param settle seconds of load before
     */
    double read(List<Carillon> servers, int port, int settle, int seconds) throws IOException {
        int whole = settle + seconds + BEHIND_SECONDS;
        try (LoadProcess load = start(plan(port, rate, whole, new CallTimes(0, 0), List.of()))) {
            load.awaitSeconds(settle);
            GridCostFigures.Waits waitsBefore = waits(servers);
            long begin = System.nanoTime();
            long cpu = cpuNanos(servers);
            Pause.millis(1_000L * seconds);
            cpu = cpuNanos(servers) - cpu;
            double calls = rate * ((System.nanoTime() - begin) / 1e9);
            figures.waits(waitsBefore, waits(servers));
            judge(load.awaitSummary());
            return cpu / 1e3 / calls;
        }
    }

    private void judge(LoadSummary said) {
        String fault =
                LoadProcess.fault(
                        said.failed().values().stream().mapToLong(Long::longValue).sum(),
                        said.retransmissionsSent(),
                        said.retransmissionsReceived(),
                        0,
                        said.generatorDrops());
        if (!fault.isEmpty()) {
            figures.fault("load-" + loads + ": " + fault);
        } else if (said.generatorLimited()) {
            figures.fault("load-" + loads + ": " + said.generatorReason());
        }
    }

    /**
     * Bytes of live heap per held call of these servers together.
     *
     * @param port that is called
     */
    double heapOfCall(List<Carillon> servers, int port, int held) throws IOException {
        Pause.millis(1_000L * LINGER_SECONDS);
        long before = liveBytes(servers);
        int gently = Math.min(rate, MOST_GENTLE_RATE);
        List<String> more = List.of("--calls", Integer.toString(held));
        CallTimes times = new CallTimes(0, HOLD_SECONDS);
        try (LoadProcess load = start(plan(port, gently, HOLD_SECONDS, times, more))) {
            load.awaitSeconds(held / gently + LINGER_SECONDS);
            long up = load.lastHeld();
            if (up < held * CAME_ABOUT) {
                throw new IOException("of " + held + " calls only " + up + " came about");
            }
            long live = liveBytes(servers) - before;
            load.stopEarly();
            load.awaitEnd();
            return (double) live / up;
        }
    }

    private LoadProcess start(LoadProcess.Plan plan) throws IOException {
        loads++;
        return LoadProcess.start(plan, folder.resolve("load-" + loads));
    }

    private LoadProcess.Plan plan(
            int port, int each, int seconds, CallTimes times, List<String> more) {
        return new LoadProcess.Plan(
                application, "udp:127.0.0.1:" + port, each, 0, seconds, times, cpus, more);
    }

    private static GridCostFigures.Waits waits(List<Carillon> servers) throws IOException {
        GridCostFigures.Waits all = new GridCostFigures.Waits(Map.of(), 0);
        for (Carillon server : servers) {
            JsonNode counters = server.status().path("counters");
            Map<Integer, Long> within = new TreeMap<>();
            for (int millis : WAITED_MILLIS) {
                within.put(millis, counters.path("protection.waited_" + millis + "_ms").asLong());
            }
            all =
                    all.plus(
                            new GridCostFigures.Waits(
                                    within, counters.path("protection.left_protected").asLong()));
        }
        return all;
    }

    private static long cpuNanos(List<Carillon> servers) throws IOException {
        long sum = 0;
        for (Carillon server : servers) {
            ThreadTimes times = server.threadTimes();
            sum += times.all() - times.compilers();
        }
        return sum;
    }

    private static long liveBytes(List<Carillon> servers) throws IOException {
        long sum = 0;
        for (Carillon server : servers) {
            sum += server.liveBytes();
        }
        return sum;
    }
}
