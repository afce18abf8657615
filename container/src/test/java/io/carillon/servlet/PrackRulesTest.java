package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.members.Proves;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.SipErrorEvent;
import javax.servlet.sip.SipErrorListener;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** RFC 3262 where the caller does not do its part. */
class PrackRulesTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    private final Server server = Server.fresh(7);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final Answering answering = new Answering();

    /** Says 183 reliably and 200 behind it, as if the PRACK were sure to come. */
    private static final class Answering extends SipServlet implements SipErrorListener {
        final List<String> events = new ArrayList<>();
        boolean requires;

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            try {
                SipServletResponse progress = request.createResponse(183);
                if (requires) {
                    progress.addHeader("Require", "100rel");
                }
                progress.sendReliably();
            } catch (Rel100Exception e) {
                throw new IllegalStateException(e);
            }
            request.createResponse(200).send();
        }

        @Override
        protected void doPrack(SipServletRequest request) throws IOException {
            events.add("PRACK");
            request.createResponse(200).send();
        }

        @Override
        protected void doAck(SipServletRequest request) {
            events.add("ACK");
        }

        @Override
        protected void doBye(SipServletRequest request) throws IOException {
            request.createResponse(200).send();
        }

        @Override
        public void noAckReceived(SipErrorEvent event) {
            events.add("no ACK");
        }

        @Override
        public void noPrackReceived(SipErrorEvent event) {
            events.add("no PRACK");
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void anOptionTagThatTheApplicationWroteIsNotWrittenAgain(ExecutionMode mode) {
        answering.requires = true;
        server.deploy(answering, mode);
        assertThat(progress().headers(HeaderName.REQUIRE)).containsExactly("100rel");
    }

    private SipResponse progress() {
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                CONTACT,
                "Supported: 100rel");
        return alice.response(183);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves("SipErrorListener#noPrackReceived(SipErrorEvent)")
    void rfc3262_3_the200ThatWaitedForAPrackThatNeverCameBecomes5xx(ExecutionMode mode) {
        server.deploy(answering, mode, answering);
        progress();
        server.run(Duration.ofSeconds(33));
        assertThat(answering.events).containsExactly("no PRACK");
        alice.response(500);
        server.run(Duration.ofSeconds(70));
        assertThat(alice.responses(200)).isZero();
        server.assertEmpty();
        assertThat(server.node.leftovers()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves("SipErrorListener#noAckReceived(SipErrorEvent)")
    void rfc3261_13_3_1_4_the200ThatNobodyAcknowledgesIsTold(ExecutionMode mode) {
        server.deploy(answering, mode, answering);
        SipResponse progress = progress();
        String to = "<sip:uas@y>;tag=" + progress.toTag();
        String rseq = progress.header(HeaderName.RSEQ);
        alice.request("PRACK sip:10.0.0.1", FROM, to, "c1", 2, "RAck: " + rseq + " 1 INVITE");
        server.run(Duration.ofSeconds(31));
        assertThat(answering.events).containsExactly("PRACK");
        server.run(Duration.ofSeconds(2));
        assertThat(answering.events).containsExactly("PRACK", "no ACK");
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void the200ThatWaitsForAPrackIsGivenUpWithItsSession(ExecutionMode mode) {
        server.deploy(answering, mode);
        progress();
        server.container.undeploy("test");
        alice.response(500);
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
        assertThat(server.node.leftovers()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_7_3_1_aRAckMayHaveMoreThanOneBlank(ExecutionMode mode) {
        server.deploy(answering, mode);
        SipResponse progress = progress();
        String to = "<sip:uas@y>;tag=" + progress.toTag();
        String rseq = progress.header(HeaderName.RSEQ);
        alice.request("PRACK sip:10.0.0.1", FROM, to, "c1", 2, "RAck: " + rseq + "  1\t INVITE");
        alice.response(200);
        alice.response(200);
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 1);
        alice.request("BYE sip:10.0.0.1", FROM, to, "c1", 3);
        alice.response(200);
        server.run(Duration.ofSeconds(70));
        assertThat(answering.events).containsExactly("PRACK", "ACK");
        server.assertEmpty();
    }

    /** Says all it has to say at once. */
    private static final class Hasty extends SipServlet {
        final List<String> events = new ArrayList<>();

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            try {
                request.createResponse(183).sendReliably();
                request.createResponse(180).sendReliably();
            } catch (Rel100Exception e) {
                throw new IllegalStateException(e);
            }
            request.createResponse(200).send();
        }

        @Override
        protected void doPrack(SipServletRequest request) throws IOException {
            events.add("PRACK");
            request.createResponse(200).send();
        }

        @Override
        protected void doAck(SipServletRequest request) {
            events.add("ACK");
        }

        @Override
        protected void doBye(SipServletRequest request) throws IOException {
            request.createResponse(200).send();
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3262_3_theSecondReliableResponseWaitsForThePrackOfTheFirst(ExecutionMode mode) {
        Hasty hasty = new Hasty();
        server.deploy(hasty, mode);
        SipResponse progress = progress();
        long first = Long.parseLong(progress.header(HeaderName.RSEQ));
        server.run(Duration.ofSeconds(2));
        assertThat(alice.responses(180)).isZero();
        assertThat(alice.responses(200)).isZero();
        String to = "<sip:uas@y>;tag=" + progress.toTag();
        alice.request("PRACK sip:10.0.0.1", FROM, to, "c1", 2, "RAck: " + first + " 1 INVITE");
        SipResponse ringing = alice.response(180);
        assertThat(ringing.header(HeaderName.RSEQ)).isEqualTo(Long.toString(first + 1));
        assertThat(alice.response(200).cseq().method()).isEqualTo("PRACK");
        server.run(Duration.ofSeconds(2));
        assertThat(alice.responses(200)).isEqualTo(1);
        String rack = "RAck: " + (first + 1) + " 1 INVITE";
        alice.request("PRACK sip:10.0.0.1", FROM, to, "c1", 3, rack);
        assertThat(alice.response(200).cseq().method()).isEqualTo("INVITE");
        assertThat(alice.response(200).cseq().method()).isEqualTo("PRACK");
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 1);
        alice.request("BYE sip:10.0.0.1", FROM, to, "c1", 4);
        alice.response(200);
        server.run(Duration.ofSeconds(70));
        assertThat(hasty.events).containsExactly("PRACK", "PRACK", "ACK");
        server.assertEmpty();
        assertThat(server.node.leftovers()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aReliableResponseThatWaitsIsNotSentAfterTheCallWasCancelled(ExecutionMode mode) {
        server.deploy(new Hasty(), mode);
        String uri = "sip:uas@10.0.0.1";
        alice.send(
                alice.text(
                        "INVITE " + uri,
                        "z9hG4bKh",
                        FROM,
                        "<sip:uas@y>",
                        "c1",
                        1,
                        CONTACT,
                        "Supported: 100rel"));
        SipResponse progress = alice.response(183);
        alice.send(alice.text("CANCEL " + uri, "z9hG4bKh", FROM, "<sip:uas@y>", "c1", 1));
        alice.response(200);
        server.run(Duration.ofSeconds(70));
        assertThat(alice.responses(180)).isZero();
        assertThat(progress.toTag()).isNotNull();
        assertThat(server.node.leftovers()).isEmpty();
    }
}
