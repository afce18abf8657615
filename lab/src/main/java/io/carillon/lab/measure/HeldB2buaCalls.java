package io.carillon.lab.measure;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ControlCommand;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import io.carillon.lab.rig.SippPair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon bench hold}: Basic B2BUA. The callee rings 10 s, the call is held 30 s, so 400
 * calls/s are about 16,000 held calls.
 */
@Command(
        name = "hold",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Basic B2BUA at a steady rate: failed calls, retransmissions, response times, heap per held call.")
public final class HeldB2buaCalls implements Callable<Integer> {
    private static final int RING_SECONDS = 10;

    @Option(names = "--rate", defaultValue = "400", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--minutes",
            defaultValue = "10",
            description = "length of the load (${DEFAULT-VALUE})")
    private int minutes;

    @Option(
            names = "--talk",
            defaultValue = "30",
            description = "seconds of talk (${DEFAULT-VALUE})")
    private int talkSeconds;

    @Option(
            names = "--application",
            defaultValue = "b2bua",
            description = "example that runs (${DEFAULT-VALUE})")
    private String application = "b2bua";

    @Option(names = "--server-argument", description = "passed on to carillon run; repeatable")
    private List<String> serverArguments = List.of();

    @Option(names = "--out", description = "folder of logs and counts (bench/target/hold-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            return hold();
        } catch (IOException e) {
            System.err.println("carillon bench hold: " + e.getMessage());
            return 1;
        }
    }

    private int hold() throws IOException {
        Path root = Folders.root();
        Path folder = Folders.results(out, "bench", "hold");
        long calls = rate * 60L * minutes;
        long held = (long) rate * (RING_SECONDS + talkSeconds);
        Path archive = Folders.example(root, application);
        try (ServerProcess server =
                CarillonLaunch.at(CarillonLaunch.USUAL_PORT)
                        .http(18_080)
                        .running(archive)
                        .with(serverArguments)
                        .start(folder)) {
            System.out.printf("%d calls at %d calls/s, about %d held%n", calls, rate, held);
            SippPair.Load load =
                    new SippPair.Load(
                            Folders.scenarios(),
                            "b2bua",
                            server.port(),
                            rate,
                            calls,
                            talkSeconds * 1000,
                            "");
            long cpu = server.cpuNanos();
            try (SippPair pair = SippPair.start(load, folder, "-trace_rtt", "-rtt_freq", "1")) {
                Pause.millis(60_000L * minutes - 5_000);
                System.out.println(ControlCommand.run(server, "status"));
                pair.await(120L + talkSeconds);
            }
            long drops = server.drops();
            double cpuMicros = (server.cpuNanos() - cpu) / 1e3 / calls;
            System.out.println(ControlCommand.run(server, "status"));
            return report(folder, calls, drops, cpuMicros);
        }
    }

    private static int report(Path folder, long calls, long drops, double cpuMicros)
            throws IOException {
        Sipp.Counts caller = SippPair.callerCounts(folder);
        Sipp.Counts callee = SippPair.calleeCounts(folder);
        double[] times = Sipp.responseTimes(folder.resolve("caller"));
        long failed = calls - caller.succeeded();
        long retransmissions = caller.retransmissions() + callee.retransmissions();
        System.out.printf(
                "%d calls, %d failed, %d retransmissions (both SIPp sides), %d kernel drops, %.0f us CPU per call%n",
                calls, failed, retransmissions, drops, cpuMicros);
        if (times.length > 0) {
            System.out.printf(
                    "INVITE to 200 less %d s of ringing: p50 %.1f ms, p99 %.1f ms, p99.9 %.1f ms, max %.1f ms%n",
                    RING_SECONDS,
                    beyondRinging(times, 0.5),
                    beyondRinging(times, 0.99),
                    beyondRinging(times, 0.999),
                    beyondRinging(times, 1));
        }
        System.out.println("Logs and counts: " + folder);
        return failed == 0 && retransmissions == 0 && drops == 0 ? 0 : 1;
    }

    private static double beyondRinging(double[] sorted, double quantile) {
        int index = (int) Math.min(sorted.length - 1, Math.floor(quantile * sorted.length));
        return sorted[index] - 1000.0 * RING_SECONDS;
    }
}
