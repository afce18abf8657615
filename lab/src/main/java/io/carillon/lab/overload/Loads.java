package io.carillon.lab.overload;

import static io.carillon.lab.study.FigureText.format;

import io.carillon.lab.load.LoadSample;
import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.lab.rig.RateProbe;
import io.carillon.lab.rig.RateSearch;
import io.carillon.lab.study.StudyProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The loads of a study, each a process of its own. Owner: one thread. */
final class Loads {
    /** Below this share of good calls a rate is above the capacity. */
    static final double CARRIED = 0.99;

    /** A trial whose second is worse ends early. */
    private static final double HOPELESS = 0.6;

    /** The next lower and the lowest refused rate lie so near to each other. */
    private static final double RESOLUTION = 0.04;

    private static final int MOST_RATE = 50_000;
    private static final long MOST_HELD = 2_000_000;

    /**
     * After the last call: what is not answered is given up after 32 s. A call that is still up
     * then has failed.
     */
    private static final long PATIENCE_SECONDS = 45;

    /** So long may it take to end the calls that are left: CANCEL, or BYE, and 32 s. */
    private static final long END_SECONDS = 60;

    private static final int LOOK_MILLIS = 100;

    /** Calls through the application to callees of the load. */
    private static final String THROUGH = "proxy200";

    private final OverloadStudy study;
    private final StudyProgress progress;
    private int number;

    Loads(OverloadStudy study, StudyProgress progress) {
        this.study = study;
        this.progress = progress;
    }

    /** Calls at one rate that nobody judges. */
    void warm(TestServer server, int rate, int seconds, Path folder) throws IOException {
        progress.step(format("warm-up at %,d calls/s", rate));
        finish(start(server, Integer.toString(rate), seconds, folder), 0, seconds, 0);
    }

    /**
     * Callers of one source.
     *
     * @param workload of {@code ./carillon load}
     * @param rate as its {@code --rate} takes it
     * @param redial whether who is refused calls once more
     * @param more further arguments
     */
    record Callers(String workload, String rate, boolean redial, List<String> more) {
        /** Through the application, at one rate, from an address of their own. */
        static Callers from(String local, double rate, String... more) {
            List<String> all = new ArrayList<>(List.of("--local", local));
            all.addAll(List.of(more));
            return new Callers(THROUGH, perSecond(rate), false, List.copyOf(all));
        }

        Callers redialing() {
            return new Callers(workload, rate, true, more);
        }

        static String perSecond(double rate) {
            return Long.toString(Math.max(1, Math.round(rate)));
        }
    }

    /** Starts a load whose refused callers call once more. */
    private LoadProcess start(TestServer server, String rate, int seconds, Path folder)
            throws IOException {
        return start(server, new Callers(THROUGH, rate, true, List.of()), seconds, folder);
    }

