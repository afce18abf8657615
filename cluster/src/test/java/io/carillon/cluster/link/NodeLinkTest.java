package io.carillon.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.LinkWorld.Sent;
import io.carillon.cluster.link.LinkWorld.Side;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.Ownership;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node does with messages of its own partitions, of others', and of nobody's. */
class NodeLinkTest {
    private static final int ROUTER = PeerId.router(0);
    private static final int PARTITION = 7;

    private final LinkWorld world = new LinkWorld();
    private final Side router = world.side(ROUTER, 100);
    private Owners table = Owners.UNKNOWN;
    private long version;

    /** A node with a stack that writes down what it gets. */
    private final class Node implements NodeLink.Stack, Ownership {
        final Side side;
        final NodeLink link;
        final List<String> delivered = new ArrayList<>();
        final Set<Integer> leases = new HashSet<>();
        final Set<Integer> givenAway = new HashSet<>();
        boolean admits = true;

        Node(int id, long parkedBytes) {
            side = world.side(id, 200 + id);
            link =
                    new NodeLink(
                            side.endpoint,
                            side.stream,
                            side.counts,
                            this,
                            () -> table,
                            this,
                            parkedBytes);
            side.taker = link;
        }

        @Override
        public boolean admits(LinkMessage message, long nowNanos) {
            return admits;
        }

        @Override
        public void deliver(LinkMessage message, long nowNanos) {
            assertThat(message.remote()).isEqualTo(LinkWorld.PHONE);
            assertThat(message.local()).isEqualTo(LinkWorld.PUBLIC);
            delivered.add(new String(message.copy(), StandardCharsets.ISO_8859_1));
        }

        @Override
        public boolean owns(int partition) {
            return leases.contains(partition);
        }

        @Override
        public boolean takesNewWork(int partition) {
            return owns(partition) && !givenAway.contains(partition);
        }

        @Override
        public long term(int partition) {
            return 1;
        }

        long count(LinkCounter counter) {
            return side.count(counter);
        }
    }

    private final Node one = new Node(1, 10_000);
    private final Node two = new Node(2, 10_000);

    private void owned(int owner, int next) {
        int[] owners = new int[1024];
        int[] nexts = new int[1024];
        Arrays.fill(owners, owner);
        Arrays.fill(nexts, next);
        table =
                Owners.of(
                        ++version,
                        owners,
                        nexts,
                        Map.of(1, LinkWorld.linkOf(1), 2, LinkWorld.linkOf(2)));
    }

    private void connected() {
        world.introduce(router, one.side, two.side);
    }

    private void toNode(int node, String text) {
        assertThat(router.sends(FrameKind.IN, node, PARTITION, text)).isTrue();
        world.run();
    }

    @Test
    void whatBeginsInAPartitionThatIsGivenAwayWaitsForTheNextOwner() {
        connected();
        owned(1, 2);
        one.leases.add(PARTITION);
        one.givenAway.add(PARTITION);
        toNode(1, "INVITE sip:a SIP/2.0\r\n");
        toNode(1, "BYE sip:a SIP/2.0\r\n");
        toNode(1, "ACK sip:a SIP/2.0\r\n");
        toNode(1, "\r\nSIP/2.0 200 OK\r\n");
        assertThat(one.delivered)
                .as("what ends something that is under way")
                .containsExactly("ACK sip:a SIP/2.0\r\n", "\r\nSIP/2.0 200 OK\r\n");
        owned(2, 1);
        one.leases.clear();
        two.leases.add(PARTITION);
        one.link.changed(world.now);
        world.run();
        assertThat(two.delivered)
                .containsExactly("INVITE sip:a SIP/2.0\r\n", "BYE sip:a SIP/2.0\r\n");
    }

    @Test
    void whatWaitedGoesToTheStackWhenThePartitionStays() {
        connected();
        owned(1, 2);
        one.leases.add(PARTITION);
        one.givenAway.add(PARTITION);
        toNode(1, "INVITE sip:a SIP/2.0\r\n");
        assertThat(one.delivered).isEmpty();
        one.givenAway.clear();
        one.link.advance(world.now);
        assertThat(one.delivered).containsExactly("INVITE sip:a SIP/2.0\r\n");
    }

