package io.carillon.it.registration;

import io.carillon.it.failover.TrialCluster;
import io.carillon.it.registration.RegisterRun.Stretch;
import io.carillon.lab.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it register-in-cluster}: phones register at a cluster of three nodes that share
 * a PostgreSQL of this machine's packages. In the middle of the load a node is killed and stays
 * dead: the others know every binding that was acknowledged, and no registration fails.
 */
@Command(
        name = "register-in-cluster",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Registrations at three nodes with one PostgreSQL, and kill -9 of a node in the middle:"
                        + " lost bindings.")
public final class ClusterRegister implements Callable<Integer> {
    private static final String PASSWORD = "secret of the load";
    private static final long WHOLE_SECONDS = 180;
    private static final int DATABASE_ABOVE = 45;
    private static final int WARM_UPS = 6;

    @Option(
            names = "--rate",
            defaultValue = "100",
            description =
                    "registrations/s, each a challenge and its answer: two requests (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--seconds",
            defaultValue = "30",
            description = "length of the load; half of it before the kill (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--warmup",
            defaultValue = "30",
            description =
                    "seconds at rising rates before the load; servers that have just started refuse"
                            + " some (${DEFAULT-VALUE})")
    private int warmupSeconds;

    @Option(names = "--users", defaultValue = "500", description = "phones (${DEFAULT-VALUE})")
    private int users;

    @Option(
            names = "--port",
            defaultValue = "16060",
            description = "the router's; the 49 behind it are the nodes' (${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--out",
            description = "folder of logs and data (it/target/register-in-cluster-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            return register();
        } catch (IOException e) {
            System.err.println("carillon it register-in-cluster: " + e.getMessage());
            return 1;
        }
    }

    private int register() throws IOException {
        if (rate < 1 || seconds < 2 || users < 1 || warmupSeconds < 3) {
            throw new IOException("--rate and --users begin at 1, --seconds at 2, --warmup at 3");
        }
        Path folder = Folders.results(out, "it", "register-in-cluster");
        List<String> names = IntStream.range(0, users).mapToObj(i -> "user" + i).toList();
        boolean good;
        try (TrialDatabase database =
                TrialDatabase.make(
                        TrialDatabase.Kind.POSTGRESQL,
                        folder.resolve("database"),
                        port + DATABASE_ABOVE)) {
            TrialUsers.add(database.settings(), folder, names, PASSWORD);
            try (TrialCluster cluster =
                            TrialCluster.of(
                                    folder,
                                    port,
                                    new TrialCluster.More(
                                            List.of("registrar"),
                                            "REGISTER: (\"registrar\", \"DAR:From\","
                                                    + " \"TERMINATING\", \"\", \"NO_ROUTE\", \"0\")\n",
                                            Files.readString(
                                                    folder.resolve("database/carillon.yaml"))));
                    RegisterRun run =
                            new RegisterRun(cluster.address(), names, PASSWORD, "SHA-256")) {
                System.out.println("3 nodes, a router and a PostgreSQL start; logs: " + folder);
                cluster.start();
                cluster.awaitWhole(WHOLE_SECONDS);
                good = measure(cluster, run);
            }
        }
        System.out.println(good ? "PASSED" : "FAILED");
        return good ? 0 : 1;
    }

    private boolean measure(TrialCluster cluster, RegisterRun run) throws IOException {
        if (!run.warmUp(rate, warmupSeconds, WARM_UPS)) {
            System.out.printf(
                    "warm-up: %d/s fail here without a kill too (%s): choose a lower --rate%n",
                    rate, run.failures());
            return false;
        }
        print("before the kill", run.load(rate, seconds / 2));
        int node = cluster.victim(false);
        cluster.kill(node);
        System.out.printf("kill -9 of node %d; the load goes on%n", node);
        print("after it", run.load(rate, seconds - seconds / 2));
        run.settle();
        int missing = run.verify();
        System.out.printf(
                "%d acknowledged bindings asked for at the other nodes, %d missing; failures: %s%n",
                run.bound(), missing, run.failures().isEmpty() ? "none" : run.failures());
        return missing == 0 && run.failures().isEmpty() && run.bound() > 0;
    }

    private static void print(String when, Stretch stretch) {
        System.out.printf(
                Locale.ROOT,
                "%s: %d begun, %d acknowledged, %d retransmissions, p50 %.1f ms, p99 %.1f ms, max %.1f ms%n",
                when,
                stretch.begun(),
                stretch.acknowledged(),
                stretch.retransmissions(),
                stretch.nanos().getValueAtPercentile(50) / 1e6,
                stretch.nanos().getValueAtPercentile(99) / 1e6,
                stretch.nanos().getMaxValue() / 1e6);
    }
}
