package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.ServerTransaction;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that rings when its node dies is answered, refused or cancelled at the next one. */
class EarlyCallsTest {
    private static final Duration SHORT = AdoptedCallsTest.SHORT;
    private static final String FROM = "<sip:alice@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    /** Rings, and answers when the test says so, by what it finds in its session. */
    static final class Ringing extends Keeper {
        private static final long serialVersionUID = 1L;

        final transient List<String> events = new ArrayList<>();

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            events.add("INVITE");
            request.getSession().setAttribute("waits", request);
            request.setAttribute("said", "in the request");
            request.createResponse(180).send();
        }

        @Override
        protected void doAck(SipServletRequest request) {
            events.add("ACK");
        }

        @Override
        protected void doCancel(SipServletRequest request) {
            events.add("CANCEL");
        }

        @Override
        protected void doBye(SipServletRequest request) throws IOException {
            events.add("BYE");
            request.createResponse(200).send();
        }

        static void answer(ApplicationSession call, int status) {
            call.inTurn(() -> {
                SipServletRequest invite =
                        (SipServletRequest) call.sessions().getFirst().getAttribute("waits");
                assertThat(invite).as("kept as an attribute").isNotNull();
                assertThat(invite.getAttribute("said")).isEqualTo("in the request");
                try {
                    invite.createResponse(status).send();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    private final List<Ringing> ringing = new ArrayList<>();

    private TwoNodes called() {
        TwoNodes nodes =
                new TwoNodes(server -> {
                    Ringing servlet = new Ringing();
                    ringing.add(servlet);
                    server.deploy(servlet, ExecutionMode.ADAPTIVE);
                });
        nodes.alice.send(invite(nodes, "INVITE"));
        nodes.alice.response(180);
        return nodes;
    }

    private static String invite(TwoNodes nodes, String method) {
        return nodes.alice.text(
                method + " sip:s@10.0.0.1", "z9hG4bKearly", FROM, "<sip:s@y>", "c1", 1, CONTACT);
    }

    static ApplicationSession brought(TwoNodes nodes) {
        String id = nodes.store.records().keySet().iterator().next();
        nodes.run(SHORT);
        nodes.adoption.bring(id, () -> {});
        nodes.run(SHORT);
        return Objects.requireNonNull(nodes.server.container.sessions().find(id));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCallThatRingsHereIsAnswered(boolean repeated) {
        TwoNodes nodes = called();
        String tag = ((SipResponse) nodes.alice.all.getLast()).toTag();
        nodes.fail();
        if (repeated) {
            nodes.alice.send(invite(nodes, "INVITE"));
            nodes.run(SHORT);
        }
        Ringing.answer(brought(nodes), 200);
        SipResponse ok = nodes.alice.response(200);
        assertThat(ok.toTag()).isEqualTo(tag);
        Leg alice = Leg.caller(nodes.alice, ok);
        alice.ack();
        alice.bye();
        assertThat(ringing.getLast().events).containsExactly("ACK", "BYE");
        nodes.assertEnded(1);
    }

    /** Else what it sends is not the partition's, and its routes lead to another one. */
    @Test
    void itsTransactionIsOfThePartitionOfTheCall() {
        TwoNodes nodes =
                TwoNodes.inCluster(server -> server.deploy(new Ringing(), ExecutionMode.ADAPTIVE));
        nodes.alice.send(invite(nodes, "INVITE"));
        nodes.alice.response(180);
        nodes.fail();
        ApplicationSession call = brought(nodes);
        ServletRequest invite = (ServletRequest) call.sessions().getFirst().getAttribute("waits");
        ServerTransaction transaction = Objects.requireNonNull(invite.uas()).transaction();
        assertThat(transaction.partition()).isEqualTo(CallPartition.known(call)).isNotNegative();
    }

    @Test
    void itIsRefused() {
        TwoNodes nodes = called();
        nodes.fail();
        Ringing.answer(brought(nodes), 486);
        nodes.alice.response(486);
        nodes.assertEnded(1);
    }

    @Test
    void itsCallerGivesUp() {
        TwoNodes nodes = called();
        nodes.fail();
        nodes.alice.send(invite(nodes, "CANCEL"));
        nodes.alice.response(200);
        nodes.alice.response(487);
        nodes.run(SHORT);
        assertThat(ringing.getLast().events).containsExactly("CANCEL");
        nodes.assertEnded(1);
    }

    @Test
    void itsCallerGivesUpWhileTheRecordsAreBeingLookedThrough() {
        TwoNodes nodes = called();
        nodes.store.slowNanos = Duration.ofMillis(500).toNanos();
        nodes.fail();
        nodes.alice.send(invite(nodes, "CANCEL"));
        nodes.alice.response(200);
        nodes.alice.response(487);
        nodes.run(SHORT);
        assertThat(ringing.getLast().events).containsExactly("CANCEL");
        nodes.assertEnded(1);
    }

    /** The 180 did not arrive: its caller sends the INVITE again, to the node that is next. */
    @Test
    void aRepeatBeginsNoSecondCallWhileTheRecordsAreBeingLookedThrough() {
        TwoNodes nodes = called();
        String tag = ((SipResponse) nodes.alice.all.getLast()).toTag();
        nodes.store.slowNanos = Duration.ofMillis(500).toNanos();
        nodes.fail();
        nodes.alice.send(invite(nodes, "INVITE"));
        nodes.run(Duration.ofSeconds(1));
        assertThat(ringing.getLast().events).isEmpty();
        Ringing.answer(brought(nodes), 200);
        SipResponse ok = nodes.alice.response(200);
        assertThat(ok.toTag()).isEqualTo(tag);
        Leg alice = Leg.caller(nodes.alice, ok);
        alice.ack();
        alice.bye();
        nodes.assertEnded(1);
    }

    private static String anotherCall(TwoNodes nodes) {
        String uri = "sip:s@10.0.0.1";
        return nodes.alice.text("INVITE " + uri, "z9hG4bKnew", FROM, "<sip:s@y>", "c2", 1, CONTACT);
    }

    /** Where the store cannot be read, what is new begins nevertheless. */
    @Test
    void aNewCallDoesNotWaitForRecordsForLong() {
        TwoNodes nodes = called();
        nodes.store.slowNanos = Duration.ofSeconds(20).toNanos();
        nodes.fail();
        nodes.alice.send(anotherCall(nodes));
        nodes.run(Duration.ofMillis(1_400));
        assertThat(nodes.alice.responses(100)).as("she goes on repeating it").isZero();
        nodes.run(Duration.ofMillis(Adoption.REPEATS_MILLIS - 1_500));
        assertThat(nodes.alice.responses(100)).isOne();
        assertThat(ringing.getLast().events).isEmpty();
        nodes.run(Duration.ofMillis(200));
        assertThat(ringing.getLast().events).containsExactly("INVITE");
    }

    /** Its node dies as well, while the call of an INVITE is still looked for. */
    @Test
    void aNewCallBeginsAtTheNextNodeWhenTheOneThatLooksForItDies() {
        TwoNodes nodes = called();
        nodes.store.slowNanos = Duration.ofSeconds(20).toNanos();
        nodes.fail();
        String invite = anotherCall(nodes);
        nodes.alice.send(invite);
        nodes.run(Duration.ofSeconds(1));
        nodes.die();
        nodes.store.slowNanos = 0;
        nodes.rise();
        assertThat(nodes.alice.responses(100)).as("so it comes again").isZero();
        nodes.alice.send(invite);
        nodes.run(SHORT);
        assertThat(ringing.getLast().events).containsExactly("INVITE");
    }

    /** A second call was begun for its INVITE elsewhere, or its caller is gone. */
    @ParameterizedTest
    @ValueSource(ints = {481, 408})
    void itRingsOnForNobody(int status) {
        TwoNodes nodes = called();
        nodes.server.container.sessions().all().forEach(session -> session.setExpires(0));
        nodes.fail();
        nodes.alice.answerAll(status);
        nodes.run(Duration.ofMillis(2 * (SilentCalls.SILENT_MILLIS + SilentCalls.SPREAD_MILLIS)));
        assertThat(nodes.alice.responses(487)).isPositive();
        assertThat(nodes.adoption.endedSilent()).isEqualTo(1);
        nodes.assertEnded(1);
    }

    @Test
    void itRingsOnForACallerWhoHasIt() {
        TwoNodes nodes = called();
        nodes.server.container.sessions().all().forEach(session -> session.setExpires(0));
        nodes.fail();
        nodes.alice.answerAll(200);
        nodes.run(Duration.ofMillis(2 * (SilentCalls.SILENT_MILLIS + SilentCalls.SPREAD_MILLIS)));
        assertThat(nodes.adoption.asked()).isEqualTo(1);
        nodes.alice.forget();
        Ringing.answer(brought(nodes), 200);
        Leg alice = Leg.caller(nodes.alice, nodes.alice.response(200));
        alice.ack();
        alice.bye();
        nodes.assertEnded(1);
    }

    /** Nobody says anything: the one who answered does not know whether his 200 ever left. */
    @Test
    void theAnswerThatNobodyConfirmedIsSentAgain() {
        TwoNodes nodes = called();
        ApplicationSession call = nodes.server.container.sessions().all().iterator().next();
        Ringing.answer(call, 200);
        nodes.alice.response(200);
        nodes.fail();
        nodes.run(SHORT);
        Leg alice = Leg.caller(nodes.alice, (SipResponse) nodes.alice.all.getLast());
        long before = nodes.alice.responses(200);
        nodes.run(Duration.ofSeconds(1));
        assertThat(nodes.alice.responses(200)).as("until the ACK comes").isGreaterThan(before);
        alice.ack();
        nodes.run(SHORT);
        long then = nodes.alice.responses(200);
        nodes.run(Duration.ofSeconds(5));
        assertThat(nodes.alice.responses(200)).isEqualTo(then);
        alice.bye();
        assertThat(ringing.getLast().events).containsExactly("ACK", "BYE");
        nodes.assertEnded(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 486})
    void aCallOfOursIsAnswered(int status) {
        List<Keeper> keepers = new ArrayList<>();
        TwoNodes nodes =
                new TwoNodes(server -> {
                    Keeper keeper = new Keeper();
                    keepers.add(keeper);
                    server.deploy(keeper, ExecutionMode.ADAPTIVE);
                });
        keepers.getFirst().call("sip:bob@10.0.0.3");
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, 180, "b");
        nodes.fail();
        nodes.bob.respond(invite, status, "b");
        if (status == 200) {
            Leg bob = Leg.callee(nodes.bob, invite, "b");
            bob.comes("ACK");
            nodes.run(SHORT);
            assertThat(keepers.getLast().seen.getLast()).contains("CONFIRMED Käthe17");
            bob.bye();
        } else {
            nodes.bob.request("ACK");
        }
        nodes.assertEnded(1);
    }

    static SipRequest bridged(TwoNodes nodes) {
        nodes.alice.send(invite(nodes, "INVITE"));
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, 180, "b");
        nodes.alice.response(180);
        return invite;
    }

    private static TwoNodes bridge() {
        return new TwoNodes(
                server -> server.deploy(new Bridge("sip:bob@10.0.0.3"), ExecutionMode.ADAPTIVE));
    }

    @Test
    void bothLegsOfABackToBackUserAgentAreAnswered() {
        TwoNodes nodes = bridge();
        SipRequest invite = bridged(nodes);
        nodes.fail();
        nodes.bob.respond(invite, 200, "b");
        Leg bob = Leg.callee(nodes.bob, invite, "b");
        Leg alice = Leg.caller(nodes.alice, nodes.alice.response(200));
        alice.ack();
        bob.comes("ACK");
        alice.send("BYE");
        bob.answers("BYE");
        nodes.alice.response(200);
        nodes.assertEnded(1);
    }

    @Test
    void bothLegsAreRefused() {
        TwoNodes nodes = bridge();
        SipRequest invite = bridged(nodes);
        nodes.fail();
        nodes.bob.respond(invite, 486, "b");
        nodes.bob.request("ACK");
        nodes.alice.response(486);
        nodes.assertEnded(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bothLegsAreCancelled(boolean ringsOn) {
        TwoNodes nodes = bridge();
        SipRequest invite = bridged(nodes);
        nodes.fail();
        if (ringsOn) {
            nodes.bob.respond(invite, 183, "b");
            nodes.alice.response(183);
        }
        nodes.alice.send(invite(nodes, "CANCEL"));
        nodes.alice.response(200);
        nodes.alice.response(487);
        SipRequest cancel = nodes.bob.request("CANCEL");
        assertThat(cancel.topVia().branch()).isEqualTo(invite.topVia().branch());
        nodes.bob.respond(cancel, 200, "b");
        nodes.bob.respond(invite, 487, "b");
        nodes.bob.request("ACK");
        nodes.assertEnded(1);
    }

    /** Between the 2xx and its ACK: each end repeats what it has until it hears the other. */
    @Test
    void bothLegsAreConfirmed() {
        TwoNodes nodes = bridge();
        SipRequest invite = bridged(nodes);
        nodes.bob.respond(invite, 200, "b");
        nodes.alice.response(200);
        nodes.fail();
        nodes.run(SHORT);
        nodes.bob.respond(invite, 200, "b");
        Leg bob = Leg.callee(nodes.bob, invite, "b");
        Leg alice = Leg.caller(nodes.alice, (SipResponse) nodes.alice.all.getLast());
        alice.ack();
        bob.comes("ACK");
        bob.send("BYE");
        alice.answersAny("BYE");
        nodes.bob.response(200);
        nodes.assertEnded(1);
        assertThat(nodes.bob.requests("INVITE")).as("RFC 3261 17.1.1.2: it was answered").isOne();
    }

    /** A re-INVITE that waits for the other end's answer. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReInviteThatIsUnderWayIsAnswered(boolean repeated) {
        TwoNodes nodes = bridge();
        Leg[] ends = AdoptedCallsTest.connect(nodes, "sip:x@10.0.0.1", "c1");
        String again =
                nodes.alice.text(
                        "INVITE sip:10.0.0.1",
                        "z9hG4bKagain",
                        FROM,
                        ends[0].remote(),
                        "c1",
                        7,
                        CONTACT);
        nodes.alice.send(again);
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.fail();
        if (repeated) {
            nodes.alice.send(again);
            nodes.run(SHORT);
        }
        nodes.bob.respond(invite, 200, "b");
        assertThat(nodes.alice.response(200).cseqNumber()).isEqualTo(7);
        nodes.alice.request("ACK sip:10.0.0.1", FROM, ends[0].remote(), "c1", 7);
        assertThat(nodes.bob.request("ACK").cseqNumber()).isEqualTo(invite.cseqNumber());
        ends[1].send("BYE");
        ends[0].answersAny("BYE");
        nodes.bob.response(200);
        nodes.assertEnded(1);
    }

    private final List<Passes> proxies = new ArrayList<>();

    private SipRequest proxied(TwoNodes nodes, int ringing) {
        nodes.alice.send(proxied(nodes, "INVITE"));
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, ringing, "b");
        if (ringing > 100) {
            nodes.alice.response(ringing);
        }
        return invite;
    }

    static String proxied(TwoNodes nodes, String method) {
        return nodes.alice.text(
                method + " sip:bob@10.0.0.3",
                "z9hG4bKearly",
                FROM,
                "<sip:bob@y>",
                "c1",
                1,
                "Route: <sip:10.0.0.1;lr>",
                CONTACT);
    }

    private TwoNodes proxy() {
        return new TwoNodes(server -> {
            proxies.add(new Passes());
            server.deploy(proxies.getLast(), ExecutionMode.ADAPTIVE);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 180})
    void whatAProxyHasForwardedIsAnswered(int ringing) {
        TwoNodes nodes = proxy();
        SipRequest invite = proxied(nodes, ringing);
        nodes.fail();
        nodes.bob.respond(invite, 200, "b");
        Leg bob = Leg.callee(nodes.bob, invite, "b");
        Leg alice = Leg.caller(nodes.alice, nodes.alice.response(200));
        alice.ack();
        bob.comes("ACK");
        alice.send("BYE");
        bob.answersAny("BYE");
        nodes.alice.response(200);
        assertThat(proxies.getLast().seen).hasSize(2);
        nodes.assertEnded(1);
    }

    @Test
    void whatAProxyHasForwardedIsRefused() {
        TwoNodes nodes = proxy();
        SipRequest invite = proxied(nodes, 180);
        nodes.fail();
        nodes.bob.respond(invite, 486, "b");
        nodes.bob.request("ACK");
        nodes.alice.response(486);
        nodes.assertEnded(1);
    }

    @Test
    void whatAProxyHasForwardedIsCancelled() {
        TwoNodes nodes = proxy();
        SipRequest invite = proxied(nodes, 180);
        nodes.fail();
        nodes.alice.send(proxied(nodes, "CANCEL"));
        nodes.alice.response(200);
        SipRequest cancel = nodes.bob.request("CANCEL");
        assertThat(cancel.topVia().branch()).isEqualTo(invite.topVia().branch());
        nodes.bob.respond(cancel, 200, "b");
        nodes.bob.respond(invite, 487, "b");
        nodes.bob.request("ACK");
        nodes.alice.response(487);
        nodes.assertEnded(1);
    }

    /** RFC 3261 16.8: Timer C begins anew at the node that goes on. */
    @Test
    void whatAProxyHasForwardedRingsNotForEver() {
        TwoNodes nodes = proxy();
        SipRequest invite = proxied(nodes, 180);
        nodes.fail();
        nodes.bob.respond(invite, 183, "b");
        nodes.alice.response(183);
        nodes.run(Duration.ofSeconds(170));
        assertThat(nodes.bob.unread()).as("before Timer C").isEmpty();
        nodes.run(Duration.ofSeconds(20));
        nodes.bob.request("CANCEL");
        nodes.bob.respond(invite, 487, "b");
        nodes.alice.response(487);
        nodes.assertEnded(1);
    }
}
