package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.HandedOn;
import io.carillon.cluster.link.LinkMessage;
import io.carillon.cluster.link.PeerId;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a router does for clients of connections, who repeat nothing. */
class UndeliveredMessagesTest {
    private static final int ONE = 1;
    private static final int TWO = 2;
    private static final InetSocketAddress PHONE = RouterWorld.address("192.0.2.7", 40_000);
    private static final long MILLI = 1_000_000;

    private final RouterCounts counts = new RouterCounts();
    private final Undelivered held = new Undelivered(counts);
    private final Nodes nodes = new Nodes();
    private long now = 1_000_000_000;

    private record Sent(int node, long number, String text) {}

    /** Node one, until it is dead. */
    private static final class Nodes implements Undelivered.Again {
        final List<Sent> sent = new ArrayList<>();
        int owner = ONE;
        long boot = 7;

        @Override
        public int node(int partition) {
            return owner;
        }

        @Override
        public long boot(int node) {
            return boot;
        }

        @Override
        public void send(int node, LinkMessage message) {
            sent.add(
                    new Sent(
                            node,
                            message.number(),
                            new String(
                                    message.bytes(),
                                    message.from(),
                                    Math.min(message.length(), 40),
                                    StandardCharsets.ISO_8859_1)));
        }
    }

    private LinkMessage message(long connection, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return new LinkMessage()
                .of(5)
                .by(PeerId.router(0), 0, Transport.TCP)
                .on(connection, new byte[0])
                .between(PHONE, PHONE)
                .message(bytes, 0, bytes.length);
    }

    /** On connection 1. */
    private long keepOf(int partition, long branch, String text) {
        LinkMessage message = message(1, text).of(partition);
        held.keep(message, branch, nodes.owner, nodes.boot, now);
        return message.number();
    }

    private long keep(long connection, long branch, String text) {
        LinkMessage message = message(connection, text);
        held.keep(message, branch, nodes.owner, nodes.boot, now);
        return message.number();
    }

    private void pass(long millis) {
        for (long i = 0; i < millis; i += 50) {
            now += 50 * MILLI;
            held.advance(now, nodes);
        }
    }

    /** What TLS knows of the peer goes with each message, and may be more than the message. */
    @Test
    void whatStandsBesideAMessageCountsForTheLimits() {
        LinkMessage message = message(1, "SIP/2.0 200 OK").on(1, new byte[4_000]);
        held.keep(message, 0, ONE, nodes.boot, now);
        assertThat(held.bytes()).isGreaterThan(4_000);
        assertThat(counts.keptBytes()).as("what an operator sees").isEqualTo(held.bytes());
        held.taken(message.number(), ONE, now, nodes);
        assertThat(held.bytes()).isZero();
        assertThat(counts.keptBytes()).isZero();
    }

    @Test
    void aMessageIsSentAgainUntilItIsTaken() {
        long number = keep(1, 0, "SIP/2.0 486 Busy Here");
        pass(50);
        assertThat(nodes.sent).isEmpty();
        pass(50);
        assertThat(nodes.sent).containsExactly(new Sent(ONE, number, "SIP/2.0 486 Busy Here"));
        held.taken(number, ONE, now, nodes);
        assertThat(held.isEmpty()).isTrue();
        assertThat(held.bytes()).isZero();
        pass(10_000);
        assertThat(nodes.sent).hasSize(1);
    }

    @Test
    void aMessageThatNobodyTakesIsGivenUp() {
        keep(1, 0, "ACK");
        pass(9_000);
        assertThat(held.isEmpty()).isTrue();
        assertThat(counts.get(RouterCounter.UNDELIVERED)).isEqualTo(1);
    }

    @Test
    void aRequestThatWasTakenIsNotRepeatedToTheSameNode() {
        long number = keep(1, 99, "BYE");
        held.taken(number, ONE, now, nodes);
        pass(20_000);
        assertThat(nodes.sent).isEmpty();
        held.answered(99, now, nodes);
        assertThat(held.isEmpty()).isTrue();
    }

    @Test
    void aRequestThatADeadNodeHasTakenGoesToItsSuccessorAsAnotherMessage() {
        long number = keep(1, 99, "BYE");
        held.taken(number, ONE, now, nodes);
        nodes.owner = TWO;
        pass(500);
        assertThat(nodes.sent).hasSize(1);
        assertThat(nodes.sent.getFirst().node()).isEqualTo(TWO);
        // Else the link would take it for a repeat.
        assertThat(nodes.sent.getFirst().number()).isNotEqualTo(number);
    }

