package io.carillon.servlet.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.OldHabit;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.time.Duration;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Objects;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.Parameterable;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;

/** A back-to-back user agent that asks the helper for more than its Javadoc promises. */
class B2buaHabitsTest {
    private static final String FROM = "<sip:a@x>;tag=a";

    private final Manual phone = new Manual();
    private final Server server = Server.fresh(22);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");

    private SipServletRequest called(String habits) throws Exception {
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", () -> phone)
                        .contextParam(OldHabit.CONTEXT_PARAM, habits)
                        .build());
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        alice.response(180);
        return Objects.requireNonNull(phone.invite);
    }

    private void toBob(SipServletRequest request) throws Exception {
        SipFactory factory =
                (SipFactory) phone.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        request.setRequestURI(factory.createURI("sip:bob@10.0.0.3:5060"));
        request.send();
    }

    @Test
    void systemHeadersInTheMapArePassedOverWhereTheApplicationCountsOnIt() throws Exception {
        SipServletRequest original = called("system-headers-in-map");
        SipServletRequest leg =
                original.getB2buaHelper()
                        .createRequest(
                                original,
                                true,
                                Map.of(
                                        "Call-ID", List.of("mine"),
                                        "Via", List.of("SIP/2.0/UDP h"),
                                        "CSeq", List.of("7 INVITE"),
                                        "X-Own", List.of("1")));
        toBob(leg);
        SipRequest invite = bob.request("INVITE");
        assertThat(invite.header(HeaderName.of("X-Own"))).isEqualTo("1");
        assertThat(invite.callId()).isNotEqualTo("mine").isNotEqualTo("c1");
        assertThat(invite.vias()).hasSize(1);
        assertThat(invite.cseq().number()).isNotEqualTo(7);
    }

    @Test
    void elseTheyAreRefused() throws Exception {
        SipServletRequest original = called("");
        assertThatThrownBy(() ->
                        original.getB2buaHelper()
                                .createRequest(original, true, Map.of("Call-ID", List.of("mine"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Call-ID is a system header");
    }

    /** As third party call control does: the same re-INVITE for both sides. */
    @Test
    void aRequestOfOursIsTheOriginalOfOneInTheOtherSession() throws Exception {
        SipServletRequest original = called("");
        B2buaHelper helper = original.getB2buaHelper();
        SipServletRequest leg = helper.createRequest(original, true, null);
        toBob(leg);
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 200, "b", "Contact: <sip:10.0.0.3:5060>");
        server.run(Duration.ofMillis(10));
        bob.request("ACK");
        original.createResponse(200).send();
        SipResponse ok = alice.response(200);
        alice.request("ACK sip:10.0.0.1:5060", FROM, "<sip:uas@y>;tag=" + ok.toTag(), "c1", 1);

        SipServletRequest toCallee = leg.getSession().createRequest("INFO");
        toCallee.setHeader("X-Own", "2");
        toCallee.send();
        SipServletRequest toCaller = helper.createRequest(original.getSession(), toCallee, null);
        toCaller.send();
        assertThat(bob.request("INFO").header(HeaderName.of("X-Own"))).isEqualTo("2");
        SipRequest info = alice.request("INFO");
        assertThat(info.header(HeaderName.of("X-Own"))).isEqualTo("2");
        assertThat(info.callId()).isEqualTo("c1");
        assertThat(helper.getLinkedSipServletRequest(toCallee)).isSameAs(toCaller);
    }

    /** RFC 3261 18.1.1: the transport inserts it; its branch is not known before. */
    @Test
    void viaIsAParameterableBeforeTheRequestLeavesAndNobodyWritesIt() throws Exception {
        SipServletRequest original = called("");
        SipServletRequest leg = original.getB2buaHelper().createRequest(original);
        Parameterable via = leg.getParameterableHeader("Via");
        assertThat(via.getValue()).isEqualTo("SIP/2.0/UDP 10.0.0.1:5060");
        assertThat(via.getParameter("branch")).isNull();
        assertThatThrownBy(() -> via.setParameter("x", "1"))
                .isInstanceOf(IllegalStateException.class);
        ListIterator<? extends Parameterable> all = leg.getParameterableHeaders("v");
        assertThat(all.next()).isEqualTo(via);
        assertThat(all.hasNext()).isFalse();
        assertThat(leg.getHeader("Via")).isNull();
        toBob(leg);
        assertThat(bob.request("INVITE").vias()).hasSize(1);
        assertThat(leg.getParameterableHeader("Via").getParameter("branch")).isNotNull();
    }
}
