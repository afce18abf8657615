package io.carillon.examples.uacregistercall;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SipTest(
        archives = "target/uac-register-call",
        contextParams = {
            "uac-register-call.control-from=10.0.1.1",
            "uac-register-call.talk-millis=5000"
        },
        roundTrip = true)
class LineServletTest {
    private static final String APPLICATION = "uac-register-call";
    private static final String CHALLENGE =
            "WWW-Authenticate: Digest realm=\"home\", nonce=\"%s\", qop=\"auth\", algorithm=MD5%s";
    private static final String REGISTER = "<sip:10.0.1.2;method=REGISTER>";

    private SipTestServer server;
    private ScriptedPeer boss;
    private ScriptedPeer far;
    private int count;

    @BeforeEach
    void start(SipTestServer started) {
        server = started;
        boss = server.peer("boss");
        far = server.peer("far");
    }

    private void refer(ScriptedPeer who, String... headers) {
        String host = who.address().getHostString();
        who.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                String.join(
                                "\n",
                                "REFER sip:uac@10.0.0.1 SIP/2.0",
                                "Via: SIP/2.0/UDP " + host + ":5060;branch=z9hG4bK" + ++count,
                                "Max-Forwards: 70",
                                "From: <sip:boss@" + host + ">;tag=" + count,
                                "To: <sip:uac@10.0.0.1>",
                                "Call-ID: refer" + count,
                                "CSeq: 1 REFER",
                                "Contact: <sip:boss@" + host + ">",
                                String.join("\n", headers))
                        + "\n\n");
    }

    private String hears() {
        Received notify = boss.expect("NOTIFY");
        boss.reply(notify, 200);
        return new String(notify.message().body(), StandardCharsets.UTF_8).strip()
                + (notify.header("Subscription-State").startsWith("terminated") ? "." : "");
    }

    private void challenge(Received request, String nonce, String more) {
        far.reply(request, 401, CHALLENGE.formatted(nonce, more));
    }

    /** Registers, with one challenge. */
    private Received registers(int seconds) {
        refer(boss, "Refer-To: " + REGISTER);
        boss.expect("202");
        assertThat(hears()).isEqualTo("SIP/2.0 100 Trying");
        Received first = far.expect("REGISTER");
        assertThat(first.header("Authorization")).isEmpty();
        assertThat(first.header("Request-URI")).isEqualTo("sip:10.0.1.2");
        assertThat(first.header("Expires")).isEqualTo("3600");
        challenge(first, "one", "");
        Received second = far.expect("REGISTER");
        assertThat(second.header("Authorization"))
                .contains("username=\"uac\"", "realm=\"home\"", "nonce=\"one\"", "nc=00000001");
        assertThat(second.header("Call-ID")).isEqualTo(first.header("Call-ID"));
        far.reply(second, 200, "Contact: " + second.header("Contact") + ";expires=" + seconds);
        assertThat(hears()).isEqualTo("SIP/2.0 200 OK.");
        return second;
    }

    @Test
    void rfc3261Section102ItRegistersWithDigestAndRefreshesInTime() {
        registers(60);
        server.advance(Duration.ofSeconds(29));
        assertThat(far.count("REGISTER")).isEqualTo(2);
        Received refresh = far.expect("REGISTER", Duration.ofSeconds(2));
        assertThat(refresh.header("Authorization")).contains("nonce=\"one\"", "nc=00000002");
        assertThat(refresh.header("CSeq")).startsWith("3 ");
        challenge(refresh, "two", ", stale=true");
        Received fresh = far.expect("REGISTER");
        assertThat(fresh.header("Authorization")).contains("nonce=\"two\"", "nc=00000001");
        far.reply(fresh, 200, "Expires: 600");
        server.advance(Duration.ofSeconds(299));
        assertThat(far.count("REGISTER")).isEqualTo(4);
        far.expect("REGISTER", Duration.ofSeconds(2));
    }

    @Test
    void rfc3608Section62CallsGoByTheServiceRouteOfTheLastAnswer() {
        refer(boss, "Refer-To: " + REGISTER);
        challenge(far.expect("REGISTER"), "reg", "");
        far.reply(
                far.expect("REGISTER"),
                200,
                "Service-Route: <sip:first@10.0.1.2;lr>",
                "Service-Route: <sip:second@10.0.1.2;lr>",
                "Expires: 60");
        refer(boss, "Refer-To: <sip:callee@198.51.100.1>");
        Received invite = far.expect("INVITE");
        assertThat(invite.header("Route"))
                .isEqualTo("<sip:first@10.0.1.2;lr>, <sip:second@10.0.1.2;lr>");
        challenge(invite, "one", "");
        Received again = far.expect("INVITE");
        assertThat(again.header("Route")).contains("first", "second");
        far.reply(again, 486);
        Received refresh = far.expect("REGISTER", Duration.ofSeconds(40));
        far.reply(refresh, 200, "Expires: 60");
        far.forget();
        refer(boss, "Refer-To: <sip:callee@10.0.1.2>");
        assertThat(far.expect("INVITE").header("Route")).isEmpty();
    }

    @Test
    void credentialsThatAreRefusedAreNotTriedAgain() {
        refer(boss, "Refer-To: " + REGISTER);
        challenge(far.expect("REGISTER"), "one", "");
        challenge(far.expect("REGISTER"), "two", "");
        assertThat(hears()).isEqualTo("SIP/2.0 100 Trying");
        assertThat(hears()).isEqualTo("SIP/2.0 401 Unauthorized.");
        server.advance(Duration.ofHours(2));
        assertThat(far.count("REGISTER")).isEqualTo(2);
        server.assertNothingLeft();
    }

    @Test
    void rfc7616ANonceThatWentStaleSaysNothingAboutTheCredentials() {
        refer(boss, "Refer-To: " + REGISTER);
        challenge(far.expect("REGISTER"), "one", "");
        challenge(far.expect("REGISTER"), "two", ", stale=true");
        assertThat(far.expect("REGISTER").header("Authorization")).contains("nonce=\"two\"");
    }

    @Test
    void theRegistrarMayWantALongerTime() {
        refer(boss, "Refer-To: " + REGISTER);
        far.reply(far.expect("REGISTER"), 423, "Min-Expires: 7200");
        Received again = far.expect("REGISTER");
        assertThat(again.header("Expires")).isEqualTo("7200");
        far.reply(again, 423, "Min-Expires: 7200");
        server.advance(Duration.ofSeconds(10));
        assertThat(far.count("REGISTER")).as("not for ever").isEqualTo(2);
    }

    @Test
    void afterAFailureItWaitsLongerEachTime() {
        refer(boss, "Refer-To: " + REGISTER);
        far.reply(far.expect("REGISTER"), 503);
        hears();
        assertThat(hears()).isEqualTo("SIP/2.0 503 Service Unavailable.");
        server.advance(Duration.ofSeconds(29));
        assertThat(far.count("REGISTER")).isEqualTo(1);
        far.reply(far.expect("REGISTER", Duration.ofSeconds(2)), 500);
        server.advance(Duration.ofSeconds(59));
        assertThat(far.count("REGISTER")).isEqualTo(2);
        far.reply(far.expect("REGISTER", Duration.ofSeconds(2)), 503, "Retry-After: 300");
        server.advance(Duration.ofSeconds(299));
        assertThat(far.count("REGISTER")).isEqualTo(3);
        far.reply(far.expect("REGISTER", Duration.ofSeconds(2)), 200, "Expires: 60");
        far.expect("REGISTER", Duration.ofSeconds(31));
    }

    @Test
    void aRegistrationIsRemovedByReferWithExpires0() {
        registers(600);
        refer(boss, "Refer-To: <sip:10.0.1.2;method=REGISTER?Expires=0>");
        boss.expect("202");
        Received last = far.expect("REGISTER");
        assertThat(last.header("Expires")).isEqualTo("0");
        assertThat(last.header("Authorization")).contains("nc=00000002");
        far.reply(last, 200);
        hears();
        assertThat(hears()).isEqualTo("SIP/2.0 200 OK.");
        server.assertNothingLeft();
    }

    @Test
    void outOfServiceItRemovesItsContact() {
        Received register = registers(600);
        server.undeploy(APPLICATION);
        Received last = far.expect("REGISTER");
        assertThat(last.header("Expires")).isEqualTo("0");
        assertThat(last.header("Contact")).isEqualTo(register.header("Contact"));
        far.reply(last, 200);
        server.assertNothingLeft();
    }

    @Test
    @SipTest(
            archives = "target/uac-register-call",
            contextParams = "uac-register-call.registrar=sip:10.0.1.2")
    void withARegistrarItRegistersWhenItIsDeployed(SipTestServer other) {
        Received register = far.expect("REGISTER");
        assertThat(register.header("To")).isEqualTo("<sip:uac@127.0.0.1>");
        assertThat(register.header("Contact")).startsWith("<sip:uac@10.0.0.1:5060;line=");
    }

    /** Whoever is called could else have a digest of the password made for a nonce of his own. */
    @Test
    void withoutARealmTheRegistrarsAloneIsAnswered() {
        String any =
                "Proxy-Authenticate: Digest realm=\"anything\", nonce=\"fixed\", algorithm=MD5";
        refer(boss, "Refer-To: <sip:carol@10.0.1.2>");
        far.reply(far.expect("INVITE"), 407, any);
        assertThat(hears()).isEqualTo("SIP/2.0 100 Trying");
        assertThat(hears()).isEqualTo("SIP/2.0 407 Proxy Authentication Required.");
        registers(600);
        refer(boss, "Refer-To: <sip:carol@10.0.1.2>");
        far.reply(far.expect("INVITE"), 407, any);
        assertThat(hears()).isEqualTo("SIP/2.0 100 Trying");
        assertThat(hears()).isEqualTo("SIP/2.0 407 Proxy Authentication Required.");
        assertThat(far.count("INVITE")).isEqualTo(2);
        refer(boss, "Refer-To: <sip:carol@10.0.1.2>");
        challenge(far.expect("INVITE"), "his", "");
        assertThat(far.expect("INVITE").header("Authorization")).contains("realm=\"home\"");
    }

    /** A realm that was asked for and not accepted is nobody's whom we trust. */
    @Test
    void aRegistrarThatRefusesIsNotOurs() {
        refer(boss, "Refer-To: " + REGISTER);
        challenge(far.expect("REGISTER"), "one", "");
        far.reply(far.expect("REGISTER"), 403);
        refer(boss, "Refer-To: <sip:carol@10.0.1.2>");
        challenge(far.expect("INVITE"), "his", "");
        server.advance(Duration.ofSeconds(1));
        assertThat(far.count("INVITE")).isEqualTo(1);
    }

    @Test
    @SipTest(
            archives = "target/uac-register-call",
            contextParams = {
                "uac-register-call.control-from=10.0.1.1",
                "uac-register-call.talk-millis=5000",
                "uac-register-call.realm=home"
            },
            roundTrip = true)
    void itCallsAnswersTheChallengeAndHangsUp() {
        refer(boss, "Refer-To: <sip:carol@10.0.1.2>");
        boss.expect("202");
        Received first = far.expect("INVITE");
        far.reply(first, 407, CHALLENGE.formatted("n", "").replace("WWW-", "Proxy-"));
        far.expect("ACK");
        Received invite = far.expect("INVITE");
        assertThat(invite.header("Proxy-Authorization")).contains("realm=\"home\"");
        assertThat(invite.header("Call-ID")).isEqualTo(first.header("Call-ID"));
        assertThat(invite.message().bodyLength()).isPositive();
        far.reply(invite, 180);
        assertThat(hears()).isEqualTo("SIP/2.0 100 Trying");
        assertThat(hears()).isEqualTo("SIP/2.0 180 Ringing");
        far.reply(invite, 200, "Contact: <sip:carol@10.0.1.2>");
        assertThat(far.expect("ACK").header("Proxy-Authorization")).contains("nonce=\"n\"");
        assertThat(hears()).isEqualTo("SIP/2.0 200 OK.");
        Received bye = far.expect("BYE", Duration.ofSeconds(6));
        assertThat(bye.header("Proxy-Authorization")).contains("nc=00000002");
        far.reply(bye, 200);
        server.assertNothingLeft();
    }

    @Test
    void whoDoesNotAnswerIsCancelledAndWhoRefusesIsTold() {
        refer(boss, "Refer-To: <sip:carol@10.0.1.2>");
        Received invite = far.expect("INVITE");
        far.reply(invite, 180);
        hears();
        hears();
        Received cancel = far.expect("CANCEL", Duration.ofSeconds(61));
        far.reply(cancel, 200);
        far.reply(invite, 487);
        assertThat(hears()).isEqualTo("SIP/2.0 487 Request Terminated.");
        refer(boss, "Refer-To: <sip:carol@10.0.1.2>");
        far.reply(far.expect("INVITE"), 486);
        hears();
        assertThat(hears()).isEqualTo("SIP/2.0 486 Busy Here.");
        server.assertNothingLeft();
    }

    @Test
    void whoAnswersNoNotifyHearsTheNewestOnlyAndALongReasonInPart() {
        refer(boss, "Refer-To: <sip:carol@10.0.1.2>");
        Received trying = boss.expect("NOTIFY");
        Received invite = far.expect("INVITE");
        for (int i = 0; i < 50; i++) {
            far.reply(invite, 180 + i % 4);
        }
        boss.reply(trying, 200);
        assertThat(hears()).isEqualTo("SIP/2.0 181 Call Is Being Forwarded");
        far.send(
                invite.from(),
                io.carillon.sip.message.MessageDraft.responseTo(
                        invite.request(), 486, "b".repeat(5_000), "tag-far"));
        assertThat(hears()).isEqualTo("SIP/2.0 486 " + "b".repeat(64) + ".");
    }

    /** RFC 3261 19.1.1: a Request-URI has no headers, and who refers adds none to our INVITE. */
    @Test
    void headersOfAReferToDoNotLeave() {
        refer(boss, "Refer-To: <sip:carol@10.0.1.2?Route=%3Csip:10.0.1.9%3E&Subject=a%0d%0aX>");
        boss.expect("202");
        Received invite = far.expect("INVITE");
        assertThat(invite.header("Request-URI")).isEqualTo("sip:carol@10.0.1.2");
        assertThat(invite.header("To")).isEqualTo("<sip:carol@10.0.1.2>");
        assertThat(invite.header("Subject")).isEmpty();
    }

    @Test
    void strangersAndNonsenseAreRefused() {
        ScriptedPeer stranger = server.peer("stranger");
        refer(stranger, "Refer-To: <sip:carol@10.0.1.2>");
        stranger.expect("403");
        refer(boss);
        boss.expect("400");
        refer(boss, "Refer-To: <sip:a@b>", "Refer-To: <sip:c@d>");
        boss.expect("400");
        refer(boss, "Refer-To: <sip:a@10.0.1.2;method=MESSAGE>");
        boss.expect("400");
        refer(boss, "Refer-To: " + REGISTER);
        boss.expect("202");
        refer(boss, "Refer-To: " + REGISTER);
        boss.expect("491");
        assertThat(far.count("INVITE")).isZero();
    }
}
