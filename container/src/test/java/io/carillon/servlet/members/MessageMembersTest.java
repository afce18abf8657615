package io.carillon.servlet.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import org.junit.jupiter.api.Test;

/** Requests and responses under way. */
class MessageMembersTest {
    private static final String FROM = "<sip:a@x>;tag=a";

    private final Manual phone = new Manual();
    private final Server server = Server.fresh(22);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");

    private void invite() {
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
    }

    private SipServletRequest ringing() {
        server.deploy(phone, ExecutionMode.NON_BLOCKING);
        invite();
        alice.response(180);
        return Objects.requireNonNull(phone.invite);
    }

    @Test
    @Proves({
        "SipServletMessage#getInitialTransport()",
        "SipServletMessage#getSession(boolean)",
        "SipServletMessage#isCommitted()",
    })
    void a_message_knows_its_transport_and_session_and_is_committed_by_its_final_response()
            throws Exception {
        SipServletRequest request = ringing();
        assertThat(request.getInitialTransport()).isEqualTo("UDP");
        assertThat(request.getSession(false)).isSameAs(request.getSession());
        assertThat(request.isCommitted()).isFalse();
        SipServletResponse ok = request.createResponse(200);
        assertThat(ok.getInitialTransport()).isNull();
        assertThat(ok.getSession(false)).isSameAs(request.getSession());
        assertThat(ok.isCommitted()).isFalse();
        ok.send();
        assertThat(ok.isCommitted()).isTrue();
        assertThat(request.isCommitted()).isTrue();
    }

    @Test
    @Proves({
        "SipServletRequest#getInputStream()",
        "SipServletRequest#getReader()",
        "SipServletResponse#getOutputStream()",
        "SipServletResponse#getWriter()",
    })
    void messages_are_not_streams() throws Exception {
        SipServletRequest request = ringing();
        assertThat(request.getInputStream()).isNull();
        assertThat(request.getReader()).isNull();
        assertThat(request.createResponse(183).getOutputStream()).isNull();
        assertThat(request.createResponse(183).getWriter()).isNull();
    }

    @Test
    @Proves("SipServletResponse#createPrack()")
    void a_reliable_provisional_response_is_acknowledged_once_by_a_prack() throws Exception {
        server.deploy(phone, ExecutionMode.NON_BLOCKING);
        SipServletRequest call = phone.call("sip:bob@10.0.0.3:5060");
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 180, "b");
        bob.respond(invite, 183, "b", "Require: 100rel", "RSeq: 17");
        server.run(Duration.ofMillis(10));
        SipServletResponse plain = phone.responses.getFirst();
        SipServletResponse reliable = phone.responses.getLast();
        assertThatThrownBy(plain::createPrack)
                .isInstanceOfSatisfying(
                        Rel100Exception.class,
                        e -> assertThat(e.getReason()).isEqualTo(Rel100Exception.NOT_100rel));
        SipServletRequest prack = reliable.createPrack();
        assertThat(prack.getMethod()).isEqualTo("PRACK");
        assertThat(prack.getSession()).isSameAs(call.getSession());
        prack.send();
        SipRequest received = bob.request("PRACK");
        assertThat(received.header(HeaderName.of("RAck"))).isEqualTo("17 1 INVITE");
        assertThatThrownBy(reliable::createPrack).isInstanceOf(IllegalStateException.class);
    }

    /** Forwards to bob and listens to each branch. */
    private static final class Listening extends SipServlet {
        final List<String> events = new ArrayList<>();

        @Override
        protected void doInvite(SipServletRequest request) throws ServletException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            Proxy proxy = request.getProxy();
            proxy.proxyTo(factory.createURI("sip:bob@10.0.0.3:5060"));
        }

        @Override
        protected void doBranchResponse(SipServletResponse response) {
            events.add("branch " + response.getStatus() + " " + response.isBranchResponse());
        }

        @Override
        protected void doResponse(SipServletResponse response)
                throws ServletException, java.io.IOException {
            if (!response.isBranchResponse()) {
                events.add("best " + response.getStatus());
            }
            super.doResponse(response);
        }
    }

    @Test
    @Proves("SipServletResponse#isBranchResponse()")
    void a_failure_of_a_branch_is_a_branch_response_before_it_is_the_best_one() {
        Listening listening = new Listening();
        server.deploy(listening, ExecutionMode.NON_BLOCKING);
        invite();
        bob.respond(bob.request("INVITE"), 486, "b");
        alice.response(486);
        assertThat(listening.events).containsExactly("branch 486 true", "best 486");
    }

    @Test
    @Proves("SipSession#isReadyToInvalidate()")
    void a_session_is_ready_to_be_invalidated_when_its_call_is_over() throws Exception {
        SipServletRequest request = ringing();
        SipSession session = request.getSession();
        session.setInvalidateWhenReady(false);
        session.getApplicationSession().setInvalidateWhenReady(false);
        assertThat(session.isReadyToInvalidate()).isFalse();
        phone.answer(486);
        assertThat(session.isReadyToInvalidate()).isTrue();
        session.invalidate();
        assertThatThrownBy(session::isReadyToInvalidate).isInstanceOf(IllegalStateException.class);
    }
}
