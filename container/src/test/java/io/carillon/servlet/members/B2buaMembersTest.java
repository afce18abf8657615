package io.carillon.servlet.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.UAMode;
import org.junit.jupiter.api.Test;

/** A back-to-back user agent whose moves the test makes: alice calls, bob can be reached. */
class B2buaMembersTest {
    private static final String FROM = "<sip:a@x>;tag=a";

    private final Manual phone = new Manual();
    private final Server server = Server.fresh(21).deploy(phone, ExecutionMode.NON_BLOCKING);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");

    private SipServletRequest ringing() {
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>",
                "Record-Route: <sip:10.0.0.2;lr>",
                "X-One: 1");
        alice.response(180);
        return Objects.requireNonNull(phone.invite);
    }

    private void toBob(SipServletRequest request) throws Exception {
        SipFactory factory =
                (SipFactory) phone.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        request.setRequestURI(factory.createURI("sip:bob@10.0.0.3:5060"));
    }

    @Test
    @Proves("B2buaHelper#createRequest(SipServletRequest)")
    void the_other_leg_has_the_callers_headers_in_a_call_of_its_own() throws Exception {
        SipServletRequest original = ringing();
        B2buaHelper helper = original.getB2buaHelper();
        SipServletRequest leg = helper.createRequest(original);
        assertThat(leg.getApplicationSession()).isSameAs(original.getApplicationSession());
        assertThat(leg.getSession()).isNotSameAs(original.getSession());
        assertThat(helper.getLinkedSession(original.getSession())).isNull();
        assertThat(helper.getLinkedSipServletRequest(original)).isNull();
        toBob(leg);
        leg.send();
        SipRequest invite = bob.request("INVITE");
        assertThat(invite.header(HeaderName.of("X-One"))).isEqualTo("1");
        assertThat(invite.callId()).isNotEqualTo("c1");
        assertThat(invite.fromTag()).isNotEqualTo("a").isNotNull();
        assertThat(invite.toTag()).isNull();
        assertThat(invite.recordRoutes()).isEmpty();
        assertThat(invite.vias()).hasSize(1);
        assertThat(invite.contact()).hasToString("<sip:10.0.0.1:5060>");
    }

    @Test
    @Proves({
        "B2buaHelper#linkSipSessions(SipSession,SipSession)",
        "B2buaHelper#unlinkSipSessions(SipSession)",
        "B2buaHelper#getLinkedSession(SipSession)",
    })
    void sessions_are_linked_one_to_one_until_they_are_unlinked_with_their_requests()
            throws Exception {
        SipServletRequest original = ringing();
        B2buaHelper helper = original.getB2buaHelper();
        SipServletRequest leg = helper.createRequest(original);
        SipSession here = original.getSession();
        SipSession there = leg.getSession();
        helper.linkSipSessions(here, there);
        helper.linkSipSessions(here, there);
        assertThat(helper.getLinkedSession(here)).isSameAs(there);
        assertThat(helper.getLinkedSession(there)).isSameAs(here);
        SipSession third = helper.createRequest(original).getSession();
        assertThatThrownBy(() -> helper.linkSipSessions(here, third))
                .isInstanceOf(IllegalArgumentException.class);
        helper.unlinkSipSessions(there);
        assertThat(helper.getLinkedSession(here)).isNull();
        assertThat(helper.getLinkedSession(there)).isNull();
        assertThatThrownBy(() -> helper.unlinkSipSessions(here))
                .isInstanceOf(IllegalArgumentException.class);
        SipServletRequest linked = helper.createRequest(original, true, null);
        assertThat(helper.getLinkedSipServletRequest(original)).isSameAs(linked);
        helper.unlinkSipSessions(here);
        assertThat(helper.getLinkedSipServletRequest(original)).isNull();
        assertThat(helper.getLinkedSipServletRequest(linked)).isNull();
    }

    @Test
    @Proves("B2buaHelper#createResponseToOriginalRequest(SipSession,int,String)")
    void a_second_answer_to_the_original_request_is_another_dialog_and_session() throws Exception {
        SipServletRequest original = ringing();
        original.getSession().setAttribute("k", "v");
        B2buaHelper helper = original.getB2buaHelper();
        var first = helper.createResponseToOriginalRequest(original.getSession(), 200, "One");
        assertThat(first.getSession()).isSameAs(original.getSession());
        first.send();
        String one = alice.response(200).toTag();
        var second = helper.createResponseToOriginalRequest(original.getSession(), 200, "Two");
        assertThat(second.getSession()).isNotSameAs(original.getSession());
        assertThat(second.getSession().getAttribute("k")).isEqualTo("v");
        second.send();
        SipResponse ok = alice.response(200);
        assertThat(ok.reason()).isEqualTo("Two");
        assertThat(ok.toTag()).isNotNull().isNotEqualTo(one);
        assertThat(second.getSession().getState()).isEqualTo(SipSession.State.CONFIRMED);
        assertThat(helper.getPendingMessages(original.getSession(), UAMode.UAS)).isEmpty();
        assertThatThrownBy(() ->
                        helper.createResponseToOriginalRequest(original.getSession(), 486, null))
                .isInstanceOf(IllegalStateException.class);
        server.run(Duration.ofMillis(10));
    }

    @Test
    @Proves(also = "SipApplicationSession#invalidate()")
    void rfc3262_4_a_call_that_ends_before_the_prack_is_cancelled_and_nothing_else()
            throws Exception {
        SipServletRequest original = ringing();
        SipServletRequest leg = leg(original);
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 183, "b", "Require: 100rel", "RSeq: 7", "Contact: <sip:10.0.0.3:5060>");
        server.run(Duration.ofMillis(10));
        leg.getApplicationSession().invalidate();
        bob.respond(bob.request("CANCEL"), 200, "b");
        bob.respond(invite, 487, "b");
        bob.request("ACK");
        server.run(Duration.ofSeconds(40));
        assertThat(bob.all).noneMatch(message -> message.toString().startsWith("BYE"));
    }

    @Test
    @Proves(also = "B2buaHelper#createResponseToOriginalRequest(SipSession,int,String)")
    void trying_is_a_response_to_the_original_request_too() throws Exception {
        SipServletRequest original = ringing();
        var trying =
                original.getB2buaHelper()
                        .createResponseToOriginalRequest(original.getSession(), 100, "");
        assertThat(trying.getStatus()).isEqualTo(100);
        assertThat(trying.getTo().getParameter("tag")).isNull();
        trying.send();
        original.createResponse(486).send();
        assertThat(alice.response(486).status()).isEqualTo(486);
        assertThatThrownBy(() ->
                        original.getB2buaHelper()
                                .createResponseToOriginalRequest(original.getSession(), 99, ""))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private SipServletRequest leg(SipServletRequest original) throws Exception {
        SipServletRequest leg = original.getB2buaHelper().createRequest(original, true, null);
        toBob(leg);
        leg.send();
        return leg;
    }

    @Test
    @Proves("B2buaHelper#getLinkedSipServletRequest(SipServletRequest)")
    void requests_stay_linked_as_long_as_their_sessions() throws Exception {
        SipServletRequest original = ringing();
        B2buaHelper helper = original.getB2buaHelper();
        SipServletRequest leg = leg(original);
        bob.respond(bob.request("INVITE"), 200, "b");
        // The phone acknowledges at once.
        original.createResponse(200).send();
        alice.response(200);
        bob.request("ACK");
        assertThat(helper.getLinkedSipServletRequest(leg)).isSameAs(original);
        assertThat(helper.getLinkedSipServletRequest(original)).isSameAs(leg);
        helper.unlinkSipSessions(original.getSession());
        assertThat(helper.getLinkedSipServletRequest(leg)).isNull();
        assertThat(helper.getLinkedSipServletRequest(original)).isNull();
    }

    @Test
    @Proves(also = "B2buaHelper#getLinkedSipServletRequest(SipServletRequest)")
    void who_cancels_the_callee_in_doCancel_finds_his_request() throws Exception {
        List<SipServletRequest> found = new ArrayList<>();
        phone.onCancel =
                cancel -> {
                    SipServletRequest invite = Objects.requireNonNull(phone.invite);
                    SipServletRequest onward =
                            cancel.getB2buaHelper().getLinkedSipServletRequest(invite);
                    found.add(onward);
                    onward.createCancel().send();
                };
        alice.send(
                alice.text(
                        "INVITE sip:uas@10.0.0.1",
                        "z9hG4bKinv",
                        FROM,
                        "<sip:uas@y>",
                        "c1",
                        1,
                        "Contact: <sip:10.0.0.2:5060>"));
        alice.response(180);
        SipServletRequest leg = leg(Objects.requireNonNull(phone.invite));
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 180, "b");
        alice.send(
                alice.text("CANCEL sip:uas@10.0.0.1", "z9hG4bKinv", FROM, "<sip:uas@y>", "c1", 1));
        alice.response(200);
        alice.response(487);
        SipRequest cancel = bob.request("CANCEL");
        assertThat(found).containsExactly(leg);
        bob.respond(cancel, 200, "b");
        bob.respond(invite, 487, "b");
        bob.request("ACK");
    }

    @Test
    @Proves(
            value = "B2buaHelper#getPendingMessages(SipSession,UAMode)",
            also = "SipServletMessage#isCommitted()")
    void a_reliable_provisional_response_is_pending_until_its_prack_is_made() throws Exception {
        SipServletRequest original = ringing();
        B2buaHelper helper = original.getB2buaHelper();
        SipServletRequest leg = leg(original);
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 183, "b", "Require: 100rel", "RSeq: 7", "Contact: <sip:10.0.0.3:5060>");
        server.run(Duration.ofMillis(10));
        SipServletResponse progress = phone.responses.getLast();
        assertThat(progress.isCommitted()).isFalse();
        assertThat(helper.getPendingMessages(leg.getSession(), UAMode.UAC))
                .containsExactly(progress);
        progress.createPrack().send();
        assertThat(progress.isCommitted()).isTrue();
        assertThat(helper.getPendingMessages(leg.getSession(), UAMode.UAC)).isEmpty();
        bob.respond(bob.request("PRACK"), 200, "b");
        // One that nobody acknowledges waits no longer than for the final response.
        bob.respond(invite, 183, "b", "Require: 100rel", "RSeq: 8", "Contact: <sip:10.0.0.3:5060>");
        server.run(Duration.ofMillis(10));
        assertThat(helper.getPendingMessages(leg.getSession(), UAMode.UAC)).hasSize(1);
        SipSession there = leg.getSession();
        bob.respond(invite, 486, "b");
        bob.request("ACK");
        server.run(Duration.ofMillis(10));
        assertThat(there.isValid()).as("nothing of it is open").isFalse();
    }

    /** SIP Servlet 1.1, 12.3: the map's headers are set, From and To among them. */
    @Test
    @Proves("B2buaHelper#createRequest(SipServletRequest,boolean,Map)")
    void headers_that_are_given_stand_in_the_other_leg_which_is_linked() throws Exception {
        SipServletRequest original = ringing();
        B2buaHelper helper = original.getB2buaHelper();
        SipServletRequest loose = helper.createRequest(original, false, null);
        assertThat(loose.getHeader("X-One")).isEqualTo("1");
        assertThat(helper.getLinkedSession(original.getSession())).isNull();
        SipServletRequest leg =
                helper.createRequest(
                        original,
                        true,
                        Map.of(
                                "To",
                                List.of("<sip:other@z>"),
                                "From",
                                List.of("\"Me\" <sip:me@x>"),
                                "X-One",
                                List.of("2", "3")));
        assertThat(leg.getTo().getURI()).hasToString("sip:other@z");
        assertThat(leg.getFrom().getDisplayName()).isEqualTo("Me");
        assertThat(leg.getHeaders("X-One")).toIterable().containsExactly("2", "3");
        assertThat(helper.getLinkedSession(original.getSession())).isSameAs(leg.getSession());
        assertThat(helper.getLinkedSipServletRequest(original)).isSameAs(leg);
    }

    /** SIP Servlet 1.1, 12.4: a request of one leg becomes one in the dialog of the other. */
    @Test
    @Proves("B2buaHelper#createRequest(SipSession,SipServletRequest,Map)")
    void a_request_of_one_leg_is_made_again_in_the_dialog_of_the_other() throws Exception {
        SipServletRequest original = ringing();
        B2buaHelper helper = original.getB2buaHelper();
        SipServletRequest leg = helper.createRequest(original, true, null);
        toBob(leg);
        leg.send();
        SipRequest first = bob.request("INVITE");
        bob.respond(first, 200, "b");
        bob.request("ACK");
        phone.answer(200);
        String to = "<sip:uas@y>;tag=" + alice.response(200).toTag();
        alice.request("ACK sip:10.0.0.1:5060", FROM, to, "c1", 1);
        alice.request(
                "INVITE sip:10.0.0.1:5060",
                FROM,
                to,
                "c1",
                2,
                "Contact: <sip:10.0.0.2:5060>",
                "X-One: 1",
                "X-Two: 2");
        server.run(Duration.ofMillis(10));
        SipServletRequest change = Objects.requireNonNull(phone.invite);
        assertThat(change.isInitial()).isFalse();
        SipServletRequest onward =
                helper.createRequest(leg.getSession(), change, Map.of("X-Two", List.of("9")));
        assertThat(onward.getSession()).isSameAs(leg.getSession());
        assertThat(helper.getLinkedSipServletRequest(change)).isSameAs(onward);
        onward.send();
        SipRequest again = bob.request("INVITE");
        assertThat(again.callId()).isEqualTo(first.callId());
        assertThat(again.toTag()).isEqualTo("b");
        assertThat(again.cseq().number()).isGreaterThan(first.cseq().number());
        assertThat(again.header(HeaderName.of("X-One"))).isEqualTo("1");
        assertThat(again.header(HeaderName.of("X-Two"))).isEqualTo("9");
    }
}