    @Test
    void whatIsOursGoesToTheStack() {
        connected();
        owned(1, 2);
        one.leases.add(PARTITION);
        toNode(1, "INVITE");
        assertThat(one.delivered).containsExactly("INVITE");
        assertThat(one.count(LinkCounter.DELIVERED)).isEqualTo(1);
    }

    @Test
    void whatIsAnothersIsPassedOnToItsOwner() {
        connected();
        owned(2, 1);
        two.leases.add(PARTITION);
        toNode(1, "BYE");
        assertThat(one.delivered).isEmpty();
        assertThat(two.delivered).containsExactly("BYE");
        assertThat(one.count(LinkCounter.PASSED_ON)).isEqualTo(1);
    }

    private static boolean isBetween(LinkWorld.Sent frame, int one, int other) {
        int by = ByteBuffer.wrap(frame.bytes()).getShort(FrameFormat.SENDER);
        return (by == one && frame.to().equals(LinkWorld.linkOf(other)))
                || (by == other && frame.to().equals(LinkWorld.linkOf(one)));
    }

    /** The wire is cut between two nodes only; who is handed a call's message is not its owner. */
    @Test
    void aDatagramForAnOwnerThatIsNotHeardGoesByAThirdNode() {
        Node three = new Node(3, 10_000);
        world.introduce(router, one.side, two.side, three.side);
        owned(2, 1);
        two.leases.add(PARTITION);
        world.lose = frame -> isBetween(frame, 1, 2);
        world.pass(LinkPeer.SILENT_NANOS);
        world.beat(router, one.side, two.side, three.side);
        toNode(1, "BYE");
        assertThat(two.delivered).containsExactly("BYE");
        assertThat(world.sent(FrameKind.PASS)).hasSize(2);
        assertThat(one.link.waits()).isFalse();
        assertThat(three.delivered).isEmpty();
    }

    /** It waits for the next owner there, and is not sent to and fro. */
    @Test
    void aDatagramForADeadOwnerWaitsAtAThirdNode() {
        Node three = new Node(3, 10_000);
        world.introduce(router, one.side, two.side, three.side);
        owned(2, 1);
        world.pass(LinkPeer.SILENT_NANOS);
        world.beat(router, one.side, three.side);
        toNode(1, "BYE");
        assertThat(world.sent(FrameKind.PASS)).hasSize(1);
        assertThat(three.link.waits()).isTrue();
        owned(1, 3);
        one.leases.add(PARTITION);
        three.link.advance(world.now);
        world.run();
        assertThat(one.delivered).containsExactly("BYE");
        assertThat(three.link.waits()).isFalse();
    }

    @Test
    void twoNodesThatTakeEachOtherForTheOwnerPassOnOnce() {
        connected();
        owned(2, 1);
        Owners first = table;
        owned(1, 2);
        Owners second = table;
        // Each sees a table of its own.
        one.side.taker = link(one, first);
        two.side.taker = link(two, second);
        toNode(1, "BYE");
        assertThat(world.sent(FrameKind.PASS)).hasSize(1);
        assertThat(two.count(LinkCounter.NOT_OURS)).isEqualTo(1);
        assertThat(one.delivered).isEmpty();
        assertThat(two.delivered).isEmpty();
    }

    /** Its bytes lead here, its call is another node's: what knows that says the partition. */
    @Test
    void aRequestOfAnotherNodesCallIsHandedOnAsItCame() {
        connected();
        owned(2, 1);
        two.leases.add(PARTITION);
        InetSocketAddress phone = LinkWorld.PHONE;
        Hop from = new Hop(Transport.UDP, LinkWorld.PUBLIC, phone, 0);
        Hop direct = new Hop(Transport.UDP, new InetSocketAddress("192.0.2.8", 5060), phone, 0);
        assertThat(one.link.routers().isWayOf(from, world.now)).isTrue();
        assertThat(one.link.routers().isWayOf(direct, world.now)).isFalse();
        one.link.handOn("INVITE".getBytes(StandardCharsets.US_ASCII), from, PARTITION, world.now);
        world.run();
        assertThat(one.delivered).isEmpty();
        assertThat(two.delivered).containsExactly("INVITE");
    }

