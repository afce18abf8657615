package io.carillon.lab.measure;

import io.carillon.lab.rig.Carillon;
import picocli.CommandLine.Option;

/** Options of a load under which something is switched on and off ({@link SwitchedWindows}). */
final class SwitchedLoad {
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

    /** The windows of a server under it. */
    SwitchedWindows windows(Carillon server, int pairs) {
        return new SwitchedWindows(server, rate, pairs, settle, measure);
    }
}
