package io.carillon.sip.stack;

import static io.carillon.sip.stack.StackHarness.ALICE;
import static io.carillon.sip.stack.StackHarness.BOB;
import static io.carillon.sip.stack.StackHarness.ackFor;
import static io.carillon.sip.stack.StackHarness.answer;
import static io.carillon.sip.stack.StackHarness.invite;
import static io.carillon.sip.stack.StackHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.ShardWork;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.Partitions;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A shard of a node in a cluster acts for the partitions that its node owns, and for no other. */
class ClusterNodeTest {
    private static final String B = "z9hG4bKalice";

    /** The harness is shard 3. */
    private static final int LOOPS = 4;

    private static final int OF_CALL_1 = Partitions.ofCallId("call-1");

    /** As the table and the lease say. */
    private static final class Owned implements Ownership {
        final BitSet partitions = new BitSet();
        boolean lease = true;
        long term = 1;
        int given = -1;
        int previous = -1;

        Owned() {
            partitions.set(0, PARTITIONS);
        }

        @Override
        public boolean owns(int partition) {
            return lease && partitions.get(partition);
        }

        @Override
        public boolean takesNewWork(int partition) {
            return owns(partition) && partition != given;
        }

        @Override
        public boolean mayBegin(int partition) {
            return partitions.get(partition) && partition != previous;
        }

        @Override
        public boolean mayOwnAgain(int partition) {
            return partitions.get(partition);
        }

        @Override
        public long term(int partition) {
            return term;
        }
    }

    private final Owned owned = new Owned();
    private long epochMinutes = 1_000_000;
    private final ClusterKeys keys = ClusterKeys.of(1, 2);
    private final StackHarness h = node(keys);

    private ClusterPlace place(ClusterKeys with) {
        return new ClusterPlace(
                9, with, owned, LOOPS, () -> TimeUnit.MINUTES.toNanos(epochMinutes));
    }

    private StackHarness node(ClusterKeys with) {
        return new StackHarness(StackConfig.builder().cluster(place(with)));
    }

    private OwnTokens tokens() {
        return h.shard.config().tokens();
    }

    private int of(SipMessage message) {
        return tokens().partitionOf(message.bytes(), message.length());
    }

    private ServerTransaction invited() {
        h.receive(invite(B), ALICE);
        return h.transactions.getFirst();
    }

    @Test
    void theTagOfACallThatCameHasThePartitionOfItsCallId() {
        ServerTransaction tx = invited();
        assertThat(tx.partition()).isEqualTo(OF_CALL_1);
        assertThat(tokens().partitionIn(tx.localTag())).isEqualTo(OF_CALL_1);
    }

    private BitSet underWay() {
        BitSet found = new BitSet();
        ShardWork.underWay(h.shard, found);
        return found;
    }

    @Test
    void anInviteIsUnderWayUntilItRings() {
        ServerTransaction tx = invited();
        assertThat(underWay().get(OF_CALL_1)).as("100 is all that was sent").isTrue();
        tx.respond(h.response(tx, 180));
        assertThat(underWay().isEmpty()).as("its record is on two nodes").isTrue();
        tx.respondAsUas(h.response(tx, 200));
        assertThat(underWay().isEmpty()).as("it lingers").isTrue();
    }

    @Test
    void aRequestIsUnderWayUntilItsFinalResponse() {
        h.receive(text("MESSAGE", B, ""), ALICE);
        assertThat(underWay().cardinality()).isEqualTo(1);
        ServerTransaction tx = h.transactions.getFirst();
        tx.respond(h.response(tx, 200));
        assertThat(underWay().isEmpty()).isTrue();
        h.shard.send(h.outgoing("MESSAGE", "192.0.2.2"));
        assertThat(underWay().cardinality()).isEqualTo(1);
        h.receive(answer(h.last().request(), 200, "bob"), BOB);
        assertThat(underWay().isEmpty()).isTrue();
    }