    @Test
    void aNodeThatBeganAnewHasTakenNothing() {
        long number = keep(1, 99, "BYE");
        held.taken(number, ONE, now, nodes);
        nodes.boot++;
        pass(500);
        assertThat(nodes.sent).hasSize(1);
    }

    @Test
    void whatWaitsIsNotOvertakenWhenTheOwnerChanges() {
        long invite = keep(1, 1, "INVITE");
        keep(1, 0, "ACK");
        nodes.owner = TWO;
        held.before(5, TWO, now, nodes);
        held.before(5, TWO, now, nodes);
        assertThat(nodes.sent).extracting(Sent::text).containsExactly("INVITE");
        held.taken(invite, TWO, now, nodes);
        assertThat(nodes.sent).extracting(Sent::text).containsExactly("INVITE", "ACK");
        assertThat(nodes.sent).allMatch(each -> each.node() == TWO);
    }

    @Test
    void nothingIsSentWhileNoNodeLives() {
        nodes.owner = PeerId.NONE;
        keep(1, 1, "INVITE");
        pass(5_000);
        assertThat(nodes.sent).isEmpty();
        nodes.owner = TWO;
        pass(50);
        assertThat(nodes.sent).hasSize(1);
    }

    @Test
    void whoseConnectionHasEndedWaitsForNoAnswer() {
        long taken = keep(1, 1, "OPTIONS");
        keep(1, 2, "BYE");
        keep(2, 3, "INVITE");
        held.taken(taken, ONE, now, nodes);
        held.ended(1, now, nodes);
        nodes.owner = TWO;
        pass(600);
        assertThat(nodes.sent).extracting(Sent::text).contains("BYE", "INVITE");
        assertThat(nodes.sent).extracting(Sent::text).doesNotContain("OPTIONS");
    }

    @Test
    void whatNodesHaveTakenMakesRoomSoThatNothingOvertakesWhatWaits() {
        String large = "x".repeat(60_000);
        for (int i = 0; i < 4; i++) {
            held.taken(keep(1, 100 + i, large), ONE, now, nodes);
        }
        long first = keep(1, 200, "INVITE");
        long second = keep(1, 201, "BYE" + large);
        assertThat(first).isNotZero();
        assertThat(second).isNotZero();
        assertThat(counts.get(RouterCounter.UNKEPT)).isEqualTo(1);
        assertThat(held.bytes()).isLessThanOrEqualTo(Undelivered.MOST_OF_ONE);
        assertThat(nodes.sent).isEmpty();
        held.taken(first, ONE, now, nodes);
        assertThat(nodes.sent).extracting(Sent::number).containsExactly(second);
    }

    @Test
    void whatATrunkSendsWhileNodesTakeNothingIsKeptForAllItsCalls() {
        String large = "x".repeat(60_000);
        for (int i = 0; i < 17; i++) {
            assertThat(keepOf(100 + i, 100 + i, large)).isNotZero();
        }
        assertThat(keepOf(200, 200, large)).isZero();
        assertThat(counts.get(RouterCounter.UNKEPT)).isEqualTo(1);
        pass((int) (Undelivered.FIRST_NANOS / 1_000_000));
        assertThat(nodes.sent).hasSize(17);
    }

    @Test
    void oneConnectionHasAPartOfTheRoomAndAllTogetherHaveABound() {
        String large = "x".repeat(60_000);
        for (int i = 0; i < 20; i++) {
            keep(1, 100 + i, large);
        }
        assertThat(held.bytes())
                .isGreaterThan(Undelivered.MOST_OF_ONE)
                .isLessThanOrEqualTo(Undelivered.MOST_WAITING_OF_ONE);
        assertThat(counts.get(RouterCounter.UNKEPT)).isEqualTo(3);
        // What is not kept has no number, so that nobody acknowledges it.
        assertThat(keep(1, 200, large)).isZero();
        for (int connection = 2; connection < 1_000; connection++) {
            keep(connection, 1_000 + connection, large);
        }
        assertThat(held.bytes()).isLessThanOrEqualTo(Undelivered.MOST_BYTES);
        assertThat(counts.get(RouterCounter.UNKEPT)).isGreaterThan(400);
        pass(40_000);
        assertThat(held.bytes()).isZero();
        assertThat(held.isEmpty()).isTrue();
    }

