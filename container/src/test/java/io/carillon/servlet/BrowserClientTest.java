package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.testkit.SimulatedNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** RFC 7118: a client without an address calls through a proxy, and is called back. */
class BrowserClientTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String TO = "<sip:uas@y>;tag=b";
    private static final String CONTACT = "sip:a@df7jal23ls0d.invalid;transport=ws";

    private final Server server = Server.fresh(1);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");

    /** Hangs up behind the second ACK. */
    private static final class Answering extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doInvite(SipServletRequest invite) throws IOException {
            invite.createResponse(200).send();
        }

        @Override
        protected void doAck(SipServletRequest ack) throws IOException {
            if (ack.getHeader("CSeq").startsWith("2 ")) {
                ack.getSession().createRequest("BYE").send();
            }
        }
    }

    private void browserSends(String text) {
        browserSends(alice, text);
    }

    private static void browserSends(RawPeer browser, String text) {
        browser.send(
                text.replaceAll("10\\.0\\.0\\.[0-9]:5060;branch", "df7jal23ls0d.invalid;branch"));
    }

    /** Its connection of before may be dead without our knowing: its name leads there. */
    @Test
    void rfc3261_12_2_2_afterAReInviteFromAnotherNetworkItIsReachedThere() {
        server.deploy(new Answering(), ExecutionMode.NON_BLOCKING);
        String contact = "Contact: <" + CONTACT + ">";
        alice.over(Transport.WS);
        browserSends(
                alice.text(
                        "INVITE sip:uas@10.0.0.1",
                        "z9hG4bK1",
                        FROM,
                        "<sip:u@y>",
                        "c1",
                        1,
                        contact));
        String to = alice.response(200).to().toString();
        browserSends(alice.text("ACK sip:10.0.0.1", "z9hG4bK2", FROM, to, "c1", 1));
        RawPeer mobile = server.peer("10.0.0.4").over(Transport.WS);
        browserSends(
                mobile, mobile.text("INVITE sip:10.0.0.1", "z9hG4bK3", FROM, to, "c1", 2, contact));
        mobile.response(200);
        browserSends(mobile, mobile.text("ACK sip:10.0.0.1", "z9hG4bK4", FROM, to, "c1", 2));
        SipRequest bye = mobile.request("BYE");
        assertThat(bye.requestUri().toString()).isEqualTo(CONTACT);
        assertThat(bye.topRoute()).isNull();
        mobile.respond(bye, 200, "");
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    /** RFC 3261 12.2.2: without the tag that only the dialog's ends know nothing moves. */
    @Test
    void whoDoesNotKnowOurTagMovesNothing() {
        server.deploy(new Answering(), ExecutionMode.NON_BLOCKING);
        String contact = "Contact: <" + CONTACT + ">";
        alice.over(Transport.WS);
        browserSends(
                alice.text(
                        "INVITE sip:uas@10.0.0.1",
                        "z9hG4bK1",
                        FROM,
                        "<sip:u@y>",
                        "c1",
                        1,
                        contact));
        String to = alice.response(200).to().toString();
        browserSends(alice.text("ACK sip:10.0.0.1", "z9hG4bK2", FROM, to, "c1", 1));
        RawPeer stranger = server.peer("10.0.0.4").over(Transport.WS);
        String guessed = "<sip:u@y>;tag=guessed";
        browserSends(
                stranger,
                stranger.text("UPDATE sip:10.0.0.1", "z9hG4bK3", FROM, guessed, "c1", 2, contact));
        stranger.response(481);
        browserSends(alice.text("INVITE sip:10.0.0.1", "z9hG4bK4", FROM, to, "c1", 2, contact));
        alice.response(200);
        browserSends(alice.text("ACK sip:10.0.0.1", "z9hG4bK5", FROM, to, "c1", 2));
        SipRequest bye = alice.request("BYE");
        alice.respond(bye, 200, "");
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    /** RFC 5626 5.3.1: the flow in Record-Route is no more, but its client has its name. */
    @Test
    void whatAProxySendsByAFlowThatEndedFindsTheClientByItsName() {
        server.deploy(new ProxyTest.Forwarder(), ExecutionMode.NON_BLOCKING);
        String contact = "Contact: <" + CONTACT + ">";
        alice.over(Transport.WS);
        browserSends(
                alice.text(
                        "INVITE sip:uas@10.0.0.1",
                        "z9hG4bK1",
                        FROM,
                        "<sip:uas@y>",
                        "c1",
                        1,
                        contact));
        SipRequest invite = bob.request("INVITE");
        List<NameAddress> recorded = invite.recordRoutes();
        bob.respond(invite, 200, "b");
        alice.response(200);
        String routes = "Route: " + recorded.get(1) + ", " + recorded.get(0);
        browserSends(alice.text("ACK sip:10.0.0.3:5060", "z9hG4bK2", FROM, TO, "c1", 1, routes));
        bob.request("ACK");
        String back = "Route: " + recorded.get(0) + ", " + recorded.get(1);
        server.network.unbind(SimulatedNetwork.address("10.0.0.2", 5060));
        bob.request("INFO " + CONTACT, TO, FROM, "c1", 7, back);
        bob.response(430);
        RawPeer again = server.peer("10.0.0.4").over(Transport.WS);
        browserSends(
                again,
                again.text("OPTIONS sip:10.0.0.3:5060", "z9hG4bK3", FROM, TO, "c1", 2, routes));
        bob.respond(bob.request("OPTIONS"), 200, "");
        again.response(200);
        bob.request("BYE " + CONTACT, TO, FROM, "c1", 8, back);
        SipRequest bye = again.request("BYE");
        assertThat(bye.topRoute()).isNull();
        again.respond(bye, 200, "");
        bob.response(200);
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"WS", "WSS"})
    void rfc7118_8_2_aDialogRunsBothWaysByItsConnection(Transport transport) {
        ProxyTest.Forwarder forwarder = new ProxyTest.Forwarder();
        server.deploy(forwarder, ExecutionMode.NON_BLOCKING);
        alice.over(transport);
        browserSends(
                alice.text(
                        "INVITE sip:uas@10.0.0.1",
                        "z9hG4bK1",
                        FROM,
                        "<sip:uas@y>",
                        "c1",
                        1,
                        "Contact: <" + CONTACT + ">"));
        SipRequest invite = bob.request("INVITE");
        assertThat(invite.topVia().transport()).isEqualTo("UDP");
        List<NameAddress> recorded = invite.recordRoutes();
        assertThat(recorded).hasSize(2);
        assertThat(recorded.get(0).uri().toString()).doesNotContain("transport");
        // RFC 7118 5.2 and RFC 5658: the side towards the browser names its transport.
        assertThat(recorded.get(1).uri().toString())
                .contains(";transport=" + transport.parameter() + ";");
        bob.respond(invite, 200, "b");
        alice.response(200);
        String routes = "Route: " + recorded.get(1) + ", " + recorded.get(0);
        browserSends(alice.text("ACK sip:10.0.0.3:5060", "z9hG4bK2", FROM, TO, "c1", 1, routes));
        bob.request("ACK");
        String back = "Route: " + recorded.get(0) + ", " + recorded.get(1);
        bob.request("BYE " + CONTACT, TO, FROM, "c1", 7, back);
        SipRequest bye = alice.request("BYE");
        assertThat(bye.requestUri().toString()).isEqualTo(CONTACT);
        assertThat(bye.topVia().transport()).isEqualTo(transport.name());
        assertThat(alice.lastTransport).isEqualTo(transport);
        alice.respond(bye, 200, "");
        bob.response(200);
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }
}
