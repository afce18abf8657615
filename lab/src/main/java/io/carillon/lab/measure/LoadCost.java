package io.carillon.lab.measure;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.PairRatio;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import io.carillon.lab.rig.SippPair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench load-cost}: what a call costs the load itself, {@code carillon load} and SIPp in
 * turn against the same server: CPU of both sides together.
 */
@Command(
        name = "load-cost",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures carillon load against SIPp as generators: CPU microseconds per call of both sides together,"
                        + " in turn at the same server and rate, after a warm-up, in the order A B B A.")
public final class LoadCost implements Callable<Integer> {
    private static final int PORT = 15_560;

    @Option(names = "--rate", defaultValue = "1000", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--pairs",
            defaultValue = "4",
            description = "pairs of windows (${DEFAULT-VALUE})")
    private int pairs;

    @Option(
            names = "--warmup",
            defaultValue = "20",
            description = "seconds of load before each reading (${DEFAULT-VALUE})")
    private int warmup;

    @Option(
            names = "--measure",
            defaultValue = "15",
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

    @Option(names = "--out", description = "folder of logs (bench/target/load-cost-TIME)")
    private String out = "";

    /** One reading; clean when nothing failed or was sent again in the whole window. */
    private record Reading(double microsPerCall, boolean clean) {}

    @Override
    public Integer call() {
        try {
            return measureAll();
        } catch (IOException e) {
            System.err.println("carillon bench load-cost: " + e.getMessage());
            return 1;
        }
    }

    private int measureAll() throws IOException {
        Path root = Folders.root();
        Path folder = Folders.results(out, "bench", "load-cost");
        List<Double> ratios = new ArrayList<>();
        boolean clean = true;
        Path archive = Folders.example(root, "proxy");
        try (ServerProcess _ =
                CarillonLaunch.at(PORT).on(serverCpus).running(archive).start(folder)) {
            ours(folder.resolve("warm-up")); // the server's, not counted
            for (int pair = 0; pair < pairs; pair++) {
                boolean oursFirst = pair % 2 == 0;
                Path place = folder.resolve(Integer.toString(pair));
                Reading first = oursFirst ? ours(place) : sipp(place);
                Reading second = oursFirst ? sipp(place) : ours(place);
                Reading ours = oursFirst ? first : second;
                Reading theirs = oursFirst ? second : first;
                clean &= ours.clean() && theirs.clean();
                ratios.add(ours.microsPerCall() / theirs.microsPerCall());
                System.out.printf(
                        Locale.ROOT,
                        "carillon load %.1f, SIPp %.1f us/call: %.3f%s%n",
                        ours.microsPerCall(),
                        theirs.microsPerCall(),
                        ratios.getLast(),
                        ours.clean() && theirs.clean()
                                ? ""
                                : "  (something failed or was sent again)");
            }
        }
        System.out.printf(
                "ratio of the generators' CPU per call at %d calls/s: %s%n",
                rate, PairRatio.of(ratios));
        System.out.println("Logs: " + folder);
        return clean ? 0 : 1;
    }

    private Reading ours(Path folder) throws IOException {
        LoadProcess.Plan plan =
                new LoadProcess.Plan(
                        "proxy200",
                        "udp:127.0.0.1:" + PORT,
                        rate,
                        0,
                        seconds(),
                        new CallTimes(0, 0),
                        loadCpus,
                        List.of("--max-failed", "0", "--max-retransmissions", "0"));
        try (LoadProcess load = LoadProcess.start(plan, folder)) {
            // The load tells its first second when it has warmed itself up.
            load.awaitSeconds(1);
            double micros = read(load::cpuNanos);
            load.awaitSummary(seconds() + 60L);
            return new Reading(micros, load.endedWell());
        }
    }

    private Reading sipp(Path folder) throws IOException {
        SippPair.Load load =
                new SippPair.Load(
                        Folders.scenarios(),
                        "proxy200",
                        PORT,
                        rate,
                        (long) rate * seconds(),
                        0,
                        loadCpus,
                        10_000);
        try (SippPair pair = SippPair.start(load, folder)) {
            double micros = read(pair::cpuNanos);
            pair.await(seconds() + 60L);
            Sipp.Counts caller = SippPair.callerCounts(folder);
            return new Reading(micros, caller.failed() == 0 && caller.retransmissions() == 0);
        }
    }

    private int seconds() {
        return warmup + measure + 3;
    }

    /** CPU of the load until now. */
    private interface Cpu {
        long nanos() throws IOException;
    }

    private double read(Cpu cpu) throws IOException {
        Pause.millis(1000L * warmup);
        long begin = System.nanoTime();
        long before = cpu.nanos();
        Pause.millis(1000L * measure);
        long used = cpu.nanos() - before;
        return used / 1e3 / (rate * ((System.nanoTime() - begin) / 1e9));
    }
}
