package io.carillon.it.place;

import io.carillon.it.failover.RouterPlaces;
import io.carillon.it.failover.TrialCluster;
import io.carillon.it.line.Line;
import io.carillon.lab.process.Folders;
import io.carillon.server.calls.CallDetail;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code ./carillon it streams}: calls by UDP, TCP, TLS and WSS at two routers before three nodes.
 * A node is killed, and each call does a re-INVITE on its line. Then a router is killed: its
 * clients connect to the other one and do a re-INVITE there.
 */
@Command(
        name = "streams",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Calls by UDP, TCP, TLS and WSS at two routers, over kill -9 of a node and then of a router:"
                        + " which go on, and how soon.")
public final class Streams implements Callable<Integer> {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final List<String> TRANSPORTS = List.of("udp", "tcp", "tls", "wss");
    private static final long WHOLE_SECONDS = 180;
    private static final double SOON_SECONDS = 2;

    @Option(
            names = "--calls",
            defaultValue = "10",
            description = "calls by each transport, half at each router (${DEFAULT-VALUE})")
    private int count;

    @Option(
            names = "--port",
            defaultValue = "17160",
            description = "the routers'; the 49 behind it are the nodes' (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--out", description = "folder of logs (it/target/streams-TIME)")
    private String out = "";

    /** A call at a router. */
    private record Placed(String transport, int router, PlacedCall call) {}

    /** What a call does, once. */
    private interface Step {
        void of(Placed placed) throws IOException;
    }

    @Override
    public Integer call() {
        try {
            boolean good = run();
            System.out.println(good ? "PASSED" : "FAILED");
            return good ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon it streams: " + e.getMessage());
            return 1;
        }
    }

    private RouterPlaces places() {
        return new RouterPlaces(port, TRANSPORTS.subList(1, TRANSPORTS.size()));
    }

    private boolean run() throws IOException {
        if (count < 2) {
            throw new IOException("--calls begins at 2");
        }
        Path folder = Folders.results(out, "it", "streams");
        List<Placed> calls = new ArrayList<>();
        try (TrialCluster cluster =
                        TrialCluster.of(
                                folder,
                                port,
                                new TrialCluster.More(List.of(), "", "", places().front(folder)));
                ExecutorService phones = Executors.newVirtualThreadPerTaskExecutor()) {
            System.out.println("3 nodes and 2 routers start; logs: " + folder);
            cluster.start();
            cluster.awaitWhole(WHOLE_SECONDS);
            for (String transport : TRANSPORTS) {
                for (int i = 0; i < count; i++) {
                    int router = i % 2;
                    PlacedCall call =
                            new PlacedCall(
                                    places().at(transport, 0),
                                    transport + "-" + i + "-" + System.nanoTime(),
                                    Line.open(transport, places().at(transport, router)));
                    calls.add(new Placed(transport, router, call));
                }
            }
            return judge(cluster, phones, calls);
        } finally {
            for (Placed each : calls) {
                each.call().close();
            }
        }
    }

    private boolean judge(TrialCluster cluster, ExecutorService phones, List<Placed> calls)
            throws IOException {
        boolean good = all(phones, "begun", calls, each -> each.call().invite());
        int victim = holder(cluster, calls.getFirst());
        cluster.kill(victim);
        System.out.printf("kill -9 of node %d%n", victim);
        good &= all(phones, "changed at once", calls, each -> each.call().invite());
        List<Placed> moved = calls.stream().filter(each -> each.router() == 1).toList();
        cluster.killRouter(1);
        System.out.println("kill -9 of the second router");
        good &=
                all(
                        phones,
                        "changed by the other router",
                        moved,
                        each -> {
                            each.call()
                                    .by(
                                            Line.open(
                                                    each.transport(),
                                                    places().at(each.transport(), 0)));
                            each.call().invite();
                        });
        List<Placed> others = calls.stream().filter(each -> each.router() == 0).toList();
        good &= all(phones, "changed beside it", others, each -> each.call().invite());
        good &= all(phones, "ended", calls, each -> each.call().bye());
        return good;
    }

    private static int holder(TrialCluster cluster, Placed call) throws IOException {
        List<CallDetail> found =
                JSON.readValue(cluster.ask(0, "call", call.call().id()), new TypeReference<>() {});
        return Objects.requireNonNull(found.getFirst().cluster(), "in a cluster").node();
    }

    /** All at once; a line for each transport. */
    private static boolean all(ExecutorService phones, String what, List<Placed> calls, Step step)
            throws IOException {
        long begin = System.nanoTime();
        Map<Placed, Future<Double>> running = new java.util.LinkedHashMap<>();
        for (Placed each : calls) {
            running.put(
                    each,
                    phones.submit(() -> {
                        step.of(each);
                        return (System.nanoTime() - begin) / 1e9;
                    }));
        }
        Map<String, List<Double>> seconds = new TreeMap<>();
        int failed = 0;
        for (Map.Entry<Placed, Future<Double>> each : running.entrySet()) {
            String transport = each.getKey().transport();
            List<Double> of = seconds.computeIfAbsent(transport, key -> new ArrayList<>());
            try {
                of.add(each.getValue().get());
            } catch (ExecutionException e) {
                failed++;
                System.out.println("SHORT " + transport + ": " + e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
        boolean soon = true;
        for (Map.Entry<String, List<Double>> each : seconds.entrySet()) {
            double last = each.getValue().stream().mapToDouble(Double::doubleValue).max().orElse(0);
            soon &= !what.endsWith("router") || last <= SOON_SECONDS;
            System.out.printf(
                    Locale.ROOT,
                    "%-5s %s: %d calls %s, the last after %.2f s%n",
                    last <= SOON_SECONDS ? "ok" : "late",
                    each.getKey(),
                    each.getValue().size(),
                    what,
                    last);
        }
        return failed == 0 && soon;
    }
}
