package io.carillon.servlettest.store;

import io.carillon.sip.token.Ownership;
import io.carillon.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Several nodes that keep copies of calls, in one thread under virtual time: messages between them
 * are late, are lost and repeated, overtake each other; nodes die, stand still, are cut off, are
 * full. A run with the same seed is the same run.
 *
 * <p>Two nodes of those that a node sees have a copy of each partition. Who is not seen any more is
 * left out after the time of detection, and what it had is copied again. Halves of a divided grid
 * go on each for itself, and of two states the later one stays when they meet: ownership is not
 * decided here. Owner: the test's thread.
 */
public final class SimulatedGrid {
    /** Copies of each record. */
    static final int COPIES = 2;

    /** As long as a write or a read may take. */
    static final Duration TIME_OUT = Duration.ofSeconds(4);

    /** As long as a removal is remembered, so that a late write does not undo it. */
    static final Duration REMEMBERED = Duration.ofSeconds(60);

    /** Copies that lie elsewhere now are dropped after this time. */
    static final Duration TIDY = Duration.ofSeconds(2);

    /** A lost message is sent again after this time. */
    private static final long AGAIN_NANOS = 100_000_000L;

    private final VirtualTime time;
    private final SplittableRandom random;
    private final Map<Integer, SimulatedCallStore> nodes = new TreeMap<>();
    private final Set<Long> cuts = new HashSet<>();
    private double loss;
    private long minDelayNanos = 200_000;
    private long maxDelayNanos = 3_000_000;
    private Duration deathSeen = Duration.ofMillis(600);
    private Duration silenceSeen = Duration.ofMillis(2_600);

    /** A grid without nodes. */
    public SimulatedGrid(VirtualTime time, long seed) {
        this.time = time;
        this.random = new SplittableRandom(seed);
    }

    /** The share of messages that have to be sent again, 0 to 1 without 1. */
    public SimulatedGrid loss(double share) {
        if (share < 0 || share >= 1) {
            throw new IllegalArgumentException("a loss lies between 0 and 1");
        }
        loss = share;
        return this;
    }

    /** How long a message is under way. */
    public SimulatedGrid delay(Duration shortest, Duration longest) {
        minDelayNanos = shortest.toNanos();
        maxDelayNanos = longest.toNanos();
        return this;
    }

    /** After which time a death is seen, and a node that says nothing. */
    public SimulatedGrid detection(Duration death, Duration silence) {
        deathSeen = death;
        silenceSeen = silence;
        return this;
    }

    /** A node joins, or comes back after its death with nothing. */
    public SimulatedCallStore join(int node) {
        SimulatedCallStore store = new SimulatedCallStore(this, node);
        nodes.put(node, store);
        store.sees(reachable(node));
        seenAfter(Duration.ofMillis(100));
        return store;
    }

    /** The node of this number. */
    public SimulatedCallStore node(int node) {
        SimulatedCallStore store = nodes.get(node);
        if (store == null) {
            throw new IllegalArgumentException("no node " + node);
        }
        return store;
    }

    /** The node's process ends, and what it holds is gone. */
    public void kill(int node) {
        node(node).die();
        seenAfter(deathSeen);
    }

    /** The node does nothing until {@link #resume}. */
    public void pause(int node) {
        node(node).pause();
        seenAfter(silenceSeen);
    }

    /** The node goes on with what came in the meantime. */
    public void resume(int node) {
        node(node).resume();
        seenAfter(deathSeen);
    }

    /** Nothing arrives between the two any more. */
    public void cut(int one, int other) {
        cuts.add(pair(one, other));
        seenAfter(silenceSeen);
    }

    /** The wire between the two is whole again. */
    public void heal(int one, int other) {
        cuts.remove(pair(one, other));
        seenAfter(deathSeen);
    }

    /** The node takes nothing new, or takes it again. */
    public void full(int node, boolean full) {
        node(node).full(full);
    }

    VirtualTime time() {
        return time;
    }

    Collection<SimulatedCallStore> nodes() {
        return nodes.values();
    }

    /** The nodes that hold a partition, of those which a node sees. */
    static List<Integer> owners(Collection<Integer> seen, int partition) {
        List<Integer> all = new ArrayList<>(seen);
        all.sort((one, other) ->
                Long.compareUnsigned(weight(one, partition), weight(other, partition)));
        return all.subList(0, Math.min(COPIES, all.size()));
    }

    /** Rendezvous: a node that goes takes no other node's partitions with it. */
    private static long weight(int node, int partition) {
        long mixed = (node + 1L) * 0x9e3779b97f4a7c15L ^ (partition + 1L) * 0xc2b2ae3d27d4eb4fL;
        mixed = (mixed ^ mixed >>> 29) * 0xbf58476d1ce4e5b9L;
        return mixed ^ mixed >>> 32;
    }

    /** A message from one node to another: the task runs there, or never. */
    void send(SimulatedCallStore from, int to, Runnable task) {
        long delay = minDelayNanos;
        if (maxDelayNanos > minDelayNanos) {
            delay += random.nextLong(maxDelayNanos - minDelayNanos);
        }
        while (loss > 0 && random.nextDouble() < loss) {
            delay += AGAIN_NANOS;
        }
        time.after(delay, () -> arrive(from, to, task));
    }

    private void arrive(SimulatedCallStore from, int to, Runnable task) {
        SimulatedCallStore target = nodes.get(to);
        if (target == null || target.isDead() || from.isDead() || !from.view().contains(to)) {
            return;
        }
        if (cuts.contains(pair(from.number(), to))) {
            time.after(AGAIN_NANOS, () -> arrive(from, to, task));
            return;
        }
        target.run(task);
    }

    private void seenAfter(Duration delay) {
        time.after(
                delay,
                () ->
                        nodes.forEach(
                                (number, store) -> store.run(() -> store.sees(reachable(number)))));
    }

    private Set<Integer> reachable(int from) {
        Set<Integer> all = new TreeSet<>();
        nodes.forEach((number, store) -> {
            boolean answers = !store.isDead() && !store.isPaused();
            if (number == from || (answers && !cuts.contains(pair(from, number)))) {
                all.add(number);
            }
        });
        return all;
    }

    private static long pair(int one, int other) {
        return (long) Math.min(one, other) << 32 | Math.max(one, other);
    }

    static void check(int partition) {
        if (partition < 0 || partition >= Ownership.PARTITIONS) {
            throw new IllegalArgumentException("no partition " + partition);
        }
    }
}
