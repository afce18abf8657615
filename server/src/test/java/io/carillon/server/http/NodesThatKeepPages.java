package io.carillon.server.http;

import io.carillon.grid.link.ClusterKey;
import io.carillon.grid.link.LinkTls;
import io.carillon.net.Network;
import io.carillon.net.NetworkConfig;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.nodes.OtherPages;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.adopt.Adoption;
import io.carillon.servlet.feature.protect.CallProtection;
import io.carillon.servlet.feature.protect.CallRecordWriter;
import io.carillon.servlet.feature.protect.ProtectionSettings;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.port.CallStore;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.OwnMarks;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.Partitions;
import io.carillon.sip.token.RandomSource;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Nodes in this process that deploy the same converged application: each with its container and its
 * HTTP side, and records that outlive a node. Whose a partition is, the test says; at first each
 * has its share of them.
 */
final class NodesThatKeepPages implements AutoCloseable {
    private static final byte[] KEY =
            "the key of the cluster, 32 bytes".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    private static final int MAX_WAIT_MILLIS = 30_000;
    private static final Partitions PARTITIONS = new Partitions(5, ClusterKeys.of(1, 2));

    private final Map<String, CallStore.State> records = new HashMap<>();
    private final ExecutorService answers = Executors.newSingleThreadExecutor();
    private final AtomicIntegerArray owners = new AtomicIntegerArray(Ownership.PARTITIONS);
    private final Set<Integer> living = ConcurrentHashMap.newKeySet();
    private final List<Node> nodes = new ArrayList<>();
    private final List<InetSocketAddress> between = new ArrayList<>();

    NodesThatKeepPages(Path folder, Path application, int count) throws Exception {
        for (int partition = 0; partition < Ownership.PARTITIONS; partition++) {
            owners.set(partition, partition % count);
        }
        for (int node = 0; node < count; node++) {
            between.add(NodesWithPages.free());
            living.add(node);
        }
        for (int node = 0; node < count; node++) {
            nodes.add(new Node(node, Files.createDirectories(folder.resolve("work" + node))));
            nodes.getLast().deploy(application);
        }
    }

    /** Where visitors ask a node. */
    String base(int node) {
        return "http://" + nodes.get(node).http.listening();
    }

    /** Calls that a node has taken over. */
    long adopted(int node) {
        return nodes.get(node).adoption.adopted();
    }

