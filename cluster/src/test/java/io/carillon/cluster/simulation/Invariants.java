package io.carillon.cluster.simulation;

import io.carillon.cluster.table.PartitionTable;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What must hold at every instant. */
final class Invariants {
    private final Simulation simulation;
    private final Map<Long, Integer> owners = new HashMap<>();

    Invariants(Simulation simulation) {
        this.simulation = simulation;
    }

    /** One owner in a term, whoever is asked, and whenever. */
    void oneOwnerInATerm(PartitionTable table) {
        for (int p = 0; p < table.partitions(); p++) {
            int owner = table.owner(p);
            if (owner == PartitionTable.NONE) {
                continue;
            }
            Integer known = owners.putIfAbsent(((long) p << 40) | table.term(p), owner);
            if (known != null && known != owner) {
                fail(
                        "partition "
                                + p
                                + " has owners "
                                + known
                                + " and "
                                + owner
                                + " in term "
                                + table.term(p));
            }
            if (table.next(p) == owner || table.previous(p) == owner) {
                fail("partition " + p + " of " + owner + " has itself beside it");
            }
        }
    }

    /**
     * At this true instant nobody else may send for a partition, but its previous owner for calls
     * that have not gone over; and that one takes no new ones.
     */
    void twoMayNotAct() {
        for (int p = 0; p < Simulation.PARTITIONS; p++) {
            SimulatedNode one = null;
            for (SimulatedNode node : simulation.nodes) {
                if (!node.acts(p)) {
                    continue;
                }
                if (one != null && !areOwnerAndPrevious(one, node, p)) {
                    fail("partition " + p + ": " + say(one, p) + " and " + say(node, p));
                }
                one = node;
            }
        }
    }

    private static boolean areOwnerAndPrevious(SimulatedNode one, SimulatedNode other, int p) {
        boolean oneIsLater = one.node().ownership().term(p) > other.node().ownership().term(p);
        SimulatedNode owner = oneIsLater ? one : other;
        SimulatedNode previous = oneIsLater ? other : one;
        return owner.node().ownership().term(p) > previous.node().ownership().term(p)
                && owner.node().table().previous(p) == previous.number
                && !previous.node().ownership().takesNewWork(p);
    }

    private static String say(SimulatedNode node, int p) {
        return node.number
                + " acts in term "
                + node.node().ownership().term(p)
                + " with "
                + node.node().table();
    }

    /** Has every partition one owner that may act, and is it the only one that may? */
    boolean allOwned() {
        for (int p = 0; p < Simulation.PARTITIONS; p++) {
            if (!owned(p)) {
                return false;
            }
        }
        return true;
    }

    /** Those without an owner that may act. */
    Set<Integer> notOwned() {
        Set<Integer> without = new TreeSet<>();
        for (int p = 0; p < Simulation.PARTITIONS; p++) {
            if (!owned(p)) {
                without.add(p);
            }
        }
        return without;
    }

    boolean owned(int partition) {
        int owners = 0;
        for (SimulatedNode node : simulation.nodes) {
            if (node.acts(partition) && node.node().table().owner(partition) == node.number) {
                owners++;
            }
        }
        return owners == 1;
    }

    void fail(String what) {
        throw new AssertionError(
                "seed "
                        + simulation.seed
                        + " "
                        + simulation.shape
                        + " at "
                        + simulation.now() / Simulation.MILLIS
                        + " ms: "
                        + what);
    }
}
