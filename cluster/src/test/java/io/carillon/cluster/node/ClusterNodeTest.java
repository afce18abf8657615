package io.carillon.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.lease.Ack;
import io.carillon.cluster.lease.Beat;
import io.carillon.cluster.member.Duty;
import io.carillon.cluster.member.MemberState;
import io.carillon.cluster.member.Work;
import io.carillon.cluster.table.PartitionTable;
import io.carillon.cluster.table.TableChange;
import io.carillon.cluster.table.TableChange.Died;
import io.carillon.cluster.table.TableChange.Fill;
import io.carillon.cluster.table.TableChange.Join;
import io.carillon.cluster.table.TableChange.Opinion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One node, number 0 of the voters 0, 1 and 2; the test is all others. */
class ClusterNodeTest {
    private static final long MILLIS = 1_000_000;
    private static final long MINE = 100;

    private boolean mayHandOver = true;
    private final List<String> told = new ArrayList<>();
    private final List<Ack> acks = new ArrayList<>();
    private final List<TableChange> proposed = new ArrayList<>();
    private final List<Beat> beats = new ArrayList<>();
    private long now = 1_000 * MILLIS;
    private ClusterNode node;
    private boolean busy;
    private long lookedAt = Long.MAX_VALUE / 2;

    private final NodeOutput output =
            new NodeOutput() {
                @Override
                public void send(int voter, Beat beat) {
                    beats.add(beat);
                }

                @Override
                public void send(int member, Ack ack) {
                    acks.add(ack);
                }

                @Override
                public void send(int member, byte[] table) {
                    told.add("table to " + member);
                }

                @Override
                public void propose(byte[] change) {
                    proposed.add(TableChange.read(change));
                }

                @Override
                public boolean mayHandOver() {
                    return mayHandOver;
                }

                @Override
                public void promoted(int partition, long term, int previous) {
                    told.add("promoted " + partition + " " + term);
                }

                @Override
                public void allOurs(int partition, long term) {
                    told.add("all ours " + partition);
                }

                @Override
                public void handOver(int partition, long term, int to) {
                    told.add("hand over " + partition + " to " + to);
                }

                @Override
                public void lost(int partition, long term) {
                    told.add("lost " + partition + " " + term);
                }

                @Override
                public boolean quiet(int partition, long since) {
                    return lookedAt - since > 0 && !busy;
                }

                @Override
                public void state(MemberState from, MemberState to, String reason) {
                    told.add(to.word());
                }
            };

    @BeforeEach
    void start() {
        start(3);
    }

    private void start(int partitions) {
        node =
                new ClusterNode(
                        new NodeIdentity(0, "zero", "10.0.0.0", false),
                        MINE,
                        PartitionTable.of(partitions, new int[] {0, 1, 2}),
                        ClusterTimes.STANDARD,
                        () -> now,
                        output);
    }

    private void applied(TableChange change) {
        node.applied(change.toBytes(), now);
    }

    private static Join join(int member, long life, long former) {
        return new Join(member, life, former, "m" + member, "10.0.0." + member, false);
    }

    /** All three have joined, each owns one partition: node 0 owns partition 0. */
    private void joinAll() {
        for (int member = 0; member < 3; member++) {
            applied(join(member, member == 0 ? MINE : 1, 0));
        }
        applied(new Fill(node.table().version()));
    }

    private void answer(int voter) {
        Beat last = beats.getLast();
        node.received(new Ack(voter, 0, last.incarnation(), last.sentAt(), 0), now);
    }

    /** Time in which the others beat, and answer when they are to. */
    private void pass(long millis, boolean answers, int... living) {
        for (long end = now + millis * MILLIS; now < end; now += 50 * MILLIS) {
            for (int each : living) {
                hear(each, answers);
            }
            node.tick(now, false);
            if (answers) {
                answer(1);
            }
        }
    }

    private void hear(int member, boolean holding) {
        node.received(new Beat(member, 1, now, 0, node.table().votersDigest(), holding), now);
    }

    @Test
    void aVoterThatStandsAtAnotherVersionIsTold() {
        owner();
        pass(9_000, true, 1);
        assertThat(node.tablesApart()).isEmpty();
        pass(2_000, true, 1);
        assertThat(node.tablesApart()).containsExactly(1);
    }