    private void handOnByTcp(String text) {
        handOnByTcp(text, 9);
    }

    private void handOnByTcp(String text, int connection) {
        Hop from =
                new Hop(
                        Transport.TCP,
                        LinkWorld.PUBLIC,
                        LinkWorld.PHONE,
                        FlowNumber.of(ROUTER, connection));
        one.link.handOn(text.getBytes(StandardCharsets.US_ASCII), from, PARTITION, world.now);
        world.run();
    }

    private void waitsForTheNextTry() {
        world.pass(Unacknowledged.FIRST_NANOS);
        one.link.advance(world.now);
        world.run();
    }

    /** Its router takes it for delivered, and no phone repeats it. */
    @Test
    void whatIsHandedOnOfAConnectionComesAgainUntilTheOwnerHasIt() {
        connected();
        owned(2, 1);
        two.leases.add(PARTITION);
        world.lose = frame -> frame.bytes()[FrameFormat.KIND] == FrameKind.PASS.code();
        handOnByTcp("INVITE");
        assertThat(two.delivered).isEmpty();
        world.lose = frame -> frame.bytes()[FrameFormat.KIND] == FrameKind.FLOW.code();
        waitsForTheNextTry();
        assertThat(two.delivered).containsExactly("INVITE");
        assertThat(one.link.waits()).as("it does not know").isTrue();
        world.lose = frame -> false;
        waitsForTheNextTry();
        waitsForTheNextTry();
        assertThat(two.delivered).as("once").containsExactly("INVITE");
        assertThat(one.link.waits()).isFalse();
    }

    /** So that it asks the next owner when that one dies. */
    @Test
    void theRouterOfAConnectionIsToldToWhomItsRequestWent() {
        connected();
        owned(2, 1);
        two.leases.add(PARTITION);
        List<LinkMessage> said = new ArrayList<>();
        router.taker =
                (kind, message, nowNanos) -> {
                    if (kind == FrameKind.FLOW && message.act() == FlowAct.HANDED_ON) {
                        said.add(message.kept());
                    }
                };
        handOnByTcp("INVITE sip:bob@example.com SIP/2.0\r\n");
        assertThat(said)
                .singleElement()
                .satisfies(each -> {
                    assertThat(HandedOn.of(each.number())).isEqualTo(new HandedOn(2, PARTITION));
                    assertThat(each.connection()).isEqualTo(9);
                    assertThat(new String(each.copy(), StandardCharsets.US_ASCII))
                            .startsWith("INVITE sip:bob");
                });
    }

    @Test
    void whatIsHandedOnToANodeThatDoesNotOwnItYetComesAgain() {
        connected();
        owned(2, 1);
        Owners known = table;
        owned(1, 2);
        two.side.taker = link(two, table);
        table = known;
        handOnByTcp("INVITE");
        assertThat(two.count(LinkCounter.NOT_OURS)).isEqualTo(1);
        two.side.taker = two.link;
        two.leases.add(PARTITION);
        waitsForTheNextTry();
        assertThat(two.delivered).containsExactly("INVITE");
    }

    @Test
    void whatIsHandedOnAndThenIsOursGoesToTheStack() {
        connected();
        owned(2, 1);
        world.lose = frame -> frame.bytes()[FrameFormat.KIND] == FrameKind.PASS.code();
        handOnByTcp("INVITE");
        owned(1, 2);
        one.leases.add(PARTITION);
        waitsForTheNextTry();
        assertThat(one.delivered).containsExactly("INVITE");
        assertThat(one.link.waits()).isFalse();
    }

