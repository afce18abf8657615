package io.carillon.it.order;

import io.carillon.cluster.link.LinkCounter;
import io.carillon.cluster.link.Owners;
import io.carillon.lab.process.Pause;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.router.Router;
import io.carillon.router.RouterConfig;
import io.carillon.router.RouterCounter;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.Ownership;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it order}: numbered messages of many calls, by UDP and TCP, through a router to
 * nodes of several event loops and back. Each has to come to the node and the loop of its
 * partition, once, and behind those of its call that were sent before it. Router and nodes are
 * those of {@code ./carillon router} and {@code run}, without transactions and container, in this
 * process.
 */
@Command(
        name = "order",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Numbered messages through a router to nodes of several event loops: is one overtaken,"
                        + " and is one where it does not belong?")
public final class Order implements Callable<Integer> {
    private static final long START_SECONDS = 30;
    private static final long STILL_SECONDS = 30;
    private static final int LOOK_MILLIS = 20;
    private static final long TOLD_SECONDS = 10;
    private static final int PHONES = 4;

    @Option(
            names = "--messages",
            defaultValue = "1000000",
            description = "so many, received by nodes and phones (${DEFAULT-VALUE})")
    private long messages;

    @Option(
            names = "--loops",
            defaultValue = "4",
            description = "event loops of each node (${DEFAULT-VALUE})")
    private int loops;

    @Option(names = "--nodes", defaultValue = "3", description = "nodes (${DEFAULT-VALUE})")
    private int nodes;

    @Option(
            names = "--calls",
            defaultValue = "400",
            description = "calls; half of them by UDP, half by TCP (${DEFAULT-VALUE})")
    private int calls;

    @Option(
            names = "--window",
            defaultValue = "4",
            description = "requests of a call on their way at a time (${DEFAULT-VALUE})")
    private int window;

    @Option(
            names = "--port",
            defaultValue = "17260",
            description = "the router's, for UDP and TCP (${DEFAULT-VALUE})")
    private int port;

    @Override
    public Integer call() {
        try {
            if (messages < 1 || loops < 1 || nodes < 1 || calls < PHONES || window < 1) {
                throw new IOException(
                        "--messages, --loops, --nodes and --window begin at 1, --calls at "
                                + PHONES);
            }
            OrderCounts counts = run();
            boolean good = verdict(counts);
            System.out.println(good ? "PASSED" : "FAILED");
            return good ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon it order: " + e.getMessage());
            return 1;
        }
    }

    private boolean verdict(OrderCounts counts) {
        line(counts.messages() >= messages, "messages", counts.messages());
        line(counts.overtakenSum() == 0, "overtaken within their call", counts.overtakenSum());
        line(
                counts.elsewhereSum() == 0,
                "at another node or event loop than their partition's",
                counts.elsewhereSum());
        line(counts.twiceSum() == 0, "twice", counts.twiceSum());
        line(counts.unreadableSum() == 0, "unreadable", counts.unreadableSum());
        System.out.printf(Locale.ROOT, "      lost: %,d%n", counts.lost());
        counts.byWay()
                .forEach((way, many) ->
                        System.out.printf(Locale.ROOT, "      %s: %,d%n", way, many.sum()));
        return counts.good() && counts.messages() >= messages;
    }

    private static void line(boolean good, String what, long many) {
        System.out.printf(Locale.ROOT, "%s %s: %,d%n", good ? "ok   " : "SHORT", what, many);
    }

    private OrderCounts run() throws IOException {
        OrderCounts counts = new OrderCounts();
        OrderedCluster cluster = OrderedCluster.of(port, calls);
        List<OrderNode> all = new ArrayList<>();
        try {
            Map<Integer, InetSocketAddress> addresses = new TreeMap<>();
            for (int i = 0; i < nodes; i++) {
                OrderNode node = new OrderNode(i, loops, cluster, counts);
                all.add(node);
                addresses.put(i, node.address());
            }
            try (Router router = Router.start(router(cluster, addresses))) {
                Owners owners = table(addresses);
                all.forEach(node -> node.goBy(owners));
                awaitTable(router, owners);
                call(cluster, counts);
                tell(router);
                tell(all);
            }
        } finally {
            all.forEach(OrderNode::close);
        }
        return counts;
    }

    /** What of the router says why something was lost or came twice. */
    private static void tell(Router router) {
        for (RouterCounter each :
                List.of(
                        RouterCounter.SENT_AGAIN,
                        RouterCounter.UNKEPT,
                        RouterCounter.UNDELIVERED,
                        RouterCounter.TAKEN_BEFORE,
                        RouterCounter.SHED)) {
            System.out.printf(
                    Locale.ROOT, "      %s: %,d%n", each.text(), router.counts().get(each));
        }
    }

