package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.testkit.SimulatedNetwork;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A proxy between two transports stands in the route set twice (RFC 5658 6.2). */
class DoubleRouteTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String TO = "<sip:uas@y>;tag=b";

    private final ProxyTest.Forwarder forwarder = new ProxyTest.Forwarder();
    private final Server server = Server.fresh(1);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");

    private void overTcp(String text) {
        server.network.send(
                Transport.TCP,
                SimulatedNetwork.address("10.0.0.2", 5060),
                SimulatedNetwork.address("10.0.0.1", 5060),
                text.replace("SIP/2.0/UDP", "SIP/2.0/TCP")
                        .replace("\n", "\r\n")
                        .getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc5658_6_requestsInTheDialogDoNotComeToUsTwice(ExecutionMode mode) {
        server.deploy(forwarder, mode);
        overTcp(
                alice.text(
                        "INVITE sip:uas@10.0.0.1",
                        "z9hG4bK1",
                        FROM,
                        "<sip:uas@y>",
                        "c1",
                        1,
                        "Contact: <sip:10.0.0.2:5060;transport=tcp>"));
        SipRequest invite = bob.request("INVITE");
        List<NameAddress> recorded = invite.recordRoutes();
        assertThat(recorded).hasSize(2);
        bob.respond(invite, 200, "b");
        alice.response(200);
        String routes = "Route: " + recorded.get(1) + ", " + recorded.get(0);
        overTcp(alice.text("ACK sip:10.0.0.3:5060", "z9hG4bK2", FROM, TO, "c1", 1, routes));
        SipRequest ack = bob.request("ACK");
        assertThat(ack.vias()).hasSize(2);
        assertThat(ack.topRoute()).isNull();
        overTcp(alice.text("INFO sip:10.0.0.3:5060", "z9hG4bK3", FROM, TO, "c1", 2, routes));
        SipRequest info = bob.request("INFO");
        assertThat(info.vias()).hasSize(2);
        assertThat(info.topRoute()).isNull();
        bob.respond(info, 200, "");
        alice.response(200);
        String back = "Route: " + recorded.get(0) + ", " + recorded.get(1);
        bob.request("BYE sip:10.0.0.2:5060;transport=tcp", TO, FROM, "c1", 7, back);
        SipRequest bye = alice.request("BYE");
        assertThat(bye.vias()).hasSize(2);
        assertThat(bye.topVia().transport()).isEqualTo("TCP");
        alice.respond(bye, 200, "");
        bob.response(200);
        server.run(Duration.ofSeconds(70));
        assertThat(forwarder.events)
                .containsExactly(
                        "INVITE",
                        "200 CONFIRMED",
                        "ACK CONFIRMED",
                        "INFO CONFIRMED",
                        "200 CONFIRMED",
                        "BYE CONFIRMED",
                        "200 CONFIRMED");
        server.assertEmpty();
    }
}