    /** Of one connection, and of many: the stack of calls does not grow with them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5_000})
    void manyThatAreHandedOnAndThenAreOursGoToTheStackInTheirOrder(int connections) {
        connected();
        owned(2, 1);
        world.lose = frame -> frame.bytes()[FrameFormat.KIND] == FrameKind.PASS.code();
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            all.add("INFO " + i);
            handOnByTcp(all.getLast(), 1 + i % connections);
        }
        owned(1, 2);
        one.leases.add(PARTITION);
        waitsForTheNextTry();
        assertThat(one.delivered).containsExactlyElementsOf(all);
        assertThat(one.link.waits()).isFalse();
    }

    /** Who has told its sender that it is taken answers for it, wherever it came from. */
    @Test
    void whatWaitedAtAThirdNodeGoesToTheOwnerAllTheSame() {
        connected();
        owned(2, 1);
        handOnByTcp("INVITE");
        assertThat(two.link.waits()).as("for its lease").isTrue();
        assertThat(one.link.waits()).as("it was told").isFalse();
        owned(1, 2);
        one.leases.add(PARTITION);
        two.link.advance(world.now);
        world.run();
        assertThat(one.delivered).containsExactly("INVITE");
    }

    /** What the router sends meanwhile comes behind both. */
    @Test
    void whatIsHandedOnBehindAnotherDoesNotWaitForItsAcknowledgement() {
        connected();
        owned(2, 1);
        two.leases.add(PARTITION);
        world.lose = frame -> frame.bytes()[FrameFormat.KIND] == FrameKind.FLOW.code();
        handOnByTcp("INFO 1");
        handOnByTcp("INFO 2");
        assertThat(two.delivered).containsExactly("INFO 1", "INFO 2");
    }

    /** What TLS knows of a peer may be larger than what it sends. */
    @Test
    void whatWaitsIsBoundedWithWhatGoesBesideIt() {
        connected();
        owned(PeerId.NONE, 1);
        byte[] info = "INFO".getBytes(StandardCharsets.US_ASCII);
        for (int number = 1; number <= 10; number++) {
            router.stream.send(
                    FrameKind.IN,
                    1,
                    new LinkMessage()
                            .of(PARTITION)
                            .by(ROUTER, 0, Transport.TLS)
                            .on(number, new byte[4_000])
                            .numbered(number)
                            .between(
                                    LinkWorld.address("192.0.2.77", 40_000 + number),
                                    LinkWorld.PUBLIC)
                            .message(info, 0, info.length));
        }
        world.run();
        assertThat(one.link.parkedBytes()).isBetween(8_000L, 10_000L);
    }

    /** The node that parks it has told the router that it need not send it again. */
    @Test
    void whatWaitedOfAConnectionComesAgainUntilTheNewOwnerHasIt() {
        connected();
        owned(PeerId.NONE, 1);
        handOnByTcp("ACK");
        owned(2, 1);
        two.leases.add(PARTITION);
        world.lose = frame -> frame.bytes()[FrameFormat.KIND] == FrameKind.PASS.code();
        one.link.advance(world.now);
        world.run();
        world.lose = frame -> false;
        waitsForTheNextTry();
        assertThat(two.delivered).containsExactly("ACK");
        waitsForTheNextTry();
        assertThat(one.link.waits()).isFalse();
    }

    private NodeLink link(Node node, Owners seen) {
        return new NodeLink(
                node.side.endpoint,
                node.side.stream,
                node.side.counts,
                node,
                () -> seen,
                node,
                10_000);
    }

    @Test
    void whatHasNoLivingOwnerWaitsForOneInItsOrder() {
        connected();
        owned(1, 2);
        world.pass(LinkPeer.SILENT_NANOS);
        world.beat(router, two.side);
        toNode(2, "BYE 1");
        toNode(2, "INFO 2");
        assertThat(two.delivered).isEmpty();
        assertThat(two.link.waits()).isTrue();
        owned(2, 1);
        two.leases.add(PARTITION);
        // What comes before the next look does not overtake those that wait.
        toNode(2, "INFO 3");
        assertThat(two.delivered).containsExactly("BYE 1", "INFO 2", "INFO 3");
        assertThat(two.link.waits()).isFalse();
        assertThat(two.link.parkedBytes()).isZero();
    }

