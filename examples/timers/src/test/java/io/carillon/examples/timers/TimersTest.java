package io.carillon.examples.timers;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.SipSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example in a container under virtual time: 60 s of credit in units of 6 s, a warning when no
 * more than 10 s are left. Each session goes through its bytes after every turn, timers too.
 */
@SipTest(
        roundTrip = true,
        contextParams = {
            "timers.ring-seconds=20",
            "timers.credit-seconds=60",
            "timers.tick-seconds=6",
            "timers.warning-seconds=10"
        })
class TimersTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    @TempDir private static Path folder;
    private static Path application;

    private SipTestServer server;
    private UserAgent alice;
    private UserAgent bob;

    @BeforeAll
    static void build() throws IOException {
        application = SourceApplication.build(Path.of("src/main"), folder.resolve("timers"));
    }

    @BeforeEach
    void deploy(SipTestServer started) throws DeploymentException {
        server = started;
        server.deploy(application);
        alice = server.phone("alice");
        bob = server.phone("bob").onCall(Call::answer);
    }

    private Call call() {
        return alice.invite(bob.uri().toString()).via("sip:10.0.0.1;lr").send();
    }

    @Test
    void aCallEndsOnBothSidesWhenItsCreditIsUsedUp() {
        Call call = call();
        server.advance(Duration.ofSeconds(59));
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(bob.lastCall().state()).isEqualTo(Call.State.ESTABLISHED);
        server.advance(Duration.ofSeconds(2));
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_THERE);
        assertThat(bob.lastCall().ending()).isEqualTo(Ending.RELEASED_THERE);
        server.assertNothingLeft();
    }

    /** Of the caller's leg, the only one that has some. */
    private Object secondsLeft() {
        List<Object> found = new ArrayList<>();
        server.session("timers")
                .getSessions("SIP")
                .forEachRemaining(
                        leg -> found.add(((SipSession) leg).getAttribute("seconds-left")));
        found.removeIf(Objects::isNull);
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    @Test
    void aByeOfEitherSideCancelsTheTimers() {
        for (boolean byCaller : new boolean[] {true, false}) {
            Call call = call();
            server.advance(Duration.ofSeconds(7));
            assertThat(server.session("timers").getTimers()).hasSize(1);
            assertThat(secondsLeft()).isEqualTo(54);
            (byCaller ? call : bob.lastCall()).bye();
            server.advance(SECOND);
            assertThat(server.sessions("timers")).isEmpty();
            assertThat(call.ending()).isNotNull();
            assertThat(bob.lastCall().ending()).isNotNull();
            server.assertNothingLeft();
        }
    }

    @Test
    void nobodyAnswersThenTheCallerGets480AndTheCalleeACancel() {
        bob.onCall(Call::ring);
        Call call = call();
        server.advance(Duration.ofSeconds(19));
        assertThat(call.state()).isEqualTo(Call.State.EARLY);
        server.advance(Duration.ofSeconds(2));
        assertThat(call.finalStatus()).isEqualTo(480);
        assertThat(bob.lastCall().ending()).isEqualTo(Ending.CANCELLED);
        server.assertNothingLeft();
    }

    @Test
    void anAnswerOrACancelStopsTheRingTimer() {
        bob.onCall(Call::ring);
        Call cancelled = call();
        server.advance(Duration.ofSeconds(19));
        cancelled.cancel();
        server.advance(SECOND);
        assertThat(cancelled.finalStatus()).isEqualTo(487);
        server.assertNothingLeft();
        Call answered = call();
        server.advance(Duration.ofSeconds(19));
        bob.lastCall().answer();
        server.advance(Duration.ofSeconds(30));
        assertThat(answered.state()).isEqualTo(Call.State.ESTABLISHED);
        answered.bye();
        server.assertNothingLeft();
    }

    @Test
    void aRefusalStopsTheRingTimerAndReachesTheCaller() {
        bob.onCall(call -> call.reject(486));
        Call call = call();
        server.advance(SECOND);
        assertThat(call.finalStatus()).isEqualTo(486);
        assertThat(server.sessions("timers")).isEmpty();
        server.assertNothingLeft();
    }

    /** The answer passes the bridge before the ring timer, or after it: both ways one end. */
    @Test
    void anAnswerThatCrossesTheCancelOfTheRingTimerIsReleased() {
        ScriptedPeer carol = server.peer("carol");
        Call call = alice.invite("sip:carol@10.0.1.3").via("sip:10.0.0.1;lr").send();
        Received invite = carol.expect("INVITE");
        carol.reply(invite, 180);
        Received cancel = carol.expect("CANCEL", Duration.ofSeconds(25));
        // RFC 3261 9.2: "If the UAS has already sent a final response ... the CANCEL has no
        // effect".
        carol.reply(invite, 200, "Contact: <sip:carol@10.0.1.3>");
        carol.reply(cancel, 200);
        carol.expect("ACK");
        carol.reply(carol.expect("BYE"), 200);
        server.advance(SECOND);
        assertThat(call.finalStatus()).isEqualTo(480);
        server.assertNothingLeft();
    }

    @Test
    void theCallerIsWarnedOnceBeforeTheEndAndAByeSaysWhy() {
        ScriptedPeer caller = server.peer("caller");
        caller.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                request("INVITE", "bob@10.0.1.2", 1, "<sip:bob@10.0.1.2>"));
        Received ok = caller.expect("200");
        caller.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                request("ACK", "10.0.0.1", 1, ok.header("To")));
        Received warning = caller.expect("MESSAGE", Duration.ofSeconds(55));
        caller.reply(warning, 405);
        caller.expect("BYE", Duration.ofSeconds(7));
        assertThat(caller.count("MESSAGE")).isEqualTo(1);
        Received bye = caller.all().getLast();
        assertThat(bye.header("Reason")).contains("credit used up");
        caller.reply(bye, 200);
        server.assertNothingLeft();
    }

    private static String request(String method, String uri, int cseq, String to) {
        return method
                + " sip:"
                + uri
                + " SIP/2.0\nVia: SIP/2.0/UDP 10.0.1.3;branch=z9hG4bK-"
                + (method.equals("CANCEL") ? "INVITE" : method)
                + cseq
                + "\nMax-Forwards: 70\nRoute: <sip:10.0.0.1;lr>\nFrom: <sip:caller@10.0.1.3>;tag=a\nTo: "
                + to
                + "\nCall-ID: timers@10.0.1.3\nCSeq: "
                + cseq
                + " "
                + method
                + "\nContact: <sip:caller@10.0.1.3>\n";
    }

    /** RFC 3261 9.1: a CANCEL ends the request that it names, here a re-INVITE, not the call. */
    @Test
    void aReinviteThatIsCancelledChangesNothingOfTheCredit() {
        ScriptedPeer caller = server.peer("caller");
        ScriptedPeer carol = server.peer("carol");
        String tag = established(caller, carol);
        toServer(caller, request("INVITE", "10.0.0.1", 2, tag));
        Received again = carol.expect("INVITE");
        toServer(caller, request("CANCEL", "10.0.0.1", 2, tag));
        caller.expect("200");
        assertThat(server.session("timers").getTimers()).hasSize(1);
        carol.reply(again, 488);
        carol.expect("BYE", Duration.ofSeconds(61));
    }

    /** RFC 3261 13.2.2.4: further 2xx are of forks; each is confirmed and ended, the call stays. */
    @Test
    void aFurtherAnswerOfTheCalleeAndItsByeChangeNothingOfTheCredit() {
        ScriptedPeer caller = server.peer("caller");
        ScriptedPeer carol = server.peer("carol");
        established(caller, carol);
        Received invite = carol.all().getFirst();
        carol.replyAs(invite, 200, "fork", "Contact: <sip:carol@10.0.1.4>");
        Received ended = carol.expect("BYE");
        assertThat(ended.header("To")).contains("tag=fork");
        assertThat(server.session("timers").getTimers()).hasSize(1);
        toServer(carol, byeOf(ended));
        carol.reply(ended, 200);
        server.advance(SECOND);
        assertThat(server.session("timers").getTimers()).hasSize(1);
        carol.forget();
        carol.expect("BYE", Duration.ofSeconds(61));
    }

    /** A BYE that the other side would refuse ends the call all the same. */
    @Test
    void whatStandsInAByeDoesNotKeepTheOtherSideUp() {
        ScriptedPeer caller = server.peer("caller");
        ScriptedPeer carol = server.peer("carol");
        String tag = established(caller, carol);
        toServer(
                caller,
                request("BYE", "10.0.0.1", 2, tag)
                        + "Require: nobody-has-this\nReason: Q.850;cause=16\n");
        Received bye = carol.expect("BYE");
        assertThat(bye.header("Require")).isEmpty();
        assertThat(bye.header("Reason")).isEqualTo("Q.850;cause=16");
        carol.reply(bye, 200);
        caller.expect("200");
        server.assertNothingLeft();
    }

    /** The caller's call to carol is up. Returns To of the caller. */
    private String established(ScriptedPeer caller, ScriptedPeer carol) {
        toServer(caller, request("INVITE", "carol@10.0.1.4", 1, "<sip:carol@10.0.1.4>"));
        carol.reply(carol.expect("INVITE"), 200, "Contact: <sip:carol@10.0.1.4>");
        String to = caller.expect("200").header("To");
        toServer(caller, request("ACK", "10.0.0.1", 1, to));
        carol.expect("ACK");
        caller.forget();
        return to;
    }

    /** What the callee of that dialog sends to end it himself. */
    private static String byeOf(Received ended) {
        return "BYE sip:10.0.0.1 SIP/2.0\nVia: SIP/2.0/UDP 10.0.1.4;branch=z9hG4bK-fork\n"
                + "Max-Forwards: 70\nFrom: "
                + ended.header("To")
                + "\nTo: "
                + ended.header("From")
                + "\nCall-ID: "
                + ended.header("Call-ID")
                + "\nCSeq: 1 BYE\n";
    }

    private static void toServer(ScriptedPeer peer, String text) {
        peer.send(SimulatedNetwork.address(SipTestServer.HOST, 5060), text);
    }

    /** RFC 3891 section 3: it names a call of ours, and comes to its application session. */
    @Test
    void aCallThatNamesAnotherOneLeavesItsCreditAlone() {
        ScriptedPeer caller = server.peer("caller");
        ScriptedPeer carol = server.peer("carol");
        String first = established(caller, carol);
        server.advance(Duration.ofSeconds(20));
        String ours = first.substring(first.indexOf("tag=") + 4);
        toServer(
                caller,
                second(request("INVITE", "carol@10.0.1.4", 1, "<sip:carol@10.0.1.4>"))
                        + "Replaces: timers@10.0.1.3;to-tag="
                        + ours
                        + ";from-tag=a\n");
        carol.reply(carol.expect("INVITE"), 200, "Contact: <sip:carol@10.0.1.4>");
        String to = caller.expect("200").header("To");
        toServer(caller, second(request("ACK", "10.0.0.1", 1, to)));
        carol.expect("ACK");
        toServer(caller, second(request("BYE", "10.0.0.1", 2, to)));
        carol.reply(carol.expect("BYE"), 200);
        caller.expect("200");
        caller.forget();
        carol.forget();
        carol.reply(carol.expect("BYE", Duration.ofSeconds(41)), 200);
        caller.reply(caller.expect("BYE"), 200);
        server.assertNothingLeft();
    }

    /** Whoever names a call that goes on pays for his own all the same. */
    @Test
    void aCallThatNamesAnotherOneHasItsOwnCredit() {
        ScriptedPeer caller = server.peer("caller");
        ScriptedPeer carol = server.peer("carol");
        String first = established(caller, carol);
        String ours = first.substring(first.indexOf("tag=") + 4);
        toServer(
                caller,
                second(request("INVITE", "carol@10.0.1.4", 1, "<sip:carol@10.0.1.4>"))
                        + "Replaces: timers@10.0.1.3;to-tag="
                        + ours
                        + ";from-tag=a\n");
        carol.reply(carol.expect("INVITE"), 200, "Contact: <sip:carol@10.0.1.4>");
        String to = caller.expect("200").header("To");
        toServer(caller, second(request("ACK", "10.0.0.1", 1, to)));
        carol.expect("ACK");
        assertThat(server.session("timers").getTimers()).hasSize(2);
    }

    /** The same of another call of that caller. */
    private static String second(String request) {
        return request.replace("Call-ID: timers", "Call-ID: second")
                .replace("branch=z9hG4bK", "branch=z9hG4bK2");
    }

    /** A re-INVITE is relayed, and its ACK does not give new credit. */
    @Test
    void aReinviteChangesNothingOfTheCredit() {
        Call call = call();
        server.advance(Duration.ofSeconds(40));
        assertThat(call.reinvite()).isTrue();
        server.advance(SECOND);
        assertThat(bob.lastCall().changes()).isEqualTo(1);
        assertThat(server.session("timers").getTimers()).hasSize(1);
        server.advance(Duration.ofSeconds(20));
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_THERE);
        server.assertNothingLeft();
    }

    @Test
    void timersOfRunningCallsGoOnWhenANewVersionIsDeployed() throws Exception {
        Call call = call();
        server.advance(Duration.ofSeconds(30));
        assertThat(server.deploy(application).version()).isEqualTo(2);
        server.advance(Duration.ofSeconds(31));
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_THERE);
        server.assertNothingLeft();
        assertThat(server.container().retiring()).isEmpty();
    }
}
