package io.carillon.lab.measure;

import io.carillon.lab.rig.Carillon;
import io.carillon.lab.rig.SippPair;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options of a load under which something is switched on and off ({@link SwitchedWindows}). */
final class SwitchedLoad {
    /** Opening, closing and looking at what is switched take so long at most. */
    private static final int SWITCH_SECONDS = 4;

    private static final int STEP_SECONDS = 10;
    private static final int END_SECONDS = 60;

    /** Where switching took no time at all, the load goes on for long behind the last window. */
    private static final int REST_SECONDS = 600;

    @Option(
            names = "--application",
            defaultValue = "b2bua",
            description = "example that runs: proxy or b2bua (${DEFAULT-VALUE})")
    private String application = "b2bua";

    @Option(names = "--rate", defaultValue = "1000", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--warmup",
            defaultValue = "40",
            description = "seconds of load before the first window (${DEFAULT-VALUE})")
    private int warmup;

    @Option(
            names = "--settle",
            defaultValue = "2",
            description = "seconds between the switch and the reading (${DEFAULT-VALUE})")
    private int settle;

    @Option(
            names = "--measure",
            defaultValue = "10",
            description = "seconds of each reading (${DEFAULT-VALUE})")
    private int measure;

    @Option(
            names = "--server-cpus",
            defaultValue = "0",
            description = "CPUs of the server (${DEFAULT-VALUE})")
    private String serverCpus = "0";

    @Option(
            names = "--load-cpus",
            defaultValue = "1",
            description = "CPUs of the load (${DEFAULT-VALUE})")
    private String loadCpus = "1";

    String application() {
        return application;
    }

    /** Calls/s. */
    int rate() {
        return rate;
    }

    int warmupSeconds() {
        return warmup;
    }

    int settleSeconds() {
        return settle;
    }

    int measureSeconds() {
        return measure;
    }

    String serverCpus() {
        return serverCpus;
    }

    String loadCpus() {
        return loadCpus;
    }

    /** So many calls that they go on until the last of the windows is over. */
    long calls(int windows) {
        return (long) rate
                * (warmup + (long) windows * (settle + measure + SWITCH_SECONDS) + STEP_SECONDS);
    }

    /**
     * A tenth of the rate, then half of it: a server that has just started refuses calls of all of
     * it, until its code is compiled.
     */
    void beginSlowly(Carillon.Place place, Path folder) throws IOException {
        for (int part : new int[] {10, 2}) {
            int some = Math.max(1, rate / part);
            try (SippPair few =
                    SippPair.start(
                            place.load(loadCpus, some, (long) some * STEP_SECONDS, 0),
                            folder.resolve("at-" + some))) {
                few.await(END_SECONDS);
            }
        }
    }

    /** Waits for the end of a load that had {@link #calls}. */
    void end(SippPair load) throws IOException {
        if (load.hasEnded(0)) {
            throw new IOException(
                    "the load ended before the last window, as switching took too long here: use"
                            + " fewer --pairs, or end what else runs");
        }
        load.await(REST_SECONDS);
    }

    /** The windows of a server under it. */
    SwitchedWindows windows(Carillon server, int pairs) {
        return new SwitchedWindows(server, rate, pairs, settle, measure);
    }
}
