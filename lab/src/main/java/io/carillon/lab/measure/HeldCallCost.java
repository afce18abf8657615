package io.carillon.lab.measure;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.process.ThreadTimes;
import io.carillon.lab.rig.Carillon;
import io.carillon.lab.rig.OutsideWaits;
import io.carillon.lab.rig.Sipp;
import io.carillon.lab.rig.SippPair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * {@code ./carillon bench held}: what a held call costs: live heap per call, and CPU per call at
 * the same rate with more and more calls held. With {@code --minutes} the last number is held for
 * so long while probes ask from outside.
 */
@Command(
        name = "held",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Live heap per held call and CPU per call with so many calls held; with --minutes also GC pauses,"
                        + " the collector's share of the CPU and the longest wait of an outside probe.")
public final class HeldCallCost implements Callable<Integer> {
    /** Transactions linger 32 s. */
    private static final int LINGER_SECONDS = 33;

    private static final int WARM_CALLS = 2000;

    @Option(
            names = "--application",
            defaultValue = "b2bua",
            description = "example that runs (${DEFAULT-VALUE})")
    private String application = "b2bua";

    @Option(
            names = "--held",
            split = ",",
            defaultValue = "10000,50000,100000",
            description = "calls held, one run each (${DEFAULT-VALUE})")
    private List<Integer> levels = List.of();

    @Option(names = "--rate", defaultValue = "500", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--measure",
            defaultValue = "30",
            description = "seconds of the CPU reading (${DEFAULT-VALUE})")
    private int measureSeconds;

    @Option(
            names = "--minutes",
            defaultValue = "0",
            description =
                    "hold the last number so long, with probes every 10 ms (${DEFAULT-VALUE})")
    private int minutes;

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

    @Option(
            names = "--port",
            defaultValue = "5060",
            description =
                    "of the server, up to 52000; the load's lie 11 and 21 above (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--server-argument", description = "passed on to carillon run; repeatable")
    private List<String> serverArguments = List.of();

    @Option(names = "--out", description = "folder of logs (bench/target/held-TIME)")
    private String out = "";

    /** SIPp writes its counts every second. */
    private static final int COUNTS_MILLIS = 1100;

    /** What one number of calls held came to. */
    private record Outcome(double cpuMicrosPerCall, boolean good) {}

    @Override
    public Integer call() {
        try {
            return measure();
        } catch (IOException e) {
            System.err.println("carillon bench held: " + e.getMessage());
            return 1;
        }
    }

    private int measure() throws IOException {
        Path folder = Folders.results(out, "bench", "held");
        Carillon.Place place =
                new Carillon.Place(Folders.root(), application, serverCpus, port, serverArguments);
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < levels.size(); i++) {
            boolean probed = minutes > 0 && i == levels.size() - 1;
            outcomes.add(level(place, levels.get(i), probed, folder.resolve("" + levels.get(i))));
        }
        double least = outcomes.stream().mapToDouble(Outcome::cpuMicrosPerCall).min().orElse(0);
        double most = outcomes.stream().mapToDouble(Outcome::cpuMicrosPerCall).max().orElse(0);
        System.out.printf(
                "CPU per call, most / least: %.3f. Logs and counts: %s%n", most / least, folder);
        return outcomes.stream().allMatch(Outcome::good) ? 0 : 1;
    }

    private Outcome level(Carillon.Place place, int held, boolean probed, Path folder)
            throws IOException {
        int holdSeconds = Math.max(1, held / rate);
        int windowSeconds = probed ? minutes * 60 : measureSeconds;
        long calls = (long) rate * (holdSeconds + LINGER_SECONDS + windowSeconds + 60);
        try (Carillon server = Carillon.start(place, folder)) {
            long before = baseline(place, server, folder);
            SippPair.Load load = place.load(loadCpus, rate, calls, holdSeconds * 1000);
            long drops = server.drops();
            try (SippPair _ = SippPair.start(load, folder)) {
                Pause.millis(1000L * (holdSeconds + LINGER_SECONDS));
                Outcome outcome = window(server, windowSeconds, probed, folder);
                boolean clean = clean(server, drops, folder);
                live(server, before);
                return new Outcome(outcome.cpuMicrosPerCall(), outcome.good() && clean);
            }
        }
    }

    /** Before the heap is counted: for that the JVM stops, which phones may answer by repeating. */
    private static boolean clean(Carillon server, long drops, Path folder) throws IOException {
        Pause.millis(COUNTS_MILLIS);
        Sipp.Counts caller = SippPair.callerCounts(folder);
        long repeated = caller.retransmissions() + SippPair.calleeCounts(folder).retransmissions();
        long lost = server.drops() - drops;
        System.out.printf(
                "  %d failed calls, %d retransmissions (both SIPp sides), %d kernel drops%n",
                caller.failed(), repeated, lost);
        return caller.failed() == 0 && repeated == 0 && lost == 0;
    }

    private static void live(Carillon server, long before) throws IOException {
        JsonNode status = server.status();
        long held = status.path("calls").path("held").asLong();
        long live = server.liveBytes();
        System.out.printf(
                "  %.0f bytes of live heap per held call (%.1f MB less %.1f MB without calls; %d calls and %d"
                        + " transactions in it)%n",
                (live - before) / (double) Math.max(1, held),
                live / 1e6,
                before / 1e6,
                held,
                status.path("transactions").asLong());
    }

    /** Live bytes of a server that is warm and has no call. */
    private long baseline(Carillon.Place place, Carillon server, Path folder) throws IOException {
        Path logs = folder.resolve("warm");
        try (SippPair pair = SippPair.start(place.load(loadCpus, 200, WARM_CALLS, 0), logs)) {
            pair.await(60);
        }
        server.awaitNoTransactions(60);
        return server.liveBytes();
    }

    private Outcome window(Carillon server, int windowSeconds, boolean probed, Path folder)
            throws IOException {
        double from = server.status().path("uptimeSeconds").asDouble();
        ThreadTimes cpu = server.threadTimes();
        long begin = System.nanoTime();
        boolean answered = true;
        if (probed) {
            answered = OutsideWaits.watch(server.address(), serverCpus, windowSeconds, folder);
        } else {
            Pause.millis(1000L * windowSeconds);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        ThreadTimes now = server.threadTimes();
        List<Double> pauses = server.pausesSince(from);
        double all = now.all() - cpu.all();
        double perCall = all / 1e3 / (rate * seconds);
        long held = server.status().path("calls").path("held").asLong();
        System.out.printf(
                "%d calls held at %d calls/s for %.0f s: %.1f us CPU per call%n",
                held, rate, seconds, perCall);
        System.out.printf(
                "  collector: %d pauses, longest %.3f ms; %.1f %% of the CPU used; compilers %.1f %%%n",
                pauses.size(),
                pauses.isEmpty() ? 0 : pauses.getLast(),
                100 * (now.collector() - cpu.collector()) / all,
                100 * (now.compilers() - cpu.compilers()) / all);
        return new Outcome(perCall, answered);
    }
}
