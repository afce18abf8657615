package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 3326 and RFC 7044: Reason and History-Info go on as they came. */
class ReasonAndHistoryTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final List<String> HISTORY =
            List.of(
                    "<sip:b@example.com?Reason=SIP%3Bcause%3D302&Privacy=none>;index=1;foo=\"a,b\"",
                    "\"Bob, the first\" <sip:b@10.0.0.3>;index=1.1;rc=1",
                    "<tel:+1555;phone-context=x>;index=1.1.1;mp=1");
    private static final List<String> REASONS =
            List.of("Q.850;cause=16;text=\"Terminated, really\"", "SIP;cause=600");

    private final Server server = Server.fresh(59);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");
    private final RawPeer carol = server.peer("10.0.0.4");

    private static final class Fork extends SipServlet {
        @Override
        protected void doInvite(SipServletRequest request) throws ServletException, IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            Proxy proxy = request.getProxy();
            proxy.proxyTo(
                    List.of(
                            factory.createURI("sip:b@10.0.0.3:5060"),
                            factory.createURI("sip:c@10.0.0.4:5060")));
        }
    }

    private void deploy(SipServlet servlet, ExecutionMode mode) throws Exception {
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", () -> servlet)
                        .execution(mode)
                        .build());
    }

    private void invite(String... headers) {
        String[] all = Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = "Contact: <sip:10.0.0.2:5060>";
        alice.send(
                alice.text(
                        "INVITE sip:b@10.0.0.1", "z9hG4bKcall", FROM, "<sip:b@y>", "c1", 1, all));
    }

    private void cancel() {
        alice.send(
                alice.text(
                        "CANCEL sip:b@10.0.0.1",
                        "z9hG4bKcall",
                        FROM,
                        "<sip:b@y>",
                        "c1",
                        1,
                        "Reason: " + REASONS.get(0),
                        "Reason: " + REASONS.get(1)));
    }

    private static void assertHistory(SipRequest forwarded) {
        assertThat(forwarded.headers(HeaderName.HISTORY_INFO)).isEqualTo(HISTORY);
    }

    @Test
    void aProxyPassesOnHistoryToEveryBranch() throws Exception {
        deploy(new Fork(), ExecutionMode.NON_BLOCKING);
        invite(
                "History-Info: " + HISTORY.get(0) + ", " + HISTORY.get(1),
                "history-info: " + HISTORY.get(2));
        assertHistory(bob.request("INVITE"));
        assertHistory(carol.request("INVITE"));
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void soDoesABackToBackUserAgent(ExecutionMode mode) throws Exception {
        deploy(new Bridge("sip:b@10.0.0.3:5060"), mode);
        invite(
                "History-Info: " + HISTORY.get(0) + ", " + HISTORY.get(1),
                "history-info: " + HISTORY.get(2));
        assertHistory(bob.request("INVITE"));
    }

    @Test
    void aCancelGoesToEveryBranchWithItsReasons() throws Exception {
        deploy(new Fork(), ExecutionMode.NON_BLOCKING);
        invite();
        bob.respond(bob.request("INVITE"), 180, "b");
        carol.respond(carol.request("INVITE"), 180, "c");
        alice.response(180);
        cancel();
        assertThat(bob.request("CANCEL").headers(HeaderName.REASON)).isEqualTo(REASONS);
        assertThat(carol.request("CANCEL").headers(HeaderName.REASON)).isEqualTo(REASONS);
    }

    /** RFC 3326 2: phones show no missed call for what was answered elsewhere. */
    @Test
    void theOtherBranchesLearnThatTheCallWasAnswered() throws Exception {
        deploy(new Fork(), ExecutionMode.NON_BLOCKING);
        invite();
        SipRequest atBob = bob.request("INVITE");
        carol.respond(carol.request("INVITE"), 180, "c");
        alice.response(180);
        bob.respond(atBob, 200, "b");
        alice.response(200);
        assertThat(carol.request("CANCEL").headers(HeaderName.REASON))
                .containsExactly("SIP;cause=200;text=\"Call completed elsewhere\"");
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void theOtherLegOfABackToBackUserAgentLearnsWhyTheCallWasCancelled(ExecutionMode mode)
            throws Exception {
        deploy(new Bridge("sip:b@10.0.0.3:5060"), mode);
        invite();
        bob.respond(bob.request("INVITE"), 180, "b");
        alice.response(180);
        cancel();
        SipRequest cancel = bob.request("CANCEL");
        assertThat(cancel.headers(HeaderName.REASON)).isEqualTo(REASONS);
    }

    /** Within a call: BYE and its Reason. */
    @ParameterizedTest
    @ValueSource(strings = {"BYE", "INFO"})
    void requestsOfACallCarryTheirReasonOn(String method) throws Exception {
        deploy(new Bridge("sip:b@10.0.0.3:5060"), ExecutionMode.NON_BLOCKING);
        invite();
        bob.respond(bob.request("INVITE"), 200, "b");
        String to = alice.response(200).to().toString();
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 1);
        bob.request("ACK");
        alice.request(
                method + " sip:10.0.0.1",
                FROM,
                to,
                "c1",
                2,
                "Reason: " + REASONS.get(0),
                "Reason: " + REASONS.get(1));
        assertThat(bob.request(method).headers(HeaderName.REASON)).isEqualTo(REASONS);
    }
}
