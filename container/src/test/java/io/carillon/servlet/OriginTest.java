package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.port.PageVisitor;
import io.carillon.sip.message.SipRequest;
import io.carillon.testkit.SimulatedNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server that listens on 10.0.0.1 and on loopback: what came from outside reaches nothing on
 * loopback, whatever an application makes of it.
 */
class OriginTest {
    private static final String INNER = "sip:inner@127.0.0.1:5070";

    private final Server server = Server.fresh(17);
    private final RawPeer outside = server.peer("10.0.0.2");
    private final RawPeer inner = new RawPeer(server.network, "127.0.0.1", 5070);
    private final RawPeer local =
            new RawPeer(
                    server.network, "127.0.0.2", 5060, SimulatedNetwork.address("127.0.0.1", 5060));

    OriginTest() {
        server.node.listen("127.0.0.1", 5060);
    }

    private static final class Forwarder extends SipServlet {
        @Override
        protected void doInvite(SipServletRequest request) throws ServletException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            request.getProxy().proxyTo(factory.createURI(INNER));
        }
    }

    private static void invite(RawPeer from, String contact) {
        from.request(
                "INVITE sip:x@10.0.0.1",
                "<sip:a@x>;tag=a",
                "<sip:x@y>",
                "c1",
                1,
                "Contact: <" + contact + ">");
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aBackToBackUserAgentCallsNobodyOnLoopbackForAStranger(ExecutionMode mode) {
        server.deploy(new Bridge(INNER), mode);
        invite(outside, "sip:10.0.0.2:5060");
        outside.response(403);
        server.run(Duration.ofSeconds(1));
        assertThat(inner.all).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aProxyPassesNothingOnToLoopbackForAStranger(ExecutionMode mode) {
        server.deploy(new Forwarder(), mode);
        invite(outside, "sip:10.0.0.2:5060");
        outside.response(403);
        server.run(Duration.ofSeconds(1));
        assertThat(inner.all).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void whatCameByLoopbackGoesOn(ExecutionMode mode) {
        server.deploy(new Bridge(INNER), mode);
        invite(local, "sip:127.0.0.2:5060");
        inner.respond(inner.request("INVITE"), 486, "busy");
        local.response(486);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aProxyPassesOnWhatCameByLoopback(ExecutionMode mode) {
        server.deploy(new Forwarder(), mode);
        invite(local, "sip:127.0.0.2:5060");
        inner.respond(inner.request("INVITE"), 486, "busy");
        local.response(486);
    }

    /** Stays on the dialog, to somebody outside. */
    private static final class Recording extends SipServlet {
        @Override
        protected void doInvite(SipServletRequest request) throws ServletException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            request.getProxy().setRecordRoute(true);
            request.getProxy().proxyTo(factory.createURI("sip:x@10.0.0.2:5060"));
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_16_12_aDialogThatBeganOnLoopbackLeadsBackThere(ExecutionMode mode) {
        server.deploy(new Recording(), mode);
        invite(local, "sip:127.0.0.2:5060");
        SipRequest invite = outside.request("INVITE");
        outside.respond(invite, 200, "b", "Contact: <sip:10.0.0.2:5060>");
        String route = "Route: " + local.response(200).recordRoutes().getFirst();
        String caller = "<sip:a@x>;tag=a";
        String callee = "<sip:x@y>;tag=b";
        local.request("ACK sip:10.0.0.2:5060", caller, callee, "c1", 1, route);
        outside.request("ACK");
        // Not where the dialog leads, though within it.
        outside.request("INFO " + INNER, callee, caller, "c1", 7, route);
        outside.response(403);
        outside.request("BYE sip:127.0.0.2:5060", callee, caller, "c1", 8, route);
        local.respond(local.request("BYE"), 200, "");
        outside.response(200);
        server.run(Duration.ofSeconds(1));
        assertThat(inner.all).isEmpty();
    }

    @Test
    void whatAnApplicationSendsByItselfGoesWhereTheServerMaySend() {
        Manual phone = new Manual();
        server.deploy(phone, ExecutionMode.NON_BLOCKING);
        phone.call(INNER);
        inner.respond(inner.request("INVITE"), 486, "busy");
    }

    @Test
    void aContactOnLoopbackGetsNoRequestInTheDialogOfAStranger() throws IOException {
        Manual phone = new Manual();
        server.deploy(phone, ExecutionMode.NON_BLOCKING);
        invite(outside, INNER);
        outside.response(180);
        phone.answer(200);
        outsideAck();
        Objects.requireNonNull(phone.invite).getSession().createRequest("BYE").send();
        server.run(Duration.ofSeconds(40));
        assertThat(inner.all).isEmpty();
        assertThat(phone.events).contains("BYE 403");
    }

    private void outsideAck() {
        String tag = String.valueOf(outside.response(200).toTag());
        outside.request("ACK sip:x@10.0.0.1", "<sip:a@x>;tag=a", "<sip:x@y>;tag=" + tag, "c1", 1);
        server.run(Duration.ofMillis(100));
    }

    @Test
    void anAckForAStrangersAnswerDoesNotGoToLoopback() {
        server.deploy(new Bridge("sip:callee@10.0.0.3:5060"), ExecutionMode.NON_BLOCKING);
        RawPeer callee = server.peer("10.0.0.3");
        invite(outside, "sip:10.0.0.2:5060");
        SipRequest leg = callee.request("INVITE");
        callee.send(
                "SIP/2.0 200 OK\nVia: "
                        + leg.topVia()
                        + "\nFrom: "
                        + leg.from()
                        + "\nTo: "
                        + leg.to()
                        + ";tag=b\nCall-ID: "
                        + leg.callId()
                        + "\nCSeq: 1 INVITE\nContact: <"
                        + INNER
                        + ">\nContent-Length: 0\n\n");
        outsideAck();
        server.run(Duration.ofSeconds(1));
        assertThat(inner.all).isEmpty();
    }

    /** Nor does a page that anybody may open. */
    @ParameterizedTest
    @CsvSource({"10.0.0.2, 0", "169.254.0.2, 0", "127.0.0.1, 1"})
    void aVisitorReachesLoopbackFromThereAlone(String address, int reached) {
        Manual phone = new Manual();
        server.deploy(phone, ExecutionMode.NON_BLOCKING);
        PageVisitor.<RuntimeException>serve(address, () -> phone.call(INNER));
        server.run(Duration.ofMillis(100));
        assertThat(inner.requests("INVITE")).isEqualTo(reached);
    }

    /** What answers a request in an application session of its own answers its sender. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aHandlerBeginsItsOwnSessionsOnBehalfOfWhoAsked(ExecutionMode mode) {
        server.deploy(
                new SipServlet() {
                    @Override
                    protected void doMessage(SipServletRequest request)
                            throws ServletException, IOException {
                        request.createResponse(200).send();
                        SipFactory factory =
                                (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                        factory.createRequest(
                                        factory.createApplicationSession(),
                                        "MESSAGE",
                                        "sip:app@10.0.0.1",
                                        INNER)
                                .send();
                        factory.createRequest(
                                        factory.createApplicationSessionByKey("callers"),
                                        "MESSAGE",
                                        "sip:app@10.0.0.1",
                                        INNER)
                                .send();
                    }
                },
                mode);
        outside.request("MESSAGE sip:x@10.0.0.1", "<sip:a@x>;tag=a", "<sip:x@y>", "c1", 1);
        outside.response(200);
        server.run(Duration.ofSeconds(1));
        assertThat(inner.all).isEmpty();
        local.request("MESSAGE sip:x@10.0.0.1", "<sip:a@x>;tag=a", "<sip:x@y>", "c2", 1);
        local.response(200);
        server.run(Duration.ofSeconds(1));
        assertThat(inner.requests("MESSAGE")).isPositive();
    }
}
