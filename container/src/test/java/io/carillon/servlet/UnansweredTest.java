package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What nobody answers, what has to wait, what dies in the middle. */
class UnansweredTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    private final Server server = Server.fresh(17);
    private final RawPeer alice = server.peer("10.0.0.2");

    /** A phone that keeps what it does not answer. */
    private static final class Silent extends SipServlet {
        final Manual phone = new Manual();
        final List<SipServletRequest> kept = new ArrayList<>();

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            phone.doInviteFor(request);
        }

        @Override
        protected void doInfo(SipServletRequest request) {
            kept.add(request);
        }

        @Override
        protected void doMessage(SipServletRequest request) {
            kept.add(request);
        }

        @Override
        protected void doBye(SipServletRequest request) {
            kept.add(request);
        }
    }

    private String talk() {
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c1", 1, CONTACT);
        return "<sip:uas@y>;tag=" + alice.response(180).toTag();
    }

    private void acknowledge(String to) {
        alice.response(200);
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 1);
        server.run(Duration.ofMillis(50));
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc4320_4_2_aRequestWithoutAnswerIsOverAfter64T1(ExecutionMode mode) {
        Silent silent = new Silent();
        server.deploy(silent, mode);
        String to = talk();
        silent.phone.answer(200);
        acknowledge(to);
        alice.request("INFO sip:10.0.0.1", FROM, to, "c1", 2);
        server.run(Duration.ofSeconds(31));
        SipServletRequest info = silent.kept.getFirst();
        assertThat(info.isCommitted()).isFalse();
        server.run(Duration.ofSeconds(2));
        assertThat(info.isCommitted()).isTrue();
        assertThatThrownBy(() -> info.createResponse(200))
                .isInstanceOf(IllegalStateException.class);
        assertThat(info.getSession().getState()).isEqualTo(SipSession.State.CONFIRMED);
        // An unanswered BYE ends the call all the same.
        alice.request("BYE sip:10.0.0.1", FROM, to, "c1", 3);
        server.run(Duration.ofSeconds(33));
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aMessageWithoutAnswerLeavesNoSession(ExecutionMode mode) {
        Silent silent = new Silent();
        server.deploy(silent, mode);
        alice.request("MESSAGE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "m1", 1);
        server.run(Duration.ofSeconds(33));
        assertThat(silent.kept).hasSize(1);
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_15_aByeOfTheCalleeWaitsForTheAck(ExecutionMode mode) throws IOException {
        Manual phone = new Manual();
        server.deploy(phone, mode);
        String to = talk();
        phone.answer(200);
        phone.invite.getSession().createRequest("BYE").send();
        alice.response(200);
        server.run(Duration.ofSeconds(1));
        assertThat(alice.requests("BYE")).isZero();
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 1);
        alice.forget();
        alice.respond(alice.request("BYE"), 200, "");
        server.run(Duration.ofMillis(100));
        assertThat(phone.events).containsExactly("INVITE", "ACK", "BYE 200");
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_15_withoutAnAckTheByeLeavesOnceWhenTheInviteTimesOut(ExecutionMode mode)
            throws IOException {
        Manual phone = new Manual();
        server.deploy(phone, mode);
        talk();
        phone.answer(200);
        phone.invite.getSession().createRequest("BYE").send();
        server.run(Duration.ofSeconds(31));
        assertThat(alice.requests("BYE")).isZero();
        alice.forget();
        alice.respond(alice.request("BYE"), 200, "");
        server.run(Duration.ofSeconds(5));
        assertThat(alice.requests("BYE")).isEqualTo(1);
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aReInviteWhosePeerDiesAfterA1xxEnds(ExecutionMode mode) throws IOException {
        Manual phone = new Manual();
        server.deploy(phone, mode);
        String to = talk();
        phone.answer(200);
        acknowledge(to);
        phone.invite.getApplicationSession().setExpires(60);
        phone.invite.getSession().createRequest("INVITE").send();
        SipRequest reInvite = alice.request("INVITE");
        alice.respond(reInvite, 180, "");
        server.run(Duration.ofSeconds(170));
        assertThat(alice.requests("CANCEL")).isZero();
        server.run(Duration.ofSeconds(60));
        assertThat(alice.requests("CANCEL")).isPositive();
        assertThat(phone.events).endsWith("INVITE 180", "INVITE 408");
        server.run(Duration.ofSeconds(5));
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void whatTheApplicationChangesInAProxiedAckLeaves(ExecutionMode mode) {
        server.deploy(
                new SipServlet() {
                    @Override
                    protected void doInvite(SipServletRequest request) throws ServletException {
                        Proxy proxy = request.getProxy();
                        proxy.setRecordRoute(true);
                        proxy.proxyTo(
                                ((javax.servlet.sip.SipFactory)
                                                getServletContext().getAttribute(SIP_FACTORY))
                                        .createURI("sip:uas@10.0.0.3:5060"));
                    }

                    @Override
                    protected void doAck(SipServletRequest request) {
                        request.setHeader("X-Seen", "yes");
                    }
                },
                mode);
        RawPeer bob = server.peer("10.0.0.3");
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c1", 1, CONTACT);
        bob.respond(bob.request("INVITE"), 200, "b");
        String route = "Route: " + alice.response(200).recordRoutes().getFirst();
        alice.request("ACK sip:10.0.0.3:5060", FROM, "<sip:uas@y>;tag=b", "c1", 1, route);
        SipRequest ack = bob.request("ACK");
        assertThat(ack.header(HeaderName.of("X-Seen"))).isEqualTo("yes");
        assertThat(ack.topRoute()).isNull();
        assertThat(ack.maxForwards()).isEqualTo(69);
        server.assertClean();
    }
}
