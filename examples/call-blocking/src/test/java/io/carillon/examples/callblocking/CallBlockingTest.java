package io.carillon.examples.callblocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import io.carillon.testkit.Ending;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.SourceApplication;
import io.carillon.testkit.UserAgent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The example in a container: who is refused, with what, and what happens to the others. */
@SipTest
class CallBlockingTest {
    @TempDir private static Path folder;
    private static Path application;

    @BeforeAll
    static void build() throws IOException {
        application = SourceApplication.build(Path.of("src/main"), folder.resolve("call-blocking"));
    }

    @ParameterizedTest
    @CsvSource({
        "<sip:mallory@example.com>, '', sip:bob@10.0.1.2, 403",
        "<sip:%6Dallory@EXAMPLE.com>, '', sip:bob@10.0.1.2, 403",
        "<sip:anybody@Spam.Example>, '', sip:bob@10.0.1.2, 403",
        "<sip:anybody@call.spam.example>, '', sip:bob@10.0.1.2, 403",
        "<sip:anybody@notspam.example>, '', sip:bob@10.0.1.2, 200",
        "<sip:mallory2@example.com>, '', sip:bob@10.0.1.2, 200",
        "<sip:alice@example.com>, '', sip:+4990123@10.0.1.2, 403",
        "<sip:alice@example.com>, '', tel:+49-90-123, 403",
        "<sip:alice@example.com>, '', sip:+49-90-123@10.0.1.2;user=phone, 403",
        "<sip:alice@example.com>, '', sip:+49.90.123@10.0.1.2, 403",
        "<sip:alice@example.com>, '', sip:+49(90)123@10.0.1.2, 403",
        "<sip:alice@example.com>, '', sip:+49%2d90%20123@10.0.1.2, 403",
        "<sip:alice@example.com>, '', sip:+4990123;npdi@10.0.1.2, 403",
        "<sip:alice@example.com>, '', sip:-+4990123@10.0.1.2, 403",
        "<sip:alice@example.com>, '', sip:.+4990123@10.0.1.2, 403",
        "<sip:alice@example.com>, '', sip:%2D+4990123@10.0.1.2, 403",
        "<sip:alice@example.com>, '', sip:+-4990123@10.0.1.2, 403",
        "<sip:alice@example.com>, '', sip:)(+4990123@10.0.1.2, 403",
        "<sip:alice@example.com>, '', sip:%20+4990123@10.0.1.2, 403",
        "<sip:alice@example.com>, '', sip:%09+4990123@10.0.1.2, 403",
        "<sip:mallory;a=b@example.com>, '', sip:bob@10.0.1.2, 403",
        "<sip:anybody@spam.example.>, '', sip:bob@10.0.1.2, 403",
        "<sip:x@anonymous.invalid.>, '', sip:bob@10.0.1.2, 433",
        "<sip:anonymous;a=b@example.com>, '', sip:bob@10.0.1.2, 433",
        "\"Anonymous\" <sip:anonymous@anonymous.invalid>, '', sip:bob@10.0.1.2, 433",
        "<sip:alice@example.com>, 'id;critical', sip:bob@10.0.1.2, 433",
        "<sip:alice@example.com>, none, sip:bob@10.0.1.2, 200",
    })
    void theFirstRuleThatHoldsRefuses(
            String from, String privacy, String uri, int status, SipTestServer server)
            throws Exception {
        server.deploy(application);
        ScriptedPeer caller = server.peer("caller");
        ScriptedPeer bob = server.peer("bob");
        send(caller, "INVITE", from, privacy, uri);
        if (status == 200) {
            bob.reply(bob.expect("INVITE"), 200, "Contact: <sip:bob@10.0.1.2>");
        }
        caller.expect(Integer.toString(status));
        assertThat(bob.count("INVITE")).isEqualTo(status == 200 ? 1 : 0);
    }

    private static void send(
            ScriptedPeer caller, String method, String from, String privacy, String uri) {
        String text =
                method
                        + " "
                        + uri
                        + " SIP/2.0\nVia: SIP/2.0/UDP 10.0.1.1;branch=z9hG4bK-1\nMax-Forwards: 70\nFrom: "
                        + from
                        + ";tag=a\nTo: <"
                        + uri
                        + ">\nCall-ID: blocking@10.0.1.1\nCSeq: 1 "
                        + method
                        + "\nContact: <sip:caller@10.0.1.1>\n"
                        + (privacy.isEmpty() ? "" : "Privacy: " + privacy + "\n");
        caller.send(SimulatedNetwork.address(SipTestServer.HOST, 5060), text);
    }

