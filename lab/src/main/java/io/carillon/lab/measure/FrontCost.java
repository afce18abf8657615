package io.carillon.lab.measure;

import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.peers.Relay;
import io.carillon.lab.process.ChildProcess;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.PairRatio;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench router}: what it costs to have something before the nodes: the router, Kamailio as a
 * stateless dispatcher, our own proxy, a relay that looks into nothing. The same calls through each
 * in turn, each on the same core, to a server behind it; CPU of the front alone, and by how much
 * answers come later than from what is behind it when that is called directly. Behind the router
 * that is a node of a cluster, whose 200 waits for its record; behind the others a server alone.
 */
@Command(
        name = "router",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures the router beside Kamailio as a stateless dispatcher, beside our own proxy and beside"
                        + " a bare relay: CPU microseconds per call of each, and the time that it adds"
                        + " to an answer.")
public final class FrontCost implements Callable<Integer> {
    private static final String HOST = "127.0.0.1";
    private static final int KEY_BYTES = 32;
    private static final int HTTP_ABOVE = 7;
    private static final int NODE_ITSELF_ABOVE = 30;
    private static final int RELAY_ABOVE = 3;
    private static final int RELAY_CALLERS_ABOVE = 35;
    private static final int RELAYED_ABOVE = 11;
    private static final long NODE_OWNS_MILLIS = 60_000;

    /** What stands before the server. */
    private enum Front {
        /** Nothing: what Kamailio, the proxy and the relay add is counted from here. */
        NONE,
        /** Nothing before the node of a cluster: what the router adds is counted from here. */
        NODE,
        ROUTER,
        KAMAILIO,
        PROXY,
        RELAY;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** What is behind it, called directly. */
        Front behind() {
            return this == ROUTER ? NODE : NONE;
        }
    }

    @Option(names = "--rate", defaultValue = "1000", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--pairs",
            defaultValue = "5",
            description = "readings of each, in turn (${DEFAULT-VALUE})")
    private int pairs;

    @Option(
            names = "--warmup",
            defaultValue = "15",
            description = "seconds of load before each reading (${DEFAULT-VALUE})")
    private int warmup;

    @Option(
            names = "--measure",
            defaultValue = "15",
            description = "seconds of each reading (${DEFAULT-VALUE})")
    private int measure;

    @Option(
            names = "--front-cpus",
            defaultValue = "0",
            description = "CPUs of the front (${DEFAULT-VALUE})")
    private String frontCpus = "0";

    @Option(
            names = "--other-cpus",
            defaultValue = "1",
            description = "CPUs of the server behind it and of the load (${DEFAULT-VALUE})")
    private String otherCpus = "1";

    @Option(
            names = "--port",
            defaultValue = "15760",
            description = "the first of 40 ports (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--out", description = "folder of logs (bench/target/router-TIME)")
    private String out = "";

    /** One reading; clean when nothing failed or was sent again. */
    private record Reading(double micros, double p50, double p99, boolean clean) {}

    @Override
    public Integer call() {
        try {
            return measureAll();
        } catch (IOException e) {
            System.err.println("carillon bench router: " + e.getMessage());
            return 1;
        }
    }

    private int measureAll() throws IOException {
        if (rate < 1 || pairs < 1 || warmup < 0 || measure < 1) {
            throw new IOException("--rate, --pairs and --measure begin at 1, --warmup at 0");
        }
        Path folder = Folders.results(out, "bench", "router");
        Map<Front, List<Reading>> all = new EnumMap<>(Front.class);
        try (ServerProcess server =
                        uas("server", port + 10, List.of()).start(folder.resolve("server"));
                ServerProcess node = startNode(folder);
                ServerProcess router = startRouter(folder);
                ServerProcess kamailio = startKamailio(folder);
                // Its Contact is the relay, so that all that belongs to a call goes by it.
                ServerProcess _ =
                        uas("relayed", port + RELAYED_ABOVE, List.of())
                                .listening(
                                        "udp:%1$s:%2$d as %1$s:%3$d"
                                                .formatted(
                                                        HOST,
                                                        port + RELAYED_ABOVE,
                                                        port + RELAY_ABOVE))
                                .start(folder.resolve("relayed"));
                ServerProcess relay = startRelay(folder);
                ServerProcess proxy =
                        CarillonLaunch.at(port + 4)
                                .named("proxy")
                                .on(frontCpus)
                                .home(folder.resolve("proxy-home"))
                                .running(Folders.example(Folders.root(), "proxy"))
                                .start(folder)) {
            Map<Front, ServerProcess> fronts = new EnumMap<>(Front.class);
            fronts.put(Front.NONE, server);
            fronts.put(Front.NODE, node);
            fronts.put(Front.ROUTER, router);
            fronts.put(Front.KAMAILIO, kamailio);
            fronts.put(Front.PROXY, proxy);
            fronts.put(Front.RELAY, relay);
            for (Front front : Front.values()) {
                read(front, fronts, folder.resolve("warm-" + front.word()), NODE_OWNS_MILLIS);
            }
            for (int pair = 0; pair < pairs; pair++) {
                for (int i = 0; i < Front.values().length; i++) {
                    Front front = Front.values()[(i + pair) % Front.values().length];
                    Path place = folder.resolve(pair + "-" + front.word());
                    Reading reading = read(front, fronts, place, 0);
                    all.computeIfAbsent(front, _ -> new ArrayList<>()).add(reading);
                    System.out.printf(
                            Locale.ROOT,
                            "%d %-9s %7.1f us/call, answers after p50 %.3f ms, p99 %.3f ms%s%n",
                            pair + 1,
                            front.word(),
                            reading.micros(),
                            reading.p50(),
                            reading.p99(),
                            reading.clean() ? "" : "  (something failed or was sent again)");
                }
            }
        }
        return verdict(all, folder);
    }

