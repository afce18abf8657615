package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.config.RouterConfig;
import io.carillon.servlet.feature.protect.CallProtection;
import io.carillon.servlet.feature.protect.CallRecordWriter;
import io.carillon.servlet.feature.protect.ProtectionSettings;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.MemoryStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.CallRecords;
import io.carillon.servlet.kernel.SessionStore;
import io.carillon.servlet.port.CallStore;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.OwnMarks;
import io.carillon.sip.token.Ownership;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Two nodes of a cluster, one after the other at the cluster's address: the second one has nothing
 * of the first but the records.
 */
final class TwoNodes {
    static final String HOST = "10.0.0.1";
    private static final int LOOPS = 2;

    /** Deploys the same applications on each node. */
    interface Deployed {
        void on(Server server);
    }

    final SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 1);
    final MemoryStore store = new MemoryStore(network.time());
    final RawPeer alice = new RawPeer(network, "10.0.0.2", 5060);
    final RawPeer bob = new RawPeer(network, "10.0.0.3", 5060);

    /** What becomes of each record on its way to the next node. */
    static UnaryOperator<byte[]> onTheWay = UnaryOperator.identity();

    /** Does each node write its calls by itself, as a node of a cluster does? */
    private final boolean protects;

    /** Do their tokens name partitions of a cluster? */
    private final boolean inCluster;

    private final Deployed deployed;
    private final @Nullable Path dar;
    Server server;
    Adoption adoption;
    private long term;
    private long sequence;

    /** Of the node that lives, where it protects. */
    @Nullable CallProtection protection;

    TwoNodes(Deployed deployed) {
        this(deployed, null);
    }

    TwoNodes(Deployed deployed, @Nullable Path dar) {
        this(deployed, dar, false, false);
    }

    private TwoNodes(Deployed deployed, @Nullable Path dar, boolean protects, boolean inCluster) {
        this.inCluster = inCluster;
        this.deployed = deployed;
        this.dar = dar;
        this.protects = protects;
        this.server = node();
        this.adoption = server.container.takeOver(store);
        deployed.on(server);
    }

    /** Nodes that write their calls by themselves. */
    static TwoNodes protecting(Deployed deployed) {
        return new TwoNodes(deployed, null, true, false);
    }

    /** Nodes whose tokens name partitions. */
    static TwoNodes inCluster(Deployed deployed) {
        return inCluster(deployed, false);
    }

    /** The same, which may write their calls by themselves. */
    static TwoNodes inCluster(Deployed deployed, boolean protects) {
        return new TwoNodes(deployed, null, protects, true);
    }

    private SessionStore sessions() {
        if (!protects) {
            return SessionStores.inMemory();
        }
        protection =
                new CallProtection(
                        store,
                        ownership(),
                        CallPartition::of,
                        new CallRecordWriter(1),
                        ProtectionSettings.DEFAULT);
        return protection;
    }

    /** Of the node that is made now: it owns everything until there is another. */
    private Ownership ownership() {
        long own = term;
        return new Ownership() {
            @Override
            public boolean owns(int partition) {
                return own == term;
            }

            @Override
            public long term(int partition) {
                return own;
            }
        };
    }

    private Server node() {
        term++;
        StackConfig stack =
                StackConfig.builder()
                        .marks(new OwnMarks(1, 2))
                        .cluster(
                                inCluster
                                        ? new ClusterPlace(
                                                5,
                                                ClusterKeys.of(1, 2),
                                                ownership(),
                                                LOOPS,
                                                () -> 0)
                                        : null)
                        .build();
        return new Server(
                network,
                HOST,
                LOOPS,
                term,
                sessions(),
                stack,
                ContainerConfig.defaults().withRouter(new RouterConfig(dar, null)));
    }

    void run(Duration span) {
        network.time().runFor(span);
    }

    /** Writes the records of all calls that there are. */
    void write() {
        run(Duration.ofMillis(100));
        for (ApplicationSession session : List.copyOf(server.container.sessions().all())) {
            session.inTurn(() -> {
                byte[] bytes = CallRecords.write(session, 1, term, ++sequence);
                store.write(
                        List.of(
                                new CallStore.State(
                                        CallPartition.of(session),
                                        session.getId(),
                                        term,
                                        sequence,
                                        bytes)),
                        outcome -> assertThat(outcome.isProtected()).isTrue());
            });
        }
    }

    /** The node dies, and the other one becomes the owner of all partitions that have records. */
    void fail() {
        fail(onTheWay);
    }

    /**
     * As {@link #fail()}.
     *
     * @param changed what becomes of each record on its way
     */
    void fail(UnaryOperator<byte[]> changed) {
        if (!protects) {
            write();
        }
        store.records()
                .replaceAll((id, state) ->
                        new CallStore.State(
                                state.partition(),
                                id,
                                state.term(),
                                state.sequence(),
                                state.bytes() == null ? null : changed.apply(state.bytes())));
        die();
        rise();
    }

    void die() {
        server.node.crash();
        alice.forget();
        bob.forget();
    }

    void rise() {
        server = node();
        adoption = server.container.takeOver(store);
        deployed.on(server);
        TreeSet<Integer> partitions = new TreeSet<>();
        store.records().values().forEach(state -> partitions.add(state.partition()));
        partitions.forEach(partition -> adoption.promoted(partition, term));
    }

    /** All calls went on, and have ended. */
    void assertEnded(int calls) {
        run(Duration.ofMinutes(2));
        assertThat(adoption.adopted()).as("calls taken over").isEqualTo(calls);
        assertThat(adoption.lost()).as("calls lost").isZero();
        assertThat(adoption.known()).as("records left").isZero();
        server.assertEmpty();
    }
}
