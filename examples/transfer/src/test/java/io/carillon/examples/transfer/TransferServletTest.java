package io.carillon.examples.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import io.carillon.testkit.Ending;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.UserAgent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SipTest(archives = "target/transfer", roundTrip = true)
class TransferServletTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String SDP =
            "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n";

    private SipTestServer server;
    private UserAgent ann;
    private ScriptedPeer bob;
    private ScriptedPeer carol;
    private Call call;
    private Received invite;
    private int cseq;

    /** Ann talks to Bob, through the application. */
    @BeforeEach
    void talk(SipTestServer started) {
        server = started;
        ann = server.phone("ann");
        bob = server.peer("bob");
        carol = server.peer("carol");
        call = ann.invite("sip:bob@10.0.1.2").via("sip:10.0.0.1;lr").send();
        invite = bob.expect("INVITE");
        bob.reply(invite, 200, "Contact: <sip:bob@10.0.1.2>");
        bob.expect("ACK");
        server.advance(SECOND);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
    }

    /** A request of Bob's in his dialog. */
    private void ofBob(String method, String... headers) {
        String more = headers.length == 0 ? "" : String.join("\n", headers) + "\n";
        bob.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                String.join(
                                "\n",
                                method + " sip:10.0.0.1 SIP/2.0",
                                "Via: SIP/2.0/UDP 10.0.1.2;branch=z9hG4bKbob" + ++cseq,
                                "Max-Forwards: 70",
                                "From: " + invite.header("To") + ";tag=tag-bob",
                                "To: " + invite.header("From"),
                                "Call-ID: " + invite.header("Call-ID"),
                                "CSeq: " + cseq + " " + method,
                                "Contact: <sip:bob@10.0.1.2>",
                                more)
                        + "\n");
    }

    private String hears() {
        Received notify = bob.expect("NOTIFY");
        assertThat(notify.header("Event")).startsWith("refer");
        assertThat(notify.header("Content-Type")).isEqualTo("message/sipfrag;version=2.0");
        bob.reply(notify, 200);
        return new String(notify.message().body(), StandardCharsets.UTF_8).strip()
                + (notify.header("Subscription-State").startsWith("terminated") ? "." : "");
    }

    private Received refersToCarol() {
        ofBob("REFER", "Refer-To: <sip:carol@10.0.1.3>", "Referred-By: <sip:bob@10.0.1.2>");
        bob.expect("202");
        assertThat(hears()).isEqualTo("SIP/2.0 100 Trying");
        Received toCarol = carol.expect("INVITE");
        assertThat(toCarol.header("Referred-By")).isEqualTo("<sip:bob@10.0.1.2>");
        assertThat(toCarol.header("From")).contains("sip:ann@");
        assertThat(toCarol.message().bodyLength()).as("the offer is hers").isZero();
        return toCarol;
    }

    private void answers(ScriptedPeer peer, Received request) {
        io.carillon.sip.message.MessageDraft ok =
                io.carillon.sip.message.MessageDraft.responseTo(
                        request.request(), 200, null, "tag-" + peer.name());
        ok.addLast(io.carillon.sip.header.HeaderName.CONTACT, "<sip:carol@10.0.1.3>");
        ok.body(SDP.getBytes(StandardCharsets.US_ASCII), "application/sdp");
        peer.send(request.from(), ok);
    }

    @Test
    void theCallerIsConnectedWithTheTargetAndTheTransferorReleased() {
        Received toCarol = refersToCarol();
        carol.reply(toCarol, 180);
        assertThat(hears()).isEqualTo("SIP/2.0 180 Ringing");
        answers(carol, toCarol);
        assertThat(hears()).isEqualTo("SIP/2.0 200 OK.");
        Received ack = carol.expect("ACK");
        assertThat(ack.message().bodyLength()).as("ann's answer").isPositive();
        assertThat(call.changes()).isEqualTo(1);
        bob.reply(bob.expect("BYE"), 200);
        call.bye();
        carol.reply(carol.expect("BYE"), 200);
        server.advance(SECOND);
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_HERE);
        server.assertNothingLeft();
    }

    @Test
    void aTargetThatIsBusyLeavesTheCallStanding() {
        carol.reply(refersToCarol(), 486);
        carol.expect("ACK");
        assertThat(hears()).isEqualTo("SIP/2.0 486 Busy Here.");
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(call.changes()).isZero();
        ofBob("REFER", "Refer-To: <sip:carol@10.0.1.3>");
        Received again = bob.expect("NOTIFY");
        assertThat(again.header("Event")).isEqualTo("refer;id=" + cseq);
        bob.reply(again, 200);
        carol.reply(carol.expect("INVITE"), 404);
        hears();
        ofBob("BYE");
        server.advance(SECOND);
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_THERE);
        server.assertNothingLeft();
    }

    @Test
    void aTargetThatDoesNotAnswerIsCancelled() {
        Received toCarol = refersToCarol();
        carol.reply(toCarol, 180);
        hears();
        Received cancel = carol.expect("CANCEL", Duration.ofSeconds(61));
        carol.reply(cancel, 200);
        carol.reply(toCarol, 487);
        assertThat(hears()).isEqualTo("SIP/2.0 487 Request Terminated.");
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
    }

    @Test
    void aTransferorWhoHangsUpAtOnceIsNotMissed() {
        Received toCarol = refersToCarol();
        ofBob("BYE");
        server.advance(SECOND);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        answers(carol, toCarol);
        carol.expect("ACK");
        assertThat(call.changes()).isEqualTo(1);
        call.bye();
        carol.reply(carol.expect("BYE"), 200);
        server.assertNothingLeft();
    }

    @Test
    void whenTheTransferorIsGoneAndTheTargetRefusesTheCallIsOver() {
        Received toCarol = refersToCarol();
        ofBob("BYE");
        carol.reply(toCarol, 603);
        server.advance(SECOND);
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_THERE);
        server.assertNothingLeft();
    }

    @Test
    void aCallerWhoHangsUpMeanwhileEndsEverything() {
        Received toCarol = refersToCarol();
        carol.reply(toCarol, 180);
        hears();
        call.bye();
        carol.reply(carol.expect("CANCEL"), 200);
        carol.reply(toCarol, 487);
        assertThat(hears()).isEqualTo("SIP/2.0 487 Request Terminated.");
        bob.reply(bob.expect("BYE"), 200);
        server.assertNothingLeft();
    }

    /** RFC 3261 9.1: the CANCEL came too late; 13.2.2.4: the 2xx is acknowledged and ended. */
    @Test
    void aTargetWhoseAnswerCrossesTheCancelIsReleased() {
        Received toCarol = refersToCarol();
        carol.reply(toCarol, 180);
        call.bye();
        carol.expect("CANCEL");
        answers(carol, toCarol);
        carol.expect("ACK");
        carol.reply(carol.expect("BYE"), 200);
        bob.reply(bob.expect("BYE"), 200);
        server.assertNothingLeft();
    }

    @Test
    void aCallerInTheMiddleOfAChangeIsAskedAgain() {
        Received toCarol = refersToCarol();
        call.reinvite(); // to Bob, who takes his time
        Received change = bob.expect("INVITE");
        answers(carol, toCarol);
        server.advance(Duration.ofMillis(500));
        assertThat(carol.count("ACK")).isZero();
        bob.reply(change, 200, "Contact: <sip:bob@10.0.1.2>");
        carol.expect("ACK", Duration.ofSeconds(5));
        assertThat(hears()).isEqualTo("SIP/2.0 200 OK.");
        bob.reply(bob.expect("BYE"), 200);
        call.bye();
        carol.reply(carol.expect("BYE"), 200);
        server.assertNothingLeft();
    }

    /** RFC 3261 13.2.2.4: an offer that comes to nothing is answered in the ACK, and ended. */
    @Test
    void aCallerWhoHangsUpBeforeHeIsConnectedReleasesTheTarget() {
        Received toCarol = refersToCarol();
        call.reinvite(); // to Bob, who does not answer
        bob.expect("INVITE");
        answers(carol, toCarol);
        server.advance(Duration.ofMillis(100));
        assertThat(carol.count("ACK")).isZero();
        call.bye();
        Received ack = carol.expect("ACK");
        assertThat(new String(ack.message().body(), StandardCharsets.US_ASCII))
                .contains("m=audio 0 RTP/AVP 0");
        carol.reply(carol.expect("BYE"), 200);
        bob.expect("BYE");
    }

    @Test
    void rfc5589AnAttendedTransferReplacesTheCallThatTheTransferorHas() {
        ofBob(
                "REFER",
                "Refer-To:"
                        + " <sip:carol@10.0.1.3?Replaces=abc%40bob%3Bto-tag%3D7%3Bfrom-tag%3D8>");
        Received toCarol = carol.expect("INVITE");
        assertThat(toCarol.header("Replaces")).isEqualTo("abc@bob;to-tag=7;from-tag=8");
        assertThat(toCarol.header("Request-URI")).isEqualTo("sip:carol@10.0.1.3");
        carol.reply(toCarol, 481);
        server.advance(SECOND);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
    }

    /** RFC 3515 2.4.4: what a transferor does not hear in time he hears no more, but the last. */
    @Test
    void aTransferorWhoAnswersNoNotifyHearsTheNewestOnly() {
        ofBob("REFER", "Refer-To: <sip:carol@10.0.1.3>");
        Received trying = bob.expect("NOTIFY");
        Received toCarol = carol.expect("INVITE");
        for (int i = 0; i < 50; i++) {
            carol.reply(toCarol, 180 + i % 4);
        }
        bob.reply(trying, 200);
        assertThat(hears()).isEqualTo("SIP/2.0 181 Call Is Being Forwarded");
        carol.reply(toCarol, 182);
        Received queued = bob.expect("NOTIFY");
        carol.reply(toCarol, 183);
        carol.reply(toCarol, 486);
        carol.expect("ACK");
        ofBob("REFER", "Refer-To: <sip:carol@10.0.1.3>");
        bob.expect("491");
        bob.reply(queued, 200);
        assertThat(hears()).isEqualTo("SIP/2.0 486 Busy Here.");
        ofBob("REFER", "Refer-To: <sip:carol@10.0.1.3>");
        bob.expect("202");
    }

    @Test
    void aLongReasonIsToldInPart() {
        Received toCarol = refersToCarol();
        io.carillon.sip.message.MessageDraft busy =
                io.carillon.sip.message.MessageDraft.responseTo(
                        toCarol.request(), 486, "b".repeat(5_000), "tag-carol");
        carol.send(toCarol.from(), busy);
        carol.expect("ACK");
        assertThat(hears()).isEqualTo("SIP/2.0 486 " + "b".repeat(64) + ".");
    }

    /** RFC 3515 2.4.2: what cannot be carried out is refused, and the call goes on as it was. */
    @Test
    void aReferThatCannotBeWrittenIsRefusedAndLeavesTheCallAlone() {
        ofBob("REFER", "Refer-To: <sip:carol@10.0.1.3?Replaces=abc%0d%0aX>");
        bob.expect("400");
        assertThat(carol.all()).isEmpty();
        server.advance(SECOND);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        ofBob("BYE");
        server.advance(SECOND);
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_THERE);
        server.assertNothingLeft();
    }

    @Test
    void whatIsNoTransferIsRefused() {
        ofBob("REFER");
        bob.expect("400");
        ofBob("REFER", "Refer-To: <sip:a@10.0.1.3>", "Refer-To: <sip:b@10.0.1.3>");
        bob.expect("400");
        ofBob("REFER", "Refer-To: <http://example.com>");
        bob.expect("400");
        ofBob("REFER", "Refer-To: <sip:a@10.0.1.3;method=MESSAGE>");
        bob.expect("400");
        refersToCarol();
        ofBob("REFER", "Refer-To: <sip:a@10.0.1.3>");
        bob.expect("491");
    }

    /** An INVITE with Replaces comes to the application session of the call that it names. */
    @Test
    void whoNamesTheCallAndHangsUpHasNoPartInTheTransfer() {
        refersToCarol();
        ScriptedPeer dave = server.peer("dave");
        String ours = invite.header("From").replaceFirst(".*;tag=", "");
        String replaces =
                "Replaces: " + invite.header("Call-ID") + ";to-tag=" + ours + ";from-tag=tag-bob\n";
        ofDave(dave, "INVITE sip:dave@10.0.1.4", 1, "<sip:dave@10.0.1.4>", replaces);
        dave.reply(dave.expect("INVITE"), 200, "Contact: <sip:dave@10.0.1.4>");
        String to = dave.expect("200").header("To");
        ofDave(dave, "ACK sip:10.0.0.1", 1, to, "");
        dave.expect("ACK");
        ofDave(dave, "BYE sip:10.0.0.1", 2, to, "");
        dave.reply(dave.expect("BYE"), 200);
        server.advance(SECOND);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(carol.count("CANCEL")).isZero();
    }

    private static void ofDave(ScriptedPeer dave, String start, int cseq, String to, String more) {
        String method = start.split(" ")[0];
        dave.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                String.join(
                        "\n",
                        start + " SIP/2.0",
                        "Via: SIP/2.0/UDP 10.0.1.4;branch=z9hG4bKdave" + method + cseq,
                        "Route: <sip:10.0.0.1;lr>",
                        "Max-Forwards: 70",
                        "From: <sip:dave@10.0.1.4>;tag=dave",
                        "To: " + to,
                        "Call-ID: dave@10.0.1.4",
                        "CSeq: " + cseq + " " + method,
                        "Contact: <sip:dave@10.0.1.4>",
                        more + "\n"));
    }
}
