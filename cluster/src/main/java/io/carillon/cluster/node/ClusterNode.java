package io.carillon.cluster.node;

import io.carillon.cluster.lease.Ack;
import io.carillon.cluster.lease.Beat;
import io.carillon.cluster.lease.Lease;
import io.carillon.cluster.lease.LeasedOwnership;
import io.carillon.cluster.member.Duties;
import io.carillon.cluster.member.Duty;
import io.carillon.cluster.member.MemberState;
import io.carillon.cluster.member.Work;
import io.carillon.cluster.table.Member;
import io.carillon.cluster.table.Member.Standing;
import io.carillon.cluster.table.PartitionTable;
import io.carillon.cluster.table.TableChange;
import io.carillon.cluster.table.TableChange.Died;
import io.carillon.cluster.table.TableMachine;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * One node of a cluster: which partitions it may act for, and what it has to tell the others so
 * that this stays true. It takes beats, answers, changes on which the voters agreed, connections
 * that closed, and time; it gives what {@link NodeOutput} says.
 *
 * <p>Time is nanoseconds of the node's own clock, which goes on while the machine sleeps and never
 * goes back (CLOCK_BOOTTIME). It is read <em>after</em> the message was taken in with which it is
 * given. One thread; {@link #ownership()}, {@link #table()} and {@link #state()} are for any.
 */
public final class ClusterNode {
    private final NodeIdentity me;
    private final ClusterTimes times;
    private final NodeOutput output;
    private final TableMachine machine;
    private final int voterIndex;
    private final Lease lease;
    private final LeasedOwnership ownership;
    private final Watch watch;
    private final Arranger arranger;
    private final PartedTables parted = new PartedTables();
    private final Partitions partitions;
    private final Membership membership;
    private final Map<Integer, Long> dead = new TreeMap<>();
    private final Instants instants;
    private boolean hangs;

    /** When what was done last. */
    private static final class Instants {
        long beatAt;
        long deadAt;
        long inputAt;
        long toldVersion;
        boolean holding;

        Instants(long now, long beat, long again) {
            beatAt = now - beat;
            deadAt = now - again;
            inputAt = now;
        }
    }

    /**
     * A node that has not joined.
     *
     * @param first {@code Incarnation.first}: its first life; a later one when the table knows of
     *     later ones
     * @param start the same on all nodes
     * @param clock read by whoever asks {@link #ownership()}; the same as that of all arguments
     *     {@code now}
     */
    public ClusterNode(
            NodeIdentity me,
            long first,
            PartitionTable start,
            ClusterTimes times,
            LongSupplier clock,
            NodeOutput output) {
        long now = clock.getAsLong();
        this.me = me;
        this.times = times;
        this.output = output;
        this.machine = new TableMachine(start);
        this.voterIndex = start.voterIndex(me.number());
        this.lease = new Lease(start.voters().length, times.lease());
        this.ownership = new LeasedOwnership(lease, clock, start.partitions());
        this.watch = new Watch(me.number(), times, now, this::propose);
        this.arranger = new Arranger(times, now, this::propose);
        this.partitions =
                new Partitions(
                        me.number(), times, ownership, output, this::propose, start.partitions());
        this.membership = new Membership(me, first, times, this::propose);
        this.instants = new Instants(now, times.beat(), times.again());
    }

    /** For the whole life of the process. */
    public LeasedOwnership ownership() {
        return ownership;
    }

    /** Voters whose table stands at another version than here, for ten seconds. Any thread. */
    public Set<Integer> tablesApart() {
        return parted.now();
    }

    public PartitionTable table() {
        return machine.table();
    }

    public MemberState state() {
        return membership.state();
    }

    /** What it does now with a kind of work, in partitions of its own. Any thread. */
    public Duty duty(Work work) {
        return Duties.of(state(), work);
    }

    /** Its present life; told to others when a connection to them opens. */
    public long incarnation() {
        return membership.incarnation();
    }

    /** Is its part over for good? It has left, was ended, or another process has its number. */
    public boolean over() {
        return membership.over();
    }

    /** Does a majority answer? */
    public boolean holds(long now) {
        return lease.holds(now);
    }

    /**
     * Does what serves its calls stand still, though this goes on? Then it sends no beats, as a
     * process that is stopped sends none: it loses its lease, and others go on with its calls. It
     * joins again once it does not hang any more.
     */
    public void hangs(boolean now) {
        hangs = now;
    }

    /**
     * Time has passed; called at least every 50 ms.
     *
     * @param leads does this node's voting lead, as far as it knows?
     */
    public void tick(long now, boolean leads) {
        look(now);
        if (membership.over()) {
            return;
        }
        PartitionTable table = machine.table();
        if (!hangs && now - instants.beatAt >= times.beat()) {
            beat(table, now);
        }
        if (!hangs || membership.joined()) {
            membership.tick(table, partitions.any(), now);
        }
        if (membership.joined()) {
            if (voterIndex >= 0) {
                watch.tick(table, membership.incarnation(), lease.holds(now), now);
            }
            partitions.tick(table, membership.incarnation(), membership.leaves(), now);
        }
        reportDead(table, now);
        arranger.tick(machine, leads, now);
        parted.tick(now);
        if (leads) {
            tellThoseWhoDoNotVote(table);
        }
        look(now);
    }

    /** They would learn it with their next beat else. */
    private void tellThoseWhoDoNotVote(PartitionTable table) {
        if (table.version() == instants.toldVersion) {
            return;
        }
        instants.toldVersion = table.version();
        for (Member member : table.members()) {
            if (member.living() && table.voterIndex(member.number()) < 0) {
                output.send(member.number(), table.toBytes());
            }
        }
    }

    private void beat(PartitionTable table, long now) {
        instants.beatAt = now;
        Beat beat =
                new Beat(
                        me.number(),
                        membership.incarnation(),
                        now,
                        table.version(),
                        table.votersDigest(),
                        lease.holds(now));
        for (int voter : table.voters()) {
            if (voter != me.number()) {
                output.send(voter, beat);
            }
        }
        if (voterIndex >= 0 && membership.acts()) {
            lease.acked(voterIndex, now);
        }
    }

    /** A beat has come. Only a voter gets any. */
    public void received(Beat beat, long now) {
        look(now);
        PartitionTable table = machine.table();
        if (voterIndex < 0
                || membership.over()
                || beat.votersDigest() != table.votersDigest()
                || beat.member() == me.number()) {
            return;
        }
        if (table.voterIndex(beat.member()) >= 0) {
            parted.heard(beat.member(), beat.version(), table.version(), now);
        } else if (beat.version() < table.version()) {
            output.send(beat.member(), table.toBytes());
        }
        if (membership.joined()
                && table.lives(beat.member(), beat.incarnation())
                && watch.heard(beat, now)) {
            output.send(
                    beat.member(),
                    new Ack(
                            me.number(),
                            beat.member(),
                            beat.incarnation(),
                            beat.sentAt(),
                            table.version()));
        }
    }

    /** A voter has answered. */
    public void received(Ack ack, long now) {
        int voter = machine.table().voterIndex(ack.voter());
        if (voter >= 0
                && membership.acts()
                && ack.member() == me.number()
                && ack.incarnation() == membership.incarnation()
                && ack.sentAt() <= now) {
            lease.acked(voter, ack.sentAt());
        }
        look(now);
    }

    /** The voters have agreed on a change. */
    public void applied(byte[] change, long now) {
        if (machine.apply(change)) {
            tableChanged(now);
        }
        look(now);
    }

    /**
     * This node's own voting has come to a table; instead of {@link #applied(byte[], long)}. Tables
     * in between may be left out.
     */
    public void applied(PartitionTable table, long now) {
        if (machine.follow(table)) {
            tableChanged(now);
        }
        look(now);
    }

    /** A voter has sent its table, since this node does not vote. */
    public void received(PartitionTable table, long now) {
        if (voterIndex < 0) {
            applied(table, now);
        }
    }

    /**
     * The host of a process closed its connection to us: the process is dead. Or the member has
     * given that life up. Not to be told when a connection merely went silent, was reset on the
     * way, or could not be opened.
     *
     * @param incarnation the last life of which that connection told
     */
    public void died(int member, long incarnation, long now) {
        dead.merge(member, incarnation, Math::max);
        instants.deadAt = now - times.again();
        reportDead(machine.table(), now);
        look(now);
    }

    /**
     * A member sees only these from now on, and hears nobody else. Where a majority of the voters
     * is among them and this node is not, nobody answers it any more. It would go on alone until
     * its lease is over, and nobody would have a copy of what happens to its calls: it gives its
     * life up instead.
     *
     * @param life of this node that the member knew: another one does not go for it
     * @return the life that is given up, in which nothing acts again, as after a death; 0 for none
     */
    public long leftOut(long life, Set<Integer> seen, long now) {
        long voters =
                Arrays.stream(machine.table().voters()).filter(each -> seen.contains(each)).count();
        if (!membership.joined()
                || life != membership.incarnation()
                || seen.contains(me.number())
                || voters <= machine.table().voters().length / 2) {
            return 0;
        }
        membership.giveUp();
        lease.end();
        look(now);
        return life;
    }

    /** As {@link NodeOutput#handOver} asked for. */
    public void handedOver(int partition) {
        partitions.emptied(partition);
    }

    /**
     * Where the copies lie, told now and then on every node.
     *
     * @param holders a {@code Placement} for each partition
     * @param now of the node's clock, nanoseconds
     */
    public void placed(int[] holders, long now) {
        arranger.holders(Arrays.stream(holders).boxed().toList(), now);
    }

    /** Gives away what it has, then goes. State {@code GONE} says that it has. */
    public void leave(long now) {
        membership.leave();
        look(now);
    }

    /**
     * Ends at once. Behind it the node acts for nothing: only then may its connections be closed,
     * which the others take for its death.
     */
    public void end(long now) {
        lease.end();
        membership.end();
        partitions.follow(machine.table(), false, now);
        look(now);
    }

    private void tableChanged(long now) {
        PartitionTable table = machine.table();
        boolean joinedBefore = membership.joined();
        long lifeBefore = membership.incarnation();
        membership.follow(table, now);
        if (joinedBefore && !membership.joined()) {
            lease.end();
        }
        if (membership.incarnation() != lifeBefore) {
            watch.newLife(now);
        }
        partitions.follow(table, membership.joined(), now);
    }

    /** What follows from the time alone. */
    private void look(long now) {
        boolean holding = lease.holds(now);
        boolean stopped = now - instants.inputAt > times.lease();
        if (stopped || (holding && !instants.holding)) {
            watch.wasAway(now);
        }
        instants.inputAt = now;
        instants.holding = holding;
        membership.look(machine.table(), holding && !stopped, partitions.any(), now, output);
    }

    private void reportDead(PartitionTable table, long now) {
        if (dead.isEmpty() || now - instants.deadAt < times.again()) {
            return;
        }
        dead.entrySet().removeIf(each -> later(table, each.getKey(), each.getValue()));
        dead.forEach((member, incarnation) -> {
            if (table.lives(member, incarnation)) {
                instants.deadAt = now;
                propose(new Died(member, incarnation));
            }
        });
    }

    /** Is that life over in the table? One that the table does not know yet may be in it soon. */
    private static boolean later(PartitionTable table, int member, long incarnation) {
        Member it = table.member(member);
        return it != null
                && (it.incarnation() > incarnation
                        || (it.incarnation() == incarnation && it.standing() == Standing.GONE));
    }

    private void propose(TableChange change) {
        output.propose(change.toBytes());
    }
}
