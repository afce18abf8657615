package io.carillon.it.place;

import io.carillon.it.failover.RouterPlaces;
import io.carillon.it.failover.TrialCluster;
import io.carillon.it.line.Line;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it routers}: calls by UDP, TCP and WSS at two routers, half at each, and kill
 * -9 of one in the middle. Who calls by UDP knows both addresses; who calls by a connection has one
 * to each router (RFC 5626), and uses the second when the first has ended.
 */
@Command(
        name = "routers",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Calls by UDP, TCP and WSS at two routers, and kill -9 of one of them under load: calls"
                        + " that fail, and how soon clients go on by their other flow.")
public final class Routers implements Callable<Integer> {
    private static final List<String> TRANSPORTS = List.of("udp", "tcp", "wss");
    private static final long WHOLE_SECONDS = 180;
    private static final int UPDATE_MILLIS = 500;
    private static final double SOON_SECONDS = 2;

    @Option(
            names = "--rate",
            defaultValue = "12",
            description = "calls/s, a third by each transport (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--seconds",
            defaultValue = "20",
            description = "calls are begun; half of them before the kill (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--hold",
            defaultValue = "5",
            description = "seconds of each call, with an UPDATE every 500 ms (${DEFAULT-VALUE})")
    private int hold;

    @Option(
            names = "--victim",
            defaultValue = "1",
            description =
                    "which router is killed: 0, whose address is the cluster's, or 1 (${DEFAULT-VALUE})")
    private int victim;

    @Option(
            names = "--port",
            defaultValue = "17360",
            description = "the routers'; the 49 behind it are the nodes' (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--out", description = "folder of logs (it/target/routers-TIME)")
    private String out = "";

    private volatile long killedNanos;

    @Override
    public Integer call() {
        try {
            boolean good = run();
            System.out.println(good ? "PASSED" : "FAILED");
            return good ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon it routers: " + e.getMessage());
            return 1;
        }
    }

    private RouterPlaces places() {
        return new RouterPlaces(port, TRANSPORTS.subList(1, TRANSPORTS.size()));
    }

    private boolean run() throws IOException {
        if (rate < 1 || seconds < 2 || hold < 1 || victim < 0 || victim > 1) {
            throw new IOException(
                    "--rate and --hold begin at 1, --seconds at 2; --victim is 0 or 1");
        }
        Path folder = Folders.results(out, "it", "routers");
        try (TrialCluster cluster =
                        TrialCluster.of(
                                folder,
                                port,
                                new TrialCluster.More(List.of(), "", "", places().front(folder)));
                ExecutorService phones = Executors.newVirtualThreadPerTaskExecutor()) {
            System.out.println("3 nodes and 2 routers start; logs: " + folder);
            cluster.start();
            cluster.awaitWhole(WHOLE_SECONDS);
            return judge(load(cluster, phones));
        }
    }

