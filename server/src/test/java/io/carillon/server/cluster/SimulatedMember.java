package io.carillon.server.cluster;

import io.carillon.cluster.lease.Ack;
import io.carillon.cluster.lease.Beat;
import io.carillon.cluster.member.Incarnation;
import io.carillon.cluster.member.MemberState;
import io.carillon.cluster.node.ClusterNode;
import io.carillon.cluster.node.NodeIdentity;
import io.carillon.cluster.node.NodeOutput;
import io.carillon.cluster.table.PartitionTable;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ApplicationKey;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.adopt.Adoption;
import io.carillon.servlet.feature.adopt.LeavingCalls.Told;
import io.carillon.servlet.feature.protect.CallProtection;
import io.carillon.servlet.feature.protect.CallRecordWriter;
import io.carillon.servlet.feature.protect.ProtectionSettings;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlettest.store.SimulatedCallStore;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.OwnMarks;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.RandomSource;
import io.carillon.testkit.SimulatedNode;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** One life of a node of a {@link SimulatedCluster}: its process, from its start to its death. */
final class SimulatedMember {
    private static final int LOOPS = 2;
    private static final long MILLIS = 1_000_000;

    /** A dead node is taken for one by then. */
    private static final long UNNOTICED = 1_500 * MILLIS;

    private final SimulatedCluster cluster;
    private final int number;
    private final long skew;
    private final ClusterNode node;
    private final ComingPartitions coming;
    private final LeavingPartitions leaving;
    private final CallProtection protection;
    private final Adoption adoption;
    private final WorkUnderWay work;
    final SipContainer container;
    final SimulatedNode sip;
    private final SimulatedCallStore store;

    /** From when it has given its partitions away; as {@link NodeLeave} waits. */
    private final LastCopies copies = new LastCopies(UNNOTICED);

    private int learnt;
    private boolean dead;
    private boolean stopped;

    SimulatedMember(SimulatedCluster cluster, int number, long life) {
        this.cluster = cluster;
        this.number = number;
        this.skew = cluster.between(-200, 200) * MILLIS;
        node =
                new ClusterNode(
                        new NodeIdentity(number, "node" + number, "10.0.0." + number, false),
                        Incarnation.first(life * 1_000, cluster.random.nextInt()),
                        cluster.begin(),
                        cluster.times,
                        this::clock,
                        new Output());
        store = cluster.grid.join(number);
        coming = new ComingPartitions(node.ownership());
        leaving =
                new LeavingPartitions(
                        new Leaving(),
                        (millis, task) -> later(millis * MILLIS, task),
                        partition -> node.handedOver(partition));
        protection =
                new CallProtection(
                        store,
                        node.ownership(),
                        CallPartition::of,
                        new CallRecordWriter(number),
                        ProtectionSettings.DEFAULT);
        ContainerConfig config =
                ContainerConfig.defaults()
                        .withMillis(() -> 1_700_000_000_000L + cluster.time.nanoTime() / MILLIS)
                        .withRandom(RandomSource.seeded(cluster.random.nextLong()))
                        .withListeningPoints(List.of("sip:" + SimulatedCluster.HOST + ":5060"));
        container =
                new SipContainer(
                        config, task -> later(cluster.between(0, 1_000) * 1_000, task), protection);
        sip =
                SimulatedNode.start(
                        cluster.network,
                        "node" + number,
                        SimulatedCluster.HOST,
                        5060,
                        LOOPS,
                        StackConfig.builder()
                                .marks(new OwnMarks(1, 2))
                                .cluster(
                                        new ClusterPlace(
                                                5,
                                                ClusterKeys.of(1, 2),
                                                coming,
                                                LOOPS,
                                                cluster.time::nanoTime))
                                .build(),
                        container);
        cluster.network.unbind(sip.address());
        sip.amongOthers((request, from, partition) -> {
            cluster.time.after(MILLIS, () -> cluster.settle(this, request, from, partition, 0));
            return true;
        });
        container.start(sip.shards());
        adoption = container.takeOver(store);
        work = new WorkUnderWay(sip.shards(), this::clock);
        deploy();
        tick();
    }

