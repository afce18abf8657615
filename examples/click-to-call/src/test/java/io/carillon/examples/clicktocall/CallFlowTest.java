package io.carillon.examples.clicktocall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.testkit.Ending;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.UserAgent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.servlet.ServletContext;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipURI;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** RFC 3725, flow IV, and what goes wrong in it; under virtual time. */
@SipTest(
        roundTrip = true,
        contextParams = {
            "click-to-call.no-answer-seconds=30",
            "click-to-call.longest-call-seconds=3600",
            "click-to-call.calls-per-visitor=2",
            "click-to-call.calls-in-all=3",
            "click-to-call.share-percent=100"
        })
class CallFlowTest {
    private static final Duration MOMENT = Duration.ofMillis(200);
    private static final String SDP = "Content-Type: application/sdp";

    private SipTestServer server;
    private Calls calls;
    private SipFactory factory;
    private SipApplicationSession visitor;

    @BeforeEach
    void deploy(SipTestServer given) throws Exception {
        server = given;
        CallServlet servlet = new CallServlet();
        server.deploy("click-to-call", servlet);
        ServletContext context = servlet.getServletContext();
        calls = (Calls) context.getAttribute(Calls.ATTRIBUTE);
        factory = (SipFactory) context.getAttribute(SipServlet.SIP_FACTORY);
        visitor = factory.createApplicationSession();
    }

    private Call begin(String a, String b) throws Exception {
        return calls.begin(
                visitor, "192.0.2.1", (SipURI) factory.createURI(a), (SipURI) factory.createURI(b));
    }

    private Call begin(UserAgent a, UserAgent b) throws Exception {
        Call call = begin(a.uri().toString(), b.uri().toString());
        server.advance(MOMENT);
        return call;
    }

    private static String uri(ScriptedPeer peer) {
        return "sip:" + peer.name() + "@" + peer.address().getAddress().getHostAddress();
    }

    private static List<String> states(Call call) {
        return call.events().stream()
                .map(event -> event.replaceAll(".*\"state\":\"([^\"]*)\".*", "$1"))
                .toList();
    }

    private static String why(Call call) {
        return call.events().getLast().replaceAll(".*\"why\":\"([^\"]*)\".*", "$1");
    }

    private UserAgent ringing(String name) {
        return server.phone(name).onCall(io.carillon.testkit.Call::ring);
    }

    private Call connected(UserAgent a, UserAgent b) throws Exception {
        Call call = begin(a, b);
        a.lastCall().answer();
        server.advance(MOMENT);
        b.lastCall().answer();
        server.advance(MOMENT);
        assertThat(call.state()).isEqualTo(Call.State.CONNECTED);
        return call;
    }

    @Test
    void bothPhonesRingOneAfterTheOtherAndAreConnected() throws Exception {
        UserAgent a = ringing("alice");
        UserAgent b = ringing("bob");
        Call call = begin(a, b);
        assertThat(call.state()).isEqualTo(Call.State.A_RINGS);
        assertThat(b.calls()).isEmpty();
        a.lastCall().answer();
        server.advance(MOMENT);
        assertThat(call.state()).isEqualTo(Call.State.B_RINGS);
        server.advance(Duration.ofSeconds(29));
        b.lastCall().answer();
        server.advance(MOMENT);
        assertThat(states(call))
                .containsExactly(
                        "calling-a", "a-rings", "a-answered", "b-rings", "b-answered", "connected");
        b.lastCall().bye();
        server.advance(MOMENT);
        assertThat(a.lastCall().ending()).isEqualTo(Ending.RELEASED_THERE);
        assertThat(why(call)).isEqualTo("B hung up");
        server.assertNothingLeft();
    }

