package io.carillon.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.LinkWorld.Got;
import io.carillon.cluster.link.LinkWorld.Sent;
import io.carillon.cluster.link.LinkWorld.Side;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Who is heard on the link, and what of it is taken. */
class LinkTest {
    private static final int ROUTER = PeerId.router(0);
    private static final int NODE = 3;

    private final LinkWorld world = new LinkWorld();
    private final Side router = world.side(ROUTER, 100);
    private final Side node = world.side(NODE, 200);

    private void connected() {
        world.introduce(router, node);
    }

    private byte[] inFrame(String text) {
        assertThat(router.sends(FrameKind.IN, NODE, 17, text)).isTrue();
        return world.all.getLast().bytes();
    }

    @Test
    void nothingIsSentBeforeBothHaveProvedThatTheyLive() {
        router.endpoint.know(NODE, LinkWorld.linkOf(NODE));
        assertThat(router.sends(FrameKind.IN, NODE, 1, "x")).isFalse();
        router.endpoint.beat();
        assertThat(router.sends(FrameKind.IN, NODE, 1, "x")).isFalse();
        world.run();
        assertThat(router.sends(FrameKind.IN, NODE, 1, "x")).isTrue();
        world.run();
        assertThat(node.got).containsExactly(new Got(FrameKind.IN, 1, ROUTER, 0, "x"));
    }

    @Test
    void aNodeLearnsOfARouterByItsHello() {
        router.endpoint.know(NODE, LinkWorld.linkOf(NODE));
        world.beat(router);
        assertThat(node.endpoint.routers()).hasSize(1);
        LinkPeer known = node.endpoint.routers().getFirst();
        assertThat(known.alive(world.now)).isTrue();
        assertThat(known.listeners().getFirst().address()).isEqualTo(LinkWorld.PUBLIC);
    }

    @Test
    void addressesOfBothFamiliesPass() {
        connected();
        List<InetSocketAddress> sources = new ArrayList<>();
        node.taker =
                (kind, message, now) -> {
                    sources.add(message.remote());
                    sources.add(message.local());
                };
        InetSocketAddress six = LinkWorld.address("2001:db8::77", 65_535);
        byte[] bytes = {'x'};
        for (int i = 0; i < 2; i++) {
            router.stream.send(
                    FrameKind.IN,
                    NODE,
                    new LinkMessage()
                            .of(1)
                            .by(ROUTER, 0, Transport.UDP)
                            .between(six, LinkWorld.PUBLIC)
                            .message(bytes, 0, 1));
            world.run();
        }
        assertThat(sources).containsExactly(six, LinkWorld.PUBLIC, six, LinkWorld.PUBLIC);
        // Read once, known from then on.
        assertThat(sources.get(2)).isSameAs(sources.get(0));
    }

    @Test
    void aHelloTellsBuildAndRate() {
        Side one = world.side(1, 100);
        Side two = world.side(2, 200);
        one.endpoint.say(NodeHealth.OVERLOADED, 3);
        one.endpoint.say(new NodeReport("1.4.0-rc1", 250));
        world.introduce(one, two);
        LinkPeer heard = Objects.requireNonNull(two.endpoint.peer(1));
        assertThat(heard.health()).isEqualTo(NodeHealth.OVERLOADED);
        assertThat(heard.report()).isEqualTo(new NodeReport("1.4.0-rc1", 250));
        assertThat(Objects.requireNonNull(one.endpoint.peer(2)).report())
                .as("nothing said")
                .isEqualTo(NodeReport.NONE);
        assertThat(new NodeReport("b".repeat(500), 1 << 20))
                .isEqualTo(new NodeReport("b".repeat(60), 65_535));
    }

    @Test
    void fieldsOfALaterBuildAreLeftOutAndAnEarlierOneSaysNothing() {
        FrameWriter writer = new FrameWriter();
        LinkMac key = LinkWorld.SECRET.hello(1, 2);
        writer.begin(FrameKind.HELLO, 0, 1, 2).putByte(200).putByte(3).putByte(7).putShort(9);
        new NodeReport("9.9", 5).write(writer);
        writer.putByte(77).putByte(0);
        assertThat(reportIn(writer, key)).isEqualTo(new NodeReport("9.9", 5));
        writer.begin(FrameKind.HELLO, 0, 1, 2);
        assertThat(reportIn(writer, key)).isEqualTo(NodeReport.NONE);
        writer.begin(FrameKind.HELLO, 0, 1, 2).putByte(1).putByte(50).putByte('x');
        assertThat(reportIn(writer, key)).as("cut").isEqualTo(NodeReport.NONE);
    }

