package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A call that rings is given up, and its node dies while it goes through with that: whatever the
 * record says and whoever has heard what, the callee's phone stops ringing, and nothing is left.
 */
class GivenUpCallsTest {
    private static final Duration SHORT = AdoptedCallsTest.SHORT;
    private static final String FROM = "<sip:alice@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    /** Deploys an application whose sessions end with their calls alone. */
    private static void deploy(Server server, SipServlet servlet, ExecutionMode mode) {
        try {
            server.container.deploy(
                    ApplicationDescription.builder("test")
                            .servlet("main", () -> servlet)
                            .execution(mode)
                            .sessionTimeoutMinutes(0)
                            .build());
        } catch (DeploymentException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TwoNodes nodes(boolean proxy, ExecutionMode mode, boolean protects) {
        return TwoNodes.inCluster(
                server ->
                        deploy(server, proxy ? new Passes() : new Bridge("sip:bob@10.0.0.3"), mode),
                protects);
    }

    private static String message(TwoNodes nodes, boolean proxy, String method) {
        String to = "<sip:bob@y>";
        return proxy
                ? nodes.alice.text(
                        method + " sip:bob@10.0.0.3",
                        "z9hG4bKearly",
                        FROM,
                        to,
                        "c1",
                        1,
                        "Route: <sip:10.0.0.1;lr>",
                        CONTACT)
                : nodes.alice.text(
                        method + " sip:bob@10.0.0.1", "z9hG4bKearly", FROM, to, "c1", 1, CONTACT);
    }

    /** Bob's phone rings. */
    private static SipRequest ringing(TwoNodes nodes, boolean proxy) {
        nodes.alice.send(message(nodes, proxy, "INVITE"));
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, 180, "b");
        nodes.alice.response(180);
        nodes.run(SHORT);
        return invite;
    }

    private static long to(List<SipMessage> came, String method) {
        return came.stream().filter(m -> m instanceof SipRequest r && r.is(method)).count();
    }

    /** As {@link #stopsRinging(TwoNodes, SipRequest, int)}, from now on. */
    private static void stopsRinging(TwoNodes nodes, SipRequest invite) {
        stopsRinging(nodes, invite, 0);
    }

    /**
     * Bob's phone does what RFC 3261 9.2 says, as soon as a CANCEL comes, maybe once more.
     *
     * @param before what had come to it and is forgotten
     */
    private static void stopsRinging(TwoNodes nodes, SipRequest invite, int before) {
        SipRequest cancel = null;
        for (int millis = 0; cancel == null && millis < 300_000; millis += 5) {
            nodes.run(Duration.ofMillis(5));
            for (SipMessage message : nodes.bob.all.subList(before, nodes.bob.all.size())) {
                cancel = message instanceof SipRequest r && r.is("CANCEL") ? r : cancel;
            }
        }
        assertThat(cancel).as("a CANCEL").isNotNull();
        assertThat(cancel.topVia().branch()).isEqualTo(invite.topVia().branch());
        nodes.bob.forget();
        nodes.bob.respond(cancel, 200, "b");
        nodes.bob.respond(invite, 487, "b");
        nodes.bob.request("ACK");
    }

    private static long answeredCancels(TwoNodes nodes) {
        return nodes.alice.all.stream()
                .filter(m ->
                        m instanceof SipResponse r
                                && r.status() == 200
                                && r.cseq().method().equals("CANCEL"))
                .count();
    }

    /**
     * Whenever the node dies after the CANCEL came, and although its own CANCEL is lost with it: a
     * caller who has heard an answer is right, and one who has not sends it again.
     */
    @ParameterizedTest
    @CsvSource({
        "false, NON_BLOCKING",
        "false, ADAPTIVE",
        "false, BLOCKING",
        "true, NON_BLOCKING",
        "true, ADAPTIVE",
        "true, BLOCKING"
    })
    void whoeverHasHeardThatHisCancelWasTakenIsRight(boolean proxy, ExecutionMode mode) {
        int heard = 0;
        for (int micros = 0; micros < 20_000; micros += 251) {
            TwoNodes nodes = nodes(proxy, mode, true);
            SipRequest invite = ringing(nodes, proxy);
            nodes.alice.send(message(nodes, proxy, "CANCEL"));
            nodes.run(Duration.ofNanos(micros * 1_000L));
            nodes.die();
            nodes.run(SHORT);
            long answers = answeredCancels(nodes);
            nodes.alice.forget();
            nodes.bob.forget();
            int before = nodes.bob.all.size();
            nodes.rise();
            nodes.run(SHORT);
            if (answers > 0) {
                heard++;
                assertThat(nodes.store.records()).as("killed after %d us", micros).hasSize(1);
            } else {
                nodes.alice.send(message(nodes, proxy, "CANCEL"));
            }
            stopsRinging(nodes, invite, before);
            nodes.run(SHORT);
            assertThat(answeredCancels(nodes)).as("killed after %d us", micros).isNotZero();
            assertThat(nodes.alice.responses(487)).as("killed after %d us", micros).isNotZero();
            nodes.assertEnded(1);
        }
        assertThat(heard).isBetween(10, 75);
    }

    /** Who is told in time is told once: nothing waits longer than for its record. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCancelIsAnsweredAsSoonAsItsRecordIsSafe(boolean proxy) {
        TwoNodes nodes = nodes(proxy, ExecutionMode.NON_BLOCKING, true);
        SipRequest invite = ringing(nodes, proxy);
        nodes.alice.send(message(nodes, proxy, "CANCEL"));
        nodes.run(Duration.ofMillis(5));
        assertThat(answeredCancels(nodes)).isEqualTo(1);
        assertThat(nodes.alice.responses(487)).isEqualTo(proxy ? 0 : 1);
        stopsRinging(nodes, invite);
        nodes.run(Duration.ofMinutes(2));
        assertThat(nodes.alice.responses(487)).isEqualTo(1);
        nodes.server.assertEmpty();
        assertThat(nodes.store.records().values()).allMatch(state -> state.bytes() == null);
    }

    /** The turn of the call is busy for long: its caller does not wait for that. */
    @Test
    void aCancelDoesNotWaitForLongWork() {
        TwoNodes nodes = nodes(false, ExecutionMode.NON_BLOCKING, true);
        ringing(nodes, false);
        var call = nodes.server.container.sessions().all().iterator().next();
        call.enterNow();
        nodes.alice.send(message(nodes, false, "CANCEL"));
        nodes.run(Duration.ofMillis(40));
        assertThat(answeredCancels(nodes)).isZero();
        nodes.run(Duration.ofMillis(30));
        assertThat(answeredCancels(nodes)).isEqualTo(1);
        assertThat(nodes.alice.responses(487)).isEqualTo(1);
        call.exit();
        nodes.run(Duration.ofMinutes(5));
        assertThat(answeredCancels(nodes)).isEqualTo(1);
        nodes.server.assertEmpty();
    }

    /** A record without the CANCEL, as of a node whose answers left without it. */
    private static SipRequest cancelledUnseen(TwoNodes nodes) {
        SipRequest invite = ringing(nodes, false);
        nodes.write();
        nodes.alice.send(message(nodes, false, "CANCEL"));
        nodes.alice.response(200);
        nodes.alice.response(487);
        nodes.die();
        nodes.rise();
        nodes.run(SHORT);
        return invite;
    }

    /** RFC 3261 17.1.1.3: only who was refused sends an ACK with the branch of his INVITE. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theAckOfARefusalTellsThatTheCallWasGivenUp(boolean adopted) {
        TwoNodes nodes = nodes(false, ExecutionMode.ADAPTIVE, false);
        SipRequest invite = cancelledUnseen(nodes);
        SipResponse refusal =
                (SipResponse)
                        nodes.alice.all.stream()
                                .filter(m -> m instanceof SipResponse r && r.status() == 487)
                                .findFirst()
                                .orElseThrow();
        if (adopted) {
            nodes.adoption.bring(nodes.store.records().keySet().iterator().next(), () -> {});
            nodes.run(SHORT);
        }
        nodes.alice.send(
                nodes.alice.text(
                        "ACK sip:bob@10.0.0.1",
                        Objects.requireNonNull(refusal.topVia().branch()),
                        FROM,
                        refusal.to().toString(),
                        "c1",
                        1));
        stopsRinging(nodes, invite);
        nodes.assertEnded(1);
    }

    /**
     * RFC 3261 16.8 for a proxy; here for both: nobody says anything, and nobody rings for ever.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withoutAnySignItRingsNotForEver(boolean proxy) {
        TwoNodes nodes = nodes(proxy, ExecutionMode.ADAPTIVE, false);
        SipRequest invite = ringing(nodes, proxy);
        nodes.fail();
        nodes.run(Duration.ofSeconds(170));
        assertThat(to(nodes.bob.all, "CANCEL")).isZero();
        stopsRinging(nodes, invite);
        nodes.assertEnded(1);
    }

    /** Nor does the one whose phone is gone: RFC 3261 9.1 gives up after 64*T1. */
    @Test
    void aPhoneThatIsGoneKeepsNothing() {
        TwoNodes nodes = nodes(false, ExecutionMode.ADAPTIVE, false);
        ringing(nodes, false);
        nodes.fail();
        nodes.run(Duration.ofMinutes(8));
        assertThat(nodes.bob.requests("CANCEL")).isNotZero();
        nodes.alice.response(408);
        nodes.assertEnded(1);
    }
}
