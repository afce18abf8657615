package io.carillon.cluster.node;

import io.carillon.cluster.member.Incarnation;
import io.carillon.cluster.member.MemberState;
import io.carillon.cluster.table.Member;
import io.carillon.cluster.table.Member.Standing;
import io.carillon.cluster.table.PartitionTable;
import io.carillon.cluster.table.TableChange;
import io.carillon.cluster.table.TableChange.Died;
import io.carillon.cluster.table.TableChange.Join;
import io.carillon.cluster.table.TableChange.Leaving;
import io.carillon.cluster.table.TableChange.Left;
import io.carillon.cluster.table.TableChange.Stable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node's own place in the table: it joins, becomes stable, leaves, and comes back. One thread.
 */
final class Membership {
    private static final long NEVER = Long.MIN_VALUE / 4;

    private final NodeIdentity me;
    private final ClusterTimes times;
    private final Consumer<TableChange> propose;
    private volatile MemberState state = MemberState.STARTING;
    private long incarnation;
    private Phase phase = Phase.OUTSIDE;
    private boolean leaves;

    /** Did a majority answer in this life? */
    private boolean answered;

    private boolean gaveUp;

    private long holdsSince;
    private long joinAt = NEVER;
    private long proposedAt = NEVER;

    private enum Phase {
        /** Not in the table. */
        OUTSIDE,
        JOINED,
        /** Was declared dead, and waits. */
        FALLEN,
        /** For good. */
        OVER
    }

    Membership(NodeIdentity me, long process, ClusterTimes times, Consumer<TableChange> propose) {
        this.me = me;
        this.incarnation = process;
        this.times = times;
        this.propose = propose;
    }

    MemberState state() {
        return state;
    }

    long incarnation() {
        return incarnation;
    }

    boolean joined() {
        return phase == Phase.JOINED;
    }

    /** Is it in the table with a life that it has not given up? */
    boolean acts() {
        return joined() && !gaveUp;
    }

    /** Nothing acts in this life any more: it is to be declared dead, and joins again. */
    void giveUp() {
        gaveUp = true;
    }

    boolean over() {
        return phase == Phase.OVER;
    }

    boolean leaves() {
        return leaves;
    }

    void leave() {
        leaves = true;
    }

    void end() {
        phase = Phase.OVER;
    }

    /** The table has changed. */
    void follow(PartitionTable table, long now) {
        Member it = table.member(me.number());
        if (it == null || phase == Phase.OVER) {
            return;
        }
        if (it.incarnation() == incarnation && it.living()) {
            if (phase != Phase.JOINED) {
                answered = false;
                gaveUp = false;
            }
            phase = Phase.JOINED;
            return;
        }
        if (it.incarnation() < incarnation) {
            return;
        }
        if (phase == Phase.OUTSIDE) {
            // A former process had a later clock.
            incarnation = Incarnation.above(it.incarnation(), incarnation);
        } else if (leaves || it.living()) {
            // It has left; or a later process has its number and address, and two must not fight.
            phase = Phase.OVER;
        } else if (phase == Phase.JOINED) {
            phase = Phase.FALLEN;
            incarnation = Incarnation.above(it.incarnation(), incarnation);
            joinAt = now + times.rejoin();
        }
    }

    void tick(PartitionTable table, boolean acting, long now) {
        if (phase == Phase.FALLEN && now >= joinAt) {
            phase = Phase.OUTSIDE;
        }
        if (now - proposedAt < times.again()) {
            return;
        }
        Member it = table.member(me.number());
        TableChange change = null;
        if (phase == Phase.OUTSIDE && !leaves) {
            long former = it == null ? 0 : it.incarnation();
            change =
                    new Join(
                            me.number(),
                            incarnation,
                            former,
                            me.name(),
                            me.address(),
                            me.witness());
        } else if (phase == Phase.JOINED && it != null) {
            change = next(table, it, acting, now);
        }
        if (change != null) {
            proposedAt = now;
            propose.accept(change);
        } else if (phase == Phase.OUTSIDE && leaves) {
            phase = Phase.OVER;
        }
    }

    private @Nullable TableChange next(PartitionTable table, Member it, boolean acting, long now) {
        if (gaveUp) {
            // Who left it out may not have heard that.
            return new Died(me.number(), incarnation);
        }
        if (leaves && it.standing() != Standing.LEAVING) {
            return new Leaving(me.number(), incarnation);
        }
        if (it.standing() == Standing.LEAVING
                && !acting
                && table.owned(me.number()) == 0
                && table.previousOf(me.number()) == 0) {
            return new Left(me.number(), incarnation);
        }
        boolean settled =
                it.standing() == Standing.JOINED
                        && !me.witness()
                        && state == MemberState.JOINING
                        && now - holdsSince >= times.settle();
        return settled ? new Stable(me.number(), incarnation) : null;
    }

    /** What it is now. */
    void look(PartitionTable table, boolean holds, boolean acting, long now, NodeOutput output) {
        if (!holds) {
            holdsSince = now;
        }
        answered |= holds && phase == Phase.JOINED;
        Member it = table.member(me.number());
        Standing standing = it == null ? Standing.GONE : it.standing();
        MemberState to = now(standing, holds, acting);
        if (to != state) {
            MemberState from = state;
            state = to;
            output.state(from, to, reason(to));
        }
    }

    private MemberState now(Standing standing, boolean holds, boolean acting) {
        return switch (phase) {
            case OVER, FALLEN -> MemberState.GONE;
            case OUTSIDE -> MemberState.STARTING;
            case JOINED -> {
                if (!answered) {
                    yield MemberState.STARTING;
                }
                if (!holds) {
                    yield MemberState.ISOLATED;
                }
                if (standing == Standing.LEAVING) {
                    yield MemberState.LEAVING;
                }
                if (me.witness()) {
                    yield MemberState.WITNESS;
                }
                yield acting
                        ? MemberState.OWNER
                        : standing == Standing.STABLE ? MemberState.STABLE : MemberState.JOINING;
            }
        };
    }

    private String reason(MemberState to) {
        return switch (to) {
            case STARTING -> "it joins again";
            case JOINING -> "a majority answers";
            case STABLE -> "it may own partitions, and has none";
            case OWNER -> "it owns partitions";
            case ISOLATED ->
                    gaveUp
                            ? "the others do not see it, and go on with its calls"
                            : "no majority has answered for the length of the lease";
            case LEAVING -> "it was told to leave";
            case GONE ->
                    phase == Phase.FALLEN
                            ? "it was declared dead"
                            : leaves ? "it has left" : "it ends, or another process has its number";
            case WITNESS -> "a majority answers the witness";
        };
    }
}
