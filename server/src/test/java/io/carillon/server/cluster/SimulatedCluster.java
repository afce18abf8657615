package io.carillon.server.cluster;

import io.carillon.cluster.node.ClusterTimes;
import io.carillon.cluster.table.PartitionTable;
import io.carillon.server.cluster.SimulatedMember.Fate;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlettest.store.SimulatedGrid;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.Ownership;
import io.carillon.testkit.Call;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.SimulatedProcess;
import io.carillon.testkit.UserAgent;
import io.carillon.testkit.VirtualTime;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of a cluster with calls, in one thread under a seed: each has the container, its stack, the
 * table of owners, and a store of the same grid; before them stands a router. Processes are killed,
 * stopped and started again, wires are cut, messages are lost.
 */
final class SimulatedCluster {
    static final String HOST = "10.0.0.1";
    private static final InetSocketAddress ADDRESS = SimulatedNetwork.address(HOST, 5060);
    private static final long MILLIS = 1_000_000;

    /** So long a message waits for an owner. */
    private static final long PARKED = 4_000 * MILLIS;

    final VirtualTime time = new VirtualTime();
    final Random random;
    final SimulatedNetwork network;
    final SimulatedGrid grid;
    final ClusterTimes times;
    final SimulatedVotes votes = new SimulatedVotes(this);
    final ExecutionMode mode;
    final List<String> story = new ArrayList<>();
    final FiredOnce fired = new FiredOnce();
    final OneOwner owners = new OneOwner(this);
    private final List<SimulatedMember> nodes = new ArrayList<>();
    private final SimulatedWires wires = new SimulatedWires();
    private final Set<SimulatedMember> gone = new HashSet<>();
    private final Consumer<SimulatedMember> onlooker;
    private final int size;
    private long lives;
    double loss;

    SimulatedCluster(long seed, int size, ClusterTimes times) {
        this(seed, size, times, member -> {});
    }

    /**
     * @param onlooker gets each node that begins, before its first call
     */
    SimulatedCluster(long seed, int size, ClusterTimes times, Consumer<SimulatedMember> onlooker) {
        this.onlooker = onlooker;
        random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
        network = new SimulatedNetwork(time, seed);
        grid = new SimulatedGrid(time, seed);
        this.size = size;
        this.times = times;
        mode = ExecutionMode.values()[random.nextInt(ExecutionMode.values().length)];
        for (int node = 0; node < size; node++) {
            nodes.add(begun(node));
        }
        network.bind(ADDRESS, this::routed);
        votes.begin();
        owners.begin();
    }

    private SimulatedMember begun(int number) {
        SimulatedMember fresh = new SimulatedMember(this, number, ++lives);
        onlooker.accept(fresh);
        return fresh;
    }

    PartitionTable begin() {
        return PartitionTable.of(IntStream.range(0, size).toArray());
    }

    int size() {
        return size;
    }

    SimulatedMember node(int number) {
        return nodes.get(number);
    }

