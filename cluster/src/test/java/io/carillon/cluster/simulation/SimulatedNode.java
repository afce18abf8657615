package io.carillon.cluster.simulation;

import static io.carillon.cluster.simulation.Simulation.MILLIS;
import static io.carillon.cluster.simulation.Simulation.SECONDS;

import io.carillon.cluster.lease.Ack;
import io.carillon.cluster.lease.Beat;
import io.carillon.cluster.member.Incarnation;
import io.carillon.cluster.member.MemberState;
import io.carillon.cluster.node.ClusterNode;
import io.carillon.cluster.node.NodeIdentity;
import io.carillon.cluster.node.NodeOutput;
import io.carillon.cluster.table.Member;
import io.carillon.cluster.table.PartitionTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** A host with a process on it, which is killed, stopped and started again. */
final class SimulatedNode {
    private final Simulation simulation;
    final int number;
    private final long offset;
    private final double rate;
    private final Deque<Runnable> backlog = new ArrayDeque<>();
    private ClusterNode node;
    private boolean stopped;
    private long process;
    private int learnt;
    private long stoppedAt;
    private long standstill;
    final List<String> states = new ArrayList<>();

    /** Lives of others of which their beats told. */
    private final long[] lives;

    SimulatedNode(Simulation simulation, int number) {
        this.simulation = simulation;
        this.number = number;
        this.offset = SECONDS + simulation.between(-200 * MILLIS, 200 * MILLIS);
        this.rate = 1 + (simulation.random.nextDouble() - 0.5) / 100;
        this.lives = new long[simulation.shape.members];
    }

    /** Its own clock. */
    long clock() {
        boolean stands = stopped && simulation.broken == BrokenRule.CLOCK_STOPS;
        long since = (stands ? stoppedAt : simulation.now()) - standstill;
        return offset + (long) (since * rate);
    }

    /** Is there a process that is not stopped? */
    boolean runs() {
        return node != null && !stopped;
    }

    boolean exists() {
        return node != null;
    }

    boolean isStopped() {
        return stopped;
    }

    ClusterNode node() {
        return node;
    }

    /** May it send for the partition at this true instant? */
    boolean acts(int partition) {
        return runs() && node.ownership().owns(partition);
    }

    void start() {
        if (node != null) {
            return;
        }
        process++;
        learnt = 0;
        node =
                new ClusterNode(
                        new NodeIdentity(
                                number,
                                "node" + number,
                                "10.0.0." + number,
                                number == simulation.shape.witness),
                        // Now and then its wall clock was set back.
                        Incarnation.first(
                                simulation.chance(0.1) ? 1 : process * 1_000,
                                simulation.random.nextInt()),
                        simulation.start(),
                        simulation.times,
                        this::clock,
                        new Output(process));
        tick(process);
    }

    /** The process ends. */
    void kill(boolean hostLives) {
        if (node == null) {
            return;
        }
        ClusterNode ended = node;
        node = null;
        stopped = false;
        backlog.clear();
        simulation.agreement.processEnded(hostLives ? number : -2);
        if (hostLives) {
            tellDeath(ended.incarnation());
        }
    }

    private void tellDeath(long incarnation) {
        for (SimulatedNode other : simulation.nodes) {
            if (other != this && !simulation.network.isCut(number, other.number)) {
                long life = other.lives[number] > 0 ? other.lives[number] : incarnation;
                simulation.in(
                        simulation.network.delay(number, other.number),
                        () -> other.take(() -> other.node.died(number, life, other.clock())));
            }
        }
    }

    void stop() {
        if (!runs()) {
            return;
        }
        stopped = true;
        stoppedAt = simulation.now();
        if (simulation.broken == BrokenRule.PROOF_OF_THE_STOPPED) {
            tellDeath(node.incarnation());
        }
    }

    void resume() {
        if (node == null || !stopped) {
            return;
        }
        stopped = false;
        if (simulation.broken == BrokenRule.CLOCK_STOPS) {
            standstill += simulation.now() - stoppedAt;
        }
        // Event loops may be quicker than the thread that learns what has happened.
        simulation.invariants.twoMayNotAct();
        while (!backlog.isEmpty()) {
            backlog.poll().run();
        }
    }

    void leave() {
        if (runs()) {
            node.leave(clock());
        }
    }

    /** Something has come for the process. */
    void take(Runnable input) {
        if (node == null) {
            return;
        }
        if (stopped) {
            if (backlog.size() < 500) {
                backlog.add(input);
            }
            return;
        }
        input.run();
    }

