package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.flow.FlowTokens;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.uri.SipUri;
import io.carillon.testkit.SimulatedNetwork;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * RFC 5626 5: an edge proxy between a phone at 10.0.0.2, which says that it is at 192.168.1.7, and
 * the rest of the world at 10.0.0.9.
 */
class FlowTest {
    private static final String CONTACT = "sip:bob@192.168.1.7:5060;ob";
    private static final String BOB = "<sip:bob@x>;tag=b";
    private static final String ALICE = "<sip:alice@x>;tag=a";

    /** As an application would write it: no line about flows. */
    private static final class EdgeProxy extends SipServlet {
        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            if (!request.isInitial() || request.getMethod().equals("ACK")) {
                return;
            }
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(true);
            proxy.setAddToPath(true);
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            boolean register = request.getMethod().equals("REGISTER");
            proxy.proxyTo(
                    register ? factory.createURI("sip:10.0.0.9:5060") : request.getRequestURI());
        }
    }

    private final Server server = Server.fresh(1);
    private final RawPeer phone = server.peer("10.0.0.2");
    private final RawPeer world = server.peer("10.0.0.9");

    @BeforeEach
    void deploy() {
        server.deploy(new EdgeProxy(), ExecutionMode.NON_BLOCKING);
    }

    @AfterEach
    void nothingIsLeft() {
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    private String path(String contact) {
        phone.request(
                "REGISTER sip:10.0.0.1",
                BOB,
                "<sip:bob@x>",
                "r1",
                1,
                "Supported: path, outbound",
                "Contact: <" + contact + ">;reg-id=1;+sip.instance=\"<urn:uuid:1>\"");
        SipRequest register = world.request("REGISTER");
        world.respond(register, 200, "r");
        phone.response(200);
        return register.header(HeaderName.PATH);
    }

    private static SipUri uri(String address) throws Exception {
        return (SipUri) NameAddress.parse(address).uri();
    }

    @Test
    void rfc5626_5_1_theFirstHopPutsItsFlowTokenAndObIntoPath() throws Exception {
        String path = path(CONTACT);
        SipUri own = uri(path);
        assertThat(FlowTokens.isToken(own.rawUser())).isTrue();
        assertThat(own.hasParam("ob")).isTrue();
        assertThat(own.isLooseRouter()).isTrue();
        // RFC 5626 5.2: "unique to this network flow"; and it shows no address.
        assertThat(path(CONTACT)).startsWith("<sip:" + own.rawUser() + "@10.0.0.1:5060;lr;");
        assertThat(own.rawUser()).doesNotContain("10.0.0");
    }

    @Test
    void rfc5626_5_1_whoIsNotTheFirstHopPutsNoObIntoPath() throws Exception {
        String register =
                phone.text("REGISTER sip:10.0.0.1", "z9hG4bK1", BOB, "<sip:bob@x>", "r1", 1);
        phone.send(
                register.replace(
                        "Max-Forwards:",
                        "Via: SIP/2.0/UDP 192.168.1.7;branch=z9hG4bK2\nMax-Forwards:"));
        SipRequest forwarded = world.request("REGISTER");
        assertThat(uri(forwarded.header(HeaderName.PATH)).hasParam("ob")).isFalse();
        world.respond(forwarded, 200, "r");
        phone.response(200);
    }

    @Test
    void rfc5626_5_3_1_aCallToThePhoneAndAllOfItsDialogGoOverTheFlow() throws Exception {
        String path = path(CONTACT);
        world.request(
                "INVITE " + CONTACT, ALICE, "<sip:bob@x>", "c1", 1, "Route: " + path, world());
        SipRequest invite = phone.request("INVITE");
        assertThat(invite.topRoute()).isNull();
        assertThat(invite.requestUri().toString()).isEqualTo(CONTACT);
        List<NameAddress> recorded = invite.recordRoutes();
        assertThat(recorded).hasSize(2);
        assertThat(FlowTokens.isToken(((SipUri) recorded.getFirst().uri()).rawUser())).isTrue();
        phone.respond(invite, 200, "b");
        world.response(200);

        String routes = "Route: " + recorded.get(1) + ", " + recorded.get(0);
        world.request("ACK " + CONTACT, ALICE, BOB, "c1", 1, routes);
        assertThat(phone.request("ACK").topRoute()).isNull();
        world.request("INFO " + CONTACT, ALICE, BOB, "c1", 2, routes);
        SipRequest info = phone.request("INFO");
        assertThat(info.topRoute()).isNull();
        phone.respond(info, 200, "");
        world.response(200);

        String back = "Route: " + recorded.get(0) + ", " + recorded.get(1);
        phone.request("BYE sip:10.0.0.9:5060", BOB, ALICE, "c1", 7, back);
        SipRequest bye = world.request("BYE");
        assertThat(bye.topRoute()).isNull();
        world.respond(bye, 200, "");
        phone.response(200);
    }

    @Test
    void rfc5626_5_3_2_aCallOfThePhoneIsEndedOverItsFlow() throws Exception {
        phone.request(
                "INVITE sip:alice@10.0.0.9:5060",
                BOB,
                "<sip:alice@x>",
                "c2",
                1,
                "Contact: <" + CONTACT + ">");
        SipRequest invite = world.request("INVITE");
        List<NameAddress> recorded = invite.recordRoutes();
        assertThat(recorded).hasSize(2);
        world.respond(invite, 200, "a");
        phone.response(200);
        String routes = "Route: " + recorded.get(1) + ", " + recorded.get(0);
        phone.request("ACK sip:10.0.0.9:5060", BOB, ALICE, "c2", 1, routes);
        assertThat(world.request("ACK").topRoute()).isNull();
        String back = "Route: " + recorded.get(0) + ", " + recorded.get(1);
        world.request("BYE " + CONTACT, ALICE, BOB, "c2", 7, back);
        SipRequest bye = phone.request("BYE");
        assertThat(bye.topRoute()).isNull();
        phone.respond(bye, 200, "");
        world.response(200);
    }

    @Test
    void aPhoneThatCanBeReachedGetsNoToken() throws Exception {
        phone.request(
                "INVITE sip:alice@10.0.0.9:5060",
                BOB,
                "<sip:alice@x>",
                "c3",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        SipRequest invite = world.request("INVITE");
        assertThat(invite.recordRoutes()).hasSize(1);
        assertThat(((SipUri) invite.recordRoutes().getFirst().uri()).rawUser()).isNull();
        world.respond(invite, 486, "a");
        phone.response(486);
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 9, 20, 33})
    void rfc5626_5_3_1_aTokenThatWasTamperedWithIs403(int at) throws Exception {
        String path = path(CONTACT);
        int position = path.indexOf(FlowTokens.PREFIX) + at;
        char other = path.charAt(position) == 'A' ? 'B' : 'A';
        String forged = path.substring(0, position) + other + path.substring(position + 1);
        boolean namesAnotherKey = at < 9;
        world.request("MESSAGE " + CONTACT, ALICE, "<sip:bob@x>", "m1", 1, "Route: " + forged);
        world.response(namesAnotherKey ? 430 : 403);
        assertThat(phone.requests("MESSAGE")).isZero();
    }

    @Test
    void rfc5626_5_3_1_aFlowOfBeforeTheRestartIs430() throws Exception {
        byte[] key = new byte[64];
        String token =
                new FlowTokens(key)
                        .encode(
                                io.carillon.sip.hop.Hop.to(
                                        Transport.UDP, SimulatedNetwork.address("10.0.0.2", 5060)));
        world.request(
                "MESSAGE " + CONTACT,
                ALICE,
                "<sip:bob@x>",
                "m1",
                1,
                "Route: <sip:" + token + "@10.0.0.1:5060;lr;ob>");
        world.response(430);
    }

    @Test
    void rfc5626_5_3_1_aConnectionThatIsGoneIs430() throws Exception {
        overTcp(
                phone.text(
                        "REGISTER sip:10.0.0.1",
                        "z9hG4bK7",
                        BOB,
                        "<sip:bob@x>",
                        "r7",
                        1,
                        "Contact: <sip:bob@192.168.1.7;transport=tcp;ob>;reg-id=1"));
        SipRequest register = world.request("REGISTER");
        String path = register.header(HeaderName.PATH);
        world.respond(register, 200, "r");
        phone.response(200);

        String route = "Route: " + path;
        world.request("MESSAGE " + CONTACT, ALICE, "<sip:bob@x>", "m1", 1, route);
        SipRequest message = phone.request("MESSAGE");
        assertThat(message.topVia().transport()).isEqualTo("TCP");
        phone.respond(message, 200, "");
        world.response(200);
        server.network.unbind(SimulatedNetwork.address("10.0.0.2", 5060));
        world.request("MESSAGE " + CONTACT, ALICE, "<sip:bob@x>", "m2", 2, route);
        world.response(430);
    }

    private void overTcp(String text) {
        server.network.send(
                Transport.TCP,
                SimulatedNetwork.address("10.0.0.2", 5060),
                SimulatedNetwork.address("10.0.0.1", 5060),
                text.replace("SIP/2.0/UDP", "SIP/2.0/TCP")
                        .replace("\n", "\r\n")
                        .getBytes(StandardCharsets.UTF_8));
    }

    private static String world() {
        return "Contact: <sip:10.0.0.9:5060>";
    }
}
