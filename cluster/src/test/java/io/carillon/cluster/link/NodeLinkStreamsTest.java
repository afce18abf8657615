package io.carillon.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.LinkWorld.Side;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.Ownership;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages of connections between a router and a node, on a link that loses frames. */
class NodeLinkStreamsTest {
    private static final int ROUTER = PeerId.router(0);
    private static final int NODE = 1;
    private static final int PARTITION = 7;
    private static final long CONNECTION = 9;

    private final LinkWorld world = new LinkWorld();
    private final Side router = world.side(ROUTER, 100);
    private final Node node = new Node();
    private final List<FlowAct> said = new ArrayList<>();
    private final List<String> got = new ArrayList<>();
    private final List<String> questions = new ArrayList<>();
    private final List<Long> found = new ArrayList<>();
    private long saidNumber;

    /** Owns all, and writes down what it gets. */
    private final class Node implements NodeLink.Stack, Ownership {
        final Side side = world.side(NODE, 200);
        final List<String> delivered = new ArrayList<>();
        boolean admits = true;
        boolean owns = true;
        boolean givesAway;
        final NodeLink link =
                new NodeLink(
                        side.endpoint,
                        side.stream,
                        side.counts,
                        this,
                        NodeLinkStreamsTest::table,
                        this,
                        10_000);

        Node() {
            side.taker = link;
        }

        @Override
        public boolean admits(LinkMessage message, long nowNanos) {
            return admits;
        }

        @Override
        public void deliver(LinkMessage message, long nowNanos) {
            assertThat(message.connection()).isEqualTo(CONNECTION);
            delivered.add(new String(message.copy(), StandardCharsets.ISO_8859_1));
        }

        @Override
        public boolean owns(int partition) {
            return owns;
        }

        @Override
        public boolean takesNewWork(int partition) {
            return owns && !givesAway;
        }

        @Override
        public long term(int partition) {
            return 1;
        }
    }

    private static Owners table() {
        int[] owners = new int[Ownership.PARTITIONS];
        Arrays.fill(owners, NODE);
        return Owners.of(1, owners, owners, Map.of());
    }

    @BeforeEach
    void connected() {
        world.introduce(router, node.side);
        router.taker =
                new LinkStream.Taker() {
                    @Override
                    public void message(FrameKind kind, LinkMessage message, long nowNanos) {
                        if (kind == FrameKind.FLOW && message.act() == FlowAct.FIND) {
                            questions.add(new String(message.copy(), StandardCharsets.US_ASCII));
                            saidNumber = message.number();
                        } else if (kind == FrameKind.FLOW) {
                            said.add(message.act());
                            saidNumber = message.number();
                        } else {
                            got.add(new String(message.copy(), StandardCharsets.ISO_8859_1));
                            saidNumber = message.number();
                        }
                    }
                };
    }

