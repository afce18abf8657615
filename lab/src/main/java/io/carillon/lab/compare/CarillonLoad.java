package io.carillon.lab.compare;

import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.peers.Site;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.LoadProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code ./carillon load} of this checkout with the workload Proxy-200: both sides in one process.
 */
record CarillonLoad(ComparisonSetup trial) implements Load {
    @Override
    public Running start(int serverPort, int rate, int seconds, Path folder) throws IOException {
        return new Begun(
                LoadProcess.start(plan(serverPort, rate, seconds), folder),
                (long) rate * seconds,
                2L * seconds + trial.shape().holdMillis() / 1000 + 60L);
    }

    LoadProcess.Plan plan(int serverPort, int rate, int seconds) {
        Site site = trial.site();
        List<String> more = new ArrayList<>();
        more.addAll(List.of("--caller-port", Integer.toString(site.ports().caller())));
        more.addAll(List.of("--callee-port", Integer.toString(site.ports().callee())));
        if (!site.application().user().isEmpty()) {
            more.addAll(List.of("--to", site.application().user()));
        }
        return new LoadProcess.Plan(
                "proxy200",
                site.transport().parameter() + ":127.0.0.1:" + serverPort,
                rate,
                0,
                seconds,
                new CallTimes(0, trial.shape().holdMillis() / 1000.0),
                site.cpus().load(),
                List.copyOf(more));
    }

    /** A call that was not made counts; one more than was due may be made at the end. */
    static long failed(long due, long made, long completed) {
        return Math.max(due, made) - completed;
    }

    private record Begun(LoadProcess load, long due, long patience) implements Running {
        @Override
        public long cpuNanos() throws IOException {
            return load.cpuNanos();
        }

        @Override
        public Tally await() throws IOException {
            LoadSummary summary = load.awaitSummary(patience);
            return new Tally(
                    summary.made(),
                    failed(due, summary.made(), summary.completed()),
                    summary.retransmissionsSent() + summary.retransmissionsReceived(),
                    summary.late(),
                    summary.p50Millis(),
                    summary.p99Millis(),
                    summary.tls());
        }

        @Override
        public void close() throws IOException {
            load.close();
        }
    }
}