    private void owner() {
        joinAll();
        pass(300, true, 1, 2);
        assertThat(node.state()).isEqualTo(MemberState.OWNER);
    }

    @Test
    void aNodeAsksToJoinAndActsForNothingUntilAMajorityAnswers() {
        node.tick(now, false);
        assertThat(proposed).containsExactly(new Join(0, MINE, 0, "zero", "10.0.0.0", false));
        joinAll();
        pass(300, false);
        assertThat(node.state()).isEqualTo(MemberState.STARTING);
        assertThat(node.ownership().owns(0)).isFalse();
        answer(1);
        assertThat(node.state()).isEqualTo(MemberState.OWNER);
        assertThat(node.ownership().owns(0)).isTrue();
        assertThat(node.ownership().owns(1)).isFalse();
        assertThat(told).contains("promoted 0 1");
    }

    @Test
    void withoutAMajorityItKeepsAllAndDoesNothing() {
        owner();
        told.clear();
        pass(2_000, false, 1, 2);
        assertThat(node.state()).isEqualTo(MemberState.ISOLATED);
        assertThat(node.ownership().owns(0)).isFalse();
        assertThat(node.duty(Work.TIMER)).isEqualTo(Duty.HOLD);
        assertThat(node.duty(Work.COPIES)).isEqualTo(Duty.KEEP);
        assertThat(told).containsExactly("isolated");
        pass(300, true, 1, 2);
        assertThat(told).containsExactly("isolated", "owner");
        assertThat(node.ownership().owns(0)).isTrue();
        assertThat(node.ownership().term(0)).isEqualTo(1);
    }

    @Test
    void aStoppedProcessMayNotActWhenItGoesOn() {
        owner();
        now += 20_000 * MILLIS;
        assertThat(node.ownership().owns(0)).isFalse();
    }

    /** Its loops stand still, and the thread that beats does not. */
    @Test
    void aNodeThatHangsSendsNoBeatsAndComesBackWhenItGoesOn() {
        owner();
        beats.clear();
        proposed.clear();
        node.hangs(true);
        pass(2_000, false, 1, 2);
        assertThat(beats).isEmpty();
        assertThat(node.ownership().owns(0)).isFalse();
        assertThat(node.state()).isEqualTo(MemberState.ISOLATED);
        applied(new Opinion(1, 1, 1, 0, MINE, true));
        applied(new Opinion(2, 1, 1, 0, MINE, true));
        pass(5_000, false, 1, 2);
        assertThat(node.state()).isEqualTo(MemberState.GONE);
        assertThat(proposed).as("while it hangs").isEmpty();
        node.hangs(false);
        pass(300, false, 1, 2);
        assertThat(proposed).hasSize(1).first().isInstanceOf(Join.class);
    }

    @Test
    void aNodeThatWasDeclaredDeadDropsAllAndComesBackAsAnother() {
        owner();
        told.clear();
        proposed.clear();
        applied(new Opinion(1, 1, 1, 0, MINE, true));
        applied(new Opinion(2, 1, 1, 0, MINE, true));
        assertThat(told).containsExactly("lost 0 1", "gone");
        assertThat(node.ownership().mayOwnAgain(0)).isFalse();
        assertThat(proposed).isEmpty();
        pass(900, false, 1, 2);
        assertThat(proposed).isEmpty();
        pass(300, false, 1, 2);
        assertThat(proposed).hasSize(1).first().isInstanceOf(Join.class);
        Join again = (Join) proposed.getFirst();
        assertThat(again.incarnation()).isGreaterThan(MINE);
        assertThat(again.former()).isEqualTo(MINE);
        applied(again);
        pass(300, true, 1, 2);
        assertThat(node.state()).isEqualTo(MemberState.JOINING);
        assertThat(node.ownership().mayOwnAgain(0)).isFalse();
    }

    @Test
    void itBecomesStableWhenItWasThereFor30Seconds() {
        joinAll();
        applied(new Died(0, MINE));
        pass(1_200, false, 1, 2);
        Join again = (Join) proposed.getLast();
        applied(again);
        proposed.clear();
        pass(29_000, true, 1, 2);
        assertThat(proposed).isEmpty();
        pass(1_700, true, 1, 2);
        assertThat(proposed).contains(new TableChange.Stable(0, again.incarnation()));
    }

