package io.carillon.lab.measure;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.Carillon;
import io.carillon.lab.rig.Sipp;
import io.carillon.lab.rig.SippPair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * {@code ./carillon bench garbage}: bytes that all Java threads of the running server allocate per
 * message received, beside that message's size.
 */
@Command(
        name = "garbage",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Bytes that the running server allocates per message received (Proxy-200 load, network and"
                        + " container included).")
public final class AllocationPerMessage implements Callable<Integer> {
    @Option(
            names = "--application",
            defaultValue = "proxy",
            description = "example that runs: proxy or b2bua (${DEFAULT-VALUE})")
    private String application = "proxy";

    @Option(names = "--rate", defaultValue = "1000", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--warmup",
            defaultValue = "60",
            description = "seconds of load before the reading (${DEFAULT-VALUE})")
    private int warmup;

    @Option(
            names = "--seconds",
            defaultValue = "60",
            description = "seconds of the reading (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--limit",
            description =
                    "bytes beyond the message's size (400 for proxy, 1000 for others): 1 when it is more")
    private double limit;

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

    @Option(names = "--out", description = "folder of logs (bench/target/garbage-TIME)")
    private String out = "";

    /** All counts since the server's start. */
    private record Reading(long allocated, long messages, long bytes) {
        static Reading of(Carillon server) throws IOException {
            JsonNode counters = server.status().path("counters");
            return new Reading(
                    server.allocatedBytes(),
                    counters.path("net.datagrams_in").asLong(),
                    counters.path("net.datagram_bytes_in").asLong());
        }
    }

    @Override
    public Integer call() {
        try {
            return measure();
        } catch (IOException e) {
            System.err.println("carillon bench garbage: " + e.getMessage());
            return 1;
        }
    }

    private int measure() throws IOException {
        Path root = Folders.root();
        Path folder = Folders.results(out, "bench", "garbage");
        Carillon.Place place =
                new Carillon.Place(root, application, serverCpus, port, serverArguments);
        long calls = (long) rate * (warmup + seconds + 3);
        try (Carillon server = Carillon.start(place, folder)) {
            Reading before;
            Reading after;
            server.attach();
            long drops = server.drops();
            try (SippPair load = SippPair.start(place.load(loadCpus, rate, calls, 0), folder)) {
                Pause.millis(1000L * warmup);
                before = Reading.of(server);
                Pause.millis(1000L * seconds);
                after = Reading.of(server);
                load.await(60);
            }
            return report(folder, before, after, calls, server.drops() - drops);
        }
    }

    private int report(Path folder, Reading before, Reading after, long calls, long drops)
            throws IOException {
        double messages = after.messages() - before.messages();
        if (messages <= 0) {
            throw new IOException("the server received nothing; logs: " + folder);
        }
        double perMessage = (after.allocated() - before.allocated()) / messages;
        double size = (after.bytes() - before.bytes()) / messages;
        Sipp.Counts caller = SippPair.callerCounts(folder);
        long failed = calls - caller.succeeded();
        long repeated = caller.retransmissions() + SippPair.calleeCounts(folder).retransmissions();
        double most = limit > 0 ? limit : application.equals("proxy") ? 400 : 1000;
        boolean good = perMessage - size <= most;
        System.out.printf(
                "%s at %d calls/s: %.0f messages received in %d s, %.0f bytes each%n",
                application, rate, messages, seconds, size);
        System.out.printf(
                "allocated per message received: %.0f bytes, the message's size and %.0f (limit %.0f: %s)%n",
                perMessage, perMessage - size, most, good ? "kept" : "NOT kept");
        System.out.printf(
                "%d calls, %d failed, %d retransmissions (both SIPp sides), %d kernel drops. Logs: %s%n",
                calls, failed, repeated, drops, folder);
        return good && failed == 0 && repeated == 0 && drops == 0 ? 0 : 1;
    }
}