    @Test
    void whoRepeatsARequestHoldsRoomForItOnce() {
        held.taken(keep(1, 99, "INVITE"), ONE, now, nodes);
        long once = held.bytes();
        for (int i = 0; i < 100; i++) {
            held.taken(keep(1, 99, "INVITE"), ONE, now, nodes);
        }
        assertThat(held.bytes()).isEqualTo(once);
        held.answered(99, now, nodes);
        assertThat(held.isEmpty()).isTrue();
    }

    /**
     * 200 connections hold all that one may each; a phone that sends its first message has room.
     */
    @Test
    void whoHoldsMostGivesWay() {
        String large = "x".repeat(60_000);
        held.taken(keep(1_000, 1, "INVITE of little"), ONE, now, nodes);
        for (int connection = 1; connection <= 200; connection++) {
            for (int i = 0; i < 4; i++) {
                held.taken(keep(connection, 100L * connection + i, large), ONE, now, nodes);
            }
        }
        assertThat(keep(1_001, 2, "INVITE of nothing " + large)).isNotZero();
        assertThat(held.bytes()).isLessThanOrEqualTo(Undelivered.MOST_BYTES);
        nodes.owner = TWO;
        nodes.sent.clear();
        pass(500);
        assertThat(texts()).contains("2 INVITE of little");
        assertThat(texts()).anyMatch(text -> text.startsWith("2 INVITE of nothing"));
    }

    private List<String> texts() {
        return nodes.sent.stream().map(each -> each.node() + " " + each.text()).toList();
    }

    private void takenBy(int node) {
        held.taken(nodes.sent.getLast().number(), node, now, nodes);
    }

    /** RFC 3261 12.2.2: a CSeq lower than that of the request before is answered with 500. */
    @Test
    void aRequestGoesToTheNextOwnerBehindTheOneThatItsNodeTookAndDidNotAnswer() {
        long first = keep(1, 1, "INFO 1");
        held.taken(first, ONE, now, nodes);
        pass(450);
        nodes.owner = TWO;
        held.before(5, TWO, now, nodes);
        LinkMessage second = message(1, "INFO 2");
        assertThat(held.keep(second, 2, TWO, nodes.boot, now)).as("goes at once").isFalse();
        held.before(5, TWO, now, nodes);
        assertThat(texts()).as("the answer may be on its way").isEmpty();
        pass(50);
        assertThat(texts()).containsExactly("2 INFO 1");
        assertThat(nodes.sent.getFirst().number()).as("else it is a repeat").isNotEqualTo(first);
        takenBy(TWO);
        assertThat(texts()).containsExactly("2 INFO 1", "2 INFO 2");
        takenBy(TWO);
        pass(5_000);
        assertThat(nodes.sent).as("once each").hasSize(2);
    }

    @Test
    void whatWasKeptForTheFormerOwnerGoesToTheNextOneBehindWhatThatOneTook() {
        held.taken(keep(1, 1, "INFO 1"), ONE, now, nodes);
        held.taken(keep(1, 2, "INFO 2"), ONE, now, nodes);
        pass(600);
        keep(1, 3, "INFO 3");
        keep(1, 4, "INFO 4");
        nodes.owner = TWO;
        held.before(5, TWO, now, nodes);
        assertThat(texts()).containsExactly("2 INFO 1");
        takenBy(TWO);
        takenBy(TWO);
        takenBy(TWO);
        takenBy(TWO);
        assertThat(texts()).containsExactly("2 INFO 1", "2 INFO 2", "2 INFO 3", "2 INFO 4");
    }

    /** Of the node that begins anew, too. */
    @Test
    void aNodeThatBeganAnewGetsTheRequestsInTheOrderInWhichTheyCame() {
        held.taken(keep(1, 1, "INFO 1"), ONE, now, nodes);
        nodes.boot++;
        pass(550);
        takenBy(ONE);
        assertThat(texts()).containsExactly("1 INFO 1");
        keep(1, 2, "INFO 2");
        nodes.boot++;
        pass(100);
        assertThat(texts()).as("INFO 1 may be answered yet").hasSize(1);
        pass(350);
        takenBy(ONE);
        assertThat(texts()).containsExactly("1 INFO 1", "1 INFO 1", "1 INFO 2");
    }

