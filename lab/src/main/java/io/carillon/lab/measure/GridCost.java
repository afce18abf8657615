package io.carillon.lab.measure;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.rig.Carillon;
import io.carillon.lab.rig.CarillonLaunch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench grid}: what it costs that calls outlive their node: the same B2BUA calls through a
 * server that is alone and through a cluster of two nodes, in turn, all servers on the same core.
 */
@Command(
        name = "grid",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "CPU per call of the node that owns it, and of owner and copy together, beside a server that is"
                        + " alone, in the order A B B A; heap per held call; how long messages wait for their"
                        + " record. 1 when a line falls short, 2 for an option that cannot be.")
public final class GridCost implements Callable<Integer> {
    private static final String APPLICATION = "b2bua";
    private static final long WHOLE_SECONDS = 240;
    private static final int OWNER_TRIES = 3;

    /** A node that came back owns nothing for 30 s: warm-up and reading have to be over then. */
    private static final int OWNER_SETTLE = 4;

    private static final int OWNER_MOST_SECONDS = 10;

    /** The alone one's ports lie behind those of the cluster. */
    private static final int HTTP_ABOVE = 5;

    private static final int PORTS = ClusterOfTwo.PORTS + 10;

    @Option(names = "--rate", defaultValue = "1000", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--pairs",
            defaultValue = "5",
            description =
                    "pairs of readings for the owner, and as many for owner and copy (${DEFAULT-VALUE})")
    private int pairs;

    @Option(
            names = "--seconds",
            defaultValue = "15",
            description = "of each reading; of the owner's at most 10 (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--warmup",
            defaultValue = "60",
            description =
                    "seconds of load on the server and on the cluster before the first reading"
                            + " (${DEFAULT-VALUE})")
    private int warmup;

    @Option(
            names = "--settle",
            defaultValue = "5",
            description = "seconds of load before each reading; of the owner 4 (${DEFAULT-VALUE})")
    private int settle;

    @Option(
            names = "--held",
            defaultValue = "10000",
            description = "calls held while the heap is counted; 0: not counted (${DEFAULT-VALUE})")
    private int held;

    @Option(
            names = "--server-cpus",
            defaultValue = "0",
            description = "CPUs of all servers (${DEFAULT-VALUE})")
    private String serverCpus = "0";

    @Option(
            names = "--other-cpus",
            defaultValue = "1",
            description = "CPUs of router, witness and load (${DEFAULT-VALUE})")
    private String otherCpus = "1";

    @Option(
            names = "--port",
            defaultValue = "15860",
            description = "the first of 60 ports (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--out", description = "folder of logs (bench/target/grid-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            check();
            return measureAll() ? 0 : 1;
        } catch (WrongSetting e) {
            System.err.println("carillon bench grid: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            System.err.println("carillon bench grid: " + e.getMessage());
            return 1;
        }
    }

    private void check() throws WrongSetting {
        atLeast("--rate", rate, 1);
        atLeast("--pairs", pairs, 1);
        atLeast("--seconds", seconds, 1);
        atLeast("--warmup", warmup, 1);
        atLeast("--settle", settle, 1);
        atLeast("--held", held, 0);
        if (port < 1024 || port > 65_535 - PORTS) {
            throw new WrongSetting(
                    "--port has " + PORTS + " ports from it on: 1024 to " + (65_535 - PORTS));
        }
    }

    private static void atLeast(String option, int value, int least) throws WrongSetting {
        if (value < least) {
            throw new WrongSetting(option + " is at least " + least + ", not " + value);
        }
    }

