package io.carillon.cluster.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What each change makes of the table. Voters are 0, 1 and 2. */
class TableMachineTest {
    private static final int NONE = PartitionTable.NONE;

    private final TableMachine machine = new TableMachine(PartitionTable.of(0, 1, 2));

    private PartitionTable table() {
        return machine.table();
    }

    private void join(int... members) {
        for (int member : members) {
            machine.apply(life(member, 1, 0));
        }
    }

    private static Join life(int member, long life, long former) {
        return new Join(member, life, former, "node" + member, "10.0.0." + member, false);
    }

    /** Three members, all stable, a third for each. */
    private void three() {
        join(0, 1, 2);
        machine.apply(new Fill(table().version()));
    }

    private void twoComeToOneThatOwnsAll() {
        join(2);
        machine.apply(new Fill(table().version()));
        join(0, 1);
        machine.apply(new Stable(0, 1));
        machine.apply(new Stable(1, 1));
    }

    /** All hand-overs that the table wants are made. */
    private int handOverAll() {
        int moves = 0;
        for (int p = 0; p < table().partitions(); p++) {
            int to = table().movingTo(p);
            if (to != NONE) {
                moves++;
                int from = table().owner(p);
                machine.apply(new HandOver(from, 1, to, 1, List.of(new Entry(p, table().term(p)))));
                machine.apply(new HandOverEnd(from, 1, List.of(new Entry(p, table().term(p)))));
            }
        }
        return moves;
    }

    private void rebalance() {
        machine.apply(new Rebalance(table().version(), List.of()));
    }

    @Test
    void theFirstMembersShareAllPartitionsInRuns() {
        three();
        assertThat(List.of(table().owned(0), table().owned(1), table().owned(2)))
                .containsExactly(342, 341, 341);
        assertThat(table().orphans()).isZero();
        int runs = 1;
        for (int p = 1; p < table().partitions(); p++) {
            runs += table().owner(p) == table().owner(p - 1) ? 0 : 1;
        }
        // An event loop has the partitions of one remainder: a member must have all remainders.
        assertThat(runs).isEqualTo(3);
    }

