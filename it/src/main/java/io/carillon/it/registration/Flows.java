package io.carillon.it.registration;

import io.carillon.it.failover.RouterPlaces;
import io.carillon.it.failover.TrialCluster;
import io.carillon.it.line.Line;
import io.carillon.lab.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it flows}: phones by TCP and WSS register a flow by each of two routers (RFC
 * 5626) with the example registrar. A router is killed, and all phones are called at once: each has
 * to be reached by its other flow.
 */
@Command(
        name = "flows",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Phones with a flow by each of two routers are called when one router was killed: how"
                        + " soon does the other flow ring?")
public final class Flows implements Callable<Integer> {
    private static final String PASSWORD = "secret of the flows";
    private static final List<String> TRANSPORTS = List.of("tcp", "wss");
    private static final long WHOLE_SECONDS = 180;
    private static final int DATABASE_ABOVE = 45;
    private static final double SOON_SECONDS = 2;

    @Option(
            names = "--phones",
            defaultValue = "10",
            description = "by each transport (${DEFAULT-VALUE})")
    private int count;

    @Option(
            names = "--victim",
            defaultValue = "1",
            description = "the router that is killed: 0 or 1 (${DEFAULT-VALUE})")
    private int victim;

    @Option(
            names = "--port",
            defaultValue = "17460",
            description = "the routers'; the 49 behind it are the nodes' (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--out", description = "folder of logs and data (it/target/flows-TIME)")
    private String out = "";

    /** A phone and how it connects. */
    private record Placed(String transport, FlowPhone phone) {}

    @Override
    public Integer call() {
        try {
            boolean good = run();
            System.out.println(good ? "PASSED" : "FAILED");
            return good ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon it flows: " + e.getMessage());
            return 1;
        }
    }

    private RouterPlaces places() {
        return new RouterPlaces(port, TRANSPORTS);
    }

    private static String routing(String method) {
        return method
                + ": (\"registrar\", \"DAR:From\", \"TERMINATING\", \"\", \"NO_ROUTE\", \"0\")\n";
    }

    private boolean run() throws IOException {
        if (count < 2 || victim < 0 || victim > 1) {
            throw new IOException("--phones begins at 2; --victim is 0 or 1");
        }
        Path folder = Folders.results(out, "it", "flows");
        List<String> names =
                IntStream.range(0, count * TRANSPORTS.size()).mapToObj(i -> "flow" + i).toList();
        List<Placed> phones = new ArrayList<>();
        try (TrialDatabase database =
                TrialDatabase.make(
                        TrialDatabase.Kind.POSTGRESQL,
                        folder.resolve("database"),
                        port + DATABASE_ABOVE)) {
            TrialUsers.add(database.settings(), folder, names, PASSWORD);
            TrialCluster.More more =
                    new TrialCluster.More(
                            List.of("registrar"),
                            routing("REGISTER") + routing("INVITE"),
                            Files.readString(folder.resolve("database/carillon.yaml")),
                            places().front(folder));
            try (TrialCluster cluster = TrialCluster.of(folder, port, more)) {
                System.out.println("3 nodes, 2 routers and a PostgreSQL start; logs: " + folder);
                cluster.start();
                cluster.awaitWhole(WHOLE_SECONDS);
                register(names, phones);
                return judge(cluster, phones);
            } finally {
                for (Placed each : phones) {
                    each.phone().close();
                }
            }
        }
    }

    /** Of half of the phones the newest flow is by the router that will be killed. */
    private void register(List<String> names, List<Placed> phones) throws IOException {
        for (int i = 0; i < names.size(); i++) {
            String transport = TRANSPORTS.get(i % TRANSPORTS.size());
            FlowPhone phone = new FlowPhone(names.get(i), PASSWORD);
            phones.add(new Placed(transport, phone));
            int last = i / TRANSPORTS.size() % 2;
            for (int router : new int[] {1 - last, last}) {
                phone.register(Line.open(transport, places().at(transport, router)), router + 1);
            }
        }
        System.out.printf("%d phones have registered two flows each%n", names.size());
    }

    private boolean judge(TrialCluster cluster, List<Placed> phones) throws IOException {
        boolean good = all("before", phones, System.nanoTime());
        long killed = System.nanoTime();
        cluster.killRouter(victim);
        System.out.printf("kill -9 of router %d%n", victim);
        good &= all("by the other flow", phones, killed);
        good &= all("later", phones, System.nanoTime());
        return good;
    }

    /** All are called at once; a line for each transport. */
    private boolean all(String what, List<Placed> phones, long since) throws IOException {
        boolean good = true;
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Double>> calls = new ArrayList<>();
            for (Placed each : phones) {
                calls.add(callers.submit(() -> call(each.phone(), since)));
            }
            for (String transport : TRANSPORTS) {
                int reached = 0;
                double last = 0;
                for (int i = 0; i < calls.size(); i++) {
                    if (phones.get(i).transport().equals(transport)) {
                        try {
                            last = Math.max(last, calls.get(i).get());
                            reached++;
                        } catch (ExecutionException e) {
                            System.out.println("SHORT " + transport + ": " + e.getCause());
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                            throw new IOException("interrupted", e);
                        }
                    }
                }
                boolean soon = reached == count && last <= SOON_SECONDS;
                good &= soon;
                System.out.printf(
                        Locale.ROOT,
                        "%s %s, %s: %d of %d phones reached, the last after %.2f s%n",
                        soon ? "ok   " : "SHORT",
                        transport,
                        what,
                        reached,
                        count,
                        last);
            }
        }
        return good;
    }

    /** Calls the phone by the router that stays; seconds until its answer came. */
    private double call(FlowPhone phone, long since) throws IOException {
        String id = phone.user() + "-" + System.nanoTime();
        try (FlowCall call = new FlowCall(places().at("udp", 1 - victim), phone.user(), id)) {
            double seconds = (call.invite() - since) / 1e9;
            call.bye();
            if (phone.flowOf(call.id()) == 0) {
                throw new IOException(phone.user() + " was answered for by somebody else");
            }
            return seconds;
        }
    }
}