    @Test
    void theOwnerWaitsForItsLease() {
        connected();
        owned(1, 2);
        toNode(1, "BYE");
        assertThat(one.delivered).isEmpty();
        one.leases.add(PARTITION);
        one.link.advance(world.now);
        assertThat(one.delivered).containsExactly("BYE");
    }

    @Test
    void whatWaitsIsPassedOnWhenAnotherBecomesTheOwner() {
        connected();
        owned(PeerId.NONE, 1);
        toNode(1, "BYE");
        owned(2, 1);
        two.leases.add(PARTITION);
        one.link.advance(world.now);
        world.run();
        assertThat(two.delivered).containsExactly("BYE");
        assertThat(one.link.waits()).isFalse();
    }

    @Test
    void aRepeatOfWhatWaitsIsDropped() {
        connected();
        owned(PeerId.NONE, 1);
        toNode(1, "BYE");
        toNode(1, "BYE");
        toNode(1, "BYE");
        one.leases.add(PARTITION);
        one.link.advance(world.now);
        assertThat(one.delivered).containsExactly("BYE");
        assertThat(one.count(LinkCounter.PARKED_REPEATS)).isEqualTo(2);
    }

    @Test
    void noDatagramWaitsLongerThanFourSeconds() {
        connected();
        owned(PeerId.NONE, 1);
        toNode(1, "BYE");
        one.link.advance(world.now + Parking.MOST_NANOS);
        assertThat(one.link.waits()).isTrue();
        one.link.advance(world.now + Parking.MOST_NANOS + 1);
        assertThat(one.link.waits()).isFalse();
        one.leases.add(PARTITION);
        one.link.advance(world.now);
        assertThat(one.delivered).isEmpty();
        assertThat(one.count(LinkCounter.PARKED_EXPIRED)).isEqualTo(1);
    }

    @Test
    void whatWaitsIsBoundedInBytes() {
        connected();
        owned(PeerId.NONE, 1);
        for (int i = 0; i < 1000; i++) {
            toNode(1, "MESSAGE " + i + "x".repeat(1000));
        }
        assertThat(one.link.parkedBytes()).isBetween(8_000L, 10_000L);
        assertThat(one.count(LinkCounter.PARKED) + one.count(LinkCounter.PARKED_FULL))
                .isEqualTo(1000);
    }

    @Test
    void aSourceThatIsNotListenedToNeitherWaitsNorIsPassedOn() {
        connected();
        one.admits = false;
        owned(PeerId.NONE, 1);
        toNode(1, "INVITE");
        owned(2, 1);
        toNode(1, "INVITE");
        assertThat(one.link.waits()).isFalse();
        assertThat(world.sent(FrameKind.PASS)).isEmpty();
    }

    /** So that what floods in ends where it comes in. */
    @Test
    void aRouterIsToldOfASourceThatFloodsAndIsNotListenedTo() {
        connected();
        List<LinkMessage> said = new ArrayList<>();
        router.taker = (kind, message, nowNanos) -> said.add(message.kept());
        one.admits = false;
        owned(1, 2);
        for (int i = 1; i < RefusedSources.ENOUGH; i++) {
            toNode(1, "INVITE " + i);
        }
        assertThat(said).as("a burst").isEmpty();
        toNode(1, "INVITE");
        assertThat(said)
                .singleElement()
                .satisfies(each -> assertThat(each.remote()).isEqualTo(LinkWorld.PHONE));
        assertThat(one.count(LinkCounter.UNHEARD)).isEqualTo(1);
    }

    @Test
    void noRouterIsToldOfASourceThatIsRefusedNowAndThen() {
        connected();
        one.admits = false;
        owned(1, 2);
        for (int i = 0; i < 3 * RefusedSources.ENOUGH; i++) {
            toNode(1, "INVITE " + i);
            world.pass(RefusedSources.WINDOW_NANOS / (RefusedSources.ENOUGH - 2));
        }
        assertThat(one.count(LinkCounter.UNHEARD)).isZero();
    }