    /** The same of the nodes together. */
    private static void tell(List<OrderNode> nodes) {
        for (LinkCounter each :
                List.of(
                        LinkCounter.SENT_AGAIN,
                        LinkCounter.UNKEPT,
                        LinkCounter.UNTAKEN,
                        LinkCounter.NO_ROUTER,
                        LinkCounter.NOT_OURS,
                        LinkCounter.TAKEN_BEFORE,
                        LinkCounter.DROPPED_STALE,
                        LinkCounter.DROPPED_CROWDED)) {
            System.out.printf(
                    Locale.ROOT,
                    "      nodes, %s: %,d%n",
                    each.text(),
                    nodes.stream().mapToLong(node -> node.count(each)).sum());
        }
    }

    private static RouterConfig router(
            OrderedCluster cluster, Map<Integer, InetSocketAddress> addresses) {
        return new RouterConfig(
                0,
                List.of(
                        new ListeningPoint(Transport.UDP, "127.0.0.1", cluster.port()),
                        new ListeningPoint(Transport.TCP, "127.0.0.1", cluster.port())),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                addresses,
                OrderedCluster.NUMBER,
                cluster.secrets(),
                null);
    }

    /** Each partition belongs to another node than the one before it. */
    private Owners table(Map<Integer, InetSocketAddress> addresses) {
        int[] owners = new int[Ownership.PARTITIONS];
        int[] next = new int[Ownership.PARTITIONS];
        for (int i = 0; i < owners.length; i++) {
            // Not by the remainder that chooses the loop.
            owners[i] = i / loops % nodes;
            next[i] = (owners[i] + 1) % nodes;
        }
        return Owners.of(1, owners, next, addresses);
    }

    private static void awaitTable(Router router, Owners owners) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (router.owners().version() != owners.version()
                || router.nodes().size() < owners.addresses().size()
                || !router.nodes().stream().allMatch(each -> each.alive(System.nanoTime()))) {
            if (System.nanoTime() - end > 0) {
                throw new IOException("the router does not hear its nodes");
            }
            Pause.millis(LOOK_MILLIS);
        }
    }

    private void call(OrderedCluster cluster, OrderCounts counts) throws IOException {
        List<Way> ways = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(PHONES)) {
            for (int i = 0; i < PHONES; i++) {
                // Those with a token and those without by both.
                ways.add(i < PHONES / 2 ? new Way.Datagrams(port) : new Way.Connection(port));
            }
            List<Future<@Nullable Void>> phones = new ArrayList<>();
            for (int i = 0; i < PHONES; i++) {
                phones.add(
                        threads.submit(
                                new OrderPhone(
                                        ways.get(i),
                                        i,
                                        PHONES,
                                        cluster,
                                        window,
                                        counts,
                                        () -> counts.messages() >= messages)));
            }
            watch(counts, phones, ways);
        } finally {
            for (Way way : ways) {
                way.close();
            }
        }
    }

    /** Tells how far it is; gives up when nothing moves. */
    private void watch(OrderCounts counts, List<Future<@Nullable Void>> phones, List<Way> ways)
            throws IOException {
        long begin = System.nanoTime();
        long moved = begin;
        long told = begin;
        long before = 0;
        while (!phones.stream().allMatch(Future::isDone)) {
            long now = System.nanoTime();
            long count = counts.messages();
            moved = count > before ? now : moved;
            before = count;
            if (phones.stream().anyMatch(each -> each.state() == Future.State.FAILED)
                    || now - moved > TimeUnit.SECONDS.toNanos(STILL_SECONDS)) {
                for (Way way : ways) {
                    way.close(); // ends its phone
                }
                break;
            }
            if (now - told > TimeUnit.SECONDS.toNanos(TOLD_SECONDS)) {
                told = now;
                System.out.printf(
                        Locale.ROOT,
                        "%4d s: %,d messages, %,d overtaken, %,d elsewhere%n",
                        TimeUnit.NANOSECONDS.toSeconds(now - begin),
                        count,
                        counts.overtakenSum(),
                        counts.elsewhereSum());
            }
            Pause.millis(LOOK_MILLIS);
        }
        for (Future<@Nullable Void> phone : phones) {
            ended(phone);
        }
    }

    private static void ended(Future<@Nullable Void> phone) throws IOException {
        try {
            phone.get();
        } catch (ExecutionException e) {
            throw new IOException("a phone failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
