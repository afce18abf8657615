package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.NodeHealth;
import io.carillon.cluster.link.NodeReport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** What the router does by the health of nodes: by what they say, and by what it sees itself. */
class NodeHealthTest {
    private final RouterWorld world = new RouterWorld();

    private static String invite(int call) {
        return "INVITE sip:b@example.com SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1;rport;branch=z9hG4bKn"
                + call
                + "\r\nFrom: <sip:a@example.com>;tag=1\r\nTo: <sip:b@example.com>\r\nCall-ID: h"
                + call
                + "\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n";
    }

    private static String bye(int call) {
        return invite(call)
                .replace("INVITE", "BYE")
                .replace("To: <sip:b@example.com>", "To: <sip:b@example.com>;tag=9");
    }

    private static InetSocketAddress phone(int number) {
        return RouterWorld.address("192.0.2." + (1 + number % 200), 5060);
    }

    private void says(int node, NodeHealth health, int newPerSecond) {
        world.nodes.get(node).link.say(health, 1);
        world.nodes.get(node).link.say(new NodeReport("1.2.3", newPerSecond));
        world.beat(node);
    }

    /** Two seconds and more of requests of which none is answered. */
    private void answersNobody(int requests, int phones) {
        answersNobody(requests, i -> phone(i % phones));
    }

    private void answersNobody(int requests, IntFunction<InetSocketAddress> phones) {
        for (int i = 0; i < requests; i++) {
            if (i % 8 == 0) {
                world.now += NodeWatch.PATIENCE_NANOS * 8 / requests + 1;
                world.beat(1, 2);
            }
            world.fromOutside(phones.apply(i), invite(i));
        }
        world.now += NodeWatch.PATIENCE_NANOS / 4;
        world.beat(1, 2);
    }

    @Test
    void aNodeThatAnswersNobodyGetsNoNewCallsButWhatBelongsToItsCalls() {
        world.nodes(1, 2);
        world.spread(1);
        answersNobody(80, 10);
        assertThat(world.in).hasSize(80);
        assertThat(world.forwarder.admission().watch().outlier(1, world.now)).isTrue();
        world.fromOutside(RouterWorld.PHONE, invite(1000)); // the question
        assertThat(world.in).hasSize(81);
        world.fromOutside(RouterWorld.PHONE, invite(1001));
        assertThat(world.in).hasSize(81);
        assertThat(world.count(RouterCounter.REFUSED_OUTLIER)).isEqualTo(1);
        assertThat(world.lastOut().text()).startsWith("SIP/2.0 503 ").doesNotContain("Retry-After");
        world.fromOutside(RouterWorld.PHONE, bye(1002));
        assertThat(world.in).hasSize(82);
    }

    @Test
    void anOutlierThatAnswersAgainGetsNewCalls() {
        world.nodes(1, 2);
        world.spread(1);
        answersNobody(80, 10);
        world.nodes
                .get(1)
                .sends(7, RouterWorld.PHONE, "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP x\r\n\r\n");
        for (int i = 0; i < 20; i++) {
            world.fromOutside(RouterWorld.PHONE, invite(2000 + i));
        }
        assertThat(world.in).hasSize(100);
        assertThat(world.count(RouterCounter.REFUSED_OUTLIER)).isZero();
    }

    @Test
    void aStrangerWhomTheGuardOfANodeBansMakesNoOutlier() {
        world.nodes(1, 2);
        world.spread(1);
        answersNobody(500, 3);
        assertThat(world.forwarder.admission().watch().outlier(1, world.now)).isFalse();
    }

    /** A node that says of a source that it does not listen to it is not silent. */
    @Test
    void manyStrangersWhomTheGuardOfANodeBansMakeNoOutlier() {
        world.nodes(1, 2);
        world.spread(1);
        answersNobody(80, 20);
        world.nodes.get(1).unheard(phone(1));
        assertThat(world.forwarder.admission().watch().outlier(1, world.now)).isFalse();
    }

    /** Nobody answers an ACK (RFC 3261 17.1.1.3). */
    @Test
    void acksThatNobodyAnswersMakeNoOutlier() {
        world.nodes(1, 2);
        world.spread(1);
        for (int i = 0; i < 80; i++) {
            world.now += NodeWatch.PATIENCE_NANOS / 20;
            world.beat(1, 2);
            world.fromOutside(phone(i), bye(i).replace("BYE", "ACK"));
        }
        assertThat(world.in).hasSize(80);
        assertThat(world.forwarder.admission().watch().outlier(1, world.now)).isFalse();
    }