    private void deploy() {
        KindsServlet servlet = new KindsServlet(cluster, number);
        try {
            container.deploy(
                    ApplicationDescription.builder("kinds")
                            .servlet("main", () -> servlet)
                            .listener(servlet)
                            .key(new ApplicationKey(KindsServlet.class.getName(), "key"))
                            .execution(cluster.mode)
                            .sessionTimeoutMinutes(60)
                            .build());
        } catch (DeploymentException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Its own clock: it goes on while the process is stopped. */
    private long clock() {
        return cluster.time.nanoTime() + skew;
    }

    /** What its shards read. */
    long clockOfCalls() {
        return cluster.time.nanoTime();
    }

    int number() {
        return number;
    }

    boolean runs() {
        return !dead && !stopped;
    }

    PartitionTable table() {
        return node.table();
    }

    boolean stable() {
        return node.table().members().stream()
                .anyMatch(member -> member.number() == number && member.stable());
    }

    CallProtection protection() {
        return protection;
    }

    Adoption adoption() {
        return adoption;
    }

    /** May it send for the partition at this true instant? */
    boolean acts(int partition) {
        return runs() && coming.owns(partition);
    }

    long term(int partition) {
        return node.ownership().term(partition);
    }

    private void later(long nanos, Runnable task) {
        cluster.time.after(nanos, () -> sip.process().whenItRuns(task));
    }

    private void tick() {
        later(
                cluster.between(20, 50) * MILLIS,
                () -> {
                    node.tick(clock(), cluster.votes.leader() == number);
                    leaving.flush();
                    work.tick();
                    if (node.over() && copies.mayGo(withoutCopy(), cluster.time.nanoTime())) {
                        cluster.ended(this);
                        return;
                    }
                    tick();
                });
    }

    private int withoutCopy() {
        return (int)
                IntStream.range(0, Ownership.PARTITIONS)
                        .filter(partition -> store.holders(partition) < 2)
                        .count();
    }

    void learn(int size) {
        while (learnt < size && runs()) {
            node.applied(cluster.votes.change(learnt++), clock());
            leaving.flush();
        }
    }

    // ---- what befalls it ----

    void kill() {
        dead = true;
        sip.crash();
        cluster.grid.kill(number);
    }

    void stop() {
        stopped = true;
        sip.process().stop();
        cluster.grid.pause(number);
    }

    void goOn() {
        if (stopped && !dead) {
            stopped = false;
            cluster.grid.resume(number);
            sip.process().goOn();
        }
    }

    void leave() {
        node.leave(clock());
    }

    void died(int other, long incarnation) {
        sip.process().whenItRuns(() -> node.died(other, incarnation, clock()));
    }

    long incarnation() {
        return node.incarnation();
    }

    // ---- messages ----

    /** As {@code NodeLink} does: is it ours, another's, or does it wait? */
    Fate take(byte[] bytes, Hop from, int partition) {
        boolean ours = coming.owns(partition);
        if (ours && (coming.takesNewWork(partition) || goesOn(bytes))) {
            sip.arrives(bytes, from, partition);
            return Fate.TAKEN;
        }
        int owner = node.table().owner(partition);
        return owner == PartitionTable.NONE || owner == number ? Fate.WAITS : Fate.ANOTHERS;
    }

    /** What becomes of a message. */
    enum Fate {
        TAKEN,
        WAITS,
        ANOTHERS
    }

    private static boolean goesOn(byte[] bytes) {
        String begin = new String(bytes, 0, Math.min(4, bytes.length), StandardCharsets.US_ASCII);
        return begin.equals("SIP/") || begin.equals("ACK ");
    }

    // ---- as the server composes them ----

    private final class Leaving implements LeavingPartitions.Calls {
        @Override
        public void drop(BitSet partitions) {
            adoption.lost(partitions);
        }

        @Override
        public BitSet unwritten(BitSet partitions) {
            BitSet found = new BitSet();
            for (ApplicationSession session : container.sessions().all()) {
                int partition = CallPartition.known(session);
                if (partition >= 0 && partitions.get(partition) && !protection.isWritten(session)) {
                    found.set(partition);
                }
            }
            return found;
        }

        @Override
        public void letGo(BitSet partitions, Told told) {
            adoption.leaving()
                    .letGo(
                            partitions,
                            protection::isWrittenInTurn,
                            (p, all) -> later(0, () -> told.asked(p, all)));
        }

        @Override
        public BitSet present(BitSet partitions) {
            return adoption.leaving().present(partitions);
        }
    }

    private final class Output implements NodeOutput {
        @Override
        public void send(int voter, Beat beat) {
            cluster.message(number, voter, target -> target.node.received(beat, target.clock()));
        }

        @Override
        public void send(int member, Ack ack) {
            cluster.message(number, member, target -> target.node.received(ack, target.clock()));
        }

        @Override
        public void send(int member, byte[] table) {
            cluster.message(
                    number,
                    member,
                    target -> target.node.received(PartitionTable.read(table), target.clock()));
        }

        @Override
        public void propose(byte[] change) {
            cluster.votes.propose(number, change);
        }

        @Override
        public boolean mayHandOver() {
            return !protection.status().alarm();
        }

        @Override
        public boolean quiet(int partition, long since) {
            return work.quiet(partition, since);
        }

        @Override
        public void promoted(int partition, long term, int previous) {
            leaving.back(partition);
            if (previous != PartitionTable.NONE) {
                coming.add(partition);
                return;
            }
            goesOn(partition, term);
        }

        @Override
        public void allOurs(int partition, long term) {
            if (coming.has(partition)) {
                goesOn(partition, term);
            }
        }

        private void goesOn(int partition, long term) {
            leaving.flush();
            adoption.promoted(partition, term);
            coming.came(partition);
        }

        @Override
        public void handOver(int partition, long term, int to) {
            leaving.handOver(partition);
        }

        @Override
        public void lost(int partition, long term) {
            coming.remove(partition);
            leaving.lost(partition);
        }

        @Override
        public void state(MemberState from, MemberState to, String reason) {
            cluster.note("node " + number + " is " + to + " (" + reason + ")");
        }
    }

    /** Partitions that it acts for. */
    int owned() {
        int count = 0;
        for (int p = 0; p < Ownership.PARTITIONS; p++) {
            count += acts(p) ? 1 : 0;
        }
        return count;
    }
}