    private int verdict(Map<Front, List<Reading>> all, Path folder) {
        boolean good = line(all, Front.PROXY, 0.65);
        good &= line(all, Front.RELAY, 1.4);
        good &= line(all, Front.KAMAILIO, 1.2);
        System.out.printf(
                Locale.ROOT,
                "      a node of a cluster answers p50 %.3f ms, p99 %.3f ms later than a server alone%n",
                added(all, Front.NODE, Front.NONE, false),
                added(all, Front.NODE, Front.NONE, true));
        for (Front front : List.of(Front.RELAY, Front.KAMAILIO, Front.PROXY, Front.ROUTER)) {
            double p50 = added(all, front, front.behind(), false);
            double p99 = added(all, front, front.behind(), true);
            boolean soon = front != Front.ROUTER || (p50 <= 0.1 && p99 <= 1);
            good &= soon;
            System.out.printf(
                    Locale.ROOT,
                    "%s the %s adds p50 %.3f ms, p99 %.3f ms%s%n",
                    front != Front.ROUTER ? "     " : soon ? "ok   " : "SHORT",
                    front.word(),
                    p50,
                    p99,
                    front == Front.ROUTER ? " (at most 0.1 and 1)" : "");
        }
        boolean clean = all.values().stream().flatMap(List::stream).allMatch(Reading::clean);
        System.out.println((clean ? "ok   " : "SHORT") + " nothing failed or was sent again");
        System.out.println("Logs: " + folder);
        return good && clean ? 0 : 1;
    }

    private static boolean line(Map<Front, List<Reading>> all, Front other, double most) {
        List<Double> ratios = new ArrayList<>();
        List<Reading> routers = readings(all, Front.ROUTER);
        List<Reading> others = readings(all, other);
        for (int i = 0; i < others.size(); i++) {
            ratios.add(routers.get(i).micros() / others.get(i).micros());
        }
        PairRatio ratio = PairRatio.of(ratios);
        boolean good = ratio.median() <= most;
        System.out.printf(
                Locale.ROOT,
                "%s CPU per call, router to %s: %s (at most %.2f)%n",
                good ? "ok   " : "SHORT",
                other.word(),
                ratio,
                most);
        return good;
    }

    private static List<Reading> readings(Map<Front, List<Reading>> all, Front front) {
        return Objects.requireNonNull(all.get(front), front::word);
    }

