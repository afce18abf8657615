package io.carillon.cluster.node;

import static io.carillon.cluster.table.PartitionTable.NONE;

import io.carillon.cluster.lease.LeasedOwnership;
import io.carillon.cluster.table.Member;
import io.carillon.cluster.table.PartitionTable;
import io.carillon.cluster.table.TableChange;
import io.carillon.cluster.table.TableChange.Entry;
import io.carillon.cluster.table.TableChange.HandOver;
import io.carillon.cluster.table.TableChange.HandOverEnd;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What this node does in each partition. Promotions and losses follow from the table; a hand-over
 * is done by its owner: it stops taking calls, says so in the table, lets its calls go, and says
 * that. Nobody else takes a partition from an owner that lives. One thread.
 */
final class Partitions {
    private static final long NEVER = Long.MIN_VALUE / 4;

    /** After so long it is handed over whatever is under way there. */
    static final long QUIET_WITHIN = 10_000_000_000L;

    /** What comes waits no longer than this for what is under way. */
    static final long HOLDS = 250_000_000L;

    private enum Role {
        /** Not this node's. */
        NONE,
        /** It owns it. */
        OWNER,
        /** It owns it, and takes no new work: it is to be handed over once nothing is under way. */
        HOLDING,
        /** As before, and it has proposed to hand it over. */
        HANDING,
        /** Another owns it; some calls are still here. */
        PREVIOUS,
        /** As before, and no call is here any more; the table does not know yet. */
        EMPTIED
    }

    private final int self;
    private final ClusterTimes times;
    private GivingPace pace;
    private final LeasedOwnership ownership;
    private final NodeOutput output;
    private final Consumer<TableChange> propose;
    private final Role[] roles;
    private final long[] terms;
    private final long[] sinces;
    private final long[] wantedAt;
    private final int[] previous;
    private long proposedAt = NEVER;
    private boolean urgent;

    /** Partitions for which it acts. */
    private int acting;

    /** The version of a table by which nothing is under way or to move; not looked at again. */
    private long settled = NEVER;

    Partitions(
            int self,
            ClusterTimes times,
            LeasedOwnership ownership,
            NodeOutput output,
            Consumer<TableChange> propose,
            int count) {
        this.self = self;
        this.times = times;
        this.pace = GivingPace.staying(times);
        this.ownership = ownership;
        this.output = output;
        this.propose = propose;
        this.roles = new Role[count];
        Arrays.fill(roles, Role.NONE);
        this.terms = new long[count];
        this.sinces = new long[count];
        this.wantedAt = new long[count];
        Arrays.fill(wantedAt, NEVER);
        this.previous = new int[count];
        Arrays.fill(previous, NONE);
    }

    /** Does it act for any? */
    boolean any() {
        return acting > 0;
    }

    /**
     * Follows the table.
     *
     * @param joined is this life of the node in it?
     */
    void follow(PartitionTable table, boolean joined, long now) {
        for (int p = 0; p < roles.length; p++) {
            if (joined && table.owner(p) == self) {
                own(table, p);
            } else if (joined && table.previous(p) == self) {
                previous(table, p, now);
            } else {
                lose(table, p);
            }
        }
    }

    private void own(PartitionTable table, int p) {
        long term = table.term(p);
        boolean had = owns(roles[p]);
        if (!had || terms[p] != term) {
            previous[p] = table.previous(p);
            // Before it may act: who asks for a call of it waits for its records.
            output.promoted(p, term, previous[p]);
            become(p, Role.OWNER, term);
            return;
        }
        if (previous[p] != NONE && table.previous(p) == NONE) {
            previous[p] = NONE;
            output.allOurs(p, term);
        }
        if (roles[p] != Role.OWNER && table.movingTo(p) == NONE) {
            become(p, Role.OWNER, term);
        }
    }

    private static boolean owns(Role role) {
        return role == Role.OWNER || role == Role.HOLDING || role == Role.HANDING;
    }

    private static boolean acts(Role role) {
        return owns(role) || role == Role.PREVIOUS;
    }

    private void previous(PartitionTable table, int p, long now) {
        switch (roles[p]) {
            case OWNER, HOLDING, HANDING -> {
                become(p, Role.PREVIOUS, terms[p]);
                sinces[p] = now;
                output.handOver(p, terms[p], table.owner(p));
            }
            // It knows no call of it: it has missed what came between.
            case NONE -> become(p, Role.EMPTIED, table.term(p));
            case PREVIOUS -> {}
            case EMPTIED -> ownership.set(p, table.term(p), false, false, false);
        }
    }