    @Test
    void twoProcessesWithOneNumberDoNotFight() {
        owner();
        applied(join(0, MINE + 5, MINE));
        assertThat(node.over()).isTrue();
        assertThat(node.state()).isEqualTo(MemberState.GONE);
        proposed.clear();
        pass(5_000, false, 1, 2);
        assertThat(proposed).isEmpty();
    }

    @Test
    void aVoterSuspectsWhomItHasNotAnsweredForLongerThanALease() {
        owner();
        proposed.clear();
        pass(1_900, true, 1);
        assertThat(proposed).isEmpty();
        pass(300, true, 1);
        assertThat(proposed).containsExactly(new Opinion(0, MINE, 1, 2, 1, true));
    }

    @Test
    void itAnswersNobodyWhomItSuspectsUntilItsWithdrawalIsAgreed() {
        owner();
        pass(2_200, true, 1);
        applied(new Opinion(0, MINE, 1, 2, 1, true));
        acks.clear();
        proposed.clear();
        hear(2, true);
        assertThat(acks).isEmpty();
        pass(100, true, 1, 2);
        assertThat(proposed).containsExactly(new Opinion(0, MINE, 2, 2, 1, false));
        assertThat(acks).noneMatch(ack -> ack.member() == 2);
        applied(new Opinion(0, MINE, 2, 2, 1, false));
        pass(100, true, 1, 2);
        assertThat(acks).anyMatch(ack -> ack.member() == 2);
    }

    @Test
    void whoBeatsButHoldsNoLeaseIsSuspectedToo() {
        owner();
        proposed.clear();
        for (int i = 0; i < 100; i++) {
            hear(2, false);
            pass(50, true, 1);
        }
        assertThat(proposed).contains(new Opinion(0, MINE, 1, 2, 1, true));
    }

    @Test
    void aVoterWithoutAMajorityHasNoWordAboutOthers() {
        owner();
        proposed.clear();
        pass(20_000, false);
        assertThat(proposed).isEmpty();
        pass(1_500, true, 1, 2);
        assertThat(proposed).as("they get their time once it is back").isEmpty();
    }

    @Test
    void aVoterThatWasStoppedItselfSuspectsNobodyForThat() {
        owner();
        proposed.clear();
        now += 20_000 * MILLIS;
        pass(1_500, true, 1, 2);
        assertThat(proposed).isEmpty();
    }

    @Test
    void aClosedConnectionOfADeadProcessIsReportedUntilItIsKnown() {
        owner();
        proposed.clear();
        node.died(2, 1, now);
        assertThat(proposed).containsExactly(new Died(2, 1));
        pass(600, true, 1, 2);
        assertThat(proposed).hasSizeGreaterThan(1).containsOnly(new Died(2, 1));
        applied(new Died(2, 1));
        proposed.clear();
        pass(1_500, true, 1);
        assertThat(proposed).isEmpty();
    }

    /** They do not hear it: alone it would act for a lease's length, and nobody has copies. */
    @Test
    void whoIsLeftOutByAMajorityActsNeverAgainInThatLife() {
        owner();
        told.clear();
        assertThat(node.leftOut(MINE, Set.of(1, 2), now)).isEqualTo(MINE);
        assertThat(node.ownership().owns(0)).isFalse();
        assertThat(told).containsExactly("isolated");
        pass(1_000, true, 1, 2);
        assertThat(node.ownership().owns(0)).as("whoever answers").isFalse();
        assertThat(beats.getLast().holding()).as("so that others give it up too").isFalse();
        assertThat(proposed).as("its answer may be lost").contains(new Died(0, MINE));
        applied(new Died(0, MINE));
        assertThat(node.state()).isEqualTo(MemberState.GONE);
        pass(1_200, false, 1, 2);
        Join again = (Join) proposed.getLast();
        applied(again);
        pass(300, true, 1, 2);
        assertThat(node.state()).as("another life").isEqualTo(MemberState.JOINING);
    }