    /** Begins calls at a steady rate, and kills the router when half of them have begun. */
    private List<Ended> load(TrialCluster cluster, ExecutorService phones) throws IOException {
        int calls = rate * seconds;
        long begin = System.nanoTime();
        List<Future<Ended>> running = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            long due = begin + TimeUnit.SECONDS.toNanos(i) / rate;
            Pause.millis(Math.max(0, TimeUnit.NANOSECONDS.toMillis(due - System.nanoTime())));
            if (i == calls / 2) {
                killedNanos = System.nanoTime();
                cluster.killRouter(victim);
                System.out.printf("kill -9 of router %d%n", victim);
            }
            String transport = TRANSPORTS.get(i % TRANSPORTS.size());
            running.add(phones.submit(new Caller(transport, i / TRANSPORTS.size() % 2, i)));
        }
        List<Ended> ended = new ArrayList<>();
        for (Future<Ended> each : running) {
            ended.add(ended(each));
        }
        return ended;
    }

    private static Ended ended(Future<Ended> call) throws IOException {
        try {
            return call.get();
        } catch (ExecutionException e) {
            throw new IOException("a phone failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private boolean judge(List<Ended> all) {
        boolean good = true;
        for (String transport : TRANSPORTS) {
            for (int router = 0; router < 2; router++) {
                int at = router;
                List<Ended> some =
                        all.stream()
                                .filter(each ->
                                        each.transport().equals(transport) && each.router() == at)
                                .toList();
                good &= line(transport, router, some);
            }
        }
        return good;
    }

    private boolean line(String transport, int router, List<Ended> calls) {
        List<String> faults =
                calls.stream().map(Ended::fault).filter(fault -> !fault.isEmpty()).toList();
        long moved = calls.stream().filter(each -> each.movedSeconds() >= 0).count();
        double last = calls.stream().mapToDouble(Ended::movedSeconds).max().orElse(-1);
        int repeats = calls.stream().mapToInt(Ended::repeats).sum();
        // Whoever is at the other router notices nothing.
        boolean good = faults.isEmpty() && last <= SOON_SECONDS && (router == victim || moved == 0);
        System.out.printf(
                Locale.ROOT,
                "%s %s at router %d%s: %d calls, %d failed, %d requests sent again%s%n",
                good ? "ok   " : "SHORT",
                transport,
                router,
                router == victim ? " (killed)" : "",
                calls.size(),
                faults.size(),
                repeats,
                moved == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                ", %d went on by their other flow, the last after %.2f s",
                                moved,
                                last));
        faults.stream().distinct().limit(3).forEach(fault -> System.out.println("      " + fault));
        return good;
    }

    /**
     * How a call went.
     *
     * @param fault empty when all was answered
     * @param movedSeconds from the kill to the first answer by the other flow; -1 when that was not
     *     needed
     */
    private record Ended(
            String transport, int router, String fault, double movedSeconds, int repeats) {}

    /** What a call does once. */
    private interface Step {
        void of(PlacedCall call) throws IOException;
    }

    /** One call from its beginning to its end. */
    private final class Caller implements Callable<Ended> {
        private final String transport;
        private final int router;
        private final int number;
        private final List<Line> spare = new ArrayList<>();
        private double movedSeconds = -1;

        Caller(String transport, int router, int number) {
            this.transport = transport;
            this.router = router;
            this.number = number;
        }

        @Override
        public Ended call() {
            String id = transport + "-" + number + "-" + System.nanoTime();
            String fault = "";
            int repeats = 0;
            try {
                PlacedCall call = new PlacedCall(places().at(transport, 0), id, open());
                try (call) {
                    step(call, PlacedCall::invite, PlacedCall::invite);
                    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(hold);
                    while (System.nanoTime() - end < 0) {
                        Pause.millis(UPDATE_MILLIS);
                        step(call, PlacedCall::update, PlacedCall::update);
                    }
                    step(call, PlacedCall::bye, PlacedCall::byeAgain);
                } finally {
                    repeats = call.repeats();
                    for (Line each : spare) {
                        each.close();
                    }
                }
            } catch (IOException e) {
                fault = String.valueOf(e.getMessage());
            }
            return new Ended(transport, router, fault, movedSeconds, repeats);
        }

        /** Its first flow; the second one is opened too, where that router lives. */
        private Line open() throws IOException {
            InetSocketAddress own = places().at(transport, router);
            InetSocketAddress other = places().at(transport, 1 - router);
            if (transport.equals("udp")) {
                return new Line.Datagrams(own, other);
            }
            boolean killed = killedNanos != 0;
            if (killed && router == victim) {
                return Line.open(transport, other); // its first one refuses the connection
            }
            if (!killed) {
                spare.add(Line.open(transport, other));
            }
            try {
                return Line.open(transport, own);
            } catch (IOException e) {
                // It was killed meanwhile.
                return spare.isEmpty() ? Line.open(transport, other) : spare.removeFirst();
            }
        }

        /** On the other flow, when the first has ended before the answer. */
        private void step(PlacedCall call, Step first, Step again) throws IOException {
            try {
                first.of(call);
            } catch (IOException e) {
                if (spare.isEmpty() || killedNanos == 0) {
                    throw e;
                }
                call.by(spare.removeFirst());
                again.of(call);
                movedSeconds = (System.nanoTime() - killedNanos) / 1e9;
            }
        }
    }
}
