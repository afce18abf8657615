package io.carillon.it.upgrade;

import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.LoadProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The calls of a run: some are up all the time, others come and go.
 *
 * @param workload b2bua, proxy200 or uas
 * @param rate calls/s
 */
record ClusterLoad(String workload, int rate) {
    private static final int LOAD_SECONDS = 7_200;
    private static final double RING_SECONDS = 0.2;
    private static final double PASSING_SECONDS = 3;
    private static final int SETTLE_SECONDS = 3;
    private static final double ENOUGH = 0.95;
    private static final int[] WARM_UP_PARTS = {4, 2};
    private static final int WARM_UP_SECONDS = 15;
    private static final int WARM_UP_END_SECONDS = 120;

    /** As options name it. */
    static ClusterLoad of(String workload, int rate) throws WrongSetting {
        if (!List.of("b2bua", "proxy200", "uas").contains(workload)) {
            throw new WrongSetting("--workload takes b2bua, proxy200 or uas, not " + workload);
        }
        return new ClusterLoad(workload, rate);
    }

    /**
     * Makes calls that nobody judges, at a quarter of the rate and at half of it, so that the code
     * of nodes that have just started is compiled when the others come.
     */
    void warmUp(InetSocketAddress address, Path folder) throws IOException {
        for (int part : WARM_UP_PARTS) {
            ClusterLoad gentle = new ClusterLoad(workload, Math.max(1, rate / part));
            Path own = folder.resolve("warm-up-" + part);
            try (LoadProcess calls = gentle.passing(address, own)) {
                calls.awaitSeconds(WARM_UP_SECONDS);
                calls.stopEarly();
                calls.awaitSummary(WARM_UP_END_SECONDS);
            }
        }
    }

    /** So many calls that stay up. */
    LoadProcess held(InetSocketAddress address, int calls, Path folder) throws IOException {
        return start(address, calls, 3.0 * 3_600, folder);
    }

    /** Calls that come and go. */
    LoadProcess passing(InetSocketAddress address, Path folder) throws IOException {
        return start(address, 0, PASSING_SECONDS, folder);
    }

    private LoadProcess start(InetSocketAddress address, int calls, double holdSeconds, Path folder)
            throws IOException {
        List<String> more = new ArrayList<>();
        if (!workload.equals("uas")) {
            more.addAll(List.of("--to", workload.equals("b2bua") ? "b2bua" : "proxy"));
        }
        if (calls > 0) {
            more.addAll(List.of("--calls", Integer.toString(calls)));
        }
        double ring = workload.equals("proxy200") ? 0 : RING_SECONDS;
        return LoadProcess.start(
                new LoadProcess.Plan(
                        workload,
                        "udp:" + address.getHostString() + ":" + address.getPort(),
                        rate,
                        0,
                        LOAD_SECONDS,
                        new CallTimes(ring, holdSeconds),
                        "",
                        more),
                folder);
    }

    /** Waits until they are up; a few may fail on a machine that has other work. */
    long awaitHeld(LoadProcess holding, int calls) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLE_SECONDS + 2L * calls / rate);
        long before = -1;
        while (holding.lastHeld() < calls && System.nanoTime() - end < 0) {
            boolean rises = holding.lastHeld() > before;
            before = holding.lastHeld();
            if (!rises && before >= calls * ENOUGH) {
                break;
            }
            holding.awaitSeconds(SETTLE_SECONDS);
        }
        if (holding.lastHeld() < calls * ENOUGH) {
            throw new IOException(
                    "of " + calls + " calls only " + holding.lastHeld() + " came about");
        }
        return holding.lastHeld();
    }
}
