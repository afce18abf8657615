package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ApplicationKey;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.Partitions;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.time.Duration;
import java.util.BitSet;
import java.util.Set;
import java.util.TreeSet;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import javax.servlet.sip.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In a cluster all of a call, both legs of it, is in one partition, from the first byte on. */
@SuppressWarnings("deprecation") // SipApplicationSession.encodeURI
class ClusterCallsTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final int LOOPS = 3;

    /** Owns what it is told to, and notes what is asked for: each message and timer asks. */
    private static final class Asked implements Ownership {
        final BitSet owned = new BitSet();
        final Set<Integer> asked = new TreeSet<>();

        @Override
        public boolean owns(int partition) {
            asked.add(partition);
            return owned.get(partition);
        }

        @Override
        public long term(int partition) {
            return 1;
        }
    }

    private final Asked ownership = new Asked();
    private final StackConfig stack =
            StackConfig.builder()
                    .cluster(new ClusterPlace(5, ClusterKeys.of(1, 2), ownership, LOOPS, () -> 0))
                    .build();
    private final Server server =
            new Server(
                    new SimulatedNetwork(new VirtualTime(), 7),
                    "10.0.0.1",
                    LOOPS,
                    7,
                    new RoundTripStore(),
                    stack,
                    ContainerConfig.defaults());
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");

    ClusterCallsTest() {
        ownership.owned.set(0, Ownership.PARTITIONS);
    }

    private OwnTokens tokens() {
        return stack.tokens();
    }

    private String invite(String callId, String uri) {
        alice.request("INVITE " + uri, FROM, "<sip:uas@y>", callId, 1, contact());
        return callId;
    }

    private static String contact() {
        return "Contact: <sip:10.0.0.2:5060>";
    }

    private static String request(
            String method, SipRequest invite, String tag, int cseq, String route) {
        return method
                + " sip:server@10.0.0.1 SIP/2.0\nVia: SIP/2.0/UDP 10.0.0.3:5060;branch=z9hG4bK"
                + method
                + cseq
                + "\nMax-Forwards: 70\nFrom: "
                + invite.to()
                + ";tag="
                + tag
                + "\nTo: "
                + invite.from()
                + "\nCall-ID: "
                + invite.callId()
                + "\nCSeq: "
                + cseq
                + ' '
                + method
                + '\n'
                + route
                + "Contact: <sip:10.0.0.3:5060>\nContent-Length: 0\n\n";
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void bothLegsOfABackToBackUserAgentAreInThePartitionOfTheCaller(ExecutionMode mode) {
        server.deploy(new Bridge("sip:uas@10.0.0.3:5060"), mode);
        for (int i = 0; i < 20; i++) {
            ownership.asked.clear();
            String callId = invite("call-" + i + "@h", "sip:uas@10.0.0.1");
            int partition = Partitions.ofCallId(callId);
            SipRequest invite = bob.request("INVITE");
            assertThat(tokens().partitionIn(invite.callId())).isEqualTo(partition);
            assertThat(tokens().partitionIn(invite.fromTag())).isEqualTo(partition);
            bob.respond(invite, 180, "b");
            alice.response(180);
            bob.respond(invite, 200, "b");
            SipResponse ok = alice.response(200);
            String to = "<sip:uas@y>;tag=" + ok.toTag();
            alice.request("ACK sip:10.0.0.1:5060", FROM, to, callId, 1);
            bob.request("ACK");
            bob.send(request("INFO", invite, "b", 1, ""));
            SipRequest info = alice.request("INFO");
            alice.respond(info, 200, "");
            bob.response(200);
            bob.send(request("BYE", invite, "b", 2, ""));
            SipRequest bye = alice.request("BYE");
            alice.respond(bye, 200, "");
            bob.response(200);
            server.run(Duration.ofSeconds(70));
            assertThat(ownership.asked).as("messages and timers").containsExactly(partition);
        }
        server.assertEmpty();
        assertThat(server.node.leftovers()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aProxiedCallIsInThePartitionOfItsCallId(ExecutionMode mode) {
        server.deploy(new ProxyTest.Forwarder(), mode);
        for (int i = 0; i < 20; i++) {
            ownership.asked.clear();
            String callId = invite("call-" + i + "@h", "sip:uas@10.0.0.1");
            int partition = Partitions.ofCallId(callId);
            SipRequest invite = bob.request("INVITE");
            bob.respond(invite, 200, "b");
            SipResponse ok = alice.response(200);
            String route = ok.header(HeaderName.RECORD_ROUTE);
            String to = "<sip:uas@y>;tag=b";
            alice.request("ACK sip:uas@10.0.0.3:5060", FROM, to, callId, 1, "Route: " + route);
            bob.request("ACK");
            bob.send(
                    request("BYE", invite, "b", 2, "Route: " + route + "\n")
                            .replace("sip:server@10.0.0.1", "sip:10.0.0.2:5060"));
            SipRequest bye = alice.request("BYE");
            alice.respond(bye, 200, "");
            bob.response(200);
            server.run(Duration.ofSeconds(70));
            assertThat(ownership.asked).as("messages and timers").containsExactly(partition);
        }
        server.assertEmpty();
    }

    private TargetingTest.Room rooms() throws Exception {
        TargetingTest.Room room = new TargetingTest.Room();
        server.container.deploy(
                ApplicationDescription.builder("rooms")
                        .servlet("main", () -> room)
                        .execution(ExecutionMode.NON_BLOCKING)
                        .key(new ApplicationKey(TargetingTest.Room.class.getName(), "key"))
                        .build());
        return room;
    }

    @Test
    void aCallWithAKeyIsInThePartitionOfItsKey() throws Exception {
        rooms();
        int partition = Partitions.ofKey("blue");
        for (int i = 0; i < 10; i++) {
            String callId = invite("call-" + i + "@h", "sip:blue@10.0.0.1");
            SipResponse ok = alice.response(200);
            assertThat(tokens().partitionIn(ok.toTag())).isEqualTo(partition);
            String to = "<sip:uas@y>;tag=" + ok.toTag();
            alice.request("ACK sip:10.0.0.1", FROM, to, callId, 1);
            server.run(Duration.ofSeconds(1));
            ownership.asked.clear();
            alice.request("BYE sip:10.0.0.1", FROM, to, callId, 2);
            alice.response(200);
            server.run(Duration.ofSeconds(1));
            assertThat(ownership.asked).containsExactly(partition);
        }
    }

    @Test
    void aCallWhoseKeyIsAnotherNodesIsRefusedAndNothingIsKept() throws Exception {
        rooms();
        ownership.owned.clear(Partitions.ofKey("blue"));
        invite("call@h", "sip:blue@10.0.0.1");
        alice.response(503);
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @Test
    void aRequestToAUriThatStandsForASessionComesToItsPartition() throws Exception {
        TargetingTest.Room room = rooms();
        invite("first@h", "sip:nobody@10.0.0.1");
        String to = "<sip:uas@y>;tag=" + alice.response(200).toTag();
        alice.request("ACK sip:10.0.0.1", FROM, to, "first@h", 1);
        int partition = Partitions.ofCallId("first@h");
        URI uri = room.factory().createURI("sip:app@10.0.0.1");
        room.call(0).encodeURI(uri);
        server.run(Duration.ofSeconds(1));
        ownership.asked.clear();
        invite("second@h", uri.toString());
        SipResponse ok = alice.response(200);
        assertThat(room.call(1)).isSameAs(room.call(0));
        assertThat(tokens().partitionIn(ok.toTag())).isEqualTo(partition);
        assertThat(ownership.asked).contains(partition);
        assertThat(ownership.asked).doesNotContain(Partitions.ofCallId("second@h"));
    }

    @Test
    void aCallThatAnApplicationBeginsIsInAPartitionOfThisNode() throws Exception {
        TargetingTest.Room room = rooms();
        ownership.owned.clear();
        ownership.owned.set(100);
        ownership.owned.set(101);
        ownership.owned.set(102);
        BitSet used = new BitSet();
        for (int i = 0; i < 20; i++) {
            SipApplicationSession session = room.factory().createApplicationSession();
            room.factory()
                    .createRequest(session, "MESSAGE", "sip:us@x", "sip:uas@10.0.0.3:5060")
                    .send();
            SipRequest message = bob.request("MESSAGE");
            int partition = tokens().partitionIn(message.callId());
            assertThat(tokens().partitionIn(message.fromTag())).isEqualTo(partition);
            bob.respond(message, 200, "b");
            used.set(partition);
        }
        assertThat(used.stream()).allMatch(ownership.owned::get);
        assertThat(used.cardinality()).as("as many as there are loops").isEqualTo(LOOPS);
    }

    /** It came by no router, so it cannot be handed on: its sender tries again, or elsewhere. */
    @Test
    void replacesOfADialogOnAnotherNodeBeginsNoNewCallHere() throws Exception {
        rooms();
        String elsewhere = server.node.shards().getFirst().newTag(700);
        ownership.owned.clear(700);
        alice.request(
                "INVITE sip:nobody@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                contact(),
                "Replaces: c0;to-tag=" + elsewhere + ";from-tag=x");
        alice.response(503);
        ownership.owned.set(700);
        alice.request(
                "INVITE sip:nobody@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c2",
                1,
                contact(),
                "Replaces: c0;to-tag=" + elsewhere + ";from-tag=x");
        alice.response(481);
    }

    @Test
    void anApplicationsTimersWaitUntilThePartitionIsOwnedAgain() throws Exception {
        int[] fired = new int[1];
        SipServlet servlet = new TargetingTest.Room();
        server.deploy(servlet, ExecutionMode.NON_BLOCKING, (TimerListener) timer -> fired[0]++);
        invite("timed@h", "sip:nobody@10.0.0.1");
        alice.response(200);
        TargetingTest.Room room = (TargetingTest.Room) servlet;
        TimerService service =
                (TimerService) servlet.getServletContext().getAttribute(SipServlet.TIMER_SERVICE);
        service.createTimer(room.call(0), 5_000, false, "info");
        ownership.owned.clear();
        server.run(Duration.ofSeconds(20));
        assertThat(fired[0]).isZero();
        ownership.owned.set(0, Ownership.PARTITIONS);
        server.run(Duration.ofSeconds(1));
        assertThat(fired[0]).isEqualTo(1);
    }
}
