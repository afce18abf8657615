package io.carillon.lab.study;

import io.carillon.lab.load.LoadSample;
import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Disturbance;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.lab.rig.LoadedServer;
import io.carillon.lab.rig.MachineWatch;
import io.carillon.lab.rig.RateProbe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Short loads at one server, one after the other. A trial ends at its first second that is not
 * clean: what comes after an overload says nothing more, and takes minutes to settle.
 */
final class RateTrials {
    /**
     * What loads are like.
     *
     * @param workload name of {@code ./carillon load}
     * @param cpus processors of the load; empty: any
     * @param more further arguments of {@code ./carillon load}
     */
    record Load(String workload, String cpus, List<String> more) {
        LoadProcess.Plan plan(
                LoadedServer target, int rate, int warmup, int seconds, CallTimes calls) {
            String address = "udp:127.0.0.1:" + target.address().getPort();
            if (!target.address().getAddress().isLoopbackAddress()) {
                address =
                        "udp:"
                                + target.address().getAddress().getHostAddress()
                                + ":"
                                + target.address().getPort();
            }
            return new LoadProcess.Plan(
                    workload, address, rate, warmup, seconds, calls, cpus, more);
        }
    }

    private final LoadedServer target;
    private final Load load;
    private final CallTimes calls;
    private final Path folder;
    private final StudyProgress progress;
    private int number;

    RateTrials(
            LoadedServer target, Load load, CallTimes calls, Path folder, StudyProgress progress) {
        this.target = target;
        this.load = load;
        this.calls = calls;
        this.folder = folder;
        this.progress = progress;
    }

    /** Load that nothing is asked of, but that it is one: the compilers work meanwhile. */
    void warmUp(int rate, int seconds) throws IOException {
        progress.step("warming up at " + rate + " calls/s");
        Path own = folder.resolve("warm-up");
        try (LoadProcess run = LoadProcess.start(load.plan(target, rate, 0, seconds, calls), own)) {
            while (run.isRunning()) {
                Pause.millis(200);
                target.checkAlive();
                progress.tick();
            }
            LoadSummary summary = run.awaitSummary();
            if (summary.completed() == 0) {
                throw new IOException(
                        "no call of the warm-up was completed ("
                                + summary.failed()
                                + "): does the"
                                + " application take this workload?");
            }
        }
        target.awaitQuiet();
    }

    RateProbe probe(int rate, int seconds) throws IOException {
        progress.step("trying " + rate + " calls/s for " + seconds + " s");
        Path own = folder.resolve("probe-" + ++number + "-" + rate);
        long drops = target.drops();
        MachineWatch surroundings = MachineWatch.watch(target);
        String fault = "";
        RateProbe probe;
        try (LoadProcess run = LoadProcess.start(load.plan(target, rate, 0, seconds, calls), own)) {
            while (run.isRunning() && fault.isEmpty()) {
                Pause.millis(200);
                target.checkAlive();
                progress.tick();
                List<LoadSample> past = run.newSamples();
                if (!past.isEmpty()) {
                    surroundings.read();
                }
                fault = past.stream().map(LoadProcess::fault).reduce("", RateTrials::first);
            }
            Disturbance machine = surroundings.mean();
            long dropped = target.drops() - drops;
            if (fault.isEmpty()) {
                probe = verdict(rate, run.awaitSummary(), dropped, machine);
            } else {
                run.stopEarly();
                boolean limited = run.awaitEnd().map(LoadSummary::generatorLimited).orElse(false);
                fault += " in one second";
                probe = new RateProbe(rate, false, fault, machine.isMuch(), limited);
            }
        }
        progress.say(probe.toString());
        target.awaitQuiet();
        return probe;
    }

    private static String first(String one, String other) {
        return one.isEmpty() ? other : one;
    }

    static RateProbe verdict(int rate, LoadSummary summary, long serverDrops, Disturbance machine) {
        long failed = failed(summary);
        String fault =
                LoadProcess.fault(
                        failed,
                        summary.retransmissionsSent(),
                        summary.retransmissionsReceived(),
                        serverDrops,
                        summary.generatorDrops());
        boolean limited = summary.generatorLimited();
        if (limited) {
            String reason = "the load was at its end: " + summary.generatorReason();
            fault = fault.isEmpty() ? reason : fault + "; " + reason;
        }
        return new RateProbe(rate, fault.isEmpty(), fault, machine.isMuch(), limited);
    }

    /** Calls that failed for whatever cause. */
    static long failed(LoadSummary summary) {
        Map<String, Long> causes = Objects.requireNonNullElse(summary.failed(), Map.of());
        return causes.values().stream().mapToLong(Long::longValue).sum();
    }
}