    /** RFC 3725 4.4: the bodies of the flow; RFC 3264 8: one session in A's eyes. */
    @Test
    void aHasOneSessionWhoseVersionGrowsAndBGetsTheAnswerOfA() throws Exception {
        ScriptedPeer a = server.peer("alice");
        ScriptedPeer b = server.peer("bob");
        begin(uri(a), uri(b));
        Received first = a.expect("INVITE");
        assertThat(body(first)).doesNotContain("m=");
        a.reply(first, 200, SDP, contact(a));
        a.expect("ACK");
        Received offerless = b.expect("INVITE");
        assertThat(body(offerless)).isEmpty();
        replyWithBody(b, offerless, "o=bob 7 7 IN IP4 10.0.1.2", "m=audio 4000 RTP/AVP 0");
        Received again = a.expect("INVITE");
        assertThat(origin(body(again)))
                .isEqualTo(origin(body(first)).replaceFirst(" 1 IN", " 2 IN"));
        assertThat(body(again)).contains("m=audio 4000");
        replyWithBody(a, again, "o=alice 1 1 IN IP4 10.0.1.1", "m=audio 5000 RTP/AVP 0");
        a.expect("ACK");
        assertThat(body(b.expect("ACK"))).contains("m=audio 5000").contains("o=alice");
    }

    /** RFC 3725 4.4 warns of phones that refuse an offer without media. */
    @Test
    void aPhoneThatRefusesAnOfferWithoutMediaIsOfferedSilence() throws Exception {
        ScriptedPeer a = server.peer("alice");
        ScriptedPeer b = server.peer("bob");
        Call call = begin(uri(a), uri(b));
        a.reply(a.expect("INVITE"), 488);
        a.expect("ACK");
        Received second = a.expect("INVITE");
        assertThat(body(second)).contains("m=audio 9 RTP/AVP 0 8 101\r\n").contains("a=inactive");
        replyWithBody(a, second, "o=alice 1 1 IN IP4 10.0.1.1", "m=audio 5000 RTP/AVP 0");
        a.expect("ACK");
        replyWithBody(b, b.expect("INVITE"), "o=bob 7 7 IN IP4 10.0.1.2", "m=audio 4000 RTP/AVP 0");
        Received again = a.expect("INVITE");
        assertThat(body(again)).contains("m=audio 4000").doesNotContain("a=inactive");
        assertThat(origin(body(again)))
                .isEqualTo(origin(body(second)).replaceFirst(" 1 IN", " 2 IN"));
        replyWithBody(a, again, "o=alice 1 2 IN IP4 10.0.1.1", "m=audio 5000 RTP/AVP 0");
        assertThat(body(b.expect("ACK"))).contains("m=audio 5000");
        server.advance(MOMENT);
        assertThat(call.state()).isEqualTo(Call.State.CONNECTED);
    }

    @Test
    void aPhoneThatRefusesSilenceTooIsNotCalledAThirdTime() throws Exception {
        ScriptedPeer a = server.peer("alice");
        Call call = begin(uri(a), uri(server.peer("bob")));
        a.reply(a.expect("INVITE"), 488);
        a.expect("ACK");
        a.reply(a.expect("INVITE"), 488);
        a.expect("ACK");
        server.advance(MOMENT);
        assertThat(why(call)).isEqualTo("failed: A answered 488");
        server.assertNothingLeft();
    }

    @Test
    void whenBIsBusyAGetsBye() throws Exception {
        UserAgent a = ringing("alice");
        UserAgent b = server.phone("bob").onCall(incoming -> incoming.reject(486));
        Call call = begin(a, b);
        a.lastCall().answer();
        server.advance(MOMENT);
        assertThat(why(call)).isEqualTo("B is busy");
        assertThat(a.lastCall().ending()).isEqualTo(Ending.RELEASED_THERE);
        server.assertNothingLeft();
    }

    @Test
    void whenAIsBusyBIsNotCalled() throws Exception {
        UserAgent a = server.phone("alice").onCall(incoming -> incoming.reject(486));
        UserAgent b = ringing("bob");
        Call call = begin(a, b);
        assertThat(why(call)).isEqualTo("A is busy");
        assertThat(b.calls()).isEmpty();
        server.assertNothingLeft();
    }

    @Test
    void whenAHangsUpWhileBRingsBGetsCancel() throws Exception {
        UserAgent a = ringing("alice");
        UserAgent b = ringing("bob");
        Call call = begin(a, b);
        a.lastCall().answer();
        server.advance(MOMENT);
        a.lastCall().bye();
        server.advance(MOMENT);
        assertThat(why(call)).isEqualTo("A hung up");
        assertThat(b.lastCall().ending()).isEqualTo(Ending.CANCELLED);
        server.assertNothingLeft();
    }

