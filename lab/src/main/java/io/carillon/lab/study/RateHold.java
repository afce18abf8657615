package io.carillon.lab.study;

import io.carillon.lab.load.LoadSample;
import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.AnswerProbe;
import io.carillon.lab.process.LiveHeap;
import io.carillon.lab.process.Pause;
import io.carillon.lab.process.ThreadTimes;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.EchoRun;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.lab.rig.LoadedServer;
import io.carillon.lab.rig.MachineWatch;
import io.carillon.lab.rig.RateProbe;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * A rate held for the measured time: the load fills the server, then everything is read once a
 * second. It ends early when a call fails or a message is sent twice, for then the rate was too
 * high and a lower one is to be held. Used by one thread.
 */
final class RateHold {
    /** The load goes on a little longer than the measured time, which begins with a delay. */
    private static final int LAST_SECONDS = 2;

    private static final double CONTROL_STALL_NANOS = 5e6;

    /**
     * What came out, before the flight recording is read.
     *
     * @param probe the verdict
     * @param figures without those of the collector
     * @param from when the measured time began
     */
    record Outcome(
            RateProbe probe, HoldFigures figures, SecondSeries series, Instant from, Instant to) {}

    private final ServerProcess server;
    private final LoadProcess run;
    private final StudyTiming timing;
    private final boolean toTheEnd;
    private final CallTimes calls;
    private final AnswerProbe outside;
    private final AnswerProbe control;
    private final StudyProgress progress;
    private final SecondSeries series = SecondSeries.growing();
    private final MachineWatch surroundings;
    private double longestWait;
    private double controlLongest;
    private int secondsLeftOut;
    private long completed;
    private long failed;
    private long sentAgain;
    private long receivedAgain;
    private long late;
    private long loadDrops;
    private long held;
    private String fault = "";

    private RateHold(
            ServerProcess server,
            LoadProcess run,
            JvmStudy study,
            AnswerProbe outside,
            AnswerProbe control,
            StudyProgress progress)
            throws IOException {
        this.server = server;
        this.surroundings = MachineWatch.watch(server);
        this.run = run;
        this.timing = study.timing();
        this.calls = study.heldCalls();
        this.toTheEnd = !study.isSearch();
        this.outside = outside;
        this.control = control;
        this.progress = progress;
    }

    static Outcome run(
            ServerProcess server,
            LoadProcess.Plan plan,
            JvmStudy study,
            Path folder,
            EchoRun echo,
            long idleBytes,
            StudyProgress progress)
            throws IOException {
        progress.step("filling at " + plan.rate() + " calls/s");
        try (LoadProcess run = LoadProcess.start(plan, folder);
                AnswerProbe outside = AnswerProbe.start(server.address());
                AnswerProbe control = AnswerProbe.start(echo.address())) {
            RateHold hold = new RateHold(server, run, study, outside, control, progress);
            return hold.measure(plan.rate(), idleBytes);
        }
    }

    /** The load's plan for a hold; its warm-up is the filling. */
    static LoadProcess.Plan plan(
            RateTrials.Load load,
            LoadedServer target,
            int rate,
            StudyTiming timing,
            CallTimes calls) {
        return load.plan(target, rate, timing.fill(), timing.hold() + LAST_SECONDS, calls);
    }

    private Outcome measure(int rate, long idleBytes) throws IOException {
        fill();
        if (goesOn()) {
            progress.step("holding " + rate + " calls/s for " + timing.hold() + " s");
        }
        outside.reset();
        control.reset();
        Reading before = Reading.of(server);
        seconds(before.nanos());
        Reading after = Reading.of(server);
        long dropped = after.drops() - before.drops();
        String all = LoadProcess.fault(failed, sentAgain, receivedAgain, dropped, loadDrops);
        String reason = toTheEnd || fault.isEmpty() ? all : fault;
        long resident = server.residentBytes();
        HoldFigures.ProbeWaits waits = probeWaits();
        long live = goesOn() ? livePerCall(idleBytes) : 0;
        Optional<LoadSummary> summary;
        if (goesOn()) {
            summary = Optional.of(run.awaitSummary());
        } else {
            run.stopEarly();
            summary = run.awaitEnd();
        }
        boolean limited = summary.map(LoadSummary::generatorLimited).orElse(false);
        boolean busy = surroundings.mean().isMuch();
        RateProbe probe = new RateProbe(rate, reason.isEmpty(), reason, busy, limited);
        progress.say("held " + probe);
        HoldFigures figures = figures(summary, before, after, live, resident, waits);
        return new Outcome(probe, figures, series, before.time(), after.time());
    }

    /**
     * Bytes per held call; reading them stops the server. So it is done when no call is begun any
     * more and the last one has been answered: no response time has the stop in it.
     */
    private long livePerCall(long idleBytes) throws IOException {
        progress.step("reading the heap");
        long until = System.nanoTime() + (long) ((calls.ringSeconds() + LAST_SECONDS) * 1e9);
        long up = 0;
        while (System.nanoTime() - until < 0 && run.isRunning()) {
            Pause.millis(100);
            for (LoadSample sample : run.newSamples()) {
                up = sample.held();
            }
        }
        return up == 0 ? 0 : Math.max(0, (LiveHeap.of(server.pid()) - idleBytes) / up);
    }