    /** The store has the calls of that node as they are, and its HTTP session. */
    void awaitKept(int node) throws InterruptedException {
        long end = System.nanoTime() + MAX_WAIT_MILLIS * 1_000_000L;
        synchronized (records) {
            while (!nodes.get(node).isKept()) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new AssertionError("was not kept in time: " + records.keySet());
                }
                records.wait(left);
            }
        }
    }

    /** Nothing of it leaves any more, and the next one owns what it had. */
    void kill(int node, int next) {
        living.remove(node);
        for (int partition = 0; partition < Ownership.PARTITIONS; partition++) {
            if (owners.compareAndSet(partition, node, next)) {
                nodes.get(next).adoption.promoted(partition, 2);
            }
        }
    }

    @Override
    public void close() {
        living.clear();
        nodes.forEach(Node::close);
        answers.shutdownNow();
    }

    private final class Node implements AutoCloseable, OtherPages {
        private final int number;
        private final ApplicationThreads threads = ApplicationThreads.virtual();
        private final CallProtection protection;
        private final SipContainer container;
        private final Network network;
        private final Adoption adoption;
        private final AdminHttp http;

        Node(int number, Path work) throws Exception {
            this.number = number;
            CallStore store = new Store(number);
            Ownership ownership =
                    new Ownership() {
                        @Override
                        public boolean owns(int partition) {
                            return owners.get(partition) == number;
                        }

                        @Override
                        public long term(int partition) {
                            return living.size() == between.size() ? 1 : 2;
                        }
                    };
            protection =
                    new CallProtection(
                            store,
                            ownership,
                            CallPartition::of,
                            new CallRecordWriter(number),
                            ProtectionSettings.DEFAULT);
            container =
                    new SipContainer(
                            ContainerConfig.defaults().withWorkFolder(work), threads, protection);
            adoption = container.takeOver(store);
            StackConfig stack =
                    StackConfig.builder()
                            .marks(new OwnMarks(1, 2))
                            .cluster(
                                    new ClusterPlace(
                                            5,
                                            ClusterKeys.of(1, 2),
                                            ownership,
                                            1,
                                            System::nanoTime))
                            .build();
            network =
                    Network.bind(
                            NetworkConfig.of(
                                            List.of(
                                                    new ListeningPoint(
                                                            Transport.UDP, "127.0.0.1", 0)))
                                    .withShards(1),
                            (index, executor, wire, startNanos) ->
                                    Stack.shard(
                                            index,
                                            stack,
                                            executor,
                                            wire,
                                            container,
                                            RandomSource.secure(),
                                            startNanos));
            container.start(network.shards());
            http =
                    AdminHttp.start(
                            ConfigurationReader.read(
                                            "test.yaml", "http: {listen: 127.0.0.1:0}", work)
                                    .http(),
                            Map.of(),
                            name -> null,
                            nobody -> false,
                            Map.of(),
                            new AdminHttp.Beside(null, null, this));
            container.web(http.web());
        }

        void deploy(Path application) throws Exception {
            container.deploy(application);
            network.receive();
        }

        boolean isKept() {
            return records.keySet().stream().anyMatch(id -> id.startsWith("@@"))
                    && container.sessions().all().stream()
                            .allMatch(call ->
                                    records.containsKey(call.getId())
                                            && protection.isWritten(call));
        }

        @Override
        public void close() {
            container.close();
            http.close();
            network.close();
            threads.close();
        }

        // ---- pages of the others ----

        @Override
        public int self() {
            return number;
        }

        @Override
        public boolean knows(String token) {
            return PARTITIONS.in(token) >= 0;
        }

        @Override
        public int owner(String token) {
            return owners.get(PARTITIONS.in(token));
        }

        @Override
        public boolean lives(int node) {
            return node != number && living.contains(node);
        }

        @Override
        public InetSocketAddress address(int node) {
            return between.get(node);
        }

        @Override
        public SSLContext tls() {
            try {
                return LinkTls.context(new ClusterKey("test", List.of(KEY)));
            } catch (java.security.GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** What a node sees of the records: a dead one changes nothing more. */
    private final class Store implements CallStore {
        private final int node;

        Store(int node) {
            this.node = node;
        }

        @Override
        public void write(List<State> batch, Consumer<Outcome> done) {
            answers.execute(() -> {
                if (living.contains(node)) {
                    synchronized (records) {
                        for (State state : batch) {
                            State before = records.get(state.id());
                            if (before == null || state.follows(before)) {
                                records.put(state.id(), state);
                            }
                        }
                    }
                    done.accept(new Outcome(2, null));
                    nodes.get(node).network.shards().getFirst().executor().execute(this::told);
                }
            });
        }

        /** Who waits looks again, once the shard has heard of it. */
        private void told() {
            synchronized (records) {
                records.notifyAll();
            }
        }

        @Override
        public void readAll(int partition, Consumer<State> each, Consumer<@Nullable String> end) {
            answers.execute(() -> {
                List<State> all;
                synchronized (records) {
                    all = new ArrayList<>(records.values());
                }
                all.stream().filter(state -> state.partition() == partition).forEach(each);
                end.accept(null);
            });
        }

        @Override
        public void read(int partition, String id, Consumer<Found> found) {
            answers.execute(() -> {
                State state;
                synchronized (records) {
                    state = records.get(id);
                }
                found.accept(Found.of(state));
            });
        }

        @Override
        public int holders(int partition) {
            return 2;
        }

        @Override
        public void close() {}
    }
}
