package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.api.Test;

/** What runs beside a call that rings when its node dies: it does not block the call. */
class EarlyExchangesTest {
    /** A user agent that is careful: RFC 3262 and 3311. */
    private static final class Careful extends Keeper {
        private static final long serialVersionUID = 1L;

        private final transient List<String> events;
        private final boolean acknowledges;

        Careful(List<String> events, boolean acknowledges) {
            this.events = events;
            this.acknowledges = acknowledges;
        }

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            request.getSession().setAttribute("waits", request);
            request.setAttribute("said", "in the request");
            try {
                request.createResponse(180).sendReliably();
            } catch (Rel100Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        protected void doPrack(SipServletRequest request) throws IOException {
            events.add("PRACK");
            request.createResponse(200).send();
        }

        @Override
        protected void doUpdate(SipServletRequest request) throws IOException {
            events.add("UPDATE " + request.getHeader("CSeq"));
            if (acknowledges) {
                request.createResponse(200).send();
            }
        }

        @Override
        protected void doResponse(SipServletResponse response) throws IOException {
            if (response.getStatus() / 100 != 1) {
                super.doResponse(response);
                return;
            }
            events.add(Integer.toString(response.getStatus()));
            if (acknowledges) {
                try {
                    response.createPrack().send();
                } catch (Rel100Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private final List<String> events = new ArrayList<>();
    private final List<Careful> lives = new ArrayList<>();

    /** Only the second node acknowledges and answers: the first one dies over it. */
    private TwoNodes nodes(boolean first) {
        return new TwoNodes(server -> {
            Careful servlet = new Careful(events, first || !lives.isEmpty());
            lives.add(servlet);
            server.deploy(servlet, ExecutionMode.ADAPTIVE);
        });
    }

    private static SipResponse ringing(TwoNodes nodes) {
        nodes.alice.send(
                nodes.alice.text(
                        "INVITE sip:s@10.0.0.1",
                        "z9hG4bKearly",
                        "<sip:alice@x>;tag=a",
                        "<sip:s@y>",
                        "c1",
                        1,
                        "Supported: 100rel",
                        "Contact: <sip:10.0.0.2:5060>"));
        return nodes.alice.response(180);
    }

    private static void ends(TwoNodes nodes) {
        EarlyCallsTest.Ringing.answer(EarlyCallsTest.brought(nodes), 486);
        nodes.alice.response(486);
        nodes.assertEnded(1);
    }

    /** The answer died with the node, so the caller sends it again (RFC 3261 17.1.2.2). */
    @Test
    void aPrackThatComesAgainIsAnswered() {
        TwoNodes nodes = nodes(true);
        SipResponse ringing = ringing(nodes);
        String prack =
                nodes.alice.text(
                        "PRACK sip:10.0.0.1",
                        "z9hG4bKprack",
                        "<sip:alice@x>;tag=a",
                        ringing.to().toString(),
                        "c1",
                        2,
                        "RAck: " + ringing.header(HeaderName.RSEQ) + " 1 INVITE");
        nodes.alice.send(prack);
        nodes.alice.response(200);
        nodes.fail();
        nodes.alice.send(prack);
        nodes.run(Duration.ofMillis(100));
        assertThat(nodes.alice.responses(200)).as("the same once more").isEqualTo(2);
        assertThat(events).containsExactly("PRACK", "PRACK");
        ends(nodes);
    }

    /** RFC 3311 5.2: what was not answered refuses the next one; nobody answers it any more. */
    @Test
    void anUpdateThatNobodyAnsweredDoesNotBlockTheNextOne() {
        TwoNodes nodes = nodes(false);
        SipResponse ringing = ringing(nodes);
        Leg alice = Leg.caller(nodes.alice, ringing);
        alice.send("PRACK", "RAck: " + ringing.header(HeaderName.RSEQ) + " 1 INVITE");
        nodes.alice.response(200);
        alice.send("UPDATE");
        nodes.run(Duration.ofMillis(100));
        nodes.fail();
        alice.send("UPDATE");
        nodes.alice.response(200);
        assertThat(events).containsExactly("PRACK", "UPDATE 3 UPDATE", "UPDATE 4 UPDATE");
        ends(nodes);
    }

    /** Else the callee says it for 32 s, and then refuses the call (RFC 3262 3). */
    @Test
    void aReliableResponseThatNobodyAcknowledgedIsToldAgain() {
        TwoNodes nodes = nodes(false);
        lives.getFirst().call("sip:bob@10.0.0.3");
        SipRequest invite = nodes.bob.request("INVITE");
        String[] reliable = {"Require: 100rel", "RSeq: 7"};
        nodes.bob.respond(invite, 183, "b", reliable);
        nodes.run(Duration.ofMillis(100));
        assertThat(nodes.bob.requests("PRACK")).isZero();
        nodes.fail();
        nodes.bob.respond(invite, 183, "b", reliable);
        SipRequest prack = nodes.bob.request("PRACK");
        assertThat(prack.header(HeaderName.RACK)).isEqualTo("7 1 INVITE");
        nodes.bob.respond(prack, 200, "b");
        assertThat(events).containsExactly("183", "183");
        nodes.bob.respond(invite, 486, "b");
        nodes.bob.request("ACK");
        nodes.assertEnded(1);
    }
}