    /** Whoever is banned has as many ports as he likes, but one address. */
    @Test
    void oneAddressIsOneSourceWhateverItsPorts() {
        world.nodes(1, 2);
        world.spread(1);
        answersNobody(500, i -> RouterWorld.address("192.0.2.9", 20_000 + i));
        assertThat(world.forwarder.admission().watch().outlier(1, world.now)).isFalse();
    }

    @Test
    void fewRequestsOrAShortTimeSayNothing() {
        world.nodes(1, 2);
        world.spread(1);
        answersNobody(NodeWatch.MANY_REQUESTS - 1, 20);
        world.now += NodeWatch.PATIENCE_NANOS;
        assertThat(world.forwarder.admission().watch().outlier(1, world.now)).isFalse();
        NodeWatch watch = new NodeWatch();
        for (int i = 0; i < 1000; i++) {
            watch.asked(3, i, 5_000_000_000L);
        }
        assertThat(watch.outlier(3, 5_000_000_000L + NodeWatch.PATIENCE_NANOS - 1)).isFalse();
        assertThat(watch.outlier(3, 5_000_000_000L + NodeWatch.PATIENCE_NANOS)).isTrue();
    }

    @Test
    void whomTheNetworkCannotReachIsPassedOverUntilItIsHeard() {
        world.nodes(1, 2);
        world.spread(1, 2);
        int owner = owner(invite(5));
        int other = 3 - owner;
        assertThat(world.forwarder.admission().unreachable(RouterWorld.linkOf(owner), world.now))
                .isTrue();
        world.fromOutside(RouterWorld.PHONE, invite(5));
        assertThat(world.lastIn().node()).isEqualTo(other);
        world.beat(owner);
        world.fromOutside(RouterWorld.PHONE, invite(5));
        assertThat(world.lastIn().node()).isEqualTo(owner);
        assertThat(world.forwarder.admission().unreachable(RouterWorld.PHONE, world.now))
                .as("a phone is no node")
                .isFalse();
    }

    private int owner(String message) {
        world.fromOutside(RouterWorld.PHONE, message);
        return world.lastIn().node();
    }

    @Test
    void whatIsOverTheRateOfANodeThatShedsIsRefusedHere() {
        world.nodes(1);
        world.spread(1);
        says(1, NodeHealth.OVERLOADED, 20);
        for (int i = 0; i < 100; i++) {
            world.now += 10_000_000; // a second of 100 calls
            world.beat(1);
            world.fromOutside(phone(i), invite(i));
        }
        assertThat(world.in).as("20 in a second, 4 at once").hasSizeBetween(20, 24);
        assertThat(world.count(RouterCounter.REFUSED_OVERLOAD)).isEqualTo(100 - world.in.size());
        assertThat(world.lastOut().text()).startsWith("SIP/2.0 503 Service Unavailable\r\n");
    }

    /** Max-min fairness, as at the node: a flood gets what callers leave. */
    @Test
    void whoAsksForLittleIsLetInBesideAFlood() {
        world.nodes(1);
        world.spread(1);
        says(1, NodeHealth.OVERLOADED, 100);
        int polite = 0;
        for (int i = 0; i < 50_000; i++) {
            world.now += 200_000; // ten seconds of 5,000 calls/s
            if (i % 50 == 0) {
                world.beat(1);
            }
            world.fromOutside(phone(1), invite(i));
            if (i % 250 == 0) {
                int before = world.in.size();
                world.fromOutside(phone(2 + i % 3), invite(100_000 + i)); // 20/s
                polite += world.in.size() - before;
            }
        }
        assertThat(polite).as("of 200").isGreaterThanOrEqualTo(196);
        assertThat(world.in).as("a flood gets the rest").hasSizeBetween(950, 1_020);
    }

    @Test
    void oneSourceAloneGetsAllThatANodeLetsIn() {
        world.nodes(1);
        world.spread(1);
        says(1, NodeHealth.OVERLOADED, 100);
        for (int i = 0; i < 10_000; i++) {
            world.now += 1_000_000;
            world.beat(1);
            world.fromOutside(phone(1), invite(i));
        }
        assertThat(world.in).hasSizeBetween(950, 1_020);
    }

