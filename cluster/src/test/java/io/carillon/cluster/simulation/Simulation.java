package io.carillon.cluster.simulation;

import io.carillon.cluster.node.ClusterTimes;
import io.carillon.cluster.table.PartitionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A cluster in one thread: true time, events in its order, nodes with clocks of their own, a
 * network and an agreement that both may fail. All chance comes from the seed.
 */
final class Simulation {
    static final long MILLIS = 1_000_000;
    static final long SECONDS = 1_000 * MILLIS;
    static final int PARTITIONS = 64;

    private record Event(long at, long order, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    final long seed;
    final Random random;
    final Shape shape;
    final ClusterTimes times;
    final BrokenRule broken;
    final Network network;
    final Agreement agreement;
    final Invariants invariants;
    final List<SimulatedNode> nodes = new ArrayList<>();

    /** A node that leaves now, as it was told before, comes back. */
    boolean faultsAreOver;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long order;
    private boolean mayActMore;

    Simulation(long seed, Shape shape, ClusterTimes times, BrokenRule broken) {
        this.seed = seed;
        this.random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
        this.shape = shape;
        this.times = times;
        this.broken = broken;
        this.network = new Network(this);
        this.agreement = new Agreement(this);
        this.invariants = new Invariants(this);
        for (int i = 0; i < shape.members; i++) {
            nodes.add(new SimulatedNode(this, i));
        }
        agreement.begin();
    }

    long now() {
        return now;
    }

    /** Somebody may act for something now for which it could not before. */
    void mayActMore() {
        mayActMore = true;
    }

    PartitionTable start() {
        return PartitionTable.of(PARTITIONS, shape.voterNumbers());
    }

    void at(long when, Runnable what) {
        events.add(new Event(Math.max(when, now), order++, what));
    }

    void in(long later, Runnable what) {
        at(now + later, what);
    }

    /** Nanoseconds between two figures, the second excluded. */
    long between(long from, long to) {
        return from + (long) (random.nextDouble() * (to - from));
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    void startAll() {
        for (SimulatedNode node : nodes) {
            in(between(0, SECONDS), node::start);
        }
    }

    void runUntil(long end) {
        while (true) {
            Event next = events.peek();
            if (next == null || next.at > end) {
                break;
            }
            events.poll();
            now = next.at;
            next.what.run();
            if (mayActMore) {
                mayActMore = false;
                invariants.twoMayNotAct();
            }
        }
        now = end;
    }

    void runFor(long more) {
        runUntil(now + more);
    }

    /** Runs until it is so. False: it was not within the time. */
    boolean runUntil(java.util.function.BooleanSupplier so, long most) {
        long end = now + most;
        while (!so.getAsBoolean()) {
            if (now >= end) {
                return false;
            }
            runFor(10 * MILLIS);
        }
        return true;
    }
}