    void learn(int size) {
        ClusterNode mine = node;
        if (learnt == 0 && size > 3 && simulation.chance(0.3)) {
            restore();
        }
        int end = size;
        if (end - learnt > 3 && simulation.chance(0.3)) {
            end = learnt + 1 + simulation.random.nextInt(end - learnt);
        }
        while (learnt < end && node == mine && runs()) {
            mine.applied(simulation.agreement.change(learnt++), clock());
            simulation.mayActMore();
            simulation.invariants.oneOwnerInATerm(mine.table());
        }
    }

    /** A state of another voter in place of the changes that made it. */
    private void restore() {
        for (SimulatedNode other : simulation.nodes) {
            if (other != this && other.runs() && other.learnt > 0) {
                byte[] state = other.node.table().toBytes();
                learnt = other.learnt;
                node.applied(PartitionTable.read(state), clock());
                simulation.mayActMore();
                return;
            }
        }
    }

    private void tick(long of) {
        if (node == null || process != of) {
            return;
        }
        if (!stopped) {
            boolean leads = simulation.agreement.leader() == number || simulation.chance(0.01);
            node.tick(clock(), leads);
            if (node.over()) {
                // It has left, and its process ends.
                node.end(clock());
                kill(true);
                if (simulation.faultsAreOver) {
                    simulation.in(100 * MILLIS, this::start);
                }
                return;
            }
        }
        simulation.in(simulation.between(20 * MILLIS, 50 * MILLIS), () -> tick(of));
    }

    /** What the process gives. */
    private final class Output implements NodeOutput {
        private final long of;

        Output(long of) {
            this.of = of;
        }

        @Override
        public void send(int voter, Beat beat) {
            SimulatedNode target = simulation.nodes.get(voter);
            simulation.network.send(number, voter, () -> target.beat(beat));
        }

        @Override
        public void send(int member, Ack ack) {
            SimulatedNode target = simulation.nodes.get(member);
            simulation.network.send(number, member, () -> target.ack(ack));
        }

        @Override
        public void send(int member, byte[] table) {
            SimulatedNode target = simulation.nodes.get(member);
            simulation.network.send(
                    number,
                    member,
                    () -> {
                        target.node.received(PartitionTable.read(table), target.clock());
                        simulation.mayActMore();
                        simulation.invariants.oneOwnerInATerm(target.node.table());
                    });
        }

        @Override
        public void propose(byte[] change) {
            if (number < simulation.shape.voters) {
                simulation.agreement.propose(number, change);
                return;
            }
            int voter = simulation.random.nextInt(simulation.shape.voters);
            simulation.network.send(
                    number, voter, () -> simulation.agreement.propose(voter, change));
        }

        @Override
        public void promoted(int partition, long term, int previous) {}

        @Override
        public void allOurs(int partition, long term) {}

        @Override
        public void handOver(int partition, long term, int to) {
            if (simulation.chance(0.05)) {
                return;
            }
            simulation.in(
                    simulation.between(0, 2 * SECONDS),
                    () ->
                            take(() -> {
                                if (process == of) {
                                    node.handedOver(partition);
                                }
                            }));
        }

        @Override
        public void lost(int partition, long term) {}

        @Override
        public void state(MemberState from, MemberState to, String reason) {
            states.add(simulation.now() / MILLIS + " " + to.word());
        }
    }

    /** Another one is told that this one does not see it, nor any but those. */
    void leavesOut(SimulatedNode other, Set<Integer> seen) {
        int self = number;
        Member known = node.table().member(other.number);
        if (known == null) {
            return;
        }
        simulation.network.send(
                self,
                other.number,
                () -> {
                    boolean actsOn = simulation.broken == BrokenRule.GIVES_UP_AND_ACTS;
                    long life =
                            actsOn
                                    ? known.incarnation()
                                    : other.node.leftOut(known.incarnation(), seen, other.clock());
                    if (life != 0) {
                        simulation.network.send(
                                other.number, self, () -> node.died(other.number, life, clock()));
                    }
                });
    }

    private void beat(Beat beat) {
        lives[beat.member()] = beat.incarnation();
        node.received(beat, clock());
        if (simulation.broken == BrokenRule.ACKNOWLEDGES_SUSPECTS) {
            SimulatedNode sender = simulation.nodes.get(beat.member());
            Ack ack = new Ack(number, beat.member(), beat.incarnation(), beat.sentAt(), 0);
            simulation.network.send(number, beat.member(), () -> sender.ack(ack));
        }
    }

    private void ack(Ack ack) {
        if (!node.holds(clock())) {
            simulation.mayActMore();
        }
        boolean heard = simulation.broken == BrokenRule.LEASE_FROM_HEARD;
        node.received(
                heard
                        ? new Ack(
                                ack.voter(),
                                ack.member(),
                                ack.incarnation(),
                                clock(),
                                ack.version())
                        : ack,
                clock());
    }
}