    @Test
    void aHelloTellsWhatTheNodeUsesAndWhichApplicationsItHas() {
        Side one = world.side(1, 100);
        Side two = world.side(2, 200);
        DeployedNames some = DeployedNames.of(List.of("proxy", "b2bua"));
        one.endpoint.say(new NodeReport("1.4.0", 0, 42, some));
        two.endpoint.say(new NodeReport("1.4.0", 0, 0, DeployedNames.of(List.of())));
        world.introduce(one, two);
        NodeReport heard = Objects.requireNonNull(two.endpoint.peer(1)).report();
        assertThat(heard).isEqualTo(new NodeReport("1.4.0", 0, 42, some));
        assertThat(heard.applications().lacks("proxy")).isFalse();
        assertThat(heard.applications().lacks("uas")).isTrue();
        NodeReport other = Objects.requireNonNull(one.endpoint.peer(2)).report();
        assertThat(other.applications().lacks("proxy")).as("it has none at all").isTrue();
        assertThat(other.usedPercent()).isZero();
    }

    @Test
    void ofWhoDoesNotSayNothingIsKnown() {
        assertThat(NodeReport.NONE.applications().lacks("proxy")).isFalse();
        assertThat(NodeReport.NONE.usedPercent()).isEqualTo(NodeReport.NOT_SAID);
        List<String> many = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            many.add("application" + i);
        }
        assertThat(DeployedNames.of(many)).isEqualTo(DeployedNames.UNKNOWN);
        DeployedNames most = DeployedNames.of(many.subList(0, 63));
        FrameWriter writer = new FrameWriter();
        LinkMac key = LinkWorld.SECRET.hello(1, 2);
        writer.begin(FrameKind.HELLO, 0, 1, 2);
        new NodeReport("9.9", 5, 100, most).write(writer);
        assertThat(reportIn(writer, key)).isEqualTo(new NodeReport("9.9", 5, 100, most));
        writer.begin(FrameKind.HELLO, 0, 1, 2).putByte(4).putByte(3).putByte(1).putShort(2);
        assertThat(reportIn(writer, key).applications())
                .as("no whole marks")
                .isEqualTo(DeployedNames.UNKNOWN);
    }

    private static NodeReport reportIn(FrameWriter writer, LinkMac key) {
        int length = writer.end(0, 1, key);
        FrameReader reader = new FrameReader();
        assertThat(reader.begin(writer.bytes(), length)).isTrue();
        return NodeReport.read(reader);
    }

    @Test
    void whoIsSilentForASecondIsTakenForDead() {
        connected();
        world.pass(LinkPeer.SILENT_NANOS - 1);
        assertThat(node.endpoint.peer(ROUTER).alive(world.now)).isTrue();
        world.pass(1);
        assertThat(node.endpoint.peer(ROUTER).alive(world.now)).isFalse();
        world.beat(router);
        assertThat(node.endpoint.peer(ROUTER).alive(world.now)).isTrue();
    }

    @Test
    void whoSaysThatItGoesIsDeadAtOnce() {
        connected();
        router.endpoint.say(NodeHealth.GONE, 0);
        world.beat(router);
        assertThat(node.endpoint.peer(ROUTER).alive(world.now)).isFalse();
    }

    @Test
    void aFrameWithAnyBitChangedIsDropped() {
        connected();
        byte[] frame = inFrame("INVITE sip:bob@example.com SIP/2.0");
        for (int bit = 0; bit < frame.length * 8; bit++) {
            byte[] other = frame.clone();
            other[bit / 8] ^= (byte) (1 << bit % 8);
            node.receive(other);
        }
        assertThat(node.got).isEmpty();
        assertThat(dropped(node)).isEqualTo(frame.length * 8L);
        node.receive(frame);
        assertThat(node.got).hasSize(1);
    }

    /** One key file for two clusters is a mistake that must not join them. */
    @Test
    void aHelloOfAnotherClusterWithTheSameKeyIsForged() {
        Side east = world.new Side(ROUTER, 100, List.of(LinkWorld.SECRET.of("east")));
        Side west = world.new Side(NODE, 200, List.of(LinkWorld.SECRET.of("west")));
        world.introduce(east, west);
        assertThat(west.count(LinkCounter.DROPPED_FORGED)).isPositive();
        assertThat(west.endpoint.peer(ROUTER).alive(world.now)).isFalse();
        assertThat(east.sends(FrameKind.IN, NODE, 1, "x")).isFalse();
    }

    @Test
    void aFrameThatIsCutIsDropped() {
        connected();
        byte[] frame = inFrame("INVITE sip:bob@example.com SIP/2.0");
        for (int length = 0; length < frame.length; length++) {
            node.receive(Arrays.copyOf(frame, length));
        }
        node.receive(Arrays.copyOf(frame, frame.length + 1));
        assertThat(node.got).isEmpty();
        assertThat(dropped(node)).isEqualTo(frame.length + 1L);
    }

    private static long dropped(Side side) {
        return side.count(LinkCounter.DROPPED_FORGED)
                + side.count(LinkCounter.DROPPED_MALFORMED)
                + side.count(LinkCounter.DROPPED_NOT_FOR_US)
                + side.count(LinkCounter.DROPPED_NO_SESSION);
    }

    @Test
    void aFrameIsTakenOnce() {
        connected();
        byte[] frame = inFrame("x");
        node.receive(frame.clone());
        node.receive(frame.clone());
        assertThat(node.got).hasSize(1);
        assertThat(node.count(LinkCounter.DROPPED_REPLAYED)).isEqualTo(1);
    }

    @Test
    void aFrameThatIsSentBackIsDropped() {
        // Begun in the same microsecond, so that nothing but their places tells them apart.
        Side router = world.side(ROUTER, 100);
        Side node = world.side(NODE, 100);
        world.introduce(router, node);
        assertThat(router.sends(FrameKind.IN, NODE, 17, "x")).isTrue();
        byte[] frame = world.all.getLast().bytes();
        router.receive(frame.clone());
        // With the two numbers exchanged it names the receiver, and the key is of the other way.
        byte[] turned = frame.clone();
        FrameFormat.putShort(turned, FrameFormat.SENDER, NODE);
        FrameFormat.putShort(turned, FrameFormat.RECEIVER, ROUTER);
        router.receive(turned);
        assertThat(router.got).isEmpty();
        assertThat(router.count(LinkCounter.DROPPED_NOT_FOR_US)).isEqualTo(1);
        assertThat(router.count(LinkCounter.DROPPED_FORGED)).isEqualTo(1);
    }

    @Test
    void aFrameForAnotherNodeIsDropped() {
        connected();
        Side other = world.side(4, 300);
        world.introduce(router, other);
        byte[] frame = inFrame("x");
        other.receive(frame.clone());
        FrameFormat.putShort(frame, FrameFormat.RECEIVER, 4);
        other.receive(frame);
        assertThat(other.got).isEmpty();
    }

    @Test
    void framesOfAProcessThatIsGoneOpenNothing() {
        connected();
        for (int i = 0; i < 5; i++) {
            inFrame("x");
        }
        List<Sent> old = new ArrayList<>(world.all);
        Side restarted = world.side(ROUTER, 101);
        world.introduce(restarted, node);
        assertThat(restarted.sends(FrameKind.IN, NODE, 1, "new")).isTrue();
        world.run();
        node.got.clear();
        for (Sent each : old) {
            if (each.to().equals(LinkWorld.linkOf(NODE))) {
                node.receive(each.bytes().clone());
            }
        }
        assertThat(node.got).isEmpty();
        assertThat(node.count(LinkCounter.DROPPED_STALE)).isPositive();
        assertThat(restarted.sends(FrameKind.IN, NODE, 1, "still")).isTrue();
        world.run();
        assertThat(node.got).extracting(Got::text).containsExactly("still");
    }

    @Test
    void aNodeThatBeginsAnewTakesNothingThatWasSentToTheOneBefore() {
        connected();
        inFrame("x");
        List<Sent> old = new ArrayList<>(world.all);
        Side restarted = world.side(NODE, 201);
        world.lose = sent -> true; // nobody answers: only what was recorded comes
        for (Sent each : old) {
            if (each.to().equals(LinkWorld.linkOf(NODE))) {
                restarted.receive(each.bytes().clone());
            }
        }
        assertThat(restarted.got).isEmpty();
        assertThat(restarted.endpoint.peer(ROUTER).alive(world.now)).isFalse();
        world.lose = sent -> false;
        world.run();
        world.pass(LinkPeer.BEAT_NANOS);
        world.beat(router, restarted);
        world.beat(router, restarted);
        assertThat(router.sends(FrameKind.IN, NODE, 1, "new")).isTrue();
        world.run();
        assertThat(restarted.got).extracting(Got::text).containsExactly("new");
    }

    @Test
    void aProcessWhoseClockWentBackIsHeardAgain() {
        connected();
        Side restarted = world.side(ROUTER, 50);
        restarted.endpoint.know(NODE, LinkWorld.linkOf(NODE));
        for (int i = 0; i < 3; i++) {
            world.pass(LinkPeer.BEAT_NANOS);
            world.beat(restarted, node);
        }
        assertThat(restarted.sends(FrameKind.IN, NODE, 1, "here")).isTrue();
        world.run();
        assertThat(node.got).extracting(Got::text).containsExactly("here");
    }

    @Test
    void aProcessThatBeginsAnewElsewhereIsHeardThere() {
        connected();
        Side restarted =
                world
                .new Side(
                        ROUTER,
                        101,
                        List.of(LinkWorld.SECRET),
                        LinkWorld.address("10.0.0.250", 7999));
        restarted.endpoint.know(NODE, LinkWorld.linkOf(NODE));
        world.pass(LinkPeer.BEAT_NANOS);
        world.beat(restarted);
        assertThat(node.sends(FrameKind.OUT, ROUTER, 1, "here")).isTrue();
        world.run();
        assertThat(restarted.got).extracting(Got::text).containsExactly("here");
    }

    @Test
    void whoHasAnotherKeyIsNotHeard() {
        Side stranger = world.new Side(PeerId.router(1), 100, List.of(LinkWorld.secret(2)));
        world.introduce(stranger, node);
        assertThat(node.endpoint.peer(PeerId.router(1)).alive(world.now)).isFalse();
        assertThat(node.count(LinkCounter.DROPPED_FORGED)).isPositive();
        assertThat(stranger.sends(FrameKind.IN, NODE, 1, "x")).isFalse();
    }

    @Test
    void bothKeysAreTakenWhileTheyChange() {
        Side first = world.new Side(5, 100, List.of(LinkWorld.secret(2), LinkWorld.SECRET));
        Side second = world.new Side(6, 100, List.of(LinkWorld.SECRET, LinkWorld.secret(2)));
        world.introduce(first, second);
        assertThat(first.sends(FrameKind.PASS, 6, 1, "there")).isTrue();
        assertThat(second.sends(FrameKind.PASS, 5, 1, "and back")).isTrue();
        world.run();
        assertThat(second.got).extracting(Got::text).containsExactly("there");
        assertThat(first.got).extracting(Got::text).containsExactly("and back");
    }

    @Test
    void theLargestDatagramPassesInTwoParts() {
        connected();
        String text = "x".repeat(60_001) + "y".repeat(65_507 - 60_001);
        assertThat(router.sends(FrameKind.IN, NODE, 9, text)).isTrue();
        world.run();
        assertThat(node.got).containsExactly(new Got(FrameKind.IN, 9, ROUTER, 0, text));
        assertThat(world.sent(FrameKind.IN)).hasSize(2);
        assertThat(world.sent(FrameKind.IN)).allMatch(each -> each.bytes().length <= 65_507);
    }

    @Test
    void ofALargeMessageWithoutAPartNothingArrives() {
        connected();
        for (int i = 0; i < 100; i++) {
            int lost = i % 2;
            world.lose =
                    sent ->
                            sent.bytes()[FrameFormat.KIND] == FrameKind.IN.code()
                                    && sent.bytes()[FrameFormat.PART] >>> 4 == lost;
            assertThat(router.sends(FrameKind.IN, NODE, 9, "x".repeat(65_000))).isTrue();
            world.run();
        }
        assertThat(node.got).isEmpty();
        assertThat(node.count(LinkCounter.PARTS_LOST)).isEqualTo(100L - Assembly.MOST);
        world.lose = sent -> false;
        assertThat(router.sends(FrameKind.IN, NODE, 9, "z".repeat(65_000))).isTrue();
        world.run();
        assertThat(node.got).hasSize(1);
    }

    @Test
    void partsWaitForTheOthersASecond() {
        connected();
        world.lose =
                sent ->
                        sent.bytes()[FrameFormat.KIND] == FrameKind.IN.code()
                                && sent.bytes()[FrameFormat.PART] >>> 4 == 1;
        assertThat(router.sends(FrameKind.IN, NODE, 9, "x".repeat(65_000))).isTrue();
        world.run();
        byte[] second = world.sent(FrameKind.IN).getLast().bytes();
        world.lose = sent -> false;
        world.pass(Assembly.WITHIN_NANOS + 1);
        node.receive(second);
        assertThat(node.got).isEmpty();
        assertThat(node.count(LinkCounter.PARTS_LOST)).isEqualTo(1);
    }

    @Test
    void onlyNodesTellWhatNodesAgreeOn() {
        connected();
        assertThat(router.stream.send(NODE, new byte[] {1})).isTrue();
        world.run();
        assertThat(node.count(LinkCounter.DROPPED_UNREADABLE)).isEqualTo(1);
    }

    @Test
    void aRouterIsToldWhoOwnsWhat() {
        connected();
        int[] owners = new int[1024];
        int[] next = new int[1024];
        for (int i = 0; i < 1024; i++) {
            owners[i] = i < 700 ? NODE : i % 5 == 0 ? PeerId.NONE : i % 5;
            next[i] = i * 31 % 7;
        }
        Owners told = Owners.of(42, owners, next, java.util.Map.of(NODE, LinkWorld.linkOf(NODE)));
        assertThat(node.stream.send(ROUTER, told)).isTrue();
        world.run();
        Owners heard = router.tables.getLast();
        assertThat(heard.version()).isEqualTo(42);
        for (int i = 0; i < 1024; i++) {
            assertThat(heard.owner(i)).isEqualTo(owners[i]);
            assertThat(heard.next(i)).isEqualTo(next[i]);
        }
        assertThat(heard.addresses()).isEqualTo(told.addresses());
        // Only nodes know.
        assertThat(router.stream.send(NODE, told)).isTrue();
        world.run();
        assertThat(node.tables).isEmpty();
        assertThat(node.count(LinkCounter.DROPPED_UNREADABLE)).isEqualTo(1);
        assertThat(heard.owned(NODE)).isEqualTo(told.owned(NODE));
    }

    @Test
    void whoseHostSaysThatNobodyIsThereIsDeadSoonerUnlessHeSaysSomething() {
        connected();
        LinkPeer known = Objects.requireNonNull(node.endpoint.peer(ROUTER));
        node.endpoint.refused(LinkWorld.linkOf(ROUTER));
        world.pass(LinkPeer.REFUSED_NANOS - 1);
        assertThat(known.alive(world.now)).as("anybody may have made that up").isTrue();
        world.beat(router);
        world.pass(LinkPeer.REFUSED_NANOS);
        assertThat(known.alive(world.now)).as("it has said HELLO since").isTrue();
        node.endpoint.refused(LinkWorld.linkOf(NODE));
        assertThat(known.alive(world.now)).as("that is of another one").isTrue();
        node.endpoint.refused(LinkWorld.linkOf(ROUTER));
        assertThat(known.alive(world.now)).isFalse();
        assertThat(known.keepsConnections(world.now)).isFalse();
    }

    @Test
    void connectionsAreGivenUpLaterThanOthersArePreferred() {
        connected();
        LinkPeer known = Objects.requireNonNull(node.endpoint.peer(ROUTER));
        world.pass(LinkPeer.SILENT_NANOS);
        assertThat(known.alive(world.now)).isFalse();
        assertThat(known.keepsConnections(world.now)).isTrue();
        world.pass(LinkPeer.CONNECTIONS_NANOS - LinkPeer.SILENT_NANOS);
        assertThat(known.keepsConnections(world.now)).isFalse();
    }
}
