package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import java.time.Duration;
import java.util.List;
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

    private void browserSends(String text) {
        alice.send(text.replace("10.0.0.2:5060;branch", "df7jal23ls0d.invalid;branch"));
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
