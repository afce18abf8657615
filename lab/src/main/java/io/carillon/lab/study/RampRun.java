package io.carillon.lab.study;

import io.carillon.lab.load.LoadSample;
import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.lab.rig.LoadedServer;
import io.carillon.lab.rig.MachineWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Raises the rate step by step at each server in turn. All servers run all the time, and only one
 * has load. One that collapsed gets no higher rates. Used by one thread.
 */
final class RampRun {
    /** Causes of the load's that mean a wait in vain. */
    private static final Set<String> TIMEOUTS = Set.of("408", "timeout", "no final answer");

    /** At each rate before it counts: the load is a new process, which is slow at first. */
    private static final int BEGIN_SECONDS = 3;

    private final RampStudy study;
    private final RateTrials.Load load;
    private final Path folder;
    private final StudyProgress progress;
    private final List<RampStep> steps = new ArrayList<>();
    private final Set<String> collapsed = new HashSet<>();

    RampRun(RampStudy study, RateTrials.Load load, Path folder, StudyProgress progress) {
        this.study = study;
        this.load = load;
        this.folder = folder;
        this.progress = progress;
    }

    /** All steps; the page is written anew after each rate. */
    List<RampStep> run(List<LoadedServer> servers) throws IOException {
        progress.part("[ramp]", study.secondsLeft(0) + (long) servers.size() * study.warmup());
        for (LoadedServer server : servers) {
            Path own = folder.resolve("warm-up-" + server.name());
            new RateTrials(server, load, CallTimes.shortest(study.workload()), own, progress)
                    .warmUp(study.from(), study.warmup());
        }
        List<Integer> rates = study.rates();
        for (int i = 0; i < rates.size() && collapsed.size() < servers.size(); i++) {
            progress.part("[" + rates.get(i) + " calls/s]", study.secondsLeft(i));
            for (int turn = 0; turn < servers.size(); turn++) {
                // A B, B A, A B: neither is always the one that comes after the other.
                LoadedServer server = servers.get(i % 2 == 0 ? turn : servers.size() - 1 - turn);
                if (!collapsed.contains(server.name())) {
                    step(server, rates.get(i));
                }
            }
            RampReport.write(new RampReport.Content(study, steps), folder);
        }
        return steps;
    }

    private void step(LoadedServer server, int rate) throws IOException {
        progress.step(server.name() + " for " + study.seconds() + " s");
        Path own = folder.resolve(server.name() + "-" + rate);
        LoadProcess.Plan plan =
                load.plan(server, rate, BEGIN_SECONDS, study.seconds(), study.calls());
        MachineWatch surroundings = MachineWatch.watch(server);
        long drops = server.drops();
        CpuMeter cpu = new CpuMeter(server);
        LoadSummary summary;
        try (LoadProcess run = LoadProcess.start(plan, own)) {
            while (run.isRunning()) {
                Pause.millis(100);
                server.checkAlive();
                progress.tick();
                for (LoadSample second : run.newSamples()) {
                    surroundings.read();
                    cpu.take(second);
                }
            }
            summary = run.awaitSummary();
        }
        long dropped = server.drops() - drops;
        boolean busy = surroundings.mean().isMuch();
        RampStep step = step(server.name(), rate, summary, cpu.share(), dropped, busy);
        steps.add(step);
        progress.say(RampReport.line(step));
        if (step.isCollapsed()) {
            collapsed.add(server.name());
            progress.say(server.name() + " is overloaded and gets no higher rates");
        }
        server.awaitQuiet();
    }

    /**
     * CPU of a server from the first second that counts to the last one in which calls were made.
     */
    private static final class CpuMeter {
        private final LoadedServer server;
        private long cpu;
        private long begin;
        private long used;
        private long nanos;

        CpuMeter(LoadedServer server) {
            this.server = server;
        }

        void take(LoadSample second) throws IOException {
            if (second.warmup()) {
                return;
            }
            if (begin == 0) {
                begin = System.nanoTime();
                cpu = server.cpuNanos();
            } else if (second.made() > 0) {
                used = server.cpuNanos() - cpu;
                nanos = System.nanoTime() - begin;
            }
        }

        /** Of one CPU; NaN where the server's process is not known. */
        double share() {
            return cpu > 0 && nanos > 0 ? (double) used / nanos : Double.NaN;
        }
    }

    static RampStep step(
            String server,
            int rate,
            LoadSummary summary,
            double cpu,
            long drops,
            boolean disturbed) {
        return new RampStep(
                server,
                rate,
                summary.made(),
                summary.completed(),
                failed(summary),
                timeouts(summary),
                summary.retransmissionsSent() + summary.retransmissionsReceived(),
                summary.late(),
                summary.p50Millis(),
                summary.p95Millis(),
                summary.p99Millis(),
                summary.p999Millis(),
                summary.maxMillis(),
                cpu,
                cpu * 1e6 / rate,
                drops,
                summary.generatorLimited(),
                disturbed);
    }

    /** What the callees saw may belong to calls that the callers have counted already. */
    private static long failed(LoadSummary summary) {
        long atCaller = summary.made() - summary.completed();
        return atCaller > 0 ? atCaller : RateTrials.failed(summary);
    }

    private static long timeouts(LoadSummary summary) {
        Map<String, Long> causes = Objects.requireNonNullElse(summary.failed(), Map.of());
        return causes.entrySet().stream()
                .filter(cause -> TIMEOUTS.contains(cause.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
