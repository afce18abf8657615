package io.carillon.cluster.node;

import io.carillon.cluster.lease.Beat;
import io.carillon.cluster.table.Member;
import io.carillon.cluster.table.PartitionTable;
import io.carillon.cluster.table.TableChange.Opinion;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What a voter thinks of the others: whose beats it acknowledges, and whom it takes for dead. Both
 * hang together: a voter suspects only whom it has not acknowledged for longer than a lease lasts,
 * and acknowledges nobody whom it suspects.
 *
 * <p>One entry for each member number that was heard of, 255 at most. One thread.
 */
final class Watch {
    private static final long NEVER = Long.MIN_VALUE / 4;

    /** How it stands with one member. */
    private enum Mind {
        /** Its beats are acknowledged. */
        TRUSTS,
        /** Not any more, for it holds no lease for too long. Nobody knows of it yet. */
        REFUSES,
        /** A suspicion was proposed. */
        SUSPECTS,
        /** Its withdrawal was proposed. */
        WITHDRAWS
    }

    private static final class Subject {
        long incarnation;
        Mind mind = Mind.TRUSTS;
        long heardAt = NEVER;
        long healthyAt;
        long ackedAt;
        long since;
        long proposedAt;
        long sequence;
    }

    private final int self;
    private final ClusterTimes times;
    private final Consumer<Opinion> propose;
    private final long startedAt;
    private final Map<Integer, Subject> subjects = new TreeMap<>();
    private long sequence;

    Watch(int self, ClusterTimes times, long now, Consumer<Opinion> propose) {
        this.self = self;
        this.times = times;
        this.propose = propose;
        this.startedAt = now;
    }

    /**
     * A beat of a living member has come.
     *
     * @return is it to be acknowledged? Then the voter has promised what an acknowledgement
     *     promises
     */
    boolean heard(Beat beat, long now) {
        Subject it = subject(beat.member(), beat.incarnation(), now);
        it.heardAt = now;
        if (beat.holding()) {
            it.healthyAt = now;
            if (it.mind == Mind.REFUSES) {
                it.mind = Mind.TRUSTS;
            }
        }
        if (it.mind != Mind.TRUSTS) {
            return false;
        }
        it.ackedAt = now;
        return true;
    }

    /**
     * The voter was away itself: stopped, or without a majority. Whom it did not hear may have been
     * there.
     */
    void wasAway(long now) {
        for (Subject it : subjects.values()) {
            it.healthyAt = now;
            if (it.mind == Mind.REFUSES) {
                it.mind = Mind.TRUSTS;
            }
        }
    }

    /**
     * Looks at each member.
     *
     * @param holding does this voter hold its lease? Without one it has no word about others: it is
     *     probably itself who is away
     * @param incarnation this voter's own life
     */
    void tick(PartitionTable table, long incarnation, boolean holding, long now) {
        for (Member member : table.members()) {
            if (member.number() != self && member.living()) {
                Subject it = subject(member.number(), member.incarnation(), now);
                look(it, member, table, incarnation, holding, now);
            }
        }
    }

    private void look(
            Subject it,
            Member member,
            PartitionTable table,
            long incarnation,
            boolean holding,
            long now) {
        switch (it.mind) {
            case TRUSTS, REFUSES -> {
                if (!holding || now - it.healthyAt <= times.suspectAfter()) {
                    return;
                }
                it.mind = Mind.REFUSES;
                if (now - it.ackedAt > times.suspectAfter()) {
                    it.mind = Mind.SUSPECTS;
                    it.since = now;
                    opine(it, member, incarnation, true, now);
                }
            }
            case SUSPECTS -> {
                boolean heard = now - it.heardAt < 3 * times.beat();
                if (heard && (it.healthyAt > it.since || now - it.since > times.doubt())) {
                    it.mind = Mind.WITHDRAWS;
                    opine(it, member, incarnation, false, now);
                } else if (holding
                        && now - it.proposedAt > times.again()
                        && !table.suspects(self, member.number(), member.incarnation())) {
                    opine(it, member, incarnation, true, now);
                }
            }
            case WITHDRAWS -> {
                if (table.opinionsOf(self, incarnation) >= it.sequence
                        && !table.suspects(self, member.number(), member.incarnation())) {
                    // Whatever was proposed before comes too late from now on.
                    it.mind = Mind.TRUSTS;
                    it.healthyAt = now;
                } else if (now - it.proposedAt > times.again()) {
                    opine(it, member, incarnation, false, now);
                }
            }
        }
    }

    private void opine(Subject it, Member member, long incarnation, boolean suspects, long now) {
        it.proposedAt = now;
        it.sequence = ++sequence;
        propose.accept(
                new Opinion(
                        self,
                        incarnation,
                        it.sequence,
                        member.number(),
                        member.incarnation(),
                        suspects));
    }

    /**
     * The voter begins a new life. It acknowledges nobody until that is in the table, and there its
     * opinions are forgotten with that.
     */
    void newLife(long now) {
        sequence = 0;
        for (Subject it : subjects.values()) {
            it.mind = Mind.TRUSTS;
            it.healthyAt = now;
        }
    }

    private Subject subject(int member, long incarnation, long now) {
        Subject it = subjects.get(member);
        if (it == null) {
            it = new Subject();
            it.incarnation = incarnation;
            it.healthyAt = now;
            // A former process of this voter may have acknowledged until it ended.
            it.ackedAt = startedAt;
            subjects.put(member, it);
        } else if (it.incarnation != incarnation) {
            it.incarnation = incarnation;
            it.mind = Mind.TRUSTS;
            it.heardAt = NEVER;
            it.healthyAt = now;
        }
        return it;
    }
}