    @Test
    void anInviteOfOursIsUnderWayUntilSomebodyHasIt() {
        h.shard.send(h.outgoing("INVITE", "192.0.2.2"));
        assertThat(underWay().cardinality()).isEqualTo(1);
        h.receive(answer(h.last().request(), 180, "bob"), BOB);
        assertThat(underWay().isEmpty()).isTrue();
    }

    @Test
    void allMessagesOfACallThatCameFindItsPartition() {
        ServerTransaction tx = invited();
        tx.respondAsUas(h.response(tx, 200));
        SipResponse ok = h.last().response();
        String to = "To: " + ok.header(HeaderName.TO) + "\n";
        for (String method : new String[] {"ACK", "BYE", "INVITE", "INFO"}) {
            SipMessage request = StackHarness.parse(text(method, "z9hG4bKnext" + method, to));
            assertThat(of(request)).as(method).isEqualTo(OF_CALL_1);
        }
        assertThat(of(StackHarness.parse(text("CANCEL", B, "")))).isEqualTo(OF_CALL_1);
    }

    @Test
    void allMessagesOfACallThatBeginsHereFindOnePartitionOfThisShard() {
        OutgoingRequest out = h.outgoing("INVITE", "192.0.2.2");
        int partition = tokens().partitionIn(out.draft().from().param("tag"));
        assertThat(partition % LOOPS).isEqualTo(h.shard.index());
        h.shard.send(out);
        SipRequest invite = h.last().request();
        assertThat(of(answer(invite, 180, "bob"))).isEqualTo(partition);
        h.receive(answer(invite, 180, "bob"), BOB);
        h.receive(answer(invite, 486, "bob"), BOB);
        SipRequest ack = h.last().request();
        assertThat(tokens().partitionIn(ack.topVia().branch())).isEqualTo(partition);
        String bye =
                "BYE sip:us@192.0.2.100 SIP/2.0\nVia: SIP/2.0/UDP 192.0.2.2;branch=z9hG4bKb\n"
                        + "From: <sip:bob@example.com>;tag=bob\nTo: "
                        + invite.header(HeaderName.FROM)
                        + "\nCall-ID: "
                        + invite.callId()
                        + "\nCSeq: 7 BYE\nContent-Length: 0\n\n";
        assertThat(of(StackHarness.parse(bye))).isEqualTo(partition);
    }

    @Test
    void whatBeginsHereIsOfAPartitionThatThisNodeOwns() {
        owned.partitions.clear();
        owned.partitions.set(407); // 407 mod 4 is 3
        for (int i = 0; i < 50; i++) {
            assertThat(h.shard.tokens().newPartition()).isEqualTo(407);
        }
        owned.partitions.set(0, Ownership.PARTITIONS);
        BitSet used = new BitSet();
        for (int i = 0; i < 10_000; i++) {
            used.set(h.shard.tokens().newPartition());
        }
        assertThat(used.cardinality()).isEqualTo(Ownership.PARTITIONS / LOOPS);
        assertThat(used.stream()).allMatch(partition -> partition % LOOPS == 3);
    }

    /** Else a call begins where the next owner already waits for the calls of this node. */
    @Test
    void whatBeginsHereIsRatherOfAPartitionThatIsNotGivenAway() {
        owned.partitions.clear();
        owned.partitions.set(403);
        owned.partitions.set(407);
        owned.given = 403;
        for (int i = 0; i < 50; i++) {
            assertThat(h.shard.tokens().newPartition()).isEqualTo(407);
        }
        owned.partitions.clear(407);
        assertThat(h.shard.tokens().newPartition()).as("there is no other").isEqualTo(403);
        assertThat(h.shard.tokens().acts()).as("it is given away").isFalse();
        owned.previous = 403;
        assertThat(h.shard.tokens().newPartition()).as("another node has it").isEqualTo(3);
        owned.partitions.set(400); // of another loop
        assertThat(h.shard.tokens().acts()).isFalse();
        assertThat(h.shard.tokens().own().cluster().acts()).isTrue();
    }

