package io.carillon.examples.callforwarding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import io.carillon.testkit.Ending;
import io.carillon.testkit.Invitation;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.SourceApplication;
import io.carillon.testkit.UserAgent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example in a container: RFC 5359 2.9 to 2.11, RFC 7044, RFC 4458. Alice calls bob at
 * 10.0.1.2, who wants his calls at carol's, 10.0.1.3.
 */
@SipTest(
        contextParams =
                "call-forwarding.rules="
                        + "bob busy sip:carol@10.0.1.3; bob no-answer sip:carol@10.0.1.3 20;"
                        + "bob unreachable sip:carol@10.0.1.3; dave always sip:carol@10.0.1.3;"
                        + "eve always frank; frank always eve; carol busy sip:bob@10.0.1.2;"
                        + "one always two; two always three; three always sip:carol@10.0.1.3")
class CallForwardingTest {
    private static final String BOB = "sip:bob@10.0.1.2";
    @TempDir private static Path folder;
    private static Path application;

    private SipTestServer server;
    private UserAgent alice;
    private ScriptedPeer bob;
    private ScriptedPeer carol;

    @BeforeAll
    static void build() throws IOException {
        application =
                SourceApplication.build(Path.of("src/main"), folder.resolve("call-forwarding"));
    }

    @BeforeEach
    void deploy(SipTestServer started) throws DeploymentException {
        server = started;
        server.deploy(application);
        alice = server.phone("alice");
        bob = server.peer("bob");
        carol = server.peer("carol");
    }

    private Invitation invite(String uri) {
        return alice.invite(uri).via("sip:10.0.0.1;lr");
    }

