package io.carillon.lab.overload;

import static io.carillon.lab.study.FigureText.format;

import io.carillon.lab.load.LoadSample;
import io.carillon.lab.process.Pause;
import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.lab.study.StudyProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a refusal costs: a server that refuses all new work, beside the same that serves it. Owner:
 * one thread.
 */
final class RefusalPart {
    /** Calls/s that are refused only. */
    static final List<Integer> RATES = List.of(500, 1_000);

    private static final int SERVED_RATE = 500;

    /** Nobody waits less, so that everything new is too much. */
    private static final String REFUSES = "overload:\n  delay: 0 ms\n";

    private static final int IDLE_MILLIS = 5_000;

    private final OverloadStudy study;
    private final Path folder;
    private final StudyProgress progress;
    private final Loads loads;
    private final List<String> warnings = new ArrayList<>();

    /**
     * @param study with the plain application
     */
    RefusalPart(OverloadStudy study, Path folder, StudyProgress progress) {
        this.study = study;
        this.folder = folder;
        this.progress = progress;
        this.loads = new Loads(study, progress);
    }

    PartResult run() throws IOException, WrongSetting {
        Servers servers = new Servers(study, folder);
        RefusalFigures.Cost served;
        try (TestServer server = servers.start("served", "")) {
            warm(server, SERVED_RATE, "served");
            List<LoadSample> seconds = load(server, SERVED_RATE, "served");
            served = RefusalFigures.served(SERVED_RATE, seconds, idleShare(server));
        }
        List<RefusalFigures.Cost> refused = new ArrayList<>();
        List<Line> lines;
        try (TestServer server = servers.start("refused", REFUSES)) {
            warm(server, RATES.getLast(), "refused");
            TestServer.Level before = server.level();
            double idle = idleShare(server);
            for (int rate : RATES) {
                refused.add(RefusalFigures.refused(rate, load(server, rate, "refused"), idle));
            }
            lines = new ArrayList<>(new RefusalFigures(served, refused).lines());
            lines.add(FactorsPart.level(Control.SHEDDING, before, server.level()));
        }
        lines.forEach(line -> progress.say(line.toString()));
        return new PartResult(
                "What a refusal costs",
                format(
                        "%s, nothing lowered: %,d calls/s are served; another server (overload.delay: 0 ms) refuses all that"
                                + " comes. What each takes without load is left out of its CPU. %d s at each rate.",
                        study.application().description(), SERVED_RATE, study.seconds()),
                lines,
                List.of(),
                warnings);
    }

    private void warm(TestServer server, int rate, String name) throws IOException {
        progress.step(format("warm-up, %s at %,d calls/s", name, rate));
        finished(server, rate, study.warmup(), folder.resolve(name + "-warm-up"));
    }

    private List<LoadSample> load(TestServer server, int rate, String name) throws IOException {
        progress.step(format("%s at %,d calls/s", name, rate));
        server.process().awaitQuiet();
        return finished(server, rate, study.seconds(), folder.resolve(name + "-at-" + rate));
    }

    /** Nobody calls again: each attempt is one call. */
    private List<LoadSample> finished(TestServer server, int rate, int seconds, Path own)
            throws IOException {
        Loads.Callers callers =
                new Loads.Callers("proxy200", Loads.Callers.perSecond(rate), false, List.of());
        LoadProcess load = loads.start(server, callers, seconds, own);
        LoadCourse course = loads.finish(load, 0, seconds, 0);
        server.process().checkAlive();
        if (!course.limited().isEmpty()) {
            warnings.add(format("at %,d calls/s: %s", rate, course.limited()));
        }
        return course.above();
    }

    /** Of one CPU, without any load. */
    private double idleShare(TestServer server) throws IOException {
        progress.step("the server without load");
        server.process().awaitQuiet();
        long begin = System.nanoTime();
        long cpu = server.process().cpuNanos();
        Pause.millis(IDLE_MILLIS);
        return (server.process().cpuNanos() - cpu) / (double) (System.nanoTime() - begin);
    }
}