    @Test
    void anAnswerOfTheFormerOwnerLetsTheNextRequestGoAtOnce() {
        held.taken(keep(1, 1, "INFO 1"), ONE, now, nodes);
        nodes.owner = TWO;
        keep(1, 2, "INFO 2");
        pass(100);
        assertThat(nodes.sent).isEmpty();
        held.answered(1, now, nodes);
        assertThat(texts()).containsExactly("2 INFO 2");
        takenBy(TWO);
        held.answered(2, now, nodes);
        assertThat(held.isEmpty()).isTrue();
        assertThat(held.bytes()).isZero();
    }

    @Test
    void whoHasTakenARequestAndGetsItsPartitionBackDoesNotGetItTwice() {
        held.taken(keep(1, 1, "INFO 1"), ONE, now, nodes);
        nodes.owner = TWO;
        keep(1, 2, "INFO 2");
        nodes.owner = ONE;
        pass(1_000);
        assertThat(texts()).contains("1 INFO 2").doesNotContain("1 INFO 1");
        takenBy(ONE);
        held.answered(1, now, nodes);
        held.answered(2, now, nodes);
        assertThat(held.isEmpty()).isTrue();
    }

    /** One is taken by who gets the partition back, the next one is not. */
    @Test
    void whatAnotherNodeTookGoesBeforeWhatWaitsToo() {
        held.taken(keep(1, 1, "INFO 1"), ONE, now, nodes);
        keepOf(4, 2, "INFO 2");
        held.handedOn(2, ONE, new HandedOn(TWO, 5), now, nodes);
        nodes.owner = TWO;
        keep(1, 3, "INFO 3");
        pass(100);
        nodes.owner = ONE;
        pass(400);
        assertThat(texts()).containsExactly("1 INFO 2");
        takenBy(ONE);
        assertThat(texts()).containsExactly("1 INFO 2", "1 INFO 3");
    }

    /** Also one that waits again as its node is no more. */
    @Test
    void whoseConnectionHasEndedGetsNothingOfWhatWaitsAgain() {
        held.taken(keep(1, 1, "INFO 1"), ONE, now, nodes);
        held.taken(keep(1, 2, "INFO 2"), ONE, now, nodes);
        nodes.owner = TWO;
        pass(600);
        assertThat(texts()).containsOnly("2 INFO 1");
        held.ended(1, now, nodes);
        takenBy(TWO);
        pass(1_000);
        assertThat(texts()).doesNotContain("2 INFO 2");
    }

    /** It belongs to what is answered already. */
    @Test
    void anAckDoesNotWaitForRequestsThatTheFormerOwnerTook() {
        held.taken(keep(1, 1, "INFO 1"), ONE, now, nodes);
        nodes.owner = TWO;
        LinkMessage ack = message(1, "ACK");
        assertThat(held.keep(ack, 0, TWO, nodes.boot, now)).isTrue();
    }

    @Test
    void whoseConnectionHasEndedDoesNotWaitForWhatTheFormerOwnerTook() {
        held.taken(keep(1, 1, "INFO 1"), ONE, now, nodes);
        held.taken(keep(1, 2, "INFO 2"), ONE, now, nodes);
        nodes.owner = TWO;
        keep(1, 3, "BYE");
        held.ended(1, now, nodes);
        assertThat(texts()).containsExactly("2 BYE");
        takenBy(TWO);
        pass(1_000);
        assertThat(nodes.sent).hasSize(1);
    }

    /** Its partition was another one: there it stands where it came. */
    @Test
    void aRequestThatWasHandedOnGoesBeforeThoseThatCameBehindIt() {
        keepOf(4, 1, "INFO 1");
        held.taken(keep(1, 2, "INFO 2"), ONE, now, nodes);
        held.handedOn(1, ONE, new HandedOn(ONE, 5), now, nodes);
        pass(600);
        keep(1, 3, "INFO 3");
        nodes.owner = TWO;
        held.before(5, TWO, now, nodes);
        takenBy(TWO);
        takenBy(TWO);
        assertThat(texts()).containsExactly("2 INFO 1", "2 INFO 2", "2 INFO 3");
    }
}
