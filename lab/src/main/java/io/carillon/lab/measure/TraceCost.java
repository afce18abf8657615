package io.carillon.lab.measure;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.PairRatio;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.Carillon;
import io.carillon.lab.rig.ControlCommand;
import io.carillon.lab.rig.Sipp;
import io.carillon.lab.rig.SippPair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code ./carillon bench trace-cost}: what a trace costs: CPU per call of one server under one
 * load, without a trace and with one in turn, of a share of the calls and of all of them.
 */
@Command(
        name = "trace-cost",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "CPU per call with a trace on beside without, in the order A B B A, in one running server: of"
                        + " --percent of the calls, then of all. What collections cost is shared out by the"
                        + " bytes that each window allocated.")
public final class TraceCost implements Callable<Integer> {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String TRACE_TIME = "2h";

    @Mixin private SwitchedLoad load = new SwitchedLoad();

    @Option(
            names = "--percent",
            defaultValue = "1",
            description = "share of the calls that is traced (${DEFAULT-VALUE})")
    private double percent;

    @Option(
            names = "--pairs",
            defaultValue = "12",
            description = "pairs of windows for each of the two (${DEFAULT-VALUE})")
    private int pairs;

    @Option(
            names = "--limit",
            defaultValue = "1.05",
            description = "the most that the share may cost, as a ratio (${DEFAULT-VALUE})")
    private double limit;

    @Option(
            names = "--port",
            defaultValue = "5060",
            description =
                    "of the server, up to 52000; the load's lie 11 and 21 above (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--server-argument", description = "passed on to carillon run; repeatable")
    private List<String> serverArguments = List.of();

    @Option(names = "--out", description = "folder of logs (bench/target/trace-cost-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            return measureAll();
        } catch (IOException e) {
            System.err.println("carillon bench trace-cost: " + e.getMessage());
            return 1;
        }
    }

    private int measureAll() throws IOException {
        Path root = Folders.root();
        Path folder = Folders.results(out, "bench", "trace-cost");
        Carillon.Place place =
                new Carillon.Place(
                        root, load.application(), load.serverCpus(), port, serverArguments);
        long calls = load.calls(4 * pairs);
        try (Carillon server = Carillon.start(place, folder)) {
            server.attach();
            long drops = server.drops();
            PairRatio share;
            PairRatio all;
            load.beginSlowly(place, folder);
            try (SippPair sipp =
                    SippPair.start(place.load(load.loadCpus(), load.rate(), calls, 0), folder)) {
                warmUp(server);
                share = ratio(server, percent + " % of the calls", percent);
                all = ratio(server, "all calls", null);
                load.end(sipp);
            }
            Sipp.Counts caller = SippPair.callerCounts(folder);
            long failed = calls - caller.succeeded();
            long repeated =
                    caller.retransmissions() + SippPair.calleeCounts(folder).retransmissions();
            long lost = server.drops() - drops;
            System.out.printf(
                    Locale.ROOT,
                    "%s at %d calls/s, CPU per call with a trace / without: %s %% of the calls %s (limit %.2f),"
                            + " all calls %s%n",
                    load.application(),
                    load.rate(),
                    percent,
                    share,
                    limit,
                    all);
            System.out.printf(
                    "%d calls, %d failed, %d retransmissions (both SIPp sides), %d kernel drops. Logs: %s%n",
                    calls, failed, repeated, lost, folder);
            return share.upper() <= limit && failed == 0 && repeated == 0 && lost == 0 ? 0 : 1;
        }
    }

    /** The compiler has to have seen a server with a trace too. */
    private void warmUp(Carillon server) throws IOException {
        Pause.millis(1000L * load.warmupSeconds() * 3 / 4);
        on(server, null);
        Pause.millis(1000L * load.warmupSeconds() / 8);
        off(server);
        Pause.millis(1000L * load.warmupSeconds() / 8);
    }

    private PairRatio ratio(Carillon server, String what, @Nullable Double share)
            throws IOException {
        return load.windows(server, pairs).measure(what, new Trace(server, share)).ratio();
    }

    /** A trace of a share of the calls; null: of all. */
    private record Trace(Carillon server, @Nullable Double share) implements SwitchedWindows.Part {
        @Override
        public void on() throws IOException {
            TraceCost.on(server, share);
        }

        @Override
        public void off() throws IOException {
            String list =
                    ControlCommand.run(server.process(), "trace", "list", "--limit", "1", "--json");
            if (JSON.readTree(list).path("recordedCalls").asInt() == 0) {
                throw new IOException("the trace recorded nothing");
            }
            TraceCost.off(server);
        }
    }

    /**
     * @param share null: all calls
     */
    private static void on(Carillon server, @Nullable Double share) throws IOException {
        List<String> words = new ArrayList<>(List.of("trace", "on", "--for", TRACE_TIME));
        words.addAll(List.of("--calls", "10000000"));
        words.addAll(share == null ? List.of("--all") : List.of("--percent", share.toString()));
        ControlCommand.run(server.process(), words.toArray(String[]::new));
    }

    private static void off(Carillon server) throws IOException {
        ControlCommand.run(server.process(), "trace", "off");
        ControlCommand.run(server.process(), "trace", "clear");
    }
}