    @Test
    void whoIsLeftOutByAMinorityOrByNobodyOrInAnotherLifeGoesOn() {
        owner();
        assertThat(node.leftOut(MINE - 1, Set.of(1, 2), now)).as("a late message").isZero();
        assertThat(node.leftOut(MINE, Set.of(1), now)).as("a minority").isZero();
        assertThat(node.leftOut(MINE, Set.of(0, 1, 2), now)).as("all").isZero();
        assertThat(node.leftOut(MINE, Set.of(3, 4, 5), now)).as("none votes").isZero();
        assertThat(node.ownership().owns(0)).isTrue();
    }

    @Test
    void aConnectionOfAnEarlierLifeProvesNothingAboutTheNext() {
        owner();
        applied(join(2, 2, 1));
        proposed.clear();
        node.died(2, 1, now);
        assertThat(proposed).isEmpty();
    }

    @Test
    void beatsOfAClusterWithOtherVotersAreNotAnswered() {
        owner();
        acks.clear();
        node.received(new Beat(1, 1, now, 0, 4711, true), now);
        assertThat(acks).isEmpty();
    }

    @Test
    void anAnswerToAnotherLifeGivesNoLease() {
        joinAll();
        node.tick(now, false);
        node.received(new Ack(1, 0, MINE - 1, now, 0), now);
        assertThat(node.holds(now)).isFalse();
    }

    @Test
    void aLeavingNodeHandsOverAndGoes() {
        owner();
        told.clear();
        proposed.clear();
        node.leave(now);
        pass(100, true, 1, 2);
        assertThat(proposed).contains(new TableChange.Leaving(0, MINE));
        applied(proposed.getLast());
        assertThat(node.state()).isEqualTo(MemberState.LEAVING);
        proposed.clear();
        pass(100, true, 1, 2);
        TableChange handOver = proposed.getFirst();
        assertThat(handOver).isInstanceOf(TableChange.HandOver.class);
        assertThat(node.ownership().takesNewWork(0)).as("before anybody knows").isFalse();
        assertThat(node.ownership().owns(0)).as("calls that are here").isTrue();
        applied(handOver);
        int to = node.table().owner(0);
        assertThat(told).contains("hand over 0 to " + to);
        assertThat(node.ownership().owns(0)).isTrue();
        assertThat(node.ownership().term(0)).as("its own term").isEqualTo(1);
        proposed.clear();
        node.handedOver(0);
        assertThat(node.ownership().owns(0)).isFalse();
        pass(600, true, 1, 2);
        assertThat(proposed).first().isInstanceOf(TableChange.HandOverEnd.class);
        applied(proposed.getFirst());
        proposed.clear();
        pass(600, true, 1, 2);
        assertThat(proposed).first().isEqualTo(new TableChange.Left(0, MINE));
        applied(proposed.getFirst());
        assertThat(node.state()).isEqualTo(MemberState.GONE);
        assertThat(node.over()).isTrue();
    }

    /** The next owner would not find them; who leaves has no choice. */
    @Test
    void whileTheStoreDoesNotKeepUpNothingMovesThatNeedNot() {
        oneComesBack();
        assertThat(IntStream.range(0, node.table().partitions()))
                .anyMatch(p -> node.table().owner(p) == 0 && node.table().movingTo(p) == 1);
        mayHandOver = false;
        proposed.clear();
        pass(1_500, true, 1, 2);
        assertThat(proposed).noneMatch(TableChange.HandOver.class::isInstance);
        mayHandOver = true;
        pass(600, true, 1, 2);
        assertThat(proposed).anyMatch(TableChange.HandOver.class::isInstance);
    }

    /** Its code is cold: what it gets at once is little. */
    @Test
    void aNodeThatJoinsGetsFewPartitionsFirstAndTwiceAsManyEachTwoSeconds() {
        start(300);
        oneComesBack();
        passAndGive(500);
        assertThat(given()).isBetween(10, 19);
        passAndGive(1_500);
        assertThat(given()).isBetween(20, 32);
        passAndGive(2_000);
        assertThat(given()).isBetween(40, 64);
        passAndGive(4_000);
        assertThat(given()).as("its share").isEqualTo(150);
    }