    @Test
    void whatIsUnderWayAndEmergenciesPassHoweverMuchThereIs() {
        world.nodes(1);
        world.spread(1);
        says(1, NodeHealth.OVERLOADED, 1);
        for (int i = 0; i < 50; i++) {
            world.fromOutside(RouterWorld.PHONE, bye(i));
            world.fromOutside(RouterWorld.PHONE, invite(i).replace("INVITE", "ACK"));
            world.fromOutside(RouterWorld.PHONE, invite(i).replace("INVITE", "CANCEL"));
            world.fromOutside(
                    RouterWorld.PHONE,
                    invite(i).replace("sip:b@example.com SIP", "urn:service:sos SIP"));
        }
        assertThat(world.in).hasSize(200);
    }

    @Test
    void aRepeatHasTheFateOfTheFirst() {
        world.nodes(1);
        world.spread(1);
        says(1, NodeHealth.OVERLOADED, 5);
        for (int i = 1; i <= 4; i++) {
            world.fromOutside(phone(i), invite(i));
        }
        world.fromOutside(RouterWorld.PHONE, invite(5));
        assertThat(world.in).as("so many may come at once").hasSize(4);
        world.fromOutside(phone(1), invite(1));
        assertThat(world.in).as("it was let in").hasSize(5);
        world.now += 900_000_000L; // there would be room for it now
        world.beat(1);
        world.fromOutside(RouterWorld.PHONE, invite(5));
        assertThat(world.in).as("it was refused, and its caller knows that").hasSize(5);
        assertThat(world.count(RouterCounter.REFUSED_OVERLOAD)).isEqualTo(2);
    }

    /** What went to the node before it shed is served: its caller has to hear of that. */
    @Test
    void aRepeatOfWhatWasForwardedBeforeANodeShedsIsLetIn() {
        world.nodes(1);
        world.spread(1);
        world.fromOutside(RouterWorld.PHONE, invite(1));
        says(1, NodeHealth.OVERLOADED, 1);
        for (int i = 2; i <= 10; i++) {
            world.fromOutside(RouterWorld.PHONE, invite(i));
        }
        int before = world.in.size();
        assertThat(before).as("there is no more room").isLessThan(10);
        world.fromOutside(RouterWorld.PHONE, invite(1));
        assertThat(world.in).hasSize(before + 1);
        InetAddress from = RouterWorld.PHONE.getAddress();
        assertThat(repeats(invite(1), from)).as("for the router's own shedding").isTrue();
        assertThat(repeats(invite(10), from)).as("it was refused").isFalse();
        assertThat(repeats(invite(11), from)).as("it is new").isFalse();
        String other = invite(1).replace("Call-ID: h1", "Call-ID: x1");
        assertThat(repeats(other, from)).as("another call by the same branch").isFalse();
        world.now += TimeUnit.SECONDS.toNanos(EdgeAdmission.KEPT_SECONDS);
        assertThat(repeats(invite(1), from)).isFalse();
    }

    /** The simplest flood is one datagram again and again. */
    @Test
    void whoRepeatsMoreThanAnybodyDoesIsShedLikeNewWork() {
        world.nodes(1);
        world.spread(1);
        world.fromOutside(RouterWorld.PHONE, invite(1));
        InetAddress from = RouterWorld.PHONE.getAddress();
        for (int i = 0; i < EdgeAdmission.MOST_REPEATS; i++) {
            assertThat(repeats(invite(1), from)).isTrue();
        }
        assertThat(repeats(invite(1), from)).isFalse();
    }

    /** Its caller knows of the refusal, and has gone: a repeat on its way must not ring. */
    @Test
    void whatWasRefusedStaysRefusedWhenItsNodeShedsNoMore() {
        world.nodes(1);
        world.spread(1);
        says(1, NodeHealth.OVERLOADED, 1);
        for (int i = 1; i <= 10; i++) {
            world.fromOutside(RouterWorld.PHONE, invite(i));
        }
        int before = world.in.size();
        says(1, NodeHealth.READY, 0);
        world.fromOutside(RouterWorld.PHONE, invite(10));
        assertThat(world.in).hasSize(before);
        assertThat(world.lastOut().text()).startsWith("SIP/2.0 503 ");
        world.now += TimeUnit.SECONDS.toNanos(EdgeAdmission.KEPT_SECONDS);
        world.beat(1);
        world.fromOutside(RouterWorld.PHONE, invite(10));
        assertThat(world.in).hasSize(before + 1);
    }

