package io.carillon.cluster.node;

import io.carillon.cluster.table.Member;
import io.carillon.cluster.table.PartitionTable;
import io.carillon.cluster.table.TableChange;
import io.carillon.cluster.table.TableChange.Fill;
import io.carillon.cluster.table.TableMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What the leader does for all: partitions without an owner get one, and in quiet times partitions
 * are spread evenly and follow the copies. Two that take themselves for leaders do no harm: a
 * change is for one version of the table. One thread.
 */
final class Arranger {
    private static final long NEVER = Long.MIN_VALUE / 4;

    private final ClusterTimes times;
    private final Consumer<TableChange> propose;
    private List<Integer> holders = List.of();
    private List<Member> seen = List.of();
    private boolean led;

    /** When a member came or went, copies moved, or this node began to lead. */
    private long changedAt;

    private long orphansSince = NEVER;
    private long proposedAt = NEVER;

    /** The version of a table that needs nothing; it is not looked at again. */
    private long settled = -1;

    Arranger(ClusterTimes times, long now, Consumer<TableChange> propose) {
        this.times = times;
        this.changedAt = now;
        this.propose = propose;
    }

    /** Where the copies lie. */
    void holders(List<Integer> known, long now) {
        if (!known.equals(holders)) {
            holders = known;
            changedAt = now;
            settled = -1;
        }
    }

    void tick(TableMachine machine, boolean leads, long now) {
        PartitionTable table = machine.table();
        List<Member> living = living(table);
        if (!living.equals(seen) || leads != led) {
            // Who has just begun to lead may know of copies only what was before.
            seen = living;
            led = leads;
            changedAt = now;
        }
        if (table.orphans() == 0) {
            orphansSince = NEVER;
        } else if (orphansSince == NEVER) {
            orphansSince = now;
        }
        if (!leads || now - proposedAt < times.again() || table.version() == settled) {
            return;
        }
        if (table.orphans() > 0) {
            boolean allHere = living.size() >= table.voters().length;
            if (allHere || now - orphansSince >= times.fill()) {
                offer(machine, new Fill(table.version()), now);
            }
        } else if (now - changedAt >= times.quiet()) {
            offer(machine, machine.plan(holders), now);
        }
    }

    private void offer(TableMachine machine, TableChange change, long now) {
        if (machine.wouldChange(change)) {
            proposedAt = now;
            propose.accept(change);
        } else {
            settled = machine.table().version();
        }
    }

    private static List<Member> living(PartitionTable table) {
        List<Member> living = new ArrayList<>();
        for (Member member : table.members()) {
            if (member.living()) {
                living.add(member);
            }
        }
        return living;
    }
}
