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

    private String answered() {
        ringing();
        phone.answer(200);
        String to = "<sip:uas@y>;tag=" + alice.response(200).toTag();
        alice.request("ACK sip:10.0.0.1:5060", FROM, to, "c1", 1);
        server.run(Duration.ofMillis(10));
        return to;
    }

    @Test
    @Proves({"SipServletMessage#getMethod()", "SipServletRequest#isInitial()"})
    void a_request_is_initial_unless_it_comes_in_a_dialog() {
        String to = answered();
        SipServletRequest first = Objects.requireNonNull(phone.invite);
        assertThat(first.isInitial()).isTrue();
        assertThat(first.getMethod()).isEqualTo("INVITE");
        assertThat(first.getSession().createRequest("INFO").isInitial()).isFalse();
        alice.request(
                "INVITE sip:10.0.0.1:5060", FROM, to, "c1", 2, "Contact: <sip:10.0.0.2:5060>");
        server.run(Duration.ofMillis(10));
        assertThat(phone.invite).isNotSameAs(first);
        assertThat(phone.invite.isInitial()).isFalse();
        assertThat(phone.invite.getMethod()).isEqualTo("INVITE");
        assertThat(phone.invite.createResponse(488).getMethod()).isEqualTo("INVITE");
    }

    @Test
    @Proves({"SipServletRequest#getRequestURI()", "SipServletRequest#setRequestURI(URI)"})
    void the_request_uri_is_where_the_request_goes() throws Exception {
        SipServletRequest received = ringing();
        assertThat(received.getRequestURI()).hasToString("sip:uas@10.0.0.1");
        SipFactory factory =
                (SipFactory) phone.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        SipServletRequest request =
                factory.createRequest(
                        factory.createApplicationSession(), "MESSAGE", "sip:a@x", "sip:b@y");
        assertThat(request.getRequestURI()).hasToString("sip:b@y");
        request.setRequestURI(factory.createURI("sip:bob@10.0.0.3:5060"));
        assertThat(request.getRequestURI()).hasToString("sip:bob@10.0.0.3:5060");
        assertThat(request.getTo().getURI()).hasToString("sip:b@y");
        request.send();
        assertThat(bob.request("MESSAGE").requestUri()).hasToString("sip:bob@10.0.0.3:5060");
    }

    @Test
    @Proves(
            value = {
                "SipServletRequest#createResponse(int)",
                "SipServletRequest#createResponse(int,String)",
                "SipServletResponse#getRequest()",
                "SipServletResponse#send()",
            },
            also = {"SipServletMessage#send()", "SipServletResponse#getStatus()"})
    void a_response_answers_its_request_with_its_status_and_reason() throws Exception {
        SipServletRequest request = ringing();
        SipServletResponse progress = request.createResponse(183);
        assertThat(progress.getStatus()).isEqualTo(183);
        assertThat(progress.getRequest()).isSameAs(request);
        assertThat(progress.getSession()).isSameAs(request.getSession());
        progress.send();
        assertThat(alice.response(183).reason()).isEqualTo("Session Progress");
        request.createResponse(486, "Gone fishing").send();
        var busy = alice.response(486);
        assertThat(busy.reason()).isEqualTo("Gone fishing");
        assertThat(busy.callId()).isEqualTo("c1");
        assertThat(busy.cseq()).hasToString("1 INVITE");
        assertThat(busy.fromTag()).isEqualTo("a");
        assertThat(busy.toTag()).isNotNull();
        assertThatThrownBy(() -> request.createResponse(200))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Proves({"SipServletMessage#send()", "SipServletRequest#send()"})
    void a_request_is_on_the_wire_once_it_is_sent_and_is_not_sent_again() throws Exception {
        server.deploy(phone, ExecutionMode.NON_BLOCKING);
        SipFactory factory =
                (SipFactory) phone.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        SipServletRequest request =
                factory.createRequest(
                        factory.createApplicationSession(),
                        "MESSAGE",
                        "sip:a@x",
                        "sip:bob@10.0.0.3:5060");
        server.run(Duration.ofMillis(10));
        assertThat(bob.requests("MESSAGE")).isZero();
        request.send();
        assertThat(bob.request("MESSAGE").callId()).isEqualTo(request.getCallId());
        assertThat(request.isCommitted()).isTrue();
        assertThatThrownBy(request::send).isInstanceOf(IllegalStateException.class);
    }

    /** RFC 3261 13.2.2.4: the ACK has the CSeq number of the INVITE and a branch of its own. */
    @Test
    @Proves("SipServletResponse#createAck()")
    void the_ack_of_a_2xx_goes_to_the_contact_with_the_number_of_its_invite() {
        server.deploy(phone, ExecutionMode.NON_BLOCKING);
        SipServletRequest call = phone.call("sip:bob@10.0.0.3:5060");
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 200, "b");
        SipRequest ack = bob.request("ACK");
        assertThat(ack.cseq()).hasToString(invite.cseq().number() + " ACK");
        assertThat(ack.callId()).isEqualTo(call.getCallId());
        assertThat(ack.toTag()).isEqualTo("b");
        assertThat(ack.requestUri()).hasToString("sip:10.0.0.3:5060");
        assertThatThrownBy(() -> phone.responses.getLast().createAck())
                .isInstanceOf(IllegalStateException.class);
    }

    /** RFC 3261 9.1: Request-URI, Call-ID, To, From, CSeq number and Via are the INVITE's. */
    @Test
    @Proves("SipServletRequest#createCancel()")
    void a_cancel_is_like_the_invite_that_it_ends() throws Exception {
        server.deploy(phone, ExecutionMode.NON_BLOCKING);
        SipServletRequest call = phone.call("sip:bob@10.0.0.3:5060");
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 180, "b");
        server.run(Duration.ofMillis(10));
        SipServletRequest cancel = call.createCancel();
        assertThat(cancel.getMethod()).isEqualTo("CANCEL");
        cancel.send();
        SipRequest received = bob.request("CANCEL");
        assertThat(received.topVia().branch()).isEqualTo(invite.topVia().branch());
        assertThat(received.cseq().number()).isEqualTo(invite.cseq().number());
        assertThat(received.requestUri()).isEqualTo(invite.requestUri());
        assertThat(received.toTag()).isNull();
    }

    @Test
    @Proves({"SipServletRequest#getMaxForwards()", "SipServletRequest#setMaxForwards(int)"})
    void max_forwards_are_read_and_set_between_0_and_255() throws Exception {
        SipServletRequest received = ringing();
        assertThat(received.getMaxForwards()).isEqualTo(70);
        SipServletRequest message = received.getSession().createRequest("MESSAGE");
        message.setMaxForwards(7);
        assertThat(message.getMaxForwards()).isEqualTo(7);
        assertThat(message.getHeader("Max-Forwards")).isEqualTo("7");
        for (int bad : new int[] {-1, 256}) {
            assertThatThrownBy(() -> message.setMaxForwards(bad))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(message.getMaxForwards()).isEqualTo(7);
    }

    @Test
    @Proves({
        "SipServletMessage#getApplicationSession()",
        "SipServletMessage#getApplicationSession(boolean)",
        "SipServletMessage#getSession()",
    })
    void requests_and_responses_of_a_call_are_in_its_sessions() {
        SipServletRequest request = ringing();
        SipServletResponse response = request.createResponse(183);
        SipSession session = request.getSession();
        assertThat(session.getCallId()).isEqualTo("c1");
        assertThat(response.getSession()).isSameAs(session);
        assertThat(request.getApplicationSession()).isSameAs(session.getApplicationSession());
        assertThat(request.getApplicationSession(false)).isSameAs(session.getApplicationSession());
        assertThat(response.getApplicationSession()).isSameAs(session.getApplicationSession());
        assertThat(response.getApplicationSession(false)).isSameAs(session.getApplicationSession());
    }

    @Test
    @Proves(also = "SipServletMessage#setCharacterEncoding(String)")
    void the_charset_of_a_response_is_that_of_its_text() throws Exception {
        SipServletResponse response = ringing().createResponse(486);
        response.setCharacterEncoding("ISO-8859-1");
        response.setContent("\u00e4", "text/plain");
        assertThat(response.getRawContent()).containsExactly(0xe4);
        assertThat(response.getContentType()).isEqualTo("text/plain;charset=ISO-8859-1");
        assertThatThrownBy(() -> response.setCharacterEncoding("no-such"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