    /** How much later answers come, as the median of the rounds: both are read in each. */
    private static double added(
            Map<Front, List<Reading>> all, Front front, Front behind, boolean p99) {
        List<Reading> before = readings(all, behind);
        List<Reading> with = readings(all, front);
        double[] sorted = new double[with.size()];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] =
                    p99
                            ? with.get(i).p99() - before.get(i).p99()
                            : with.get(i).p50() - before.get(i).p50();
        }
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /**
     * Calls through one of them.
     *
     * @param patienceMillis a failure is tried again for so long: the node has no partition yet
     */
    private Reading read(
            Front front, Map<Front, ServerProcess> fronts, Path folder, long patienceMillis)
            throws IOException {
        ServerProcess process = Objects.requireNonNull(fronts.get(front), front::word);
        List<String> more = new ArrayList<>();
        // The proxy goes by the Request-URI, which names the server behind it.
        String user = front == Front.PROXY ? "sip:uas@" + HOST + ":" + (port + 10) : "";
        if (!user.isEmpty()) {
            more.addAll(List.of("--to", user));
        }
        if (front == Front.RELAY) {
            // It knows who belongs together by their ports, and answers are to go by it.
            more.add("--rport");
            more.addAll(List.of("--caller-port", Integer.toString(port + RELAY_CALLERS_ABOVE)));
        }
        int at = front == Front.NODE ? port + NODE_ITSELF_ABOVE : process.port();
        more.addAll(List.of("--server-pid", Long.toString(process.pid())));
        long end = System.nanoTime() + patienceMillis * 1_000_000;
        for (int i = 0; ; i++) {
            LoadProcess.Plan plan =
                    new LoadProcess.Plan(
                            "uas",
                            "udp:" + HOST + ":" + at,
                            rate,
                            warmup,
                            measure,
                            new CallTimes(0, 0),
                            otherCpus,
                            more);
            try (LoadProcess load = LoadProcess.start(plan, folder.resolve(Integer.toString(i)))) {
                LoadSummary said = load.awaitSummary();
                boolean clean =
                        said.failed().isEmpty()
                                && said.retransmissionsSent() == 0
                                && said.retransmissionsReceived() == 0;
                if (clean || System.nanoTime() - end >= 0) {
                    return new Reading(
                            said.serverCpuMicrosPerCall(),
                            said.p50Millis(),
                            said.p99Millis(),
                            clean);
                }
            }
        }
    }

    private CarillonLaunch uas(String name, int at, List<String> arguments) throws IOException {
        return CarillonLaunch.at(at)
                .named(name)
                .on(otherCpus)
                .with(arguments)
                .running(Folders.example(Folders.root(), "uas"));
    }

    /**
     * A cluster of one: what is measured is what stands before it. It listens itself too, so that
     * the same node answers with the router and without.
     */
    private ServerProcess startNode(Path folder) throws IOException {
        Path file = clusterFile(folder);
        CarillonLaunch launch =
                uas("node", port + 20, List.of("--cluster", file.toString()))
                        .http(port + 20 + HTTP_ABOVE)
                        .home(folder.resolve("node-home"));
        return launch.listening("udp:" + HOST + ":" + (port + NODE_ITSELF_ABOVE)).start(folder);
    }

    private Path clusterFile(Path folder) throws IOException {
        Path key = folder.resolve("cluster.key");
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        Files.createFile(
                key,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, HexFormat.of().formatHex(bytes) + "\n");
        Path file = folder.resolve("cluster.yaml");
        Files.writeString(
                file,
                """
                cluster:
                  name: bench
                  nodes: [%1$s:%2$d]
                  address: %1$s:%3$d
                  routers: [%1$s:%4$d]
                  key-file: %5$s
                sip:
                  listen: []
                """
                        .formatted(HOST, port + 20, port, port + 1, key));
        return file;
    }

    private ServerProcess startRouter(Path folder) throws IOException {
        List<String> command = ChildProcess.pinned(frontCpus);
        command.addAll(
                List.of(
                        Folders.launcher(),
                        "router",
                        "--config",
                        folder.resolve("cluster.yaml").toString()));
        return ServerProcess.start(
                new ServerProcess.Launch(
                        "router", port, command, Map.of(), List.of("READY"), List.of()),
                folder);
    }

    private ServerProcess startRelay(Path folder) throws IOException {
        List<String> command = ChildProcess.pinned(frontCpus);
        String pair = (port + RELAY_CALLERS_ABOVE) + ":" + (port + RELAYED_ABOVE);
        command.addAll(Relay.command("selector", port + RELAY_ABOVE, pair));
        return ServerProcess.start(
                new ServerProcess.Launch(
                        "relay",
                        port + RELAY_ABOVE,
                        command,
                        Map.of(),
                        List.of(Relay.READY),
                        List.of()),
                folder);
    }

    private ServerProcess startKamailio(Path folder) throws IOException {
        Path list = folder.resolve("dispatcher.list");
        Files.writeString(list, "1 sip:" + HOST + ":" + (port + 10) + "\n");
        Path configuration = Folders.root().resolve("lab/kamailio/dispatcher.cfg");
        List<String> command = ChildProcess.pinned(frontCpus);
        command.addAll(List.of("kamailio", "-f", configuration.toString()));
        command.addAll(List.of("-DD", "-E", "-m", "256"));
        command.addAll(List.of("-w", folder.toString(), "-Y", folder.toString()));
        command.addAll(List.of("-A", "LISTEN=udp:" + HOST + ":" + (port + 2)));
        command.addAll(List.of("-A", "LIST=\"" + list + "\""));
        return ServerProcess.start(
                new ServerProcess.Launch(
                        "kamailio",
                        port + 2,
                        command,
                        Map.of(),
                        List.of("Listening on"),
                        List.of()),
                folder);
    }
}