    @Test
    void aRefusalSaysAnonymityDisallowedAndMessagesAreRefusedToo(SipTestServer server)
            throws Exception {
        server.deploy(application);
        ScriptedPeer caller = server.peer("caller");
        send(caller, "MESSAGE", "<sip:x@anonymous.invalid>", "", "sip:bob@10.0.1.2");
        Received refusal = caller.expect("433");
        assertThat(refusal.response().reason()).isEqualTo("Anonymity Disallowed");
        server.assertNothingLeft();
    }

    @Test
    void aCallThatPassesStaysOnThePathAndEndsWithoutARest(SipTestServer server) throws Exception {
        server.deploy(application);
        UserAgent alice = server.phone("alice");
        UserAgent bob = server.phone("bob").onCall(Call::answer);
        Call call = alice.invite(bob.uri().toString()).via("sip:10.0.0.1;lr").send();
        server.advance(Duration.ofHours(1));
        assertThat(server.sessions("call-blocking")).hasSize(1);
        bob.lastCall().bye();
        server.advance(Duration.ofSeconds(1));
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_THERE);
        server.assertNothingLeft();
    }

    @Test
    @SipTest(contextParams = {"call-blocking.record-route=false", "call-blocking.rules=alice bob;"})
    void withoutRecordRouteNothingIsKeptOfACallAndRulesComeFromTheParameter(SipTestServer server)
            throws Exception {
        server.deploy(application);
        UserAgent alice = server.phone("alice");
        UserAgent mallory = server.phone("mallory");
        UserAgent bob = server.phone("bob").onCall(Call::answer);
        Call refused = alice.invite(bob.uri().toString()).via("sip:10.0.0.1;lr").send();
        Call passed = mallory.invite(bob.uri().toString()).via("sip:10.0.0.1;lr").send();
        server.advance(Duration.ofSeconds(40));
        assertThat(refused.finalStatus()).isEqualTo(403);
        assertThat(passed.state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(server.sessions("call-blocking")).isEmpty();
        passed.bye();
        server.advance(Duration.ofSeconds(1));
        assertThat(bob.lastCall().ending()).isEqualTo(Ending.RELEASED_THERE);
    }

    @Test
    @SipTest(contextParams = "call-blocking.rules=* +49-30*;*@Dot.Example. *")
    void rulesMayBeWrittenWithSeparatorsAndALastDotToo(SipTestServer server) throws Exception {
        server.deploy(application);
        ScriptedPeer caller = server.peer("caller");
        send(caller, "INVITE", "<sip:a@b>", "", "sip:+493012@10.0.1.2");
        caller.expect("403");
    }

    @Test
    @SipTest(contextParams = "call-blocking.rules=mallory *;spam")
    void aWrongRuleIsNamedWithItsLine(SipTestServer server) {
        assertThatThrownBy(() -> server.deploy(application))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("rules:2: 'spam' is not CALLER CALLED");
    }

    /** What the list does not name would go to a place that it has never seen. */
    @Test
    void whoBringsARouteOfHisOwnIsRefused(SipTestServer server) throws Exception {
        server.deploy(application);
        ScriptedPeer caller = ScriptedPeer.bind(server.network(), "caller", "10.0.1.9", 5060);
        ScriptedPeer proxy = ScriptedPeer.bind(server.network(), "proxy", "10.0.1.8", 5060);
        caller.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                "INVITE sip:bob@10.0.1.2 SIP/2.0\nVia: SIP/2.0/UDP 10.0.1.9;branch=z9hG4bK1\n"
                        + "Route: <sip:10.0.0.1;lr>, <sip:10.0.1.8;lr>\nMax-Forwards: 70\n"
                        + "From: <sip:alice@x>;tag=a\nTo: <sip:b@x>\nCall-ID: c1\n"
                        + "CSeq: 1 INVITE\nContact: <sip:a@10.0.1.9>\n");
        caller.expect("403");
        server.advance(Duration.ofSeconds(1));
        assertThat(proxy.all()).isEmpty();
    }
}