    /** The one that gets them may have joined some seconds ago. */
    @Test
    void aNodeThatLeavesGivesItsPartitionsWithinSomeSeconds() {
        start(1_024);
        owner();
        int share = owned();
        node.leave(now);
        pass(100, true, 1, 2);
        applied(new TableChange.Leaving(0, MINE));
        passAndGive(500);
        assertThat(share - owned()).isBetween(2 * 40, 2 * 77);
        passAndGive(3_000);
        assertThat(owned()).isZero();
    }

    private int owned() {
        return (int)
                IntStream.range(0, node.table().partitions())
                        .filter(p -> node.table().owner(p) == 0)
                        .count();
    }

    /** It waits for its turn first: that is not the time in which nothing may be under way. */
    @Test
    void aPartitionThatWaitsForItsTurnIsNotOverdueWhenThatComes() {
        start(300);
        oneComesBack();
        passAndGive(6_000);
        busy = true;
        passAndGive(9_000);
        assertThat(given()).as("what had its turn before").isLessThan(150);
        passAndGive(3_000);
        assertThat(given()).isEqualTo(150);
    }

    /** It owns all; then member 1 is there again, and is to have its share. */
    private void oneComesBack() {
        owner();
        applied(new Died(1, 1));
        applied(new Died(2, 1));
        applied(join(1, 2, 1));
        applied(new TableChange.Stable(1, 2));
        applied(new TableChange.Rebalance(node.table().version(), List.of()));
    }

    /** How many the other one owns. */
    private int given() {
        return (int)
                IntStream.range(0, node.table().partitions())
                        .filter(p -> node.table().owner(p) == 1)
                        .count();
    }

    /** What it proposes is agreed at once, and no call is to be given away. */
    private void passAndGive(long millis) {
        for (long end = now + millis * MILLIS; now < end; ) {
            proposed.clear();
            told.clear();
            pass(50, true, 1, 2);
            for (TableChange change : List.copyOf(proposed)) {
                applied(change);
            }
            for (String each : told) {
                if (each.startsWith("hand over")) {
                    node.handedOver(Integer.parseInt(each.split(" ")[2]));
                }
            }
        }
    }

    private boolean handsOver() {
        return proposed.stream().anyMatch(TableChange.HandOver.class::isInstance);
    }

    private void leaves() {
        owner();
        node.leave(now);
        pass(100, true, 1, 2);
        applied(new TableChange.Leaving(0, MINE));
        proposed.clear();
    }

    /** Nothing was under way when it was looked last, which was before. */
    private void heldBack() {
        lookedAt = now;
        pass(50, true, 1, 2);
        assertThat(node.ownership().takesNewWork(0)).as("wanted, and not looked at yet").isTrue();
        lookedAt = now;
        pass(50, true, 1, 2);
        assertThat(node.ownership().takesNewWork(0)).as("held back").isFalse();
    }

    @Test
    void aPartitionIsHandedOverWhenNothingIsUnderWayInIt() {
        leaves();
        busy = true;
        pass(3_000, true, 1, 2);
        assertThat(handsOver()).isFalse();
        assertThat(node.ownership().takesNewWork(0)).as("new calls are served meanwhile").isTrue();
        busy = false;
        pass(100, true, 1, 2);
        assertThat(handsOver()).isTrue();
        assertThat(node.ownership().takesNewWork(0)).isFalse();
    }

    @Test
    void whatWasSeenBeforeNewWorkWasHeldBackDoesNotCount() {
        leaves();
        heldBack();
        assertThat(handsOver()).isFalse();
        lookedAt = now;
        pass(100, true, 1, 2);
        assertThat(handsOver()).isTrue();
    }

    @Test
    void newWorkIsNotHeldBackForLongWhereSomethingIsUnderWayAfterAll() {
        leaves();
        heldBack();
        busy = true;
        pass(400, true, 1, 2);
        assertThat(node.ownership().takesNewWork(0)).isTrue();
        assertThat(handsOver()).isFalse();
    }

    @Test
    void afterTenSecondsItIsHandedOverWhateverIsUnderWay() {
        leaves();
        busy = true;
        pass(9_500, true, 1, 2);
        assertThat(handsOver()).isFalse();
        pass(1_000, true, 1, 2);
        assertThat(handsOver()).isTrue();
    }