    long between(long from, long to) {
        return from + (long) (random.nextDouble() * (to - from));
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    void note(String what) {
        story.add(time.elapsed().toMillis() + " ms " + what);
    }

    // ---- between nodes ----

    /** Do both run, and hear each other? */
    boolean meet(int one, int other) {
        return nodes.get(one).runs()
                && nodes.get(other).runs()
                && (one == other || (wires.isWhole(one) && wires.isWhole(other)));
    }

    /** A call of that phone to the application, which is answered. */
    Call established(UserAgent caller, String kind) {
        Call call = caller.call("sip:" + kind + "@" + HOST);
        if (!time.runUntil(() -> call.state() == Call.State.ESTABLISHED, Duration.ofSeconds(10))) {
            throw new AssertionError(call + " is not answered");
        }
        return call;
    }

    /** A datagram from one to another, late or not at all. */
    void message(int from, int to, Consumer<SimulatedMember> arrives) {
        if (from == to || !wires.isHeard(from) || !wires.hears(to) || chance(loss)) {
            return;
        }
        SimulatedMember target = nodes.get(to);
        time.after(
                between(100_000, 3 * MILLIS),
                () -> target.sip.process().whenItRuns(() -> arrives.accept(target)));
    }

    // ---- the router ----

    private void routed(
            byte[] bytes, Transport transport, InetSocketAddress from, InetSocketAddress to) {
        int partition = partition(bytes);
        route(bytes, new Hop(transport, to, from, 0), partition, time.nanoTime());
    }

    private int partition(byte[] bytes) {
        return nodes.getFirst()
                .sip
                .shards()
                .getFirst()
                .config()
                .tokens()
                .partitionOf(bytes, bytes.length);
    }

    private void route(byte[] bytes, Hop from, int partition, long since) {
        SimulatedMember owner = owner(partition);
        if (owner != null) {
            arrive(owner, bytes, from, partition, since, 0);
        } else if (time.nanoTime() - since < PARKED) {
            time.after(20 * MILLIS, () -> route(bytes, from, partition, since));
        }
    }

    /** By the latest table that the router has heard of; it knows of no process that stands. */
    private @Nullable SimulatedMember owner(int partition) {
        SimulatedMember latest = null;
        for (SimulatedMember each : nodes) {
            if (each.runs()
                    && wires.isHeard(each.number())
                    && (latest == null || each.table().version() > latest.table().version())) {
                latest = each;
            }
        }
        int owner = latest == null ? PartitionTable.NONE : latest.table().owner(partition);
        return owner == PartitionTable.NONE || gone.contains(nodes.get(owner))
                ? null
                : nodes.get(owner);
    }

    private void arrive(
            SimulatedMember node, byte[] bytes, Hop from, int partition, long since, int hops) {
        if (!wires.hears(node.number())) {
            return; // lost on the wire: its sender repeats it
        }
        node.sip.process().whenItRuns(() -> settle(node, bytes, from, partition, since, hops));
    }

    /** At a node, behind the link. */
    void settle(SimulatedMember node, byte[] bytes, Hop from, int partition, int hops) {
        settle(node, bytes, from, partition, time.nanoTime(), hops);
    }

    private void settle(
            SimulatedMember node, byte[] bytes, Hop from, int partition, long since, int hops) {
        Fate fate = node.take(bytes, from, partition);
        if (fate == Fate.WAITS || (fate == Fate.ANOTHERS && hops > 0)) {
            if (fate == Fate.WAITS && time.nanoTime() - since < PARKED) {
                time.after(
                        10 * MILLIS,
                        () ->
                                node.sip
                                        .process()
                                        .whenItRuns(() ->
                                                settle(node, bytes, from, partition, since, hops)));
            }
        } else if (fate == Fate.ANOTHERS) {
            SimulatedMember owner = nodes.get(node.table().owner(partition));
            if (!gone.contains(owner)) {
                time.after(
                        between(100_000, 2 * MILLIS),
                        () -> arrive(owner, bytes, from, partition, since, hops + 1));
            }
        }
    }

    // ---- faults ----

    /** kill -9; its host says so to whoever had a connection. */
    void kill(int number) {
        SimulatedMember victim = nodes.get(number);
        if (gone.contains(victim)) {
            return;
        }
        note("kill -9 of node " + number);
        end(victim, () -> victim.kill());
    }

    private void end(SimulatedMember victim, Runnable how) {
        gone.add(victim);
        fired.died(victim.number(), time.nanoTime());
        how.run();
        if (!network.bound(ADDRESS)) {
            network.bind(ADDRESS, this::routed);
        }
        votes.processEnded(victim.number());
        for (SimulatedMember other : nodes) {
            if (other != victim && meet(other.number(), other.number())) {
                time.after(
                        between(1, 220) * MILLIS,
                        () -> other.died(victim.number(), victim.incarnation()));
            }
        }
    }

    /** It has given everything away, and its process ends. */
    void ended(SimulatedMember left) {
        note("node " + left.number() + " has left");
        end(left, left::kill);
        time.after(2_000 * MILLIS, () -> start(left.number()));
    }

    void start(int number) {
        if (gone.contains(nodes.get(number))) {
            note("node " + number + " starts again");
            network.unbind(ADDRESS);
            nodes.set(number, begun(number));
            network.bind(ADDRESS, this::routed);
        }
    }

    boolean lives(int number) {
        return !gone.contains(nodes.get(number));
    }

    void stop(int number, long nanos) {
        SimulatedMember victim = nodes.get(number);
        if (victim.runs()) {
            note("SIGSTOP of node " + number + " for " + nanos / MILLIS + " ms");
            fired.died(number, time.nanoTime());
            victim.stop();
            time.after(
                    nanos,
                    () -> {
                        note("SIGCONT of node " + number);
                        victim.goOn();
                    });
        }
    }

    /** The wire of a node is cut, and whole again after that time. */
    void cut(int number, SimulatedWires.Cut how, long nanos) {
        note("node " + number + " is cut off, " + how + ", for " + nanos / MILLIS + " ms");
        wires.cut(number, how);
        wired(number);
        fired.died(number, time.nanoTime());
        time.after(
                nanos,
                () -> {
                    note("node " + number + " is back on the wire");
                    wires.mend(number);
                    wired(number);
                });
    }

    /** Nobody hears anybody. */
    void isolate(long nanos) {
        for (int node = 0; node < nodes.size(); node++) {
            cut(node, SimulatedWires.Cut.BOTH_WAYS, nanos);
        }
    }

    private void wired(int number) {
        SimulatedProcess process = nodes.get(number).sip.process();
        process.deaf(!wires.hears(number));
        process.mute(!wires.isHeard(number));
        for (int other = 0; other < nodes.size(); other++) {
            if (other != number && wires.isWhole(number) && wires.isWhole(other)) {
                grid.heal(number, other);
            } else if (other != number) {
                grid.cut(number, other);
            }
        }
    }

    boolean isCut(int number) {
        return !wires.isWhole(number);
    }

    List<SimulatedMember> all() {
        return List.copyOf(nodes);
    }

    /** All live and are seen, each partition has one owner and no previous one. */
    boolean whole() {
        for (SimulatedMember each : nodes) {
            PartitionTable table = each.table();
            if (!each.runs() || isCut(each.number()) || table.orphans() > 0 || !each.stable()) {
                return false;
            }
        }
        PartitionTable table = nodes.getFirst().table();
        for (int p = 0; p < Ownership.PARTITIONS; p++) {
            if (table.previous(p) != PartitionTable.NONE || acting(p) != 1) {
                return false;
            }
        }
        return true;
    }

    private int acting(int partition) {
        int count = 0;
        for (SimulatedMember each : nodes) {
            count += each.acts(partition) ? 1 : 0;
        }
        return count;
    }
}
