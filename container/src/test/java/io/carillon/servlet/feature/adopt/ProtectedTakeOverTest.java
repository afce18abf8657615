package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.feature.protect.ProtectionStatus;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node writes its calls by itself, dies at once after a message by which a peer relies on one,
 * and the next node goes on with what was written.
 */
class ProtectedTakeOverTest {
    private static final Duration SHORT = AdoptedCallsTest.SHORT;

    private static TwoNodes bridge(ExecutionMode mode) {
        return TwoNodes.protecting(
                server -> server.deploy(new Bridge("sip:b@10.0.0.3:5060"), mode));
    }

    private static ProtectionStatus status(TwoNodes nodes) {
        return Objects.requireNonNull(nodes.protection).status();
    }

    private static void invite(TwoNodes nodes) {
        invite(nodes, "sip:bob@10.0.0.1");
    }

    private static void invite(TwoNodes nodes, String uri) {
        nodes.alice.request(
                "INVITE " + uri,
                "<sip:alice@x>;tag=a",
                "<sip:bob@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
    }

    /**
     * Its node was cut off for a moment, and nobody has taken its partition: the term is the same.
     */
    @Test
    void aCallThatComesBackToItsNodeIsWrittenBehindWhatTheStoreHas() {
        TwoNodes nodes = bridge(ExecutionMode.ADAPTIVE);
        Leg[] legs = AdoptedCallsTest.connect(nodes, "sip:bob@10.0.0.1", "c1");
        legs[0].send("INFO");
        legs[1].answers("INFO");
        nodes.alice.response(200);
        nodes.run(Duration.ofSeconds(1));
        int partition = nodes.store.records().values().iterator().next().partition();

        nodes.adoption.lost(partition);
        nodes.run(SHORT);
        nodes.adoption.promoted(partition, 1);
        nodes.run(SHORT);
        legs[0].send("BYE");
        legs[1].answers("BYE");
        nodes.alice.response(200);
        nodes.assertEnded(1);
        assertThat(nodes.store.records().values())
                .as("the record is removed")
                .allMatch(state -> state.bytes() == null);
    }

    /** The 2xx has just come, the ACK meets the next node. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aCallWhose2xxHasJustLeftGoesOn(ExecutionMode mode) {
        TwoNodes nodes = bridge(mode);
        invite(nodes);
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, 200, "b");
        SipResponse ok = nodes.alice.response(200);

        nodes.fail();

        Leg bob = Leg.callee(nodes.bob, invite, "b");
        Leg alice = Leg.caller(nodes.alice, ok);
        alice.ack();
        nodes.run(SHORT);
        nodes.alice.forget();
        nodes.bob.forget();
        alice.send("BYE");
        bob.answers("BYE");
        nodes.alice.response(200);
        nodes.run(Duration.ofMinutes(4)); // what is left of the callee's INVITE expires
        nodes.assertEnded(1);
        assertThat(nodes.store.records().values())
                .as("the record is removed by who ended the call")
                .allMatch(state -> state.bytes() == null);
        assertThat(status(nodes).calls() + status(nodes).unprotectedCalls()).isZero();
    }

    /** Both ends of an established call go on. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anEstablishedCallGoesOnFromEitherSide(boolean callerFirst) {
        TwoNodes nodes = bridge(ExecutionMode.ADAPTIVE);
        Leg[] legs = AdoptedCallsTest.connect(nodes, "sip:bob@10.0.0.1", "c1");

        nodes.fail();

        Leg one = legs[callerFirst ? 0 : 1];
        Leg other = legs[callerFirst ? 1 : 0];
        RawPeer first = callerFirst ? nodes.alice : nodes.bob;
        RawPeer second = callerFirst ? nodes.bob : nodes.alice;
        reinvite(one, other, first);
        reinvite(other, one, second);
        nodes.run(SHORT);
        assertThat(status(nodes).calls()).as("protected again, in the next term").isEqualTo(1);
        one.send("BYE");
        other.answers("BYE");
        first.response(200);
        nodes.assertEnded(1);
    }

    private static void reinvite(Leg from, Leg to, RawPeer sender) {
        from.send("INVITE");
        to.answers("INVITE");
        sender.response(200);
        from.ack();
        to.comes("ACK");
    }

    /** A call that rings is answered at the next node, and the 2xx waits there too. */
    @Test
    void aCallThatRingsIsAnsweredAtTheNextNode() {
        TwoNodes nodes =
                TwoNodes.protecting(server ->
                        server.deploy(new EarlyCallsTest.Ringing(), ExecutionMode.ADAPTIVE));
        invite(nodes);
        nodes.alice.response(180);

        nodes.fail();

        String id = nodes.store.records().keySet().iterator().next();
        nodes.run(SHORT);
        nodes.adoption.bring(id, () -> {});
        nodes.run(SHORT);
        ApplicationSession call =
                Objects.requireNonNull(nodes.server.container.sessions().find(id));
        long before = status(nodes).leftProtected();
        EarlyCallsTest.Ringing.answer(call, 200);
        Leg alice = Leg.caller(nodes.alice, nodes.alice.response(200));
        assertThat(status(nodes).leftProtected() - before).isEqualTo(1);
        alice.ack();
        alice.bye();
        nodes.assertEnded(1);
        assertThat(nodes.store.records().values()).allMatch(state -> state.bytes() == null);
    }

    /**
     * Whenever the node dies: if the caller has heard of the call, its record is there. The store
     * answers after a millisecond, so nothing leaves unprotected.
     */
    @ParameterizedTest
    @CsvSource({
        "NON_BLOCKING, false",
        "ADAPTIVE, false",
        "BLOCKING, false",
        "NON_BLOCKING, true",
        "ADAPTIVE, true",
        "BLOCKING, true"
    })
    void whoeverHasHeardOfACallFindsItAtTheNextNode(ExecutionMode mode, boolean proxy) {
        int heard = 0;
        for (int micros = 0; micros < 30_000; micros += 97) {
            TwoNodes nodes =
                    proxy
                            ? TwoNodes.protecting(server -> server.deploy(new Passes(), mode))
                            : bridge(mode);
            invite(nodes, proxy ? "sip:bob@10.0.0.3" : "sip:bob@10.0.0.1");
            long ringsAt = nodes.network.time().nanoTime() + 6_000_000;
            nodes.network.time().at(ringsAt, () -> answer(nodes, 180));
            nodes.network.time().at(ringsAt + 8_000_000, () -> answer(nodes, 200));
            nodes.run(Duration.ofNanos(micros * 1_000L));
            nodes.die();
            nodes.run(SHORT);
            boolean relies = nodes.alice.responses(180) + nodes.alice.responses(200) > 0;
            if (relies) {
                heard++;
                assertThat(nodes.store.records()).as("killed after %d us", micros).hasSize(1);
            }
        }
        assertThat(heard).isBetween(50, 250);
    }

    private static void answer(TwoNodes nodes, int status) {
        nodes.bob.all.stream()
                .filter(message -> message instanceof SipRequest)
                .map(message -> (SipRequest) message)
                .filter(request -> request.is("INVITE"))
                .findFirst()
                .ifPresent(invite -> nodes.bob.respond(invite, status, "b"));
    }

    /** Nothing is removed by a node that has lost the call. */
    @Test
    void aNodeThatHasLostItsPartitionLeavesTheRecord() {
        TwoNodes nodes = bridge(ExecutionMode.NON_BLOCKING);
        AdoptedCallsTest.connect(nodes, "sip:bob@10.0.0.1", "c1");
        int partition = nodes.store.records().values().iterator().next().partition();
        nodes.adoption.lost(partition);
        nodes.run(Duration.ofMinutes(10));
        assertThat(nodes.store.records().values())
                .hasSize(1)
                .allMatch(state -> state.bytes() != null);
        assertThat(nodes.server.container.callsHeld()).isZero();
        assertThat(status(nodes).calls()).isZero();
    }
}