    /** Read before the heap is, for that stops the server. */
    private HoldFigures.ProbeWaits probeWaits() {
        return new HoldFigures.ProbeWaits(
                longestWait,
                outside.percentileNanos(99) / 1e6,
                outside.lost(),
                controlLongest,
                secondsLeftOut);
    }

    private HoldFigures figures(
            Optional<LoadSummary> summary,
            Reading before,
            Reading after,
            long live,
            long resident,
            HoldFigures.ProbeWaits waits) {
        double nanos = after.nanos() - before.nanos();
        long used = after.cpu() - before.cpu();
        return new HoldFigures(
                nanos / 1e9,
                completed,
                failed,
                sentAgain,
                receivedAgain,
                late,
                after.drops() - before.drops(),
                loadDrops,
                summary.map(LoadSummary::p50Millis).orElse(0.0),
                summary.map(LoadSummary::p95Millis).orElse(0.0),
                summary.map(LoadSummary::p99Millis).orElse(0.0),
                summary.map(LoadSummary::p999Millis).orElse(0.0),
                summary.map(LoadSummary::maxMillis).orElse(0.0),
                completed == 0 ? 0 : used / 1e3 / completed,
                used / nanos,
                share(after.threads().collector() - before.threads().collector(), used),
                share(after.threads().compilers() - before.threads().compilers(), used),
                held,
                live,
                resident,
                waits,
                surroundings.mean(),
                GcFigures.NONE);
    }

    /** The server at a moment: CPU and threads' CPU in nanoseconds, drops. */
    private record Reading(Instant time, long nanos, long cpu, ThreadTimes threads, long drops) {
        static Reading of(ServerProcess server) throws IOException {
            return new Reading(
                    Instant.now(),
                    System.nanoTime(),
                    server.cpuNanos(),
                    server.threadTimes(),
                    server.drops());
        }
    }

    private static double share(long part, long whole) {
        return whole <= 0 ? 0 : Math.min(1, (double) part / whole);
    }

    /** Until the first call is due and the filling is over. */
    private void fill() throws IOException {
        long last = -1;
        while (last < timing.fill() - 1 && goesOn()) {
            Pause.millis(100);
            server.checkAlive();
            progress.tick();
            if (!run.isRunning()) {
                throw new IOException("the load ended while it filled the server; see its log");
            }
            for (LoadSample sample : run.newSamples()) {
                last = sample.second();
                surroundings.read();
                held = sample.held();
                note(sample);
            }
        }
    }

    private void seconds(long begin) throws IOException {
        long cpu = server.cpuNanos();
        ThreadTimes threads = server.threadTimes();
        long at = System.nanoTime();
        for (int second = 1; second <= timing.hold() && goesOn(); second++) {
            long due = begin + second * 1_000_000_000L;
            while (System.nanoTime() - due < 0) {
                Pause.millis(Math.max(1, Math.min(200, (due - System.nanoTime()) / 1_000_000)));
            }
            server.checkAlive();
            progress.tick();
            long cpuNow = server.cpuNanos();
            ThreadTimes threadsNow = server.threadTimes();
            long now = System.nanoTime();
            double passed = now - at;
            series.serverCpu().add((cpuNow - cpu) / passed);
            series.collectorCpu().add((threadsNow.collector() - threads.collector()) / passed);
            cpu = cpuNow;
            threads = threadsNow;
            at = now;
            surroundings.read();
            waits();
            for (LoadSample sample : run.newSamples()) {
                take(sample);
            }
        }
    }

    private void waits() {
        double outsideNanos = outside.takeLongestNanos();
        double controlNanos = control.takeLongestNanos();
        controlLongest = Math.max(controlLongest, controlNanos / 1e6);
        if (controlNanos > CONTROL_STALL_NANOS) {
            secondsLeftOut++;
        } else {
            longestWait = Math.max(longestWait, outsideNanos / 1e6);
        }
    }

    private void take(LoadSample sample) {
        completed += sample.completed();
        failed += sample.failed();
        sentAgain += sample.retransmissionsSent();
        receivedAgain += sample.retransmissionsReceived();
        late += sample.late();
        loadDrops += sample.generatorDrops();
        held = sample.held();
        series.retransmissions()
                .add((double) sample.retransmissionsSent() + sample.retransmissionsReceived());
        series.failed().add((double) sample.failed());
        series.held().add((double) sample.held());
        series.p50Millis().add(sample.p50Millis());
        series.p99Millis().add(sample.p99Millis());
        series.maxMillis().add(sample.maxMillis());
        note(sample);
    }

    /** A search has no use for what comes after the first fault; a comparison at one rate has. */
    private boolean goesOn() {
        return toTheEnd || fault.isEmpty();
    }

    private void note(LoadSample sample) {
        if (fault.isEmpty()) {
            fault = LoadProcess.fault(sample);
        }
    }
}