    private boolean measureAll() throws IOException {
        Path folder = Folders.results(out, "bench", "grid");
        GridCostFigures figures = new GridCostFigures();
        try (Carillon alone = startAlone(folder);
                ClusterOfTwo cluster =
                        ClusterOfTwo.start(
                                new ClusterOfTwo.Plan(
                                        folder.resolve("cluster"),
                                        APPLICATION,
                                        serverCpus,
                                        otherCpus,
                                        port))) {
            System.out.println(
                    "A server alone; two nodes, a witness and a router. Logs: " + folder);
            GridCostLoads loads = new GridCostLoads(APPLICATION, rate, otherCpus, folder, figures);
            cluster.awaitEven(WHOLE_SECONDS);
            loads.warmUp(alone.address().getPort(), warmup);
            loads.warmUp(cluster.port(), warmup);
            together(alone, cluster, loads, figures);
            owner(alone, cluster, loads, figures);
            if (held > 0) {
                cluster.awaitEven(WHOLE_SECONDS);
                double without = loads.heapOfCall(List.of(alone), alone.address().getPort(), held);
                figures.heap(loads.heapOfCall(cluster.both(), cluster.port(), held), without);
            }
        }
        figures.report().forEach(System.out::println);
        return figures.holds();
    }

    private Carillon startAlone(Path folder) throws IOException {
        Path single = folder.resolve("alone");
        Files.createDirectories(single);
        int at = port + ClusterOfTwo.PORTS;
        return Carillon.start(
                CarillonLaunch.at(at)
                        .named("alone")
                        .on(serverCpus)
                        .http(at + HTTP_ABOVE)
                        .home(folder.resolve("alone-home"))
                        .running(Folders.example(Folders.root(), APPLICATION)),
                single);
    }

    /** All pairs before a node dies: one that came back has compiled little. */
    private void together(
            Carillon alone, ClusterOfTwo cluster, GridCostLoads loads, GridCostFigures figures)
            throws IOException {
        Reading without =
                () -> loads.read(List.of(alone), alone.address().getPort(), settle, seconds);
        Reading with = () -> loads.read(cluster.both(), cluster.port(), settle, seconds);
        for (int pair = 0; pair < pairs; pair++) {
            double[] both = inTurn(pair, without, with);
            figures.together(both[1], both[0]);
            told(pair, "owner and copy", both);
        }
    }

    private void owner(
            Carillon alone, ClusterOfTwo cluster, GridCostLoads loads, GridCostFigures figures)
            throws IOException {
        int briefly = Math.min(seconds, OWNER_MOST_SECONDS);
        Reading without =
                () -> loads.read(List.of(alone), alone.address().getPort(), OWNER_SETTLE, briefly);
        Reading with = () -> ownerReading(cluster, loads, briefly);
        for (int pair = 0; pair < pairs; pair++) {
            double[] both = inTurn(pair, without, with);
            figures.owner(both[1], both[0]);
            told(pair, "owner", both);
        }
    }

    /** While the other node owns nothing yet, all that the first one does is done as owner. */
    private double ownerReading(ClusterOfTwo cluster, GridCostLoads loads, int briefly)
            throws IOException {
        for (int i = 0; i < OWNER_TRIES; i++) {
            cluster.secondKeepsCopiesAlone(WHOLE_SECONDS);
            double micros =
                    loads.read(List.of(cluster.first()), cluster.port(), OWNER_SETTLE, briefly);
            if (cluster.ownedBySecond() == 0) {
                return micros;
            }
        }
        throw new IOException(
                "the node that came back owned calls before a reading was over; is the machine busy?");
    }

    /** CPU microseconds per call. */
    private interface Reading {
        double read() throws IOException;
    }

    /** A B, then B A: without the grid, and with it. */
    private static double[] inTurn(int pair, Reading without, Reading with) throws IOException {
        double[] both = new double[2];
        if (pair % 2 == 0) {
            both[0] = without.read();
            both[1] = with.read();
        } else {
            both[1] = with.read();
            both[0] = without.read();
        }
        return both;
    }

    private static void told(int pair, String what, double[] both) {
        System.out.printf(
                Locale.ROOT,
                "%d: us CPU per call: alone %.1f, %s %.1f: %.2f%n",
                pair + 1,
                both[0],
                what,
                both[1],
                both[1] / both[0]);
    }
}