    @Test
    void anotherNodeOfTheClusterKnowsTheAnswerToOurInvite() {
        h.shard.send(h.outgoing("INVITE", "192.0.2.2"));
        SipResponse answer = answer(h.last().request(), 200, "late");
        StackHarness other = node(keys);
        // It was started at another time, so that its own clock tells nothing of ours.
        other.runTo(TimeUnit.HOURS.toMillis(30));
        assertThat(other.shard.inviteOf(answer)).isNotZero();
        assertThat(node(ClusterKeys.of(1, 3)).shard.inviteOf(answer)).isZero();
        epochMinutes -= 1;
        assertThat(other.shard.inviteOf(answer)).as("its clock is behind").isNotZero();
        epochMinutes += 16;
        assertThat(other.shard.inviteOf(answer)).as("15 minutes later").isZero();
    }

    @Test
    void anotherNodeOfTheClusterKnowsOurRoutes() {
        String route = h.shard.newRoute(OF_CALL_1, "call-1");
        StackHarness other = node(keys);
        other.runTo(TimeUnit.HOURS.toMillis(30));
        assertThat(other.shard.isRecentRoute(route, "call-1")).isTrue();
        assertThat(other.shard.isRoute(route, "call-2")).isFalse();
        assertThat(node(ClusterKeys.of(1, 3)).shard.isRoute(route, "call-1")).isFalse();
        epochMinutes += 20;
        assertThat(other.shard.isRoute(route, "call-1")).isTrue();
        assertThat(other.shard.isRecentRoute(route, "call-1")).isFalse();
    }

    @Test
    void whatComesForAPartitionOfAnotherIsDroppedAndCounted() {
        owned.partitions.clear(OF_CALL_1);
        h.receive(invite(B), ALICE);
        assertThat(h.told).isEmpty();
        assertThat(h.sent).isEmpty();
        assertThat(h.count(Counter.NOT_OWNED_IN)).isEqualTo(1);
    }

    private ServerTransaction byConnection() {
        h.receive(invite(B), StackHarness.tcp("192.0.2.1", 5060, 7));
        ServerTransaction tx = h.transactions.getFirst();
        h.sent.clear();
        owned.lease = false;
        tx.respond(h.response(tx, 180));
        tx.respond(h.response(tx, 486));
        assertThat(h.sent).isEmpty();
        return tx;
    }

    /** Nobody repeats it there, and no other node has acted for the call meanwhile. */
    @Test
    void overAConnectionALeaseThatReturnsIsWaitedFor() {
        byConnection();
        h.runTo(1_500);
        assertThat(h.sent).isEmpty();
        owned.lease = true;
        h.runTo(1_520);
        assertThat(h.sent)
                .extracting(sent -> ((SipResponse) sent.message()).status())
                .containsExactly(180, 486);
        assertThat(h.count(Counter.NOT_OWNED_OUT)).isZero();
    }

    @Test
    void whatLeavesLaterOvertakesNothingThatWaited() {
        h.receive(invite(B), StackHarness.tcp("192.0.2.1", 5060, 7));
        ServerTransaction tx = h.transactions.getFirst();
        h.sent.clear();
        owned.lease = false;
        tx.respond(h.response(tx, 180));
        owned.lease = true;
        tx.respond(h.response(tx, 486));
        assertThat(h.sent)
                .extracting(sent -> ((SipResponse) sent.message()).status())
                .containsExactly(180, 486);
    }

    @Test
    void whatWaitedForALeaseIsDroppedWhereAnotherHadThePartitionMeanwhile() {
        byConnection();
        owned.term = 3;
        owned.lease = true;
        h.runTo(6_000);
        assertThat(h.sent).isEmpty();
        assertThat(h.count(Counter.NOT_OWNED_OUT)).isEqualTo(2);
    }

    @Test
    void soManyWaitForALeaseAndNoMore() {
        h.receive(invite(B), StackHarness.tcp("192.0.2.1", 5060, 7));
        ServerTransaction tx = h.transactions.getFirst();
        h.sent.clear();
        owned.lease = false;
        for (int i = 0; i < 1_003; i++) {
            tx.respond(h.response(tx, 183));
        }
        assertThat(h.count(Counter.NOT_OWNED_OUT)).isEqualTo(3);
        owned.lease = true;
        h.runTo(100);
        assertThat(h.sent).hasSize(1_000);
    }