    @Test
    void aPreviousOwnerKeepsCallsNoLongerThanTheLimit() {
        owner();
        node.leave(now);
        pass(100, true, 1, 2);
        applied(new TableChange.Leaving(0, MINE));
        pass(100, true, 1, 2);
        applied(
                proposed.stream()
                        .filter(TableChange.HandOver.class::isInstance)
                        .findFirst()
                        .orElseThrow());
        told.clear();
        pass(24_000, true, 1, 2);
        assertThat(told).isEmpty();
        pass(1_500, true, 1, 2);
        assertThat(told).contains("lost 0 1");
        assertThat(node.ownership().owns(0)).isFalse();
    }

    @Test
    void anEndedNodeActsForNothing() {
        owner();
        told.clear();
        node.end(now);
        assertThat(node.ownership().owns(0)).isFalse();
        assertThat(told).containsExactly("lost 0 1", "gone");
        pass(500, true, 1, 2);
        assertThat(node.holds(now)).isFalse();
    }

    private byte[] beatOf(int member, long life) {
        return NodeMessages.of(new Beat(member, life, now, 0, node.table().votersDigest(), true));
    }

    @Test
    void messagesReachTheNodeAndOthersAreCounted() {
        owner();
        List<byte[]> passed = new ArrayList<>();
        NodeMessages messages = new NodeMessages(node, passed::add, (to, bytes) -> {});
        acks.clear();
        messages.received(1, beatOf(1, 1), now);
        assertThat(acks).hasSize(1);
        messages.received(0, NodeMessages.of(acks.getFirst()), now);
        messages.received(3, NodeMessages.ofProposal(new byte[] {1, 2}), now);
        assertThat(passed).containsExactly(new byte[] {1, 2});
        assertThat(messages.unread()).isZero();
        messages.received(2, beatOf(1, 1), now);
        messages.received(2, new byte[0], now);
        messages.received(2, new byte[] {9}, now);
        messages.received(2, new byte[] {1, 1}, now);
        messages.received(2, NodeMessages.ofTable(new byte[] {1}), now);
        assertThat(messages.unread()).isEqualTo(5);
        assertThat(acks).hasSize(1);
    }

    @Test
    void whoIsNotSeenAnyMoreIsToldAndTheLifeThatItGivesUpIsReported() {
        owner();
        Map<Integer, byte[]> sent = new TreeMap<>();
        NodeMessages messages = new NodeMessages(node, change -> {}, sent::put);
        messages.left(2, Set.of(0, 1, 2));
        assertThat(sent).as("it is back").isEmpty();
        messages.left(2, Set.of(0, 1));
        assertThat(sent.get(2)).isEqualTo(NodeMessages.ofLeftOut(1, Set.of(0, 1)));

        proposed.clear();
        messages.received(2, NodeMessages.ofGivenUp(1), now);
        assertThat(proposed).containsExactly(new Died(2, 1));
        applied(new Died(2, 1));
        sent.clear();
        messages.left(2, Set.of(0, 1));
        assertThat(sent).as("it is dead").isEmpty();

        messages.received(1, NodeMessages.ofLeftOut(MINE, Set.of(1)), now);
        assertThat(sent).as("a minority").doesNotContainKey(1);
        messages.received(1, NodeMessages.ofLeftOut(MINE, Set.of(1, 2)), now);
        assertThat(sent.get(1)).isEqualTo(NodeMessages.ofGivenUp(MINE));
        assertThat(node.ownership().owns(0)).isFalse();

        assertThat(messages.unread()).isZero();
        messages.received(1, new byte[] {5, 2, 1}, now);
        messages.received(1, new byte[] {6}, now);
        assertThat(messages.unread()).isEqualTo(2);
    }

    @Test
    void aReportOfADeathThatComesBehindTheNextLifeIsOfTheFormer() {
        owner();
        NodeMessages messages = new NodeMessages(node, change -> {}, (to, bytes) -> {});
        messages.received(2, beatOf(2, 1), now);
        applied(join(2, 2, 1));
        messages.received(2, beatOf(2, 2), now);
        proposed.clear();
        messages.died(2, now);
        assertThat(proposed).isEmpty();
        pass(6_000, true, 1);
        proposed.clear();
        messages.died(2, now);
        assertThat(proposed).contains(new Died(2, 2));
    }
}
