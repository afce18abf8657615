package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.LegEnding;
import io.carillon.servlet.port.CallStore;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.transaction.InviteClientTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What its node sent was lost, and with it the node that would have sent it again. */
class LostOnTheWayTest {
    private static final Duration SHORT = AdoptedCallsTest.SHORT;

    @TempDir Path folder;

    /** It was lost on the way, or never left: the record was written before. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInviteThatNobodyHasAnsweredIsSentAgain(boolean proxied) {
        TwoNodes nodes = proxied ? proxying() : calling();
        SipRequest lost = nodes.bob.request("INVITE");
        nodes.fail();
        if (proxied) {
            nodes.alice.send(EarlyCallsTest.proxied(nodes, "INVITE"));
        } else {
            EarlyCallsTest.brought(nodes);
        }
        assertThat(nodes.bob.requests("INVITE")).as("what has just come goes first").isOne();
        nodes.run(Duration.ofMillis(600));
        assertThat(nodes.bob.requests("INVITE")).as("the same bytes").isEqualTo(2);
        nodes.bob.respond(lost, 486, "b");
        nodes.bob.request("ACK");
        nodes.assertEnded(1);
    }

    /** One that rings knows it; RFC 3261 17.1.1.2: it is not repeated from then on. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInviteThatRingsIsNotSentAgain(boolean proxied) {
        TwoNodes nodes = proxied ? proxying() : calling();
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, 180, "b");
        nodes.run(SHORT);
        nodes.fail();
        EarlyCallsTest.brought(nodes);
        assertThat(nodes.bob.requests("INVITE")).isOne();
        nodes.bob.respond(invite, 486, "b");
        nodes.bob.request("ACK");
        nodes.assertEnded(1);
    }

    /** The next node has the call, and he repeats his 200 to it. */
    @Test
    void a200ThatComesAsItsCallLeavesEndsNothing() {
        List<Keeper> keepers = new ArrayList<>();
        TwoNodes nodes =
                TwoNodes.protecting(server -> {
                    Keeper keeper = new Keeper();
                    keepers.add(keeper);
                    server.deploy(keeper, ExecutionMode.ADAPTIVE);
                });
        keepers.getFirst().call("sip:bob@10.0.0.3");
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, 180, "b");
        nodes.run(SHORT);
        ApplicationSession call = nodes.server.container.sessions().all().iterator().next();
        BitSet partitions = new BitSet();
        call.inTurn(() -> partitions.set(CallPartition.of(call)));
        assertThat(call.enter()).isTrue();
        nodes.adoption.leaving().letGo(partitions, one -> true, (partition, all) -> {});
        nodes.bob.respond(invite, 200, "b");
        nodes.run(SHORT);
        call.exit();
        nodes.run(Duration.ofSeconds(1));
        assertThat(call.isValid()).isFalse();
        assertThat(nodes.bob.requests("ACK")).isZero();
        assertThat(nodes.bob.requests("BYE")).isZero();
    }

    /** The ACK for his 200 was lost, and with it the node that would have sent it again. */
    @Test
    void whoAnsweredAndRepeatsHis200GetsItsAck() {
        TwoNodes nodes = calling();
        SipRequest invite = nodes.bob.request("INVITE");
        Leg bob = answers(nodes, invite);
        nodes.run(SHORT);
        nodes.fail();
        nodes.bob.respond(invite, 200, "b");
        nodes.bob.request("ACK");
        bob.bye();
        nodes.assertEnded(1);
    }

    /**
     * The 200 was lost on its way to the caller, and then the proxy's node: what the callee repeats
     * goes on to him.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a200ThatItsCallerDidNotGetIsForwardedByTheNextNode(int proxies) throws IOException {
        TwoNodes nodes = proxies == 1 ? proxying() : proxyingTwice();
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, 200, "b");
        Leg alice = Leg.caller(nodes.alice, nodes.alice.response(200)); // let it be lost
        nodes.fail();
        assertThat(answers(nodes)).isOne();
        nodes.bob.respond(invite, 200, "b");
        nodes.run(SHORT);
        assertThat(answers(nodes)).isEqualTo(2);
        alice.ack();
        Leg bob = Leg.callee(nodes.bob, invite, "b");
        bob.comes("ACK");
        nodes.bob.respond(invite, 200, "b"); // the ACK was lost behind us
        nodes.run(SHORT);
        assertThat(answers(nodes)).isEqualTo(3);
        alice.send("BYE");
        bob.answersAny("BYE");
        nodes.alice.response(200);
        nodes.assertEnded(proxies);
    }

    /** The ACK was lost behind a proxy of ours, and a leg of ours had sent it. */
    @ParameterizedTest
    @EnumSource(
            value = Transport.class,
            names = {"UDP", "TCP"})
    void a200ThatComesBackToALegOfOursThroughAProxyOfOursGetsItsAck(Transport callee)
            throws IOException {
        TwoNodes nodes = calledThroughAProxy(callee);
        nodes.bob.over(callee);
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, 200, "b");
        Leg alice = Leg.caller(nodes.alice, nodes.alice.response(200));
        alice.ack();
        Leg bob = Leg.callee(nodes.bob, invite, "b");
        bob.comes("ACK"); // let it be lost
        nodes.run(SHORT);
        nodes.fail();
        nodes.bob.respond(invite, 200, "b");
        SipRequest ack = bob.comes("ACK");
        assertThat(ack.header(HeaderName.ROUTE)).as("it went through the proxy").isNull();
        alice.send("BYE");
        bob.answersAny("BYE");
        nodes.alice.response(200);
        nodes.assertEnded(2);
    }

    /** RFC 6026 7.3: nothing is forwarded for who was not called, and for nobody without end. */
    @Test
    void noOtherThanTheCalleeRepeatsA200AndHeNotWithoutEnd() {
        TwoNodes nodes = proxying();
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, 200, "b");
        Leg alice = Leg.caller(nodes.alice, nodes.alice.response(200));
        nodes.fail();
        new RawPeer(nodes.network, "10.0.0.4", 5060).respond(invite, 200, "b");
        nodes.bob.respond(invite, 200, "another");
        nodes.run(SHORT);
        assertThat(answers(nodes)).isOne();
        for (int i = 0; i < 100; i++) {
            nodes.bob.respond(invite, 200, "b");
        }
        nodes.run(SHORT);
        assertThat(answers(nodes)).isEqualTo(1 + InviteClientTransaction.MOST_ACKS_AGAIN);
        alice.ack();
        Leg bob = Leg.callee(nodes.bob, invite, "b");
        bob.comes("ACK");
        alice.send("BYE");
        bob.answersAny("BYE");
        nodes.alice.response(200);
        nodes.assertEnded(1);
    }

    /** Nobody else would: who has ended the call has his answer. */
    @Test
    void aByeThatNobodyHasAnsweredIsSentAgain() {
        TwoNodes nodes = calling();
        SipRequest invite = nodes.bob.request("INVITE");
        Leg bob = answers(nodes, invite);
        ApplicationSession call = nodes.server.container.sessions().all().iterator().next();
        call.inTurn(() -> LegEnding.bye(call.sessions().getFirst()));
        bob.comes("BYE");
        nodes.fail();
        nodes.run(SHORT);
        bob.answers("BYE");
        nodes.assertEnded(1);
    }

    /** Its end was written after the next node had looked through the records. */
    @Test
    void aCallThatHasEndedAtTheNodeBeforeIsNotLost() {
        TwoNodes nodes = proxying();
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, 200, "b");
        Leg alice = Leg.caller(nodes.alice, nodes.alice.response(200));
        nodes.fail();
        nodes.run(SHORT);
        assertThat(nodes.adoption.known()).isOne();
        nodes.store
                .records()
                .replaceAll((id, state) ->
                        new CallStore.State(
                                state.partition(), id, state.term(), state.sequence() + 1, null));
        alice.send("BYE");
        nodes.alice.response(481);
        assertThat(nodes.adoption.known()).isZero();
        assertThat(nodes.adoption.lost()).isZero();
        nodes.assertEnded(0);
    }

    /** RFC 6026 7.1 and 8.4: timers L and M of its transactions have fired. */
    @Test
    void a200IsNotForwardedWhenItsTransactionWouldBeOver() {
        TwoNodes nodes = proxying();
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, 200, "b");
        nodes.alice.response(200);
        nodes.fail();
        nodes.run(Duration.ofSeconds(31));
        nodes.bob.respond(invite, 200, "b");
        nodes.run(SHORT);
        assertThat(answers(nodes)).isEqualTo(2);
        nodes.run(Duration.ofSeconds(2));
        nodes.bob.respond(invite, 200, "b");
        nodes.run(SHORT);
        assertThat(answers(nodes)).isEqualTo(2);
    }

    /** A re-INVITE may have come by another way than the INVITE. */
    @Test
    void the200OfAReInviteDoesNotGoByTheWayOfTheInvite() {
        TwoNodes nodes = proxying();
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, 200, "b");
        Leg alice = Leg.caller(nodes.alice, nodes.alice.response(200));
        alice.ack();
        Leg bob = Leg.callee(nodes.bob, invite, "b");
        bob.comes("ACK");
        alice.send("INVITE");
        SipRequest again = bob.answersAny("INVITE");
        nodes.alice.response(200);
        nodes.fail();
        nodes.bob.respond(again, 200, "b");
        nodes.run(SHORT);
        assertThat(answers(nodes)).isEqualTo(2);
    }

    /** He answers with 200, and has its ACK. */
    private static Leg answers(TwoNodes nodes, SipRequest invite) {
        nodes.bob.respond(invite, 200, "b");
        Leg bob = Leg.callee(nodes.bob, invite, "b");
        bob.comes("ACK");
        return bob;
    }

    /** That came to the caller, with the repeated ones. */
    private static long answers(TwoNodes nodes) {
        return nodes.alice.all.stream()
                .filter(message -> message instanceof SipResponse one && one.status() == 200)
                .count();
    }

    private static TwoNodes calling() {
        List<Keeper> keepers = new ArrayList<>();
        TwoNodes nodes =
                new TwoNodes(server -> {
                    Keeper keeper = new Keeper();
                    keepers.add(keeper);
                    server.deploy(keeper, ExecutionMode.ADAPTIVE);
                });
        keepers.getFirst().call("sip:bob@10.0.0.3");
        return nodes;
    }

    private static TwoNodes proxying() {
        TwoNodes nodes =
                new TwoNodes(server -> server.deploy(new Passes(), ExecutionMode.ADAPTIVE));
        nodes.alice.send(EarlyCallsTest.proxied(nodes, "INVITE"));
        return nodes;
    }

    /** A B2BUA whose second leg goes through a proxy of the same server. */
    private TwoNodes calledThroughAProxy(Transport callee) throws IOException {
        String target = "sip:bob@10.0.0.3;transport=" + callee.name().toLowerCase(Locale.ROOT);
        return oneBehindTheOther(() -> new Bridge(target));
    }

    /** By two applications, one behind the other. */
    private TwoNodes proxyingTwice() throws IOException {
        return oneBehindTheOther(Passes::new);
    }

    /** The second one is a proxy. */
    private TwoNodes oneBehindTheOther(Supplier<SipServlet> first) throws IOException {
        Path dar = folder.resolve("dar.properties");
        Files.writeString(
                dar,
                """
                INVITE: ("first", "DAR:From", "ORIGINATING", "", "NO_ROUTE", "0"), \
                ("second", "DAR:From", "NEUTRAL", "", "NO_ROUTE", "1")
                """);
        TwoNodes nodes =
                new TwoNodes(
                        server -> {
                            AdoptedCallsTest.deploy(server, "first", first.get());
                            AdoptedCallsTest.deploy(server, "second", new Passes());
                        },
                        dar);
        nodes.alice.send(EarlyCallsTest.proxied(nodes, "INVITE"));
        return nodes;
    }
}