    /** A call that was given to the node rings; one that was refused does not. */
    @Test
    void aRepeatHasTheFateOfTheFirstAtAnOutlierToo() {
        world.nodes(1, 2);
        world.spread(1);
        answersNobody(80, 10);
        world.fromOutside(phone(79 % 10), invite(79));
        assertThat(world.in).as("it was forwarded before").hasSize(81);
        world.fromOutside(RouterWorld.PHONE, invite(1000)); // the question
        world.fromOutside(RouterWorld.PHONE, invite(1001));
        assertThat(world.in).hasSize(82);
        world.nodes
                .get(1)
                .sends(7, RouterWorld.PHONE, "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP x\r\n\r\n");
        world.fromOutside(RouterWorld.PHONE, invite(1001));
        assertThat(world.in).as("it was refused").hasSize(82);
    }

    /** RFC 3261 8.2.7: a server without transactions ignores ACKs. */
    @Test
    void theAckToARefusalOfTheRouterIsNoWorkForTheNode() {
        world.nodes(1);
        world.spread(1);
        says(1, NodeHealth.OVERLOADED, 1);
        for (int i = 1; i <= 10; i++) {
            world.fromOutside(RouterWorld.PHONE, invite(i));
        }
        String answer = world.lastOut().text();
        assertThat(answer).startsWith("SIP/2.0 503 ").contains("Call-ID: h10\r\n");
        int before = world.in.size();
        world.fromOutside(RouterWorld.PHONE, ack(10, answer));
        assertThat(world.in).hasSize(before);
        assertThat(world.count(RouterCounter.REFUSED_ACKED)).isOne();
        world.fromOutside(RouterWorld.PHONE, ack(11, answer));
        assertThat(world.in).as("of another request").hasSize(before + 1);
        world.fromOutside(RouterWorld.PHONE, bye(10).replace("BYE", "ACK"));
        assertThat(world.in).as("to a node's answer").hasSize(before + 2);
    }

    private static String ack(int call, String answer) {
        int to = answer.indexOf("To: ");
        return invite(call)
                .replace("INVITE", "ACK")
                .replace(
                        "To: <sip:b@example.com>",
                        answer.substring(to, answer.indexOf("\r\n", to)));
    }

    private boolean repeats(String message, InetAddress from) {
        byte[] bytes = RouterWorld.bytes(message);
        return world.forwarder.repeats(bytes, bytes.length, from, world.now);
    }

    @Test
    void aNodeThatNoLongerShedsGetsEverything() {
        world.nodes(1);
        world.spread(1);
        says(1, NodeHealth.OVERLOADED, 1);
        world.fromOutside(RouterWorld.PHONE, invite(1));
        world.fromOutside(RouterWorld.PHONE, invite(2));
        says(1, NodeHealth.READY, 0);
        for (int i = 10; i < 60; i++) {
            world.fromOutside(RouterWorld.PHONE, invite(i));
        }
        assertThat(world.in).hasSizeGreaterThanOrEqualTo(51);
    }

    @Test
    void withoutAnOwnerOneThatTakesNewCallsComesBeforeOneThatLeaves() {
        world.nodes(1, 2);
        says(1, NodeHealth.DRAINING, 0);
        says(2, NodeHealth.READY, 0);
        for (int i = 0; i < 20; i++) {
            world.fromOutside(RouterWorld.PHONE, invite(i));
            assertThat(world.lastIn().node()).isEqualTo(2);
        }
        says(2, NodeHealth.ISOLATED, 0);
        world.fromOutside(RouterWorld.PHONE, invite(99));
        assertThat(world.in).hasSize(21);
    }

    @Test
    void theStateOfANodeInAWord() {
        world.nodes(1, 2);
        says(1, NodeHealth.DRAINING, 0);
        NodeWatch watch = world.forwarder.admission().watch();
        assertThat(watch.word(world.peer(1), world.now)).isEqualTo("draining");
        says(1, NodeHealth.GONE, 0);
        assertThat(watch.word(world.peer(1), world.now)).isEqualTo("gone");
        world.onlyAlive(1);
        assertThat(watch.word(world.peer(2), world.now)).isEqualTo("silent for 1 s");
        assertThat(watch.word(world.peer(9), world.now)).isEqualTo("never heard");
    }
}