    /** Carol answers, the call is up and ends; nothing is left of it. */
    private void talk(Call call, Received atCarol) {
        carol.reply(atCarol, 200, "Contact: <sip:carol@10.0.1.3>");
        carol.expect("ACK");
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        call.bye();
        carol.reply(carol.expect("BYE"), 200);
        server.advance(Duration.ofSeconds(1));
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_HERE);
        server.assertNothingLeft();
    }

    /** Whoever calls a user at a host of his own does not hear whom that one wants called. */
    @Test
    @SipTest(
            contextParams = {
                "call-forwarding.rules=dave always frank",
                "call-forwarding.hosts=own"
            })
    void atAStrangersHostThereAreNoRules() {
        invite("sip:dave@10.0.1.2").send();
        Received invite = bob.expect("INVITE");
        assertThat(invite.header("Request-URI")).isEqualTo("sip:dave@10.0.1.2");
        assertThat(invite.header("History-Info")).isEmpty();
    }

    @Test
    void alwaysNeverRingsTheOneWhoWasCalled() {
        Call call = invite("sip:dave@10.0.1.2").send();
        Received invite = carol.expect("INVITE");
        assertThat(invite.header("Request-URI")).isEqualTo("sip:carol@10.0.1.3;cause=302");
        assertThat(invite.header("History-Info"))
                .isEqualTo(
                        "<sip:dave@10.0.1.2>;index=1, "
                                + "<sip:carol@10.0.1.3;cause=302>;index=1.1;mp=1");
        assertThat(bob.count("INVITE")).isZero();
        talk(call, invite);
    }

    @Test
    void aBusyCalleeIsTriedFirstAndTheCallerDoesNotSeeTheRefusal() {
        Call call = invite(BOB).send();
        Received first = bob.expect("INVITE");
        assertThat(first.header("History-Info"))
                .isEqualTo("<sip:bob@10.0.1.2>;index=1, <sip:bob@10.0.1.2>;index=1.1;np=1");
        bob.reply(first, 486);
        Received invite = carol.expect("INVITE");
        bob.expect("ACK");
        assertThat(invite.header("Request-URI")).isEqualTo("sip:carol@10.0.1.3;cause=486");
        assertThat(invite.header("History-Info"))
                .isEqualTo(
                        "<sip:bob@10.0.1.2>;index=1, "
                                + "<sip:bob@10.0.1.2?Reason=SIP%3Bcause%3D486>;index=1.1;np=1, "
                                + "<sip:carol@10.0.1.3;cause=486>;index=1.2;mp=1.1");
        talk(call, invite);
    }

    @Test
    void anUnansweredCalleeIsCancelledWhenHisTimeIsOver() {
        Call call = invite(BOB).send();
        Received ringing = bob.expect("INVITE");
        bob.reply(ringing, 180);
        server.advance(Duration.ofSeconds(19));
        assertThat(call.state()).isEqualTo(Call.State.EARLY);
        assertThat(carol.all()).isEmpty();
        Received cancel = bob.expect("CANCEL", Duration.ofSeconds(2));
        bob.reply(cancel, 200);
        bob.reply(ringing, 487);
        bob.expect("ACK");
        Received invite = carol.expect("INVITE");
        assertThat(invite.header("Request-URI")).endsWith(";cause=408");
        assertThat(invite.header("History-Info")).contains("?Reason=SIP%3Bcause%3D408>;index=1.1");
        talk(call, invite);
    }

    @Test
    void anUnreachableCalleesCallsGoOnWithCause503() {
        Call call = invite(BOB).send();
        bob.reply(bob.expect("INVITE"), 480);
        Received invite = carol.expect("INVITE");
        assertThat(invite.header("Request-URI")).endsWith(";cause=503");
        talk(call, invite);
    }

    @Test
    void aRefusalThatIsNoReasonToForwardGoesToTheCaller() {
        Call call = invite(BOB).send();
        bob.reply(bob.expect("INVITE"), 603);
        server.advance(Duration.ofSeconds(1));
        assertThat(call.finalStatus()).isEqualTo(603);
        assertThat(carol.all()).isEmpty();
        server.assertNothingLeft();
    }

    @Test
    void whoGivesUpWhileItRingsIsNotForwarded() {
        Call call = invite(BOB).send();
        Received ringing = bob.expect("INVITE");
        bob.reply(ringing, 180);
        server.advance(Duration.ofSeconds(1));
        call.cancel();
        bob.expect("CANCEL");
        // RFC 3261 9.2: the CANCEL has no effect when a final answer is on its way already.
        bob.reply(ringing, 486);
        server.advance(Duration.ofSeconds(1));
        assertThat(call.ending()).isNotNull();
        assertThat(carol.all()).isEmpty();
        server.assertNothingLeft();
    }

    @Test
    void aChangeOfTheCallThatIsRefusedAsBusyIsNotForwarded() {
        Call call = invite(BOB).send();
        Received first = bob.expect("INVITE");
        bob.reply(first, 200, "Contact: <sip:bob@10.0.1.2>");
        bob.expect("ACK");
        assertThat(call.reinvite()).isTrue();
        bob.reply(bob.expect("INVITE"), 486);
        server.advance(Duration.ofSeconds(1));
        assertThat(carol.all()).isEmpty();
        call.bye();
        bob.reply(bob.expect("BYE"), 480);
        server.assertNothingLeft();
    }

    @Test
    void rulesOfTheNextCalleeHoldToo() {
        Call call = invite("sip:one@10.0.1.2").send();
        Received invite = carol.expect("INVITE");
        assertThat(invite.header("History-Info"))
                .isEqualTo(
                        "<sip:one@10.0.1.2>;index=1, <sip:two@10.0.1.2;cause=302>;index=1.1;mp=1, "
                                + "<sip:three@10.0.1.2;cause=302>;index=1.2;mp=1.1, "
                                + "<sip:carol@10.0.1.3;cause=302>;index=1.3;mp=1.2");
        talk(call, invite);
    }

    @Test
    void aCircleIs482() {
        Call call = invite("sip:eve@10.0.1.2").send();
        server.advance(Duration.ofSeconds(1));
        assertThat(call.finalStatus()).isEqualTo(482);
        server.assertNothingLeft();
    }

    @Test
    void whoIsInTheHistoryAlreadyIsNotTriedAgainAndTheRefusalStands() {
        Call call =
                invite(BOB)
                        .header("History-Info", "<sip:carol@10.0.1.3>;index=1")
                        .header("History-Info", "<sip:bob@10.0.1.2;cause=486>;index=1.1;mp=1")
                        .send();
        Received first = bob.expect("INVITE");
        assertThat(first.header("History-Info"))
                .endsWith(";index=1.1;mp=1, <sip:bob@10.0.1.2>;index=1.1.1;np=1.1");
        bob.reply(first, 486);
        server.advance(Duration.ofSeconds(1));
        assertThat(call.finalStatus()).isEqualTo(486);
        assertThat(carol.all()).isEmpty();
        server.assertNothingLeft();
    }

    @Test
    void anEntryThatAnotherProxyLeftOutIsMadeUpForWithIndex0() {
        invite(BOB).header("History-Info", "<sip:office@10.0.1.9>;index=1").send();
        assertThat(bob.expect("INVITE").header("History-Info"))
                .isEqualTo(
                        "<sip:office@10.0.1.9>;index=1, <sip:bob@10.0.1.2>;index=1.0, "
                                + "<sip:bob@10.0.1.2>;index=1.0.1;np=1.0");
    }

    @Test
    @SipTest(
            contextParams = {
                "call-forwarding.rules=dave always two; two always sip:carol@10.0.1.3",
                "call-forwarding.max-diversions=1"
            })
    void oneDiversionTooManyIs482() {
        Call call = invite("sip:dave@10.0.1.2").send();
        server.advance(Duration.ofSeconds(1));
        assertThat(call.finalStatus()).isEqualTo(482);
    }

    @Test
    void aHistoryWithoutIndexIs400() {
        Call call = invite(BOB).header("History-Info", "<sip:x@y>").send();
        server.advance(Duration.ofSeconds(1));
        assertThat(call.finalStatus()).isEqualTo(400);
        server.assertNothingLeft();
    }

    /** Nobody honest has more than Max-Forwards allows; to read thousands keeps others waiting. */
    @Test
    void moreEntriesThanHopsAre400() {
        String many = "<sip:x@y>;index=1" + ",<sip:x@y>;index=1.1".repeat(100);
        Call call = invite(BOB).header("History-Info", many).send();
        server.advance(Duration.ofSeconds(1));
        assertThat(call.finalStatus()).isEqualTo(400);
        server.assertNothingLeft();
    }

    @Test
    void anIndexThatIsNoNumberToCountOnWithIs400() {
        Call call = invite(BOB).header("History-Info", "<" + BOB + ">;index=99999999999").send();
        server.advance(Duration.ofSeconds(1));
        assertThat(call.finalStatus()).isEqualTo(400);
        server.assertNothingLeft();
    }

    @Test
    void whoHasNoRuleIsCalledAsHeIs() {
        Call call = invite("sip:grace@10.0.1.3").send();
        Received invite = carol.expect("INVITE");
        assertThat(invite.header("History-Info")).isEmpty();
        talk(call, invite);
    }

    @Test
    void wrongRulesAreNamedWithTheirLine(SipTestServer other) throws IOException {
        assertThat(fault("bob never sip:x@y")).contains("rules:2: 'never' is none of always,");
        assertThat(fault("bob busy")).contains("rules:2: a rule is USER WHEN TARGET [SECONDS]");
        assertThat(fault("bob busy sip:x@y 3")).contains("rules:2: no-answer needs seconds");
        assertThat(fault("bob busy tel:+1")).contains("rules:2: 'tel:+1' is no SIP URI");
        assertThat(fault("bob busy c;bob busy d")).contains("rules:3: bob has a rule for busy");
    }

    /** A version with these rules cannot take the place of the one that runs. */
    private String fault(String rules) throws IOException {
        Path wrong =
                SourceApplication.build(
                        Path.of("src/main"), folder.resolve("wrong" + System.nanoTime()));
        Path file = wrong.resolve("WEB-INF/sip.xml");
        String xml = java.nio.file.Files.readString(file);
        java.nio.file.Files.writeString(
                file,
                xml.replace("<app-name>call-forwarding<", "<app-name>wrong<")
                        .replace(">record-route<", ">rules<")
                        .replace(">true<", ">;" + rules + "<"));
        var thrown = org.assertj.core.api.Assertions.catchThrowable(() -> server.deploy(wrong));
        assertThatThrownBy(() -> server.deploy(wrong)).isInstanceOf(DeploymentException.class);
        return thrown.getMessage();
    }

    /** A proxy of the caller's own would hear where the callee wants his calls. */
    @Test
    void whoBringsARouteOfHisOwnIsRefused() {
        ScriptedPeer caller = ScriptedPeer.bind(server.network(), "caller", "10.0.1.9", 5060);
        ScriptedPeer proxy = ScriptedPeer.bind(server.network(), "proxy", "10.0.1.8", 5060);
        caller.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                "INVITE sip:dave@10.0.0.1 SIP/2.0\nVia: SIP/2.0/UDP 10.0.1.9;branch=z9hG4bK1\n"
                        + "Route: <sip:10.0.0.1;lr>, <sip:10.0.1.8;lr>\nMax-Forwards: 70\n"
                        + "From: <sip:alice@x>;tag=a\nTo: <sip:b@x>\nCall-ID: c1\n"
                        + "CSeq: 1 INVITE\nContact: <sip:a@10.0.1.9>\n");
        caller.expect("403");
        server.advance(Duration.ofSeconds(1));
        assertThat(proxy.all()).isEmpty();
        assertThat(carol.all()).isEmpty();
    }
}
