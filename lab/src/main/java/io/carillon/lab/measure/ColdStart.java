package io.carillon.lab.measure;

import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.SecondBySecond;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon bench cold-start}: a server that has just started gets its full load at once.
 * The server runs on CPU 0, both SIPps on CPU 1.
 */
@Command(
        name = "cold-start",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Time to READY on one core, then all calls from the first second: failed, repeated, answered late.")
public final class ColdStart implements Callable<Integer> {
    private static final int WAIT_SECONDS = 120;
    private static final double READY_SECONDS = 10;

    /** Seconds after which nothing may be repeated. */
    private static final int GRACE_SECONDS = 3;

    @Option(names = "--rate", defaultValue = "500", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(names = "--seconds", defaultValue = "10", description = "of load (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--runs",
            defaultValue = "1",
            description = "starts of each kind (${DEFAULT-VALUE})")
    private int runs;

    @Option(
            names = "--application",
            defaultValue = "b2bua",
            description = "example that runs (${DEFAULT-VALUE})")
    private String application = "b2bua";

    @Option(names = "--without-cache", description = "only starts without the start cache")
    private boolean withoutCache;

    @Option(
            names = "--port",
            defaultValue = "5060",
            description =
                    "of the server; SIPp's are 11 and 21 above, HTTP 20 above (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--server-argument", description = "passed on to carillon run; repeatable")
    private List<String> serverArguments = List.of();

    @Option(
            names = "--out",
            description = "folder of logs and counts (bench/target/cold-start-TIME)")
    private String out = "";

    private boolean kept = true;

    @Override
    public Integer call() {
        try {
            Path folder = Folders.results(out, "bench", "cold-start");
            System.out.println(
                    "start cache  READY after  CPU until READY  failed  repeated in second 1, 2, 3, ...  longest INVITE to 200 in them");
            if (!withoutCache) {
                // The build records the cache; where it did not, that must not be in the time.
                start(folder.resolve("before"), true).close();
            }
            for (int i = 1; i <= runs; i++) {
                if (!withoutCache) {
                    measure(folder.resolve("with-" + i), true);
                }
                measure(folder.resolve("without-" + i), false);
            }
            System.out.println("Logs and counts: " + folder);
            return kept ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon bench cold-start: " + e.getMessage());
            return 1;
        }
    }

    private void measure(Path folder, boolean cache) throws IOException {
        Path scenarios = Folders.scenarios();
        Path callee = scenarios.resolve("proxy200-uas.xml");
        Path caller = scenarios.resolve("proxy200-uac.xml");
        Started server;
        // SIPp writes its last counts when it ends: they are read behind this.
        try (Sipp _ = Sipp.start(folder.resolve("callee"), "1", callee, port + 11, List.of());
                Started running = start(folder, cache)) {
            server = running;
            List<String> load = new ArrayList<>(List.of("127.0.0.1:" + (port + 11)));
            load.addAll(
                    List.of(
                            "-rsa",
                            "127.0.0.1:" + port,
                            "-s",
                            "callee",
                            "-d",
                            "0",
                            "-l",
                            "1000000"));
            load.addAll(List.of("-r", Integer.toString(rate)));
            load.addAll(List.of("-m", Long.toString((long) rate * seconds)));
            load.addAll(List.of("-trace_rtt", "-rtt_freq", "1"));
            try (Sipp calls = Sipp.start(folder.resolve("caller"), "1", caller, port + 21, load)) {
                calls.await(WAIT_SECONDS);
            }
        }
        report(folder, cache, server);
    }

    private void report(Path folder, boolean cache, Started server) throws IOException {
        Path caller = folder.resolve("caller");
        double begin = SecondBySecond.begin(caller);
        long[] repeated = SecondBySecond.retransmissions(caller, begin, seconds);
        long[] answers = SecondBySecond.retransmissions(folder.resolve("callee"), begin, seconds);
        for (int i = 0; i < seconds; i++) {
            repeated[i] += answers[i];
        }
        long failed = (long) rate * seconds - Sipp.counts(caller).succeeded();
        System.out.printf(
                "%-11s  %9.2f s  %13.2f s  %6d  %s  %s ms%n",
                cache ? "recorded" : "none",
                server.readySeconds(),
                server.cpuSeconds(),
                failed,
                list(repeated),
                longest(SecondBySecond.longestAnswers(caller, seconds)));
        long late = LongStream.of(repeated).skip(GRACE_SECONDS).sum();
        if (cache || withoutCache) {
            kept &= failed == 0 && late == 0 && server.readySeconds() <= READY_SECONDS;
        }
    }

    private static String list(long[] values) {
        List<String> texts = new ArrayList<>();
        for (long value : values) {
            texts.add(Long.toString(value));
        }
        return String.join(", ", texts);
    }

    private static String longest(double[] millis) {
        List<String> texts = new ArrayList<>();
        for (double value : millis) {
            texts.add(Long.toString(Math.round(value)));
        }
        return String.join(", ", texts);
    }

    /**
     * Starts the server on one core and waits for READY; timed from the launcher's first line, with
     * the shell's own work.
     */
    private Started start(Path folder, boolean cache) throws IOException {
        long begin = System.nanoTime();
        ServerProcess server =
                CarillonLaunch.at(port)
                        .on("0")
                        .http(port + 20)
                        .running(Folders.example(Folders.root(), application))
                        .with(serverArguments)
                        .environment("CARILLON_START_CACHE", cache ? "on" : "off")
                        .start(folder);
        return new Started(server, (System.nanoTime() - begin) / 1e9, server.cpuNanos() / 1e9);
    }

    /** A server that said READY. */
    private record Started(ServerProcess server, double readySeconds, double cpuSeconds)
            implements AutoCloseable {
        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