    /** Starts a load. */
    LoadProcess start(TestServer server, Callers callers, int seconds, Path folder)
            throws IOException {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("--max-held", Long.toString(MOST_HELD)));
        arguments.addAll(List.of("--server-pid", Long.toString(server.pid())));
        if (callers.redial()) {
            arguments.addAll(List.of("--redial", "2s..10s"));
        }
        if (callers.workload().equals(THROUGH) && !study.application().user().isEmpty()) {
            arguments.addAll(List.of("--to", study.application().user()));
        }
        arguments.addAll(callers.more());
        return LoadProcess.start(
                new LoadProcess.Plan(
                        callers.workload(),
                        server.target(),
                        0,
                        callers.rate(),
                        0,
                        seconds,
                        study.calls(),
                        study.places().loadCpus(),
                        List.copyOf(arguments)),
                folder);
    }

    /** Below the capacity, above it, and below again. */
    LoadCourse course(TestServer server, Steps steps, double capacity, double factor, Path folder)
            throws IOException {
        long low = Math.max(1, Math.round(capacity * Steps.LOW));
        long high = Math.max(1, Math.round(capacity * factor));
        String rate =
                format(
                        "%d/%ds,%d/%ds,%d/%ds",
                        low, steps.before(), high, steps.above(), low, steps.after());
        int seconds = steps.before() + steps.above() + steps.after();
        LoadProcess load = start(server, rate, seconds, folder);
        return finish(load, steps.before(), steps.above(), steps.after());
    }

    /** Waits for the end of a load with three steps. */
    LoadCourse finish(LoadProcess load, int before, int above, int after) throws IOException {
        try (load) {
            List<LoadSample> seconds = new ArrayList<>();
            long patienceEnds = inSeconds(before + above + after + PATIENCE_SECONDS);
            long deadline = inSeconds(before + above + after + PATIENCE_SECONDS + END_SECONDS);
            boolean stopped = false;
            while (load.isRunning() && System.nanoTime() < deadline) {
                seconds.addAll(load.newSamples());
                if (!stopped && System.nanoTime() > patienceEnds) {
                    stopped = true;
                    load.stopEarly();
                }
                progress.tick();
                Pause.millis(LOOK_MILLIS);
            }
            seconds.addAll(load.newSamples());
            return new LoadCourse(before, above, after, List.copyOf(seconds), limit(load));
        }
    }

    private static long inSeconds(long seconds) {
        return System.nanoTime() + seconds * 1_000_000_000L;
    }

    private static String limit(LoadProcess load) throws IOException {
        if (load.isRunning()) {
            return "The load's calls did not end; it was killed.";
        }
        LoadSummary summary = load.awaitSummary();
        return summary.generatorLimited() ? summary.generatorReason() : "";
    }

    /** The highest rate at which 99 of 100 calls are good, looked for from a first rate on. */
    RateSearch.Result capacity(TestServer server, int first, Path folder) throws IOException {
        return RateSearch.run(
                rate -> trial(server, rate, folder),
                RateSearch.Limits.quick(first, MOST_RATE, RESOLUTION));
    }

    private RateProbe trial(TestServer server, int rate, Path folder) throws IOException {
        server.process().awaitQuiet();
        Path own = folder.resolve(++number + "-at-" + rate);
        LoadProcess load = start(server, Integer.toString(rate), study.trial(), own);
        LoadCourse course = watched(load);
        double made = OverloadFigures.total(course.seconds(), LoadSample::made);
        double good = OverloadFigures.sum(course.seconds()).good();
        boolean carried = made > 0 && good >= CARRIED * made;
        String said = format("%.1f %% of the calls were good", made == 0 ? 0 : 100 * good / made);
        RateProbe probe =
                new RateProbe(
                        rate,
                        carried,
                        carried ? "" : said,
                        // A load that was late itself says little: such a trial is made once more.
                        !course.limited().isEmpty(),
                        !course.limited().isEmpty());
        progress.say(
                format(
                        "%,d calls/s: %s%s",
                        rate, said, probe.limitedByLoad() ? "; " + course.limited() : ""));
        return probe;
    }

    /** A trial that is hopeless is ended: what comes after says nothing more. */
    private LoadCourse watched(LoadProcess load) throws IOException {
        try (load) {
            List<LoadSample> seconds = new ArrayList<>();
            boolean stopped = false;
            while (load.isRunning()) {
                for (LoadSample second : load.newSamples()) {
                    seconds.add(second);
                    if (!stopped && isHopeless(second)) {
                        stopped = true;
                        load.stopEarly();
                    }
                }
                progress.tick();
                Pause.millis(LOOK_MILLIS);
            }
            seconds.addAll(load.newSamples());
            String limited =
                    load.awaitEnd()
                            .filter(LoadSummary::generatorLimited)
                            .map(LoadSummary::generatorReason)
                            .orElse("");
            return new LoadCourse(0, study.trial(), 0, List.copyOf(seconds), limited);
        }
    }

    private static boolean isHopeless(LoadSample second) {
        return second.second() > 1
                && second.rate() > 0
                && second.outcomes().good() < HOPELESS * second.made();
    }
}
