package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.sip.message.SipRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What its node sent was lost, and with it the node that would have sent it again. */
class LostOnTheWayTest {
    private static final Duration SHORT = AdoptedCallsTest.SHORT;

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

    /** The ACK for his 200 was lost, and with it the node that would have sent it again. */
    @Test
    void whoAnsweredAndRepeatsHis200GetsItsAck() {
        TwoNodes nodes = calling();
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, 200, "b");
        Leg bob = Leg.callee(nodes.bob, invite, "b");
        bob.comes("ACK");
        nodes.run(SHORT);
        nodes.fail();
        nodes.bob.respond(invite, 200, "b");
        nodes.bob.request("ACK");
        bob.bye();
        nodes.assertEnded(1);
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
}
