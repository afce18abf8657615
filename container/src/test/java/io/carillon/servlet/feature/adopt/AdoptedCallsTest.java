package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A call is set up at one node, its record is all that the next one has, and it goes on. */
class AdoptedCallsTest {
    private static final String ALICE = "<sip:alice@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    @Test
    void ofAUserAgentThatWasCalled() {
        Keeper[] keeper = new Keeper[1];
        TwoNodes nodes =
                new TwoNodes(server -> {
                    keeper[0] = new Keeper();
                    server.deploy(keeper[0], ExecutionMode.ADAPTIVE, keeper[0]);
                });
        nodes.alice.request(
                "INVITE sip:server@10.0.0.1", ALICE, "<sip:server@x>", "c1", 1, CONTACT);
        SipResponse ok = nodes.alice.response(200);
        String to = ok.to().toString();
        nodes.alice.request("ACK sip:server@10.0.0.1", ALICE, to, "c1", 1);
        nodes.run(java.time.Duration.ofMillis(50));
        String known = keeper[0].seen.getLast();
        nodes.alice.request("INFO sip:server@10.0.0.1", ALICE, to, "c1", 2);
        nodes.alice.response(200);
        long before = 0;

        nodes.fail();

        nodes.alice.request("INVITE sip:server@10.0.0.1", ALICE, to, "c1", 3, CONTACT);
        SipResponse again = nodes.alice.response(200);
        assertThat(again.toTag()).isEqualTo(ok.toTag());
        nodes.alice.request("ACK sip:server@10.0.0.1", ALICE, to, "c1", 3);
        nodes.run(java.time.Duration.ofMillis(50));
        assertThat(keeper[0].seen.getLast()).as("session and attributes").isEqualTo(known);
        assertThat(keeper[0].activated).as("told once").isEqualTo(2);

        keeper[0].invite();
        SipRequest refresh = nodes.alice.request("INVITE");
        assertThat(refresh.cseqNumber()).isGreaterThan(before);
        assertThat(refresh.fromTag()).isEqualTo(ok.toTag());
        assertThat(refresh.toTag()).isEqualTo("a");
        nodes.alice.respond(refresh, 200, "a");
        nodes.alice.request("ACK");

        nodes.alice.request("BYE sip:server@10.0.0.1", ALICE, to, "c1", 4);
        nodes.alice.response(200);
        nodes.assertEnded(1);
        Objects.requireNonNull(keeper[0]);
    }
}