    @Test
    void theNextOwnerIsAnotherAndSpreadEvenly() {
        three();
        int[][] next = new int[3][3];
        for (int p = 0; p < table().partitions(); p++) {
            assertThat(table().next(p)).isNotEqualTo(table().owner(p));
            next[table().owner(p)][table().next(p)]++;
        }
        for (int owner = 0; owner < 3; owner++) {
            int one = next[owner][(owner + 1) % 3];
            int other = next[owner][(owner + 2) % 3];
            assertThat(Math.abs(one - other)).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void aProvenDeathPromotesTheNextOwnersInANewTerm() {
        three();
        PartitionTable before = table();
        machine.apply(new Died(1, 1));
        for (int p = 0; p < before.partitions(); p++) {
            boolean died = before.owner(p) == 1;
            assertThat(table().owner(p)).isEqualTo(died ? before.next(p) : before.owner(p));
            assertThat(table().term(p)).isEqualTo(before.term(p) + (died ? 1 : 0));
            assertThat(table().next(p)).isNotIn(1, NONE, table().owner(p));
        }
        assertThat(table().owned(0)).isBetween(500, 524);
    }

    @Test
    void onlyAMajorityOfSuspicionsEndsALife() {
        three();
        machine.apply(new Opinion(0, 1, 1, 1, 1, true));
        assertThat(table().lives(1, 1)).isTrue();
        machine.apply(new Opinion(0, 1, 2, 1, 1, true));
        assertThat(table().lives(1, 1)).as("twice by the same voter").isTrue();
        machine.apply(new Opinion(2, 1, 1, 1, 1, true));
        assertThat(table().lives(1, 1)).isFalse();
        assertThat(table().owned(1)).isZero();
    }

    @Test
    void aSuspicionThatComesBehindItsWithdrawalChangesNothing() {
        three();
        machine.apply(new Opinion(0, 1, 2, 1, 1, false));
        assertThat(machine.apply(new Opinion(0, 1, 1, 1, 1, true))).isFalse();
        assertThat(table().suspects(0, 1, 1)).isFalse();
    }

    @Test
    void aSuspicionIsOfOneLifeAndOfALivingVoter() {
        three();
        machine.apply(new Died(1, 1));
        machine.apply(life(1, 2, 1));
        assertThat(machine.apply(new Opinion(0, 1, 1, 1, 1, true)))
                .as("changes the count")
                .isTrue();
        assertThat(table().suspects(0, 1, 1)).isFalse();
        machine.apply(new Died(0, 1));
        assertThat(machine.apply(new Opinion(0, 1, 2, 1, 2, true))).isFalse();
        assertThat(machine.apply(new Opinion(7, 1, 1, 1, 2, true))).as("no voter").isFalse();
    }

    @Test
    void aNewLifeOfAVoterForgetsWhatTheFormerOneThought() {
        three();
        machine.apply(new Opinion(0, 1, 5, 1, 1, true));
        machine.apply(life(0, 2, 1));
        assertThat(table().suspects(0, 1, 1)).isFalse();
        assertThat(machine.apply(new Opinion(0, 1, 6, 1, 1, true))).as("of the former").isFalse();
    }

    @Test
    void aReturningNodeOwnsNothingUntilItIsStable() {
        three();
        machine.apply(new Died(2, 1));
        machine.apply(life(2, 2, 1));
        rebalance();
        assertThat(table().owned(2)).isZero();
        assertThat(table().nextOf(2)).isZero();
        machine.apply(new Stable(2, 2));
        rebalance();
        int moving = 0;
        for (int p = 0; p < table().partitions(); p++) {
            moving += table().movingTo(p) == 2 ? 1 : 0;
        }
        assertThat(moving).isEqualTo(341);
    }

    @Test
    void aJoiningNodeTakesItsShareAndNobodyElseMoves() {
        three();
        for (int member = 3; member < 9; member++) {
            machine.apply(life(member, 1, 0));
            machine.apply(new Stable(member, 1));
            PartitionTable before = table();
            rebalance();
            int moves = handOverAll();
            int share = 1024 / (member + 1);
            assertThat(moves).isLessThanOrEqualTo(share);
            for (int p = 0; p < before.partitions(); p++) {
                assertThat(table().owner(p)).isIn(before.owner(p), member);
            }
            assertThat(table().owned(member)).isBetween(share - share / 20, share + share / 20);
        }
    }

    @Test
    void theSameHandOverTwiceChangesNothing() {
        three();
        machine.apply(life(3, 1, 0));
        machine.apply(new Stable(3, 1));
        rebalance();
        int p = 0;
        while (table().movingTo(p) != 3) {
            p++;
        }
        int from = table().owner(p);
        long term = table().term(p);
        HandOver change = new HandOver(from, 1, 3, 1, List.of(new Entry(p, term)));
        assertThat(machine.apply(change)).isTrue();
        assertThat(table().owner(p)).isEqualTo(3);
        assertThat(table().term(p)).isEqualTo(term + 1);
        assertThat(table().previous(p)).isEqualTo(from);
        assertThat(table().next(p)).as("who has the copy").isEqualTo(from);
        assertThat(machine.apply(change)).isFalse();
        HandOverEnd late = new HandOverEnd(from, 1, List.of(new Entry(p, term)));
        assertThat(machine.apply(late)).as("of another term").isFalse();
        HandOverEnd end = new HandOverEnd(from, 1, List.of(new Entry(p, term + 1)));
        assertThat(machine.apply(end)).isTrue();
        assertThat(machine.apply(end)).isFalse();
    }

    @Test
    void nobodyTakesAPartitionThatWasNotToMove() {
        three();
        int owner = table().owner(0);
        HandOver unwanted = new HandOver(owner, 1, 2, 1, List.of(new Entry(0, table().term(0))));
        assertThat(machine.apply(unwanted)).isFalse();
    }

    @Test
    void whoLeavesGivesAllToTheNextOwnersAndGoes() {
        three();
        PartitionTable before = table();
        machine.apply(new Leaving(1, 1));
        handOverAll();
        assertThat(table().owned(1)).isZero();
        assertThat(table().nextOf(1)).isZero();
        for (int p = 0; p < before.partitions(); p++) {
            if (before.owner(p) == 1) {
                assertThat(table().owner(p)).isEqualTo(before.next(p));
            }
        }
        machine.apply(new Left(1, 1));
        assertThat(table().lives(1, 1)).isFalse();
    }

    @Test
    void aDeadPreviousOwnerLeavesTheRestToTheOwner() {
        three();
        machine.apply(new Leaving(1, 1));
        int p = 0;
        while (table().owner(p) != 1) {
            p++;
        }
        int to = table().movingTo(p);
        machine.apply(new HandOver(1, 1, to, 1, List.of(new Entry(p, table().term(p)))));
        machine.apply(new Died(1, 1));
        assertThat(table().owner(p)).isEqualTo(to);
        assertThat(table().previous(p)).isEqualTo(NONE);
    }

    @Test
    void aProcessThatTookTheAddressEndsTheFormerLife() {
        three();
        machine.apply(life(1, 5, 1));
        assertThat(table().lives(1, 5)).isTrue();
        assertThat(table().owned(1)).isZero();
        assertThat(table().orphans()).isZero();
    }

    @Test
    void anotherAddressWaitsUntilTheFormerLifeIsOver() {
        three();
        Join elsewhere = new Join(1, 5, 1, "node1", "10.0.0.99", false);
        assertThat(machine.apply(elsewhere)).isFalse();
        machine.apply(new Died(1, 1));
        assertThat(machine.apply(elsewhere)).isTrue();
    }

    @Test
    void aJoinThatKnowsAnOlderPastIsTooLate() {
        three();
        machine.apply(life(1, 5, 1));
        assertThat(machine.apply(life(1, 9, 1))).isFalse();
        assertThat(table().lives(1, 5)).isTrue();
    }

    @Test
    void aWitnessOwnsNothing() {
        join(0, 1);
        machine.apply(new Join(2, 1, 0, "witness", "10.0.0.2", true));
        machine.apply(new Fill(table().version()));
        machine.apply(new Died(0, 1));
        assertThat(table().owned(1)).isEqualTo(1024);
        machine.apply(new Died(1, 1));
        assertThat(table().orphans()).isEqualTo(1024);
        assertThat(table().owned(2)).isZero();
    }

    @Test
    void termsGoOnBehindATimeWithoutAnOwner() {
        three();
        for (int member = 0; member < 3; member++) {
            machine.apply(new Died(member, 1));
        }
        assertThat(table().orphans()).isEqualTo(1024);
        long term = table().term(0);
        machine.apply(life(0, 2, 1));
        machine.apply(new Fill(table().version()));
        assertThat(table().owner(0)).isZero();
        assertThat(table().term(0)).isEqualTo(term + 1);
    }

    @Test
    void theTableFollowsTheCopies() {
        three();
        List<Integer> holders = new ArrayList<>();
        Random random = new Random(7);
        for (int p = 0; p < 1024; p++) {
            int first = random.nextInt(3);
            holders.add(Placement.of(first, (first + 1 + random.nextInt(2)) % 3));
        }
        for (int i = 0; i < 40; i++) {
            machine.apply(machine.plan(holders));
            handOverAll();
        }
        int with = 0;
        for (int p = 0; p < 1024; p++) {
            if (table().next(p) != NONE && Placement.holds(holders.get(p), table().next(p))) {
                with++;
            }
            assertThat(table().next(p)).isNotEqualTo(table().owner(p));
        }
        assertThat(with).as("partitions whose next owner has the copy").isEqualTo(1024);
        assertThat(machine.wouldChange(machine.plan(holders))).isFalse();
        for (int member = 0; member < 3; member++) {
            assertThat(table().owned(member)).isBetween(324, 360);
        }
    }

    @Test
    void nothingFollowsCopiesOfWhichNothingIsKnown() {
        three();
        List<Integer> unknown = Collections.nCopies(1024, Placement.UNKNOWN);
        assertThat(machine.wouldChange(new Rebalance(table().version(), unknown))).isFalse();
    }

    /** One that owned all gives to two that come: the death of each burdens both others. */
    @Test
    void whoFollowsIsSpreadEvenlyWhereCopiesLie() {
        twoComeToOneThatOwnsAll();
        List<Integer> holders = new ArrayList<>();
        for (int p = 0; p < 1024; p++) {
            holders.add(Placement.of(p % 3, (p + 1) % 3));
        }
        for (int i = 0; i < 40; i++) {
            machine.apply(machine.plan(holders));
            handOverAll();
        }
        int[][] next = new int[3][3];
        for (int p = 0; p < 1024; p++) {
            assertThat(Placement.holds(holders.get(p), table().next(p))).isTrue();
            next[table().owner(p)][table().next(p)]++;
        }
        for (int owner = 0; owner < 3; owner++) {
            assertThat(next[owner][(owner + 1) % 3]).isBetween(150, 192);
            assertThat(next[owner][(owner + 2) % 3]).isBetween(150, 192);
        }
    }

    @Test
    void aPlanMovesWhatItNamesAndNothingElse() {
        twoComeToOneThatOwnsAll();
        List<Integer> holders = new ArrayList<>();
        Random random = new Random(11);
        for (int p = 0; p < 1024; p++) {
            holders.add(Placement.of(2, p % 4 == 0 ? NONE : random.nextInt(2)));
        }
        Rebalance plan = machine.plan(holders);
        machine.apply(plan);
        int moved = 0;
        for (int p = 0; p < 1024; p++) {
            int to = Placement.first(plan.holders().get(p));
            assertThat(table().movingTo(p)).isEqualTo(to == 2 ? NONE : to);
            moved += to == 2 ? 0 : 1;
        }
        assertThat(moved).isEqualTo(682);
    }

    @Test
    void aChangeForAnotherVersionChangesNothing() {
        join(0, 1, 2);
        assertThat(machine.apply(new Fill(table().version() - 1))).isFalse();
        three();
        assertThat(machine.apply(new Rebalance(table().version() - 1, List.of()))).isFalse();
    }

    @Test
    void aRebalancedTableIsLeftAlone() {
        for (long seed = 0; seed < 50; seed++) {
            TableMachine it = new TableMachine(PartitionTable.of(0, 1, 2));
            Random random = new Random(seed);
            for (int member = 0; member < 3 + seed % 6; member++) {
                it.apply(life(member, 1, 0));
                it.apply(new Fill(it.table().version()));
                if (random.nextBoolean()) {
                    it.apply(new Stable(member, 1));
                }
            }
            it.apply(new Rebalance(it.table().version(), List.of()));
            assertThat(it.wouldChange(new Rebalance(it.table().version(), List.of())))
                    .as("seed %s", seed)
                    .isFalse();
        }
    }

    @Test
    void everyChangeIsReadAsItWasWritten() {
        List<TableChange> changes =
                List.of(
                        new Join(254, Long.MAX_VALUE, 7, "näme", "10.0.0.1:4000", true),
                        new Stable(1, 2),
                        new Leaving(1, 2),
                        new Left(1, 2),
                        new Died(1, 2),
                        new Opinion(1, 2, 3, 4, 5, true),
                        new Fill(9),
                        new Rebalance(9, List.of(Placement.of(1, 2), Placement.UNKNOWN)),
                        new HandOver(1, 2, 3, 4, List.of(new Entry(1023, 77))),
                        new HandOverEnd(1, 2, List.of(new Entry(0, 1), new Entry(5, 2))));
        for (TableChange change : changes) {
            assertThat(TableChange.read(change.toBytes())).isEqualTo(change);
            byte[] bytes = change.toBytes();
            for (int end = 0; end < bytes.length; end++) {
                byte[] cut = Arrays.copyOf(bytes, end);
                assertThatIllegalArgumentException().isThrownBy(() -> TableChange.read(cut));
            }
        }
    }

    @Test
    void bytesThatAreNoChangeAreCountedAndChangeNothing() {
        three();
        PartitionTable before = table();
        Random random = new Random(3);
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(20)];
            random.nextBytes(bytes);
            if (bytes.length > 1) {
                bytes[0] = 9;
            }
            assertThat(machine.apply(bytes)).isFalse();
        }
        assertThat(machine.unread()).isEqualTo(2_000);
        assertThat(table()).isSameAs(before);
    }

