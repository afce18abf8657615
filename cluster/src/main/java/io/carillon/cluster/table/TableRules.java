package io.carillon.cluster.table;

import io.carillon.cluster.table.Member.Standing;
import io.carillon.cluster.table.Opinions.Suspicion;
import io.carillon.cluster.table.TableChange.Died;
import io.carillon.cluster.table.TableChange.Entry;
import io.carillon.cluster.table.TableChange.Fill;
import io.carillon.cluster.table.TableChange.HandOver;
import io.carillon.cluster.table.TableChange.HandOverEnd;
import io.carillon.cluster.table.TableChange.Join;
import io.carillon.cluster.table.TableChange.Leaving;
import io.carillon.cluster.table.TableChange.Left;
import io.carillon.cluster.table.TableChange.Opinion;
import io.carillon.cluster.table.TableChange.Rebalance;
import io.carillon.cluster.table.TableChange.Stable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What each change makes of a table. Functions: the same table and change give the same table, in
 * every build. While nodes are replaced one by one, voters of two builds do the same changes; were
 * their tables to differ, a partition would have two owners. So the rules stand as they are ({@code
 * TableRulesTest} has what they came to in an earlier build). Who proposes may choose better.
 */
final class TableRules {
    private static final int NONE = PartitionTable.NONE;

    private TableRules() {}

    /** The table behind the change; the same object when it changed nothing. */
    static PartitionTable after(PartitionTable table, TableChange change) {
        TableDraft draft = table.draft();
        switch (change) {
            case Join it -> join(draft, it);
            case Stable it -> stable(draft, it);
            case Leaving it -> leaving(draft, it);
            case Left it -> left(draft, it);
            case Died it -> died(draft, it);
            case Opinion it -> opinion(draft, it);
            case Fill it -> fill(draft, it);
            case Rebalance it -> rebalance(draft, it);
            case HandOver it -> handOver(draft, it);
            case HandOverEnd it -> handOverEnd(draft, it);
        }
        if (!draft.changed()) {
            return table;
        }
        Settling.settle(draft);
        return draft.finish();
    }

    private static void join(TableDraft draft, Join it) {
        Member former = draft.member(it.member());
        long last = former == null ? 0 : former.incarnation();
        if (it.member() >= NONE || last != it.former() || last >= it.incarnation()) {
            return;
        }
        if (former != null && former.living() && !former.address().equals(it.address())) {
            return;
        }
        if (former != null && former.living()) {
            gone(draft, former);
        }
        draft.put(
                new Member(
                        it.member(),
                        it.name(),
                        it.address(),
                        it.witness(),
                        it.incarnation(),
                        Standing.JOINED));
        Opinions of = draft.opinions(it.member());
        if (of != null && of.incarnation() < it.incarnation()) {
            draft.put(new Opinions(it.member(), it.incarnation(), 0, List.of()));
        }
    }

    private static void stable(TableDraft draft, Stable it) {
        Member member = living(draft, it.member(), it.incarnation());
        if (member != null && member.standing() == Standing.JOINED) {
            draft.standing(it.member(), Standing.STABLE);
        }
    }

    private static void leaving(TableDraft draft, Leaving it) {
        if (living(draft, it.member(), it.incarnation()) != null) {
            draft.standing(it.member(), Standing.LEAVING);
        }
    }

    private static void left(TableDraft draft, Left it) {
        Member member = living(draft, it.member(), it.incarnation());
        if (member != null) {
            gone(draft, member);
        }
    }

    private static void died(TableDraft draft, Died it) {
        Member member = living(draft, it.member(), it.incarnation());
        if (member != null) {
            gone(draft, member);
        }
    }

    private static void opinion(TableDraft draft, Opinion it) {
        Opinions of = draft.opinions(it.voter());
        if (!draft.isVoter(it.voter())
                || living(draft, it.voter(), it.voterIncarnation()) == null
                || (of != null && !of.before(it.voterIncarnation(), it.sequence()))) {
            return;
        }
        List<Suspicion> suspicions = new ArrayList<>();
        if (of != null && of.incarnation() == it.voterIncarnation()) {
            suspicions.addAll(of.without(it.subject()).suspicions());
        }
        Member subject = living(draft, it.subject(), it.subjectIncarnation());
        if (it.suspects() && subject != null) {
            suspicions.add(new Suspicion(it.subject(), it.subjectIncarnation()));
        }
        draft.put(
                new Opinions(
                        it.voter(), it.voterIncarnation(), it.sequence(), List.copyOf(suspicions)));
        if (subject != null
                && draft.suspecting(it.subject(), it.subjectIncarnation()) >= draft.majority()) {
            gone(draft, subject);
        }
    }

    private static void fill(TableDraft draft, Fill it) {
        if (it.version() == draft.version()) {
            Settling.fill(draft);
        }
    }

    private static void rebalance(TableDraft draft, Rebalance it) {
        if (it.version() == draft.version()
                && (it.holders().isEmpty() || it.holders().size() == draft.partitions())) {
            Rebalancing.rebalance(draft, it.holders());
        }
    }

    private static void handOver(TableDraft draft, HandOver it) {
        Member from = living(draft, it.from(), it.fromIncarnation());
        if (from == null || living(draft, it.to(), it.toIncarnation()) == null) {
            return;
        }
        for (Entry entry : it.entries()) {
            int partition = entry.partition();
            if (partition < draft.partitions()
                    && draft.owner(partition) == it.from()
                    && draft.term(partition) == entry.term()
                    && draft.movingTo(partition) == it.to()) {
                draft.promote(partition, it.to());
                draft.previous(partition, it.from());
                // Who had it has the copy.
                draft.next(partition, it.from());
            }
        }
    }

    private static void handOverEnd(TableDraft draft, HandOverEnd it) {
        if (living(draft, it.from(), it.fromIncarnation()) == null) {
            return;
        }
        for (Entry entry : it.entries()) {
            int partition = entry.partition();
            if (partition < draft.partitions()
                    && draft.previous(partition) == it.from()
                    && draft.term(partition) == entry.term()) {
                draft.previous(partition, NONE);
            }
        }
    }

    private static @Nullable Member living(TableDraft draft, int number, long incarnation) {
        Member it = draft.member(number);
        return it != null && it.living() && it.incarnation() == incarnation ? it : null;
    }

    /** What it owned goes on to others at once, before it may come back under the same number. */
    private static void gone(TableDraft draft, Member member) {
        draft.put(member.with(Standing.GONE));
        draft.forget(member.number());
        Settling.settle(draft);
    }
}