    @Test
    void aRouterThatKnowsLessIsToldWithEachHello() {
        owned(1, 2);
        connected();
        assertThat(router.tables).isNotEmpty();
        assertThat(router.tables.getLast().version()).isEqualTo(1);
        router.tables.clear();
        router.endpoint.say(NodeHealth.READY, 1);
        world.beat(router);
        assertThat(router.tables).isEmpty();
        owned(2, 1);
        one.link.changed(world.now);
        world.run();
        assertThat(router.tables.getLast().version()).isEqualTo(2);
    }

    @Test
    void whatTheStackSendsGoesByTheRouterItSays() {
        Side second = world.side(PeerId.router(1), 100);
        connected();
        world.introduce(second, one.side);
        InetSocketAddress local = LinkWorld.publicOf(PeerId.router(1));
        byte[] bytes = "SIP/2.0 200 OK".getBytes(StandardCharsets.ISO_8859_1);
        for (int partition = 0; partition < 10; partition++) {
            assertThat(send(bytes, local, partition)).isTrue();
        }
        world.run();
        assertThat(second.got).hasSize(10);
        assertThat(router.got).isEmpty();
        // It dies: the other one takes over.
        world.pass(LinkPeer.SILENT_NANOS);
        world.beat(router);
        assertThat(send(bytes, local, 1)).isTrue();
        world.run();
        assertThat(router.got).hasSize(1);
        world.pass(LinkPeer.SILENT_NANOS);
        assertThat(send(bytes, local, 1)).isFalse();
        assertThat(one.count(LinkCounter.NO_ROUTER)).isEqualTo(1);
    }

    private boolean send(byte[] bytes, InetSocketAddress local, int partition) {
        return one.link.send(
                bytes,
                bytes.length,
                new Hop(Transport.UDP, local, LinkWorld.PHONE, 0),
                partition,
                world.now);
    }

    @Test
    void newRequestsGoByAllRoutersAndThoseOfAPartitionByTheSame() {
        Side second = world.side(PeerId.router(1), 100);
        connected();
        world.introduce(second, one.side);
        byte[] bytes = "INVITE".getBytes(StandardCharsets.ISO_8859_1);
        for (int partition = 0; partition < 100; partition++) {
            assertThat(
                            one.link.send(
                                    bytes,
                                    bytes.length,
                                    Hop.to(Transport.UDP, LinkWorld.PHONE),
                                    partition,
                                    world.now))
                    .isTrue();
            assertThat(
                            one.link.send(
                                    bytes,
                                    bytes.length,
                                    Hop.to(Transport.UDP, LinkWorld.PHONE),
                                    partition,
                                    world.now))
                    .isTrue();
        }
        world.run();
        assertThat(router.got).hasSize(100);
        assertThat(second.got).hasSize(100);
        assertThat(router.got.stream().map(LinkWorld.Got::partition).distinct()).hasSize(50);
    }

    @Test
    void aFrameOfAnotherKindThanForNodesIsDropped() {
        connected();
        owned(1, 2);
        one.leases.add(PARTITION);
        assertThat(router.sends(FrameKind.OUT, 1, PARTITION, "x")).isTrue();
        assertThat(router.sends(FrameKind.PASS, 1, PARTITION, "x")).isTrue();
        assertThat(two.side.sends(FrameKind.IN, 1, PARTITION, "x")).isTrue();
        world.run();
        assertThat(one.delivered).isEmpty();
        assertThat(one.count(LinkCounter.DROPPED_UNREADABLE)).isEqualTo(3);
    }

    @Test
    void framesAreAddressedToTheOwner() {
        connected();
        owned(2, 1);
        two.leases.add(PARTITION);
        toNode(1, "BYE");
        Sent pass = world.sent(FrameKind.PASS).getFirst();
        assertThat(pass.to()).isEqualTo(LinkWorld.linkOf(2));
        assertThat(pass.bytes()[FrameFormat.HOPS]).isEqualTo((byte) 1);
    }
}
