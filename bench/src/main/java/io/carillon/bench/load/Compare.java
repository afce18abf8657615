package io.carillon.bench.load;

import io.carillon.lab.process.Ratio;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench/compare}: Carillon and Kamailio in turn under the same SIPp load, as CPU per call
 * and added latency per forwarded message. Both servers run and are warm all the time; only one of
 * them has load.
 */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures Carillon against Kamailio's record-routing proxy: CPU microseconds per call at equal"
                        + " rates, latency added per forwarded message, failed calls, retransmissions, drops.")
public final class Compare implements Callable<Integer> {
    @Option(
            names = "--application",
            defaultValue = "proxy",
            description = "proxy or b2bua (${DEFAULT-VALUE})")
    private String application = "proxy";

    @Option(
            names = "--rates",
            split = ",",
            defaultValue = "500,1000,2000",
            description = "calls/s (${DEFAULT-VALUE})")
    private List<Integer> rates = List.of();

    @Option(
            names = "--pairs",
            defaultValue = "5",
            description = "pairs per rate, in the order A B B A (${DEFAULT-VALUE})")
    private int pairs;

    @Option(
            names = "--warmup",
            defaultValue = "120",
            description = "seconds of load before the first window (${DEFAULT-VALUE})")
    private int warmup;

    @Option(
            names = "--fill",
            defaultValue = "33",
            description = "seconds of load before each reading (${DEFAULT-VALUE})")
    private int fill;

    @Option(
            names = "--measure",
            defaultValue = "30",
            description = "seconds of each reading (${DEFAULT-VALUE})")
    private int measure;

    @Option(
            names = "--hold",
            defaultValue = "0",
            description = "talk time of a call, milliseconds (${DEFAULT-VALUE})")
    private int hold;

    @Option(names = "--no-trying", description = "neither server sends 100 Trying at once")
    private boolean noTrying;

    @Option(
            names = "--server-cpus",
            defaultValue = "0",
            description = "CPUs of the server (${DEFAULT-VALUE})")
    private String serverCpus = "0";

    @Option(
            names = "--load-cpus",
            defaultValue = "1",
            description = "CPUs of SIPp and the probe (${DEFAULT-VALUE})")
    private String loadCpus = "1";

    @Option(names = "--only", description = "measure only this server: carillon or kamailio")
    private String only = "";

    @Option(
            names = "--baseline",
            paramLabel = "FOLDER",
            description =
                    "measure against the built checkout of another Carillon in this folder, not against Kamailio")
    private String baseline = "";

    @Option(
            names = "--together",
            description =
                    "both servers have the load at the same time on the same CPU, and each pair is read over the same"
                            + " seconds: for differences of a few percent")
    private boolean together;

    @Option(names = "--server-argument", description = "passed on to carillon run; repeatable")
    private List<String> serverArguments = new ArrayList<>();

    @Option(names = "--out", description = "folder of logs and counts (bench/target/compare-TIME)")
    private String out = "";

    @Override
    public Integer call() throws InterruptedException {
        PrintStream console = System.out;
        try {
            return compare(console);
        } catch (IOException e) {
            System.err.println("carillon bench compare: " + e.getMessage());
            return 1;
        }
    }

    private int compare(PrintStream console) throws IOException, InterruptedException {
        Path home = Folders.root();
        Path folder = Folders.results(out, "compare");
        Settings settings =
                new Settings(
                        home,
                        application,
                        rates,
                        pairs,
                        warmup,
                        fill,
                        measure,
                        hold,
                        !noTrying,
                        serverCpus,
                        loadCpus,
                        serverArguments);
        boolean clean = true;
        List<Peer> peers = new ArrayList<>();
        try {
            if (!only.equals("kamailio")) {
                peers.add(settings.carillon(folder));
            }
            if (!only.equals("carillon")) {
                peers.add(other(settings, folder));
            }
            for (Peer peer : peers) {
                console.printf(
                        "warm-up of %s: %d s at %d calls/s%n",
                        peer.name(), warmup, rates.getFirst());
                warmUp(peer, settings, folder.resolve("warmup-" + peer.name()));
            }
            for (int rate : rates) {
                boolean both = together && peers.size() == 2;
                clean &=
                        both
                                ? Together.compare(rate, peers, settings, folder, console)
                                : compareAt(rate, peers, settings, folder, console);
            }
        } finally {
            for (Peer peer : peers) {
                peer.close();
            }
        }
        console.println("Logs and counts: " + folder);
        return clean ? 0 : 1;
    }

    private Peer other(Settings settings, Path folder) throws IOException {
        return baseline.isEmpty()
                ? Peer.kamailio(settings.root(), serverCpus, !noTrying, folder)
                : settings.baseline(Path.of(baseline).toAbsolutePath().normalize(), folder);
    }

    /** Rises to the full rate: a cold JVM compiles on the core that serves the calls. */
    private static void warmUp(Peer peer, Settings settings, Path folder)
            throws IOException, InterruptedException {
        int full = Math.min(1000, settings.rates().getLast());
        for (int percent : new int[] {10, 40, 100}) {
            int rate = Math.max(1, full * percent / 100);
            int seconds = settings.warmupSeconds() * (percent == 100 ? 2 : 1) / 4;
            SippPair.Load load = settings.load(peer.port(), rate, (long) rate * seconds);
            try (SippPair sipp = SippPair.start(load, folder.resolve(Integer.toString(rate)))) {
                sipp.await(seconds + settings.holdMillis() / 1000 + 60L);
            }
        }
    }

    private static boolean compareAt(
            int rate, List<Peer> peers, Settings settings, Path folder, PrintStream console)
            throws IOException, InterruptedException {
        console.printf(
                "%n%s at %d calls/s, hold %d ms%n",
                settings.application(), rate, settings.holdMillis());
        List<List<Window>> windows = new ArrayList<>();
        peers.forEach(peer -> windows.add(new ArrayList<>()));
        boolean clean = true;
        for (int pair = 0; pair < settings.pairs(); pair++) {
            for (int turn = 0; turn < peers.size(); turn++) {
                int index = pair % 2 == 0 ? turn : peers.size() - 1 - turn;
                Path place = folder.resolve(rate + "-" + pair + "-" + peers.get(index).name());
                Window window = Window.measure(peers.get(index), settings, rate, place);
                windows.get(index).add(window);
                clean &= window.clean();
                console.println(window);
            }
        }
        for (int i = 0; i < peers.size(); i++) {
            console.printf(
                    "median %-9s %7.1f us/call  p50 %.3f ms  p99 %.3f ms%n",
                    peers.get(i).name(),
                    median(windows.get(i), Window::cpuMicrosPerCall),
                    median(windows.get(i), Window::p50Millis),
                    median(windows.get(i), Window::p99Millis));
        }
        if (peers.size() == 2) {
            List<Double> ratios = new ArrayList<>();
            for (int pair = 0; pair < settings.pairs(); pair++) {
                ratios.add(
                        windows.get(0).get(pair).cpuMicrosPerCall()
                                / windows.get(1).get(pair).cpuMicrosPerCall());
            }
            console.printf("ratio of CPU per call at %d calls/s: %s%n", rate, Ratio.of(ratios));
        }
        return clean;
    }

    private static double median(List<Window> windows, ToDoubleFunction<Window> figure) {
        double[] sorted = windows.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