    @Test
    void nothingWaitsForALeaseForLong() {
        byConnection();
        h.runTo(4_100);
        assertThat(h.count(Counter.NOT_OWNED_OUT)).isEqualTo(2);
        owned.lease = true;
        h.runTo(6_000);
        assertThat(h.sent).isEmpty();
    }

    @Test
    void nothingOfAPartitionThatWasLostLeaves() {
        ServerTransaction tx = invited();
        h.sent.clear();
        owned.partitions.clear(OF_CALL_1);
        tx.respond(h.response(tx, 180));
        tx.respondAsUas(h.response(tx, 200));
        assertThat(h.sent).isEmpty();
        assertThat(h.count(Counter.NOT_OWNED_OUT)).isEqualTo(2);
        h.runTo(40_000);
        assertThat(h.sent).as("nor is anything repeated").isEmpty();
        assertThat(h.told).as("nor is the missing ACK told").containsExactly("request INVITE");
        assertThat(h.count(Counter.NOT_OWNED_TIMERS)).isPositive();
    }

    @Test
    void requestsOfAPartitionThatWasLostAreNotRepeatedNorGivenUp() {
        h.shard.send(h.outgoing("INVITE", "192.0.2.2"));
        h.shard.send(h.outgoing("OPTIONS", "192.0.2.2"));
        h.sent.clear();
        owned.partitions.clear();
        h.runTo(60_000);
        assertThat(h.sent).isEmpty();
        assertThat(h.told).isEmpty();
    }

    @Test
    void timersThatWereHeldFireWhenThePartitionIsOwnedAgain() {
        h.shard.send(h.outgoing("OPTIONS", "192.0.2.2"));
        owned.partitions.clear();
        h.runTo(10_000);
        assertThat(h.sentNames()).containsExactly("OPTIONS");
        owned.partitions.set(0, Ownership.PARTITIONS);
        h.runTo(10_000 + TimerWheel.HELD_NANOS / StackHarness.MILLIS);
        assertThat(h.sentNames()).containsExactly("OPTIONS", "OPTIONS");
        h.runTo(40_000);
        assertThat(h.told).first().isEqualTo("failed TIMEOUT");
    }

    @Test
    void timersOfOtherPartitionsFireMeanwhile() {
        invited();
        h.shard.send(h.outgoing("OPTIONS", "192.0.2.2"));
        h.sent.clear();
        owned.partitions.clear(OF_CALL_1);
        h.runTo(500);
        assertThat(h.sentNames()).containsExactly("OPTIONS");
    }

    @Test
    void aRefusalWithoutATransactionLeadsToThisLoopAndItsAckEndsHere() {
        h.shard.refuseNew(503, 5);
        h.receive(invite(B), ALICE);
        SipResponse refusal = h.last().response();
        String tag = refusal.toTag();
        assertThat(tag).isNotNull();
        assertThat(tokens().partitionIn(tag) % LOOPS).isEqualTo(h.shard.index());
        SipMessage ack = StackHarness.parse(ackFor(refusal, B));
        assertThat(of(ack)).as("where its INVITE went").isEqualTo(OF_CALL_1);
        h.receive(ack, ALICE);
        assertThat(h.count(Counter.STATELESS_ACKS)).isEqualTo(1);
        assertThat(h.acks).isEmpty();
    }

    @Test
    void aMessageThatAnotherNodePassesOnIsOfThePartitionThatIsNamed() {
        byte[] bytes = StackHarness.bytes(invite(B));
        int key = Partitions.ofKey("conference");
        owned.partitions.clear(OF_CALL_1);
        h.shard.receive(false, bytes, bytes.length, ALICE, key, 0);
        ServerTransaction tx = h.transactions.getFirst();
        assertThat(tokens().partitionIn(tx.localTag())).isEqualTo(key);
        tx.respond(h.response(tx, 180));
        assertThat(h.last().name()).isEqualTo("180 INVITE");
    }
}