    private void fromClient(String text, long number) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        router.stream.send(
                FrameKind.IN,
                NODE,
                new LinkMessage()
                        .of(PARTITION)
                        .by(ROUTER, 0, Transport.TCP)
                        .on(CONNECTION, new byte[0])
                        .numbered(number)
                        .between(LinkWorld.PHONE, LinkWorld.PUBLIC)
                        .message(bytes, 0, bytes.length));
        world.run();
    }

    @Test
    void whatComesAgainIsTakenOnceAndAcknowledgedEachTime() {
        fromClient("INVITE", 5);
        fromClient("INVITE", 5);
        fromClient("ACK", 6);
        assertThat(node.delivered).containsExactly("INVITE", "ACK");
        assertThat(said).containsOnly(FlowAct.ACCEPTED).hasSize(3);
        assertThat(node.side.count(LinkCounter.TAKEN_BEFORE)).isEqualTo(1);
    }

    @Test
    void whatWaitsForAnOwnerIsAcknowledgedAndKeepsItsConnection() {
        node.owns = false;
        fromClient("INVITE", 5);
        assertThat(node.delivered).isEmpty();
        assertThat(said).containsExactly(FlowAct.ACCEPTED);
        node.owns = true;
        node.link.advance(world.now);
        assertThat(node.delivered).containsExactly("INVITE");
    }

    /** Else what comes behind it reaches the next owner first, and it gets 500 for its CSeq. */
    @Test
    void whatComesAsThePartitionIsGivenAwayIsLeftToItsRouter() {
        node.givesAway = true;
        fromClient("INFO sip:bob@example.com SIP/2.0\r\n", 5);
        fromClient("ACK sip:bob@example.com SIP/2.0\r\n", 6);
        assertThat(node.delivered).containsExactly("ACK sip:bob@example.com SIP/2.0\r\n");
        assertThat(said).as("that of the ACK").containsExactly(FlowAct.ACCEPTED);
        assertThat(node.link.waits()).isFalse();
        node.givesAway = false;
        fromClient("INFO sip:bob@example.com SIP/2.0\r\n", 5);
        assertThat(node.delivered).hasSize(2);
        assertThat(said).hasSize(2);
    }

    /** Its router takes it for delivered, and no phone repeats it. */
    @Test
    void whatCameByAConnectionWaitsAsLongAsATakeOverMayTake() {
        node.owns = false;
        fromClient("ACK", 5);
        node.link.advance(world.now + Parking.MOST_NANOS + 1);
        node.link.advance(world.now + Parking.MOST_OF_CONNECTIONS_NANOS);
        assertThat(node.link.waits()).isTrue();
        node.link.advance(world.now + Parking.MOST_OF_CONNECTIONS_NANOS + 1);
        assertThat(node.link.waits()).isFalse();
    }

    @Test
    void whatHasNoRoomIsNotAcknowledgedAndComesAgain() {
        node.owns = false;
        fromClient("x".repeat(20_000), 5);
        assertThat(said).isEmpty();
        node.owns = true;
        fromClient("x".repeat(20_000), 5);
        assertThat(node.delivered).hasSize(1);
    }

    @Test
    void whoIsNotListenedToIsToldOf() {
        node.admits = false;
        fromClient("INVITE", 5);
        assertThat(said).containsExactly(FlowAct.REFUSED);
        assertThat(node.delivered).isEmpty();
    }

    private boolean toClient(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        Hop flow = new Hop(Transport.TCP, null, LinkWorld.PHONE, FlowNumber.of(ROUTER, CONNECTION));
        return node.link.send(bytes, bytes.length, flow, PARTITION, world.now);
    }

    private void saysTaken(long number) {
        router.stream.send(
                FrameKind.FLOW,
                NODE,
                new LinkMessage()
                        .of(0)
                        .by(ROUTER, 1, Transport.TCP)
                        .on(CONNECTION, new byte[0])
                        .numbered(number)
                        .says(FlowAct.TAKEN)
                        .between(LinkWorld.PHONE, null)
                        .message(new byte[0], 0, 0));
        world.run();
    }

    @Test
    void whatIsLostOnTheWayToARouterIsSentAgainUntilItIsTaken() {
        world.lose = frame -> frame.bytes()[FrameFormat.KIND] == FrameKind.OUT.code();
        assertThat(toClient("200 OK")).isTrue();
        world.run();
        assertThat(got).isEmpty();
        assertThat(node.link.waits()).isTrue();
        world.lose = frame -> false;
        world.pass(Unacknowledged.FIRST_NANOS);
        node.link.advance(world.now);
        world.run();
        assertThat(got).containsExactly("200 OK");
        saysTaken(saidNumber);
        assertThat(node.link.waits()).isFalse();
    }

    @Test
    void aFlowOfADeadRouterTakesNothing() {
        assertThat(toClient("OPTIONS")).isTrue();
        world.pass(LinkPeer.CONNECTIONS_NANOS);
        assertThat(toClient("OPTIONS")).isFalse();
        assertThat(node.link.routers().alive(FlowNumber.of(ROUTER, CONNECTION), world.now))
                .isFalse();
        node.link.advance(world.now);
        assertThat(node.link.waits()).isFalse();
    }

    @Test
    void aRouterThatStandsStillForAMomentGetsWhatWasSentMeanwhile() {
        world.lose = frame -> true;
        assertThat(toClient("200 OK")).isTrue();
        world.pass(LinkPeer.SILENT_NANOS);
        assertThat(toClient("BYE")).as("it may have its connections still").isTrue();
        node.link.advance(world.now);
        world.run();
        world.pass(LinkPeer.CONNECTIONS_NANOS - LinkPeer.SILENT_NANOS - 1);
        node.link.advance(world.now);
        world.run();
        assertThat(node.side.count(LinkCounter.UNTAKEN)).isZero();
        world.lose = frame -> false;
        world.beat(router, node.side);
        world.pass(LinkPeer.SILENT_NANOS - 1);
        node.link.advance(world.now);
        world.run();
        assertThat(got).containsExactly("200 OK");
        saysTaken(saidNumber);
        assertThat(got).as("one after the other").containsExactly("200 OK", "BYE");
        saysTaken(saidNumber);
        assertThat(node.link.waits()).isFalse();
    }

    private void find() {
        node.link.find(
                "abc.invalid".getBytes(StandardCharsets.US_ASCII),
                answer -> found.add(answer == null ? -1 : answer.connection()),
                world.now);
        world.run();
    }

    private void saysFound(Side by, long connection) {
        by.stream.send(
                FrameKind.FLOW,
                NODE,
                new LinkMessage()
                        .of(0)
                        .by(by.endpoint.identity().self(), 1, Transport.TCP)
                        .on(connection, new byte[0])
                        .numbered(saidNumber)
                        .says(FlowAct.FOUND)
                        .between(LinkWorld.PHONE, null)
                        .message(new byte[0], 0, 0));
        world.run();
    }

    /** In steps, so that nobody is silent for long. */
    private void waits(long nanos) {
        long end = world.now + nanos;
        while (world.now < end) {
            world.pass(Math.min(NameQuestions.FIRST_NANOS, end - world.now));
            world.beat(router, node.side);
            node.link.advance(world.now);
            world.run();
        }
    }

    @Test
    void aQuestionForANameThatIsLostIsAskedAgain() {
        world.lose = frame -> frame.bytes()[FrameFormat.KIND] == FrameKind.FLOW.code();
        find();
        waits(NameQuestions.PATIENCE_NANOS / 2);
        assertThat(questions).isEmpty();
        assertThat(found).isEmpty();
        world.lose = frame -> false;
        waits(NameQuestions.PATIENCE_NANOS / 2 - NameQuestions.FIRST_NANOS);
        assertThat(questions).containsOnly("abc.invalid");
        saysFound(router, CONNECTION);
        saysFound(router, CONNECTION);
        assertThat(found).containsExactly(CONNECTION);
        assertThat(node.link.waits()).isFalse();
    }

    @Test
    void aQuestionForANameEndsWhenEachRouterThatLivesHasAnswered() {
        Side other = world.side(PeerId.router(1), 300);
        world.introduce(other, node.side);
        find();
        saysFound(router, 0);
        saysFound(router, 0);
        assertThat(found).as("the other one may know it").isEmpty();
        waits(LinkPeer.SILENT_NANOS + 4 * NameQuestions.FIRST_NANOS);
        assertThat(found).as("it is dead").containsExactly(-1L);
    }

    @Test
    void aQuestionForANameEndsAtOnceWithoutARouterAndElseInTime() {
        find();
        waits(NameQuestions.PATIENCE_NANOS + 8 * NameQuestions.FIRST_NANOS);
        assertThat(found).as("lives, and does not answer").containsExactly(-1L);
        world.pass(LinkPeer.SILENT_NANOS);
        find();
        assertThat(found).as("dead").containsExactly(-1L, -1L);
    }
}