    private void lose(PartitionTable table, int p) {
        Role before = roles[p];
        long had = terms[p];
        become(p, Role.NONE, table.term(p));
        previous[p] = NONE;
        if (before != Role.NONE && before != Role.EMPTIED) {
            output.lost(p, had);
        }
    }

    private void become(int p, Role role, long term) {
        if (roles[p] == role && terms[p] == term) {
            return;
        }
        boolean acts = acts(role);
        acting += (acts ? 1 : 0) - (acts(roles[p]) ? 1 : 0);
        settled = NEVER;
        roles[p] = role;
        terms[p] = term;
        ownership.set(p, term, acts, owns(role), role == Role.OWNER);
    }

    /** No call of this partition is here any more. */
    void emptied(int p) {
        if (roles[p] == Role.PREVIOUS) {
            become(p, Role.EMPTIED, terms[p]);
        }
    }

    /**
     * Goes on with hand-overs.
     *
     * @param all of them, as of a node that leaves
     */
    void tick(PartitionTable table, long incarnation, boolean all, long now) {
        if (all != pace.isLeaving()) {
            pace = all ? GivingPace.leaving(times) : GivingPace.staying(times);
        }
        if (table.version() == settled) {
            return;
        }
        int under = 0;
        for (int p = 0; p < roles.length; p++) {
            if (roles[p] == Role.PREVIOUS && now - sinces[p] > times.handOver()) {
                output.lost(p, terms[p]);
                emptied(p);
            }
            if (roles[p] != Role.OWNER && (owns(roles[p]) || roles[p] == Role.PREVIOUS)) {
                under++;
            }
        }
        boolean asked = all;
        boolean may = all;
        boolean still = true;
        for (int p = 0; p < roles.length; p++) {
            boolean wanted = owns(roles[p]) && table.movingTo(p) != NONE;
            still &= !wanted && (roles[p] == Role.OWNER || roles[p] == Role.NONE);
            if (wanted && roles[p] == Role.OWNER && !asked) {
                asked = true;
                may = output.mayHandOver();
            }
            if (wanted && (may || roles[p] != Role.OWNER)) {
                boolean before = roles[p] == Role.OWNER;
                int to = table.movingTo(p);
                boolean room = all || under < times.handOvers();
                move(p, to, room && pace.may(to, now), now);
                under += before && roles[p] != Role.OWNER ? 1 : 0;
            } else {
                wantedAt[p] = NEVER;
            }
        }
        if (urgent || now - proposedAt > times.again()) {
            proposeAll(table, incarnation, now);
        }
        settled = still ? table.version() : NEVER;
    }

    /**
     * A step towards the hand-over: when nothing is under way no new work is taken, so that nothing
     * can be; when that is so still, it is proposed.
     */
    private void move(int p, int to, boolean room, long now) {
        if (roles[p] == Role.OWNER && !room) {
            wantedAt[p] = NEVER; // its 10 s begin when it may go
            return;
        }
        if (wantedAt[p] == NEVER) {
            wantedAt[p] = now;
        }
        boolean overdue = now - wantedAt[p] > QUIET_WITHIN;
        if (roles[p] == Role.OWNER && (overdue || output.quiet(p, wantedAt[p]))) {
            become(p, Role.HOLDING, terms[p]);
            sinces[p] = now;
            pace.gives(to, now);
        }
        if (roles[p] != Role.HOLDING) {
            return;
        }
        if (overdue || output.quiet(p, sinces[p])) {
            become(p, Role.HANDING, terms[p]);
            urgent = true;
        } else if (now - sinces[p] > HOLDS) {
            become(p, Role.OWNER, terms[p]);
            pace.kept(to);
        }
    }

    private void proposeAll(PartitionTable table, long incarnation, long now) {
        Map<Integer, List<Entry>> handing = new TreeMap<>();
        List<Entry> emptied = new ArrayList<>();
        for (int p = 0; p < roles.length; p++) {
            if (roles[p] == Role.HANDING && table.movingTo(p) != NONE) {
                handing.computeIfAbsent(table.movingTo(p), to -> new ArrayList<>())
                        .add(new Entry(p, terms[p]));
            } else if (roles[p] == Role.EMPTIED && table.previous(p) == self) {
                emptied.add(new Entry(p, table.term(p)));
            }
        }
        urgent = false;
        if (handing.isEmpty() && emptied.isEmpty()) {
            return;
        }
        proposedAt = now;
        handing.forEach((to, entries) -> {
            Member member = table.member(to);
            if (member != null) {
                propose.accept(new HandOver(self, incarnation, to, member.incarnation(), entries));
            }
        });
        if (!emptied.isEmpty()) {
            propose.accept(new HandOverEnd(self, incarnation, emptied));
        }
    }
}