    @Test
    void theTableIsReadAsItWasWrittenAndSmall() {
        three();
        machine.apply(new Opinion(0, 1, 1, 1, 1, true));
        byte[] bytes = table().toBytes();
        assertThat(bytes).hasSizeLessThan(300);
        PartitionTable read = PartitionTable.read(bytes);
        assertThat(read).isEqualTo(table());
        assertThat(read.suspects(0, 1, 1)).isTrue();
        assertThat(read.member(1)).isEqualTo(table().member(1));
        byte[] cut = Arrays.copyOf(bytes, bytes.length - 1);
        assertThatIllegalArgumentException().isThrownBy(() -> PartitionTable.read(cut));
    }

    @Test
    void aYoungerTableIsFollowedAndAnOlderOneNot() {
        TableMachine learner = new TableMachine(PartitionTable.of(0, 1, 2));
        three();
        assertThat(learner.follow(table())).isTrue();
        assertThat(learner.follow(table())).isFalse();
        TableMachine stranger = new TableMachine(PartitionTable.of(0, 1, 3));
        assertThat(stranger.follow(table())).as("other voters").isFalse();
    }

    @Test
    void aStateInPlaceOfChangesLeadsToTheSameTables() {
        List<PartitionTable> younger = new ArrayList<>();
        VotedTable one = new VotedTable(PartitionTable.of(0, 1, 2), each -> {});
        VotedTable other = new VotedTable(PartitionTable.of(0, 1, 2), younger::add);
        for (int member = 0; member < 3; member++) {
            one.applied(life(member, 1, 0).toBytes());
        }
        other.restore(one.state());
        for (TableChange change : List.of(new Fill(3), new Fill(3), new Died(1, 1))) {
            one.applied(change.toBytes());
            other.applied(change.toBytes());
        }
        assertThat(other.state()).isEqualTo(one.state());
        assertThat(younger).extracting(PartitionTable::version).containsExactly(3L, 4L, 5L);
    }
}