    /** RFC 3261 9.1: a CANCEL has no effect on a request that has its final response. */
    @Test
    void a200ThatCrossesTheCancelGetsAckAndBye() throws Exception {
        UserAgent a = ringing("alice");
        ScriptedPeer b = server.peer("bob");
        Call call = begin(a.uri().toString(), uri(b));
        server.advance(MOMENT);
        a.lastCall().answer();
        Received invite = b.expect("INVITE");
        b.reply(invite, 180, contact(b));
        server.advance(MOMENT);
        calls.end(visitor, call, "hung up here");
        b.reply(b.expect("CANCEL"), 200);
        replyWithBody(b, invite, "o=bob 7 7 IN IP4 10.0.1.2", "m=audio 4000 RTP/AVP 0");
        assertThat(body(b.expect("ACK"))).contains("m=audio 0 RTP/AVP 0");
        b.reply(b.expect("BYE"), 200);
        server.assertNothingLeft();
    }

    @Test
    void nobodyAnswersForHalfAMinute() throws Exception {
        UserAgent a = ringing("alice");
        UserAgent b = ringing("bob");
        Call first = begin(a, b);
        server.advance(Duration.ofSeconds(30));
        assertThat(why(first)).isEqualTo("A does not answer");
        assertThat(a.lastCall().ending()).isEqualTo(Ending.CANCELLED);

        visitor = factory.createApplicationSession();
        Call second = begin(a, b);
        a.lastCall().answer();
        server.advance(Duration.ofSeconds(31));
        assertThat(why(second)).isEqualTo("B does not answer");
        assertThat(a.lastCall().ending()).isEqualTo(Ending.RELEASED_THERE);
        assertThat(b.lastCall().ending()).isEqualTo(Ending.CANCELLED);
        server.assertNothingLeft();
    }

    @Test
    void thePageHangsUpInEveryState() throws Exception {
        UserAgent a = ringing("alice");
        UserAgent b = ringing("bob");
        visitor.invalidate();
        for (Call.State at :
                List.of(Call.State.A_RINGS, Call.State.B_RINGS, Call.State.CONNECTED)) {
            visitor = factory.createApplicationSession();
            Call call = begin(a, b);
            if (at != Call.State.A_RINGS) {
                a.lastCall().answer();
                server.advance(MOMENT);
            }
            if (at == Call.State.CONNECTED) {
                b.lastCall().answer();
                server.advance(MOMENT);
            }
            assertThat(call.state()).isEqualTo(at);
            calls.end(visitor, call, "hung up here");
            server.advance(MOMENT);
            assertThat(a.leftovers() + b.leftovers()).doesNotContain("a call");
        }
        server.assertNothingLeft();
    }

    @Test
    void holdGoesToTheOtherPhone() throws Exception {
        UserAgent a = ringing("alice");
        UserAgent b = ringing("bob");
        connected(a, b);
        int before = a.lastCall().changes();
        assertThat(b.lastCall().reinvite()).isTrue();
        server.advance(MOMENT);
        assertThat(b.lastCall().changes()).isEqualTo(1);
        assertThat(a.lastCall().changes()).isEqualTo(before + 1);
        a.lastCall().info();
        server.advance(MOMENT);
        a.lastCall().bye();
        server.assertNothingLeft();
    }

    /** RFC 3261 14.1 and 14.2: both get 491, and try again at different times. */
    @Test
    void phonesThatChangeAtTheSameTimeGet491AndTryAgain() throws Exception {
        UserAgent a = ringing("alice");
        UserAgent b = ringing("bob");
        connected(a, b);
        int before = a.lastCall().changes() + b.lastCall().changes();
        a.lastCall().reinvite();
        b.lastCall().reinvite();
        server.advance(MOMENT);
        assertThat(a.lastCall().story() + "" + b.lastCall().story()).contains("491 INVITE");
        server.advance(Duration.ofSeconds(10));
        assertThat(a.lastCall().changes() + b.lastCall().changes()).isEqualTo(before + 4);
        b.lastCall().bye();
        server.assertNothingLeft();
    }

