package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.shard.Shard;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Large INVITEs of many sources leave room for the calls of everybody else. */
class LargeCallsTest {
    private static final int MAX_BYTES = 4_000_000;

    /** One after the other: what is left where the largest find no room is taken by others. */
    private static final int[] LARGE_BYTES = {55_000, 20_000, 9_000};

    private static final int HONEST = 30;

    /** Of user agents, and Timer C by default. */
    private static final Duration RINGING = Duration.ofSeconds(181);

    private static final Duration EACH_RING = Duration.ofSeconds(30);

    private static final String CALLEE = "sip:callee@10.0.1.1:5060";

    /** Answers at once. */
    private static final class Answering extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doInvite(SipServletRequest invite) throws IOException {
            invite.createResponse(200).send();
        }

        @Override
        protected void doAck(SipServletRequest ack) {}
    }

    /** Proxies everything to the callee. */
    private static final class Forwarding extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doInvite(SipServletRequest invite) throws ServletException, IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            Proxy proxy = invite.getProxy();
            proxy.setProxyTimeout(3_600); // Timer C and what follows it are tested
            proxy.proxyTo(factory.createURI(CALLEE));
        }
    }

    private final Sources sources = new Sources(source -> false, 0x1234_5678_9ABC_DEF0L);
    private final Server server =
            new Server(
                    new SimulatedNetwork(new VirtualTime(), 1),
                    "10.0.0.1",
                    1,
                    1,
                    new RoundTripStore(),
                    StackConfig.builder()
                            .requestHeapBytes(MAX_BYTES)
                            .shares(sources, 25)
                            .ringingWithinNanos(RINGING.toNanos())
                            .build(),
                    ContainerConfig.defaults());
    private final RawPeer callee = server.peer("10.0.1.1");
    private final List<RawPeer> attackers = new ArrayList<>();
    private int handled;
    private int calls;

    LargeCallsTest() {
        // What a back-to-back user agent sends counts for who called it.
        server.container.sessions().shares(new SessionShares(100_000, 25, 50, sources));
    }

    private void deploy(String application) {
        SipServlet servlet =
                switch (application) {
                    case "b2bua" -> new Bridge(CALLEE);
                    case "proxy" -> new Forwarding();
                    default -> new Answering();
                };
        server.deploy(servlet, ExecutionMode.NON_BLOCKING);
    }

    private void call(RawPeer from, String user, int bodyBytes) {
        String invite =
                from.text(
                        "INVITE sip:callee@10.0.0.1:5060",
                        "z9hG4bK-call" + ++calls,
                        "<sip:" + user + "@example.com>;tag=a",
                        "<sip:callee@10.0.0.1>",
                        "call-" + calls,
                        1,
                        "Contact: <sip:" + from.hostPort() + ">",
                        "Content-Type: application/sdp");
        from.send(
                invite.replace("Content-Length: 0", "Content-Length: " + bodyBytes)
                        + "x".repeat(bodyBytes));
        server.run(Duration.ofMillis(5));
    }

    /** The callee lets attackers wait, and picks up else. */
    private void calleeActs() {
        server.run(Duration.ofMillis(50));
        for (; handled < callee.all.size(); handled++) {
            SipMessage message = callee.all.get(handled);
            if (message instanceof SipRequest invite && invite.is("INVITE")) {
                callee.respond(
                        invite,
                        invite.from().toString().contains("attacker") ? 180 : 200,
                        "t" + handled);
            }
        }
        server.run(Duration.ofMillis(50));
    }

    private void attack(int sourceCount, int each) {
        for (int i = 0; i < sourceCount; i++) {
            if (attackers.size() <= i) {
                attackers.add(server.peer("10.0.3." + (i + 1)));
            }
            for (int size : LARGE_BYTES) {
                for (int n = 0; n < each; n++) {
                    call(attackers.get(i), "attacker", size);
                }
            }
        }
        calleeActs();
    }

    /** A call of usual size, from its INVITE to its BYE; was it answered? */
    private boolean honestCallIsServed(int number) {
        RawPeer caller = server.peer("10.0.2." + (number + 1));
        call(caller, "honest", 600);
        calleeActs();
        return caller.responses(200) > 0 && caller.responses(503) == 0;
    }

    private long refused() {
        return attackers.stream()
                .mapToLong(attacker -> attacker.responses(503) + attacker.responses(500))
                .sum();
    }

    private long held() {
        return server.node.shards().stream().mapToLong(Shard::heldBytes).sum();
    }

    @ParameterizedTest
    @CsvSource({
        "uas, 8",
        "uas, 10",
        "uas, 40",
        "b2bua, 8",
        "b2bua, 10",
        "b2bua, 40",
        "proxy, 8",
        "proxy, 10",
        "proxy, 40"
    })
    void smallCallsAreServedBesideLargeOnesOfManySources(String application, int sourceCount) {
        deploy(application);
        attack(sourceCount, 10);
        assertThat(refused()).as("the attack fills the part of large ones").isPositive();
        for (int i = 0; i < HONEST; i++) {
            attack(sourceCount, 1);
            assertThat(honestCallIsServed(i)).as("call %d", i).isTrue();
        }
        assertThat(held()).isLessThan(MAX_BYTES * 3L / 4);
    }

    /** Nobody answers them, and nobody gives them up. */
    @ParameterizedTest
    @ValueSource(strings = {"b2bua", "proxy"})
    void smallCallsAreServedAsLongAsLargeOnesRing(String application) {
        deploy(application);
        attack(10, 10);
        long ringing = held();
        assertThat(ringing).isGreaterThan(MAX_BYTES / 5 * 2);
        assertThat(refused()).isPositive();
        for (int i = 0; i < HONEST; i++) {
            server.run(Duration.ofSeconds(5));
            assertThat(honestCallIsServed(i)).as("call %d", i).isTrue();
        }
        assertThat(held()).as("they ring still").isGreaterThan(MAX_BYTES / 5 * 2);
    }

    /** The callee rings on and on, and answers no CANCEL. */
    private void ring(Duration time) {
        List<SipRequest> invites = new ArrayList<>();
        callee.all.forEach(message -> {
            if (message instanceof SipRequest invite && invite.is("INVITE")) {
                invites.add(invite);
            }
        });
        for (long n = time.dividedBy(EACH_RING); n > 0; n--) {
            invites.forEach(invite -> callee.respond(invite, 180, "ringing"));
            server.run(EACH_RING);
        }
    }

    private long cancelled() {
        return callee.all.stream()
                .filter(message -> message instanceof SipRequest request && request.is("CANCEL"))
                .map(SipMessage::callId)
                .distinct()
                .count();
    }

    /** RFC 3261 16.10: a proxy may cancel "at any time"; 16.7: each 18x sets Timer C anew. */
    @ParameterizedTest
    @ValueSource(strings = {"b2bua", "proxy"})
    void largeCallsThatRingOnGiveWayWhereTheRoomIsScarce(String application) {
        deploy(application);
        attack(10, 10);
        assertThat(held()).isGreaterThan(MAX_BYTES / 5 * 2);
        ring(RINGING.minusSeconds(31));
        assertThat(cancelled()).isZero();
        assertThat(held()).as("they ring still").isGreaterThan(MAX_BYTES / 5 * 2);
        // One ring, and 64*T1 for the CANCEL that nobody answers.
        ring(Duration.ofSeconds(90));
        assertThat(cancelled()).isPositive();
        assertThat(held()).as("the room is free").isLessThan(MAX_BYTES / 4);
        RawPeer caller = server.peer("10.0.2.1");
        call(caller, "honest", 20_000);
        calleeActs();
        assertThat(caller.responses(200)).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"b2bua", "proxy"})
    void aLargeCallRingsOnWhereThereIsRoom(String application) {
        deploy(application);
        call(server.peer("10.0.2.1"), "attacker", 20_000);
        calleeActs();
        ring(RINGING.multipliedBy(4));
        assertThat(cancelled()).isZero();
        attack(10, 10);
        ring(Duration.ofSeconds(90));
        assertThat(cancelled()).as("the room has become scarce").isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"uas", "b2bua", "proxy"})
    void aLargeCallIsServedWhereNobodyAttacks(String application) {
        deploy(application);
        RawPeer caller = server.peer("10.0.2.1");
        for (int i = 0; i < 5; i++) {
            call(caller, "honest", 20_000);
            calleeActs();
        }
        assertThat(caller.responses(503)).isZero();
        assertThat(caller.responses(200)).isPositive();
    }
}
