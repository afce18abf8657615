package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Address;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * RFC 5630: what sips asks of each role. The way is TLS by name only; nothing is enciphered here.
 */
class SipsRulesTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String CONTACT = "Contact: <sips:a@10.0.0.2:5060>";

    private final Server server = Server.fresh(1);
    private final RawPeer alice = server.peer("10.0.0.2").over(Transport.TLS);
    private final RawPeer bob = server.peer("10.0.0.3").over(Transport.TLS);

    private void invite(String uri, String... headers) {
        alice.request("INVITE " + uri, FROM, "<sip:b@y>", "c1", 1, headers);
    }

    // ---- user agent server ----

    static final class Answering extends SipServlet {
        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            SipServletResponse ok = request.createResponse(200);
            ok.setHeader("X-Secure", String.valueOf(request.isSecure()));
            ok.send();
        }
    }

    /** RFC 3261 12.1.1, and RFC 5630 5.1.1.2: else "MUST use a SIP URI". */
    @ParameterizedTest
    @CsvSource({
        "sips:b@10.0.0.1, sip:a@10.0.0.2, '', sips:10.0.0.1:5060",
        "sip:b@10.0.0.1, sips:a@10.0.0.2, '', sips:10.0.0.1:5060",
        "sip:b@10.0.0.1, sip:a@10.0.0.2, '', sip:10.0.0.1:5060;transport=tls",
        "sip:b@10.0.0.1, sip:a@10.0.0.2, <sips:10.0.0.2;lr>, sips:10.0.0.1:5060",
        "sip:b@10.0.0.1, sips:a@10.0.0.2, <sip:10.0.0.2;lr>, sip:10.0.0.1:5060;transport=tls",
    })
    void theContactOfAnAnswerIsSipsWhereTheRequestAsksForIt(
            String uri, String contact, String recordRoute, String ours) {
        server.deploy(new Answering(), ExecutionMode.NON_BLOCKING);
        invite(
                uri,
                "Contact: <" + contact + ">",
                recordRoute.isEmpty() ? "X-None: 1" : "Record-Route: " + recordRoute);
        SipResponse ok = alice.response(200);
        assertThat(ok.header(HeaderName.CONTACT)).isEqualTo("<" + ours + ">");
        assertThat(ok.header(HeaderName.of("X-Secure"))).isEqualTo("true");
    }

    @ParameterizedTest
    @EnumSource(
            value = Transport.class,
            names = {"UDP", "TCP", "WS"})
    void aSipsUriThatCameWithoutTlsIsRefused(Transport transport) {
        server.deploy(new Answering(), ExecutionMode.NON_BLOCKING);
        alice.over(transport);
        invite("sips:b@10.0.0.1", CONTACT);
        alice.response(400);
    }

    // ---- user agent client ----

    @Test
    void aRequestToSipsLeavesOverTlsWithASipsContact() {
        server.deploy(new Bridge("sips:b@10.0.0.3:5060"), ExecutionMode.NON_BLOCKING);
        invite("sip:b@10.0.0.1", "Contact: <sip:a@10.0.0.2:5060>");
        SipRequest invite = bob.request("INVITE");
        assertThat(bob.lastTransport).isEqualTo(Transport.TLS);
        assertThat(invite.requestUri()).hasToString("sips:b@10.0.0.3:5060");
        assertThat(invite.topVia().toString()).startsWith("SIP/2.0/TLS ");
        assertThat(invite.header(HeaderName.CONTACT)).startsWith("<sips:").doesNotContain("tls");
    }

    /** RFC 3261 8.1.2: "as if the input URI were a SIPS URI". */
    @Test
    void aSipRouteIsTakenOverTlsWhenTheRequestUriIsSips() {
        server.deploy(
                new Bridge("sips:b@10.0.0.9") {
                    @Override
                    protected void doRequest(SipServletRequest request)
                            throws ServletException, IOException {
                        if (!request.isInitial()) {
                            return;
                        }
                        SipServletRequest leg =
                                request.getB2buaHelper().createRequest(request, true, null);
                        SipFactory factory =
                                (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                        leg.setRequestURI(factory.createURI(target(request)));
                        Address route = factory.createAddress("<sip:10.0.0.3:5060;lr>");
                        leg.pushRoute(route);
                        leg.send();
                    }
                },
                ExecutionMode.NON_BLOCKING);
        invite("sip:b@10.0.0.1", "Contact: <sip:a@10.0.0.2:5060>");
        bob.request("INVITE");
        assertThat(bob.lastTransport).isEqualTo(Transport.TLS);
    }

    @Test
    void thereIsNoFallbackFromSipsToAWayWithoutTls() {
        List<String> warnings = new ArrayList<>();
        server.deploy(
                new Bridge("sips:b@10.0.0.3:5060;transport=udp") {
                    @Override
                    protected void doResponse(SipServletResponse response)
                            throws ServletException, IOException {
                        warnings.add(response.getStatus() + " " + response.getHeader("Warning"));
                        super.doResponse(response);
                    }
                },
                ExecutionMode.NON_BLOCKING);
        invite("sip:b@10.0.0.1", "Contact: <sip:a@10.0.0.2:5060>");
        alice.any();
        server.run(Duration.ofSeconds(1));
        assertThat(warnings).containsExactly("503 399 carillon \"a sips URI leads over TLS only\"");
        assertThat(bob.all).isEmpty();
    }

    /** RFC 5630 5.1.1.2: both stay with sips; who does not is not reached without TLS. */
    @Test
    void requestsOfASipsDialogLeaveOverTlsWhateverTheContactSays() {
        server.deploy(new Bridge("sips:b@10.0.0.3:5060"), ExecutionMode.NON_BLOCKING);
        invite("sips:b@10.0.0.1", CONTACT);
        SipRequest invite = bob.request("INVITE");
        bob.over(Transport.UDP).respond(invite, 200, "b"); // with a Contact of scheme sip
        SipResponse ok = alice.response(200);
        alice.request("ACK sips:10.0.0.1", FROM, ok.to().toString(), "c1", 1);
        SipRequest ack = bob.request("ACK");
        assertThat(bob.lastTransport).isEqualTo(Transport.TLS);
        assertThat(ack.requestUri().toString()).startsWith("sips:10.0.0.3");
    }

    // ---- proxy ----

    static final class Forwarder extends SipServlet {
        private final String target;

        Forwarder(String target) {
            this.target = target;
        }

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            if (request.isInitial()) {
                Proxy proxy = request.getProxy();
                proxy.setRecordRoute(true);
                proxy.setRecurse(true);
                SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                proxy.proxyTo(factory.createURI(target));
            }
        }
    }

    private void proxyTo(String target) {
        server.deploy(new Forwarder(target), ExecutionMode.NON_BLOCKING);
    }

    @Test
    void aProxyKeepsSipsOnBothSidesAndSaysSoInRecordRoute() {
        proxyTo("sips:b@10.0.0.3:5060");
        invite("sips:b@10.0.0.1", CONTACT);
        SipRequest invite = bob.request("INVITE");
        assertThat(bob.lastTransport).isEqualTo(Transport.TLS);
        assertThat(invite.header(HeaderName.RECORD_ROUTE))
                .startsWith("<sips:10.0.0.1:5060;lr;")
                .doesNotContain("transport");
    }

    /** 5.3: "the proxy MUST reject it with a 480", "SHOULD include a Warning header ... 380". */
    @Test
    void aProxyDoesNotSendASipsRequestToASipUri() {
        proxyTo("sip:b@10.0.0.3:5060;transport=tls");
        invite("sips:b@10.0.0.1", CONTACT);
        SipResponse refused = alice.response(480);
        assertThat(refused.header(HeaderName.WARNING)).startsWith("380 ");
        assertThat(bob.all).isEmpty();
    }

    /** 5.3: "MUST replace that SIPS scheme with a SIP scheme ... MUST use TLS". */
    @Test
    void aProxySendsASipRequestToASipsTargetAsSipOverTls() {
        proxyTo("sips:b@10.0.0.3:5060");
        invite("sip:b@10.0.0.1", "Contact: <sip:a@10.0.0.2:5060>");
        SipRequest invite = bob.request("INVITE");
        assertThat(invite.requestUri()).hasToString("sip:b@10.0.0.3:5060");
        assertThat(bob.lastTransport).isEqualTo(Transport.TLS);
        assertThat(invite.header(HeaderName.RECORD_ROUTE))
                .startsWith("<sip:10.0.0.1:5060;transport=tls;lr;");
    }

    /** 5.3: "the proxy MUST NOT recurse on the response", from sips to sip and from sip to sips. */
    @ParameterizedTest
    @CsvSource({"sips, sip", "sip, sips"})
    void aProxyDoesNotFollowARedirectToTheOtherScheme(String asked, String offered) {
        proxyTo(asked + ":b@10.0.0.3:5060");
        invite(asked + ":b@10.0.0.1", "Contact: <" + asked + ":a@10.0.0.2:5060>");
        bob.respond302(bob.request("INVITE"), offered + ":c@10.0.0.4:5060");
        SipResponse redirect = alice.response(302);
        assertThat(redirect.header(HeaderName.CONTACT)).contains(offered + ":c@10.0.0.4");
    }
}