    /** RFC 3261 14.1: "the owner of the Call-ID", 2.1 to 4 s. */
    @Test
    void aGlareWithAWhileTheCallIsSetUpIsTriedAgain() throws Exception {
        ScriptedPeer a = server.peer("alice");
        UserAgent b = ringing("bob");
        Call call = begin(uri(a), b.uri().toString());
        a.reply(a.expect("INVITE"), 200, SDP, contact(a));
        a.expect("ACK");
        server.advance(MOMENT);
        b.lastCall().answer();
        a.reply(a.expect("INVITE"), 491);
        a.expect("ACK");
        a.expectSilence(Duration.ofMillis(2000));
        Received again = a.expect("INVITE", Duration.ofMillis(2100));
        replyWithBody(a, again, "o=alice 1 1 IN IP4 10.0.1.1", "m=audio 5000 RTP/AVP 0");
        server.advance(MOMENT);
        assertThat(call.state()).isEqualTo(Call.State.CONNECTED);
        b.lastCall().bye();
        a.reply(a.expect("BYE"), 200);
        server.assertNothingLeft();
    }

    /** RFC 3725 6: A cannot take B's offer. */
    @Test
    void whenARefusesTheOfferBothAreReleased() throws Exception {
        ScriptedPeer a = server.peer("alice");
        UserAgent b = ringing("bob");
        Call call = begin(uri(a), b.uri().toString());
        a.reply(a.expect("INVITE"), 200, SDP, contact(a));
        a.expect("ACK");
        server.advance(MOMENT);
        b.lastCall().answer();
        a.reply(a.expect("INVITE"), 488);
        server.advance(MOMENT);
        assertThat(why(call)).isEqualTo("failed: A answered 488");
        assertThat(b.lastCall().ending()).isEqualTo(Ending.RELEASED_THERE);
        a.reply(a.expect("BYE"), 200);
        server.assertNothingLeft();
    }

    @Test
    void aCallHasItsLongestTime() throws Exception {
        UserAgent a = ringing("alice");
        UserAgent b = ringing("bob");
        Call call = connected(a, b);
        server.advance(Duration.ofMinutes(59));
        assertThat(call.state()).isEqualTo(Call.State.CONNECTED);
        server.advance(Duration.ofMinutes(2));
        assertThat(why(call)).isEqualTo("the longest time is over");
        server.assertNothingLeft();
    }

    @Test
    void aVisitorAndTheServerHaveSoManyCallsAndNoMore() throws Exception {
        UserAgent a = ringing("alice");
        UserAgent b = ringing("bob");
        begin(a, b);
        Call second = begin(a, b);
        assertThatThrownBy(() -> begin(a, b)).isInstanceOf(Calls.Full.class);
        SipApplicationSession before = visitor;
        visitor = factory.createApplicationSession();
        begin(a, b);
        assertThatThrownBy(() -> begin(a, b)).hasMessage("there are too many calls already");
        calls.end(before, second, "hung up here");
        begin(a, b);
        server.advance(Duration.ofSeconds(31));
        server.assertNothingLeft();
    }

    private static String contact(ScriptedPeer peer) {
        return "Contact: <" + uri(peer) + ">";
    }

    private static String body(Received received) {
        SipMessage message = received.message();
        String text = new String(message.bytes(), 0, message.length(), StandardCharsets.ISO_8859_1);
        return text.substring(text.indexOf("\r\n\r\n") + 4);
    }

    private static String origin(String description) {
        return description.replaceAll("(?s).*(o=[^\r\n]*).*", "$1");
    }

    /** A 200 with a description; the kit's own reply has no body. */
    private static void replyWithBody(ScriptedPeer peer, Received received, String... lines) {
        MessageDraft ok =
                MessageDraft.responseTo(received.request(), 200, null, "tag-" + peer.name());
        ok.addLast(HeaderName.CONTACT, "<" + uri(peer) + ">");
        String description =
                "v=0\r\n" + lines[0] + "\r\ns=-\r\nc=IN IP4 10.0.1.9\r\nt=0 0\r\n" + lines[1];
        ok.body((description + "\r\n").getBytes(StandardCharsets.ISO_8859_1), "application/sdp");
        peer.send(received.from(), ok);
    }
}
