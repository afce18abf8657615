package io.carillon.lab.study;

import io.carillon.lab.process.LiveHeap;
import io.carillon.lab.rig.EchoRun;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.lab.rig.RateProbe;
import io.carillon.lab.rig.RateSearch;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One setting from the server's start to its end: warm-up, search of the highest clean rate by
 * short trials, and the hold, which decides. A rate that short trials like may be too high for the
 * long one: then a tenth less is held, until one is clean. Used by one thread.
 */
final class SettingRun {
    private static final int MOST_HOLDS = 6;

    /** What is held after a rate that could not be held. */
    private static final double STEP_DOWN = 0.9;

    private final JvmStudy study;
    private final JvmSetting setting;
    private final List<String> options;
    private final Path folder;
    private final StudyProgress progress;

    SettingRun(
            JvmStudy study,
            JvmSetting setting,
            List<String> options,
            Path folder,
            StudyProgress progress) {
        this.study = study;
        this.setting = setting;
        this.options = options;
        this.folder = folder;
        this.progress = progress;
    }

    /**
     * Searches the rate. Never throws for what the setting did: a JVM that does not start is a
     * result.
     */
    SettingResult measure() {
        return run(study.fixedRate());
    }

    /** Without a search, at a rate that is known: is it held once more? */
    SettingResult check(int rate) {
        return run(rate);
    }

    private SettingResult run(int known) {
        try {
            return tried(known);
        } catch (IOException e) {
            String reason = String.valueOf(e.getMessage());
            progress.say("FAILED: " + reason);
            return SettingResult.failed(setting.name(), options, reason);
        }
    }

    private SettingResult tried(int known) throws IOException {
        progress.step("starting the server");
        int seconds = study.timing().probe();
        List<RateProbe> holds = new ArrayList<>();
        RateSearch.Result found;
        RateHold.Outcome outcome = null;
        try (ServerProcess server = StudyServer.start(study.server(options), folder);
                EchoRun echo = EchoRun.start(study.serverCpus(), folder)) {
            long idle = LiveHeap.of(server.pid());
            RateTrials trials =
                    new RateTrials(server, study.load(), study.probeCalls(), folder, progress);
            int half = Math.max(1, (known > 0 ? known : study.firstRate()) / 2);
            trials.warmUp(half, study.timing().warmup());
            found =
                    known > 0
                            ? new RateSearch.Result(known, List.of(trials.probe(half, seconds)))
                            : RateSearch.run(rate -> trials.probe(rate, seconds), study.limits());
            if (found.rate() > 0) {
                int most = known > 0 ? 1 : MOST_HOLDS;
                outcome = hold(server, echo, idle, found.rate(), holds, most);
            }
        }
        return result(found, holds, outcome);
    }

    private RateHold.Outcome hold(
            ServerProcess server,
            EchoRun echo,
            long idle,
            int highest,
            List<RateProbe> holds,
            int most)
            throws IOException {
        int rate = highest;
        boolean again = false;
        while (true) {
            RateHold.Outcome outcome = holdOnce(server, echo, idle, rate, holds.size() + 1);
            RateProbe probe = outcome.probe();
            holds.add(probe);
            if (probe.clean() || holds.size() == most || rate < 2) {
                return outcome;
            }
            server.awaitQuiet();
            // What a busy machine spoiled is tried once more before a lower rate is.
            again = probe.disturbed() && !again;
            rate = again ? rate : RateSearch.round((int) (rate * STEP_DOWN), 0, rate);
        }
    }

    private RateHold.Outcome holdOnce(
            ServerProcess server, EchoRun echo, long idle, int rate, int number)
            throws IOException {
        LoadProcess.Plan plan =
                RateHold.plan(study.load(), server, rate, study.timing(), study.heldCalls());
        Path own = folder.resolve("hold-" + number + "-" + rate);
        return RateHold.run(server, plan, study, own, echo, idle, progress);
    }

    private SettingResult result(
            RateSearch.Result found, List<RateProbe> holds, RateHold.@Nullable Outcome outcome)
            throws IOException {
        if (outcome == null) {
            return new SettingResult(
                    setting.name(),
                    options,
                    "no rate was clean, the lowest tried was "
                            + found.probes().getLast().rate()
                            + " calls/s: "
                            + found.probes().getLast().reason(),
                    found.probes(),
                    holds,
                    0,
                    false,
                    null,
                    SecondSeries.empty());
        }
        Path recording = GcRecording.file(folder);
        if (!Files.exists(recording)) {
            throw new IOException("the server left no flight recording " + recording);
        }
        GcRecording gc = GcRecording.read(recording, outcome.from(), outcome.to());
        return new SettingResult(
                setting.name(),
                options,
                "",
                found.probes(),
                holds,
                outcome.probe().clean() ? outcome.probe().rate() : 0,
                limitedByLoad(found.limitedByLoad(), holds),
                outcome.figures().with(gc.figures()),
                outcome.series().with(gc.heapMiB(), gc.longestPausesMillis()));
    }

    /**
     * Was it the load that could do no more? Not where the server itself failed a hold at a higher
     * rate.
     *
     * @param holds in their order, the last one clean or the last that was tried
     */
    static boolean limitedByLoad(boolean search, List<RateProbe> holds) {
        RateProbe last = holds.getLast();
        boolean serverFailed =
                holds.stream().anyMatch(p -> p.rate() > last.rate() && !p.limitedByLoad());
        return last.limitedByLoad() || (search && !serverFailed);
    }
}
