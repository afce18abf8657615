package io.carillon.lab.measure;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.Carillon;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ControlCommand;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import io.carillon.lab.rig.SippPair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon bench stream-cost}: what open pages of the console cost: the server's share of
 * a core under load, with event streams that are read and without in turn.
 */
@Command(
        name = "stream-cost",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "What event streams of the console cost a server under load, in per cent of a core: with"
                        + " them and without in the order A B B A. Exit code 1 when they cost more than"
                        + " --limit, or a call failed.")
public final class StreamCost implements Callable<Integer> {
    private static final String ACCOUNT = "reader";

    @Option(
            names = "--streams",
            defaultValue = "20",
            description = "event streams of status and applications (${DEFAULT-VALUE})")
    private int streams;

    @Mixin private SwitchedLoad load = new SwitchedLoad();

    @Option(
            names = "--pairs",
            defaultValue = "8",
            description = "pairs of windows (${DEFAULT-VALUE})")
    private int pairs;

    @Option(
            names = "--limit",
            defaultValue = "2",
            description = "the most that they may cost, in per cent of a core (${DEFAULT-VALUE})")
    private double limit;

    @Option(
            names = "--port",
            defaultValue = "5060",
            description =
                    "of the server, up to 65500; the load's lie 11 and 21 above (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--out", description = "folder of logs (bench/target/stream-cost-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        if (streams < 1 || load.rate() < 1 || pairs < 1 || load.measureSeconds() < 1) {
            System.err.println(
                    "carillon bench stream-cost: --streams, --rate, --pairs and --measure are 1 or"
                            + " more");
            return 2;
        }
        try {
            return measureAll();
        } catch (IOException e) {
            System.err.println("carillon bench stream-cost: " + e.getMessage());
            return 1;
        }
    }

    private int measureAll() throws IOException {
        Path folder = Folders.results(out, "bench", "stream-cost");
        Path home = folder.resolve("home");
        ControlCommand.at(
                home, "a password of the run\n", "admin", "add", ACCOUNT, "--role", "viewer");
        String token = ControlCommand.at(home, "", "admin", "token", ACCOUNT).strip();
        Path root = Folders.root();
        int http = ServerProcess.freePort();
        CarillonLaunch launch =
                CarillonLaunch.of(root, port)
                        .on(load.serverCpus())
                        .http(http)
                        .running(Folders.example(root, load.application()))
                        .environment("CARILLON_HOME", home.toString());
        long calls = load.calls(2 * pairs);
        Carillon.Place place =
                new Carillon.Place(root, load.application(), load.serverCpus(), port, List.of());
        try (Carillon server = Carillon.start(launch, folder)) {
            server.attach();
            SwitchedWindows.Cost cost;
            load.beginSlowly(place, folder);
            try (SippPair sipp =
                    SippPair.start(place.load(load.loadCpus(), load.rate(), calls, 0), folder)) {
                Streams part = new Streams(http, token, streams);
                warmUp(part);
                cost = load.windows(server, pairs).measure(streams + " streams", part);
                load.end(sipp);
            }
            return verdict(cost, calls, folder);
        }
    }

    /** The compiler has to have seen a server with streams too. */
    private void warmUp(Streams part) throws IOException {
        Pause.millis(1000L * load.warmupSeconds() / 2);
        part.on();
        Pause.millis(1000L * load.warmupSeconds() / 4);
        part.off();
        Pause.millis(1000L * load.warmupSeconds() / 4);
    }

    private int verdict(SwitchedWindows.Cost cost, long calls, Path folder) throws IOException {
        Sipp.Counts caller = SippPair.callerCounts(folder);
        long failed = calls - caller.succeeded();
        double plain = ofCore(cost.plainMicros());
        double median = plain * (cost.ratio().median() - 1);
        double upper = plain * (cost.ratio().upper() - 1);
        boolean holds = upper <= limit && failed == 0;
        System.out.printf(
                Locale.ROOT,
                "%s at %d calls/s uses %.1f %% of a core; %d event streams cost %.2f %% of a core"
                        + " more (median), at most %.2f %% (upper end of the 95 %% interval; limit"
                        + " %.1f %%)%n",
                load.application(),
                load.rate(),
                plain,
                streams,
                median,
                upper,
                limit);
        System.out.printf(
                "%d calls, %d failed. %s. Logs: %s%n",
                calls, failed, holds ? "It holds" : "It does NOT hold", folder);
        return holds ? 0 : 1;
    }

    /** Per cent of a core, of microseconds for each call. */
    private double ofCore(double micros) {
        return micros * load.rate() / 1e6 * 100;
    }

    /** Owner: one thread. */
    private static final class Streams implements SwitchedWindows.Part {
        private final int httpPort;
        private final String token;
        private final int streams;
        private @Nullable EventReaders readers;

        Streams(int httpPort, String token, int streams) {
            this.httpPort = httpPort;
            this.token = token;
            this.streams = streams;
        }

        @Override
        public void on() throws IOException {
            readers = EventReaders.open(httpPort, token, streams);
        }

        @Override
        public void off() throws IOException {
            EventReaders opened = readers;
            readers = null;
            if (opened != null) {
                try (opened) {
                    opened.check();
                }
            }
        }
    }
}
