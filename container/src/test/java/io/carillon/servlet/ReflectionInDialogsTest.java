package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.observe.Counter;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import javax.servlet.ServletException;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Within dialogs: what a user agent of ours sends to an address that its peer only wrote leaves
 * once, and brings nobody more than came in; to a peer that was heard it is repeated until there is
 * an answer (RFC 3261 17.1.2.2).
 */
class ReflectionInDialogsTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String OWN = "Contact: <sip:a@10.0.0.8:5060>";
    private static final String OF_VICTIM = "Contact: <sip:v@10.0.0.9:5060>";

    /** Timer E doubles from T1 to T2: so many times until timer F. */
    private static final int ALL_TIMES = 11;

    private final Manual phone = new Manual();
    private final Server server = Server.fresh(5);
    private final RawPeer stranger = server.peer("10.0.0.8");
    private final RawPeer victim = server.peer("10.0.0.9");

    private String called(String contact) {
        server.deploy(phone, ExecutionMode.NON_BLOCKING);
        stranger.request("INVITE sip:u@10.0.0.1", FROM, "<sip:u@y>", "c", 1, contact);
        String to = "<sip:u@y>;tag=" + stranger.response(180).toTag();
        phone.answer(200);
        stranger.response(200);
        return to;
    }

    private void within(String method, String to, int cseq, String... headers) {
        stranger.request(method + " sip:10.0.0.1", FROM, to, "c", cseq, headers);
        server.run(Duration.ofMillis(50));
    }

    private SipServletRequest invite() {
        return Objects.requireNonNull(phone.invite);
    }

    private void send(String method) throws IOException {
        invite().getSession().createRequest(method).send();
    }

    private void settle() {
        server.run(Duration.ofSeconds(150));
        server.assertClean();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INFO", "OPTIONS", "MESSAGE", "SUBSCRIBE", "REFER"})
    void aRequestBeforeTheAckSaysNothingOfTheContact(String method) {
        String to = called(OF_VICTIM);
        within(method, to, 2, OF_VICTIM, "Event: presence", "Refer-To: <sip:x@10.0.0.9>");
        settle();
        assertThat(victim.all).hasSize(1);
        assertThat(victim.request("BYE").callId()).isEqualTo("c");
    }

    @Test
    void rfc3261_13_3_1_4_aReInviteWithAnotherContactAndNoAckBringsOneBye() {
        String to = called(OWN);
        within("ACK", to, 1);
        within("INVITE", to, 2, OF_VICTIM);
        phone.answer(200);
        settle();
        assertThat(victim.all).hasSize(1);
        victim.request("BYE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BYE", "INFO", "UPDATE", "INVITE", "NOTIFY"})
    void anAckSaysNothingOfTheContact(String method) throws IOException {
        String to = called(OF_VICTIM);
        within("ACK", to, 1);
        send(method);
        settle();
        assertThat(victim.all).hasSize(1);
        victim.request(method);
    }

    @Test
    void aTargetRefreshSaysNothingOfItsContact() throws IOException {
        String to = called(OWN);
        within("ACK", to, 1);
        within("INVITE", to, 2, OF_VICTIM);
        phone.answer(200);
        within("ACK", to, 2);
        send("BYE");
        settle();
        assertThat(victim.all).hasSize(1);
    }

    @Test
    void aRecordRouteSaysNothingEither() throws IOException {
        String to = called(OWN + "\nRecord-Route: <sip:10.0.0.9;lr>");
        within("ACK", to, 1);
        send("BYE");
        settle();
        assertThat(victim.all).hasSize(1);
    }

    // ---- robustness ----

    @ParameterizedTest
    @ValueSource(strings = {"BYE", "INFO"})
    void rfc3261_17_1_2_2_whoseAckCameIsSentItUntilHeAnswers(String method) throws IOException {
        String to = called(OWN);
        within("ACK", to, 1);
        send(method);
        settle();
        assertThat(stranger.requests(method)).isEqualTo(ALL_TIMES);
    }

    @Test
    void rfc3261_17_1_2_2_whoAnsweredAtHisContactIsSentTheNextOneUntilHeAnswers()
            throws IOException {
        String to = called(OF_VICTIM);
        within("ACK", to, 1);
        send("INFO");
        victim.respond(victim.request("INFO"), 200, "");
        server.run(Duration.ofMillis(50));
        send("BYE");
        settle();
        assertThat(victim.requests("BYE")).isEqualTo(ALL_TIMES);
    }

    @Test
    void rfc3261_17_1_2_2_aRequestBeforeTheAckShowsThatTheCallerIsThere() {
        String to = called(OWN);
        within("INFO", to, 2);
        settle();
        assertThat(stranger.requests("BYE")).isEqualTo(ALL_TIMES);
    }

    @Test
    void rfc3261_17_1_2_2_theCalleeWhoseAnswerCameFromItsContactIsSentTheByeAgain()
            throws IOException {
        server.deploy(phone, ExecutionMode.NON_BLOCKING);
        SipSession session = phone.call("sip:b@10.0.0.8:5060").getSession();
        stranger.respond(stranger.request("INVITE"), 200, "b");
        stranger.request("ACK");
        session.createRequest("BYE").send();
        settle();
        assertThat(stranger.requests("BYE")).isEqualTo(ALL_TIMES);
    }

    // ---- whoever is called ----

    @Test
    void aCalleeWithAnothersContactBringsItNoMoreThanItSent() {
        server.deploy(new Bridge("sip:u@10.0.0.3:5060"), ExecutionMode.NON_BLOCKING);
        RawPeer callee = server.peer("10.0.0.3");
        stranger.request("INVITE sip:u@10.0.0.1", FROM, "<sip:u@y>", "c", 1, OWN);
        SipRequest invite = callee.request("INVITE");
        int in = 0;
        for (int i = 0; i < 100; i++) {
            in += answered(callee, invite, 200, "t" + i);
        }
        stranger.response(200);
        settle();
        assertThat(victim.all).hasSizeLessThanOrEqualTo(100);
        assertThat(victim.requests("BYE")).isBetween(60L, 64L);
        assertThat(bytes(victim)).isLessThan(in);
    }

    @Test
    void aForkElsewhereGetsItsAckWhenIts2xxComesAgain() {
        server.deploy(new Bridge("sip:u@10.0.0.3:5060"), ExecutionMode.NON_BLOCKING);
        RawPeer callee = server.peer("10.0.0.3");
        stranger.request("INVITE sip:u@10.0.0.1", FROM, "<sip:u@y>", "c", 1, OWN);
        SipRequest invite = callee.request("INVITE");
        callee.respond(invite, 200, "first");
        answered(callee, invite, 200, "second");
        assertThat(victim.request("BYE").toTag()).isEqualTo("second");
        answered(callee, invite, 200, "second");
        assertThat(victim.request("ACK").toTag()).isEqualTo("second");
    }

    /** Calls, and says in its ACK what it was asked. */
    private void callsWith(String content) throws IOException, ServletException {
        server.deploy(
                new SipServlet() {
                    @Override
                    protected void doSuccessResponse(SipServletResponse response)
                            throws IOException {
                        SipServletRequest ack = response.createAck();
                        if (!content.isEmpty()) {
                            ack.setContent(content, "text/plain");
                        }
                        ack.send();
                    }

                    @Override
                    protected void doRequest(SipServletRequest request)
                            throws IOException, ServletException {
                        SipFactory factory =
                                (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                        factory.createRequest(
                                        factory.createApplicationSession(),
                                        "INVITE",
                                        "sip:u@10.0.0.1",
                                        "sip:b@10.0.0.8:5060")
                                .send();
                        request.createResponse(200).send();
                    }
                },
                ExecutionMode.NON_BLOCKING);
        stranger.request("OPTIONS sip:u@10.0.0.1", FROM, "<sip:u@y>", "begin", 1);
    }

    /** A callee repeats its 2xx ten times in 64*T1 (RFC 3261 13.3.1.4). */
    @Test
    void rfc3261_13_2_2_4_a2xxThatComesAHundredTimesHasItsAckNoMoreOftenThanOneMayNeedIt()
            throws Exception {
        callsWith("");
        SipRequest invite = stranger.request("INVITE");
        for (int i = 0; i <= 100; i++) {
            stranger.respond(invite, 200, "b");
            server.run(Duration.ofMillis(5));
        }
        assertThat(stranger.requests("ACK")).isEqualTo(ALL_TIMES);
        assertThat(acksNotRepeated()).isEqualTo(90);
    }

    private long acksNotRepeated() {
        return server.node.shards().stream()
                .mapToLong(shard -> shard.counters().get(Counter.ACKS_NOT_REPEATED))
                .sum();
    }

    @Test
    void anAckLargerThanThe2xxThatAsksForItAgainGoesToNobodyElse() throws Exception {
        callsWith("x".repeat(4000));
        SipRequest invite = stranger.request("INVITE");
        answered(stranger, invite, 200, "b");
        int first = bytes(victim);
        assertThat(victim.request("ACK").bodyLength()).isEqualTo(4000);
        for (int i = 0; i < 100; i++) {
            answered(stranger, invite, 200, "b");
        }
        settle();
        assertThat(bytes(victim)).isEqualTo(first);
    }

    @Test
    void rfc3261_13_2_2_4_aSmallOneDoesAsOftenAsItMayBeNeeded() throws Exception {
        callsWith("");
        SipRequest invite = stranger.request("INVITE");
        int in = 0;
        for (int i = 0; i <= 100; i++) {
            in += answered(stranger, invite, 200, "b");
        }
        settle();
        assertThat(victim.all).hasSize(ALL_TIMES);
        assertThat(bytes(victim)).isLessThan(in);
    }

    @Test
    void rfc3261_13_2_2_4_whoAnsweredFromThereHasEachOfItsOwnSize() throws Exception {
        callsWith("x".repeat(4000));
        SipRequest invite = stranger.request("INVITE");
        for (int i = 0; i < 3; i++) {
            stranger.respond(invite, 200, "b");
            server.run(Duration.ofMillis(5));
        }
        assertThat(stranger.requests("ACK")).isEqualTo(3);
    }

    @Test
    void rfc3261_17_1_1_3_aRefusalThatComesAHundredTimesHasItsAckNoMoreOftenThanOneMayNeedIt()
            throws Exception {
        callsWith("");
        SipRequest invite = stranger.request("INVITE");
        for (int i = 0; i <= 100; i++) {
            stranger.respond(invite, 486, "b");
            server.run(Duration.ofMillis(5));
        }
        assertThat(stranger.requests("ACK")).isEqualTo(ALL_TIMES);
        assertThat(acksNotRepeated()).isEqualTo(90);
    }

    @Test
    void manyTagsThatRingReliablyBringOnePrackEach() {
        server.deploy(
                new SipServlet() {
                    @Override
                    protected void doInvite(SipServletRequest request)
                            throws IOException, ServletException {
                        SipServletRequest leg =
                                request.getB2buaHelper().createRequest(request, true, null);
                        leg.setRequestURI(
                                ((javax.servlet.sip.SipFactory)
                                                getServletContext().getAttribute(SIP_FACTORY))
                                        .createURI("sip:u@10.0.0.3:5060"));
                        leg.send();
                    }

                    @Override
                    protected void doProvisionalResponse(SipServletResponse response)
                            throws IOException {
                        try {
                            response.createPrack().send();
                        } catch (Rel100Exception e) {
                            throw new IOException(e);
                        }
                    }
                },
                ExecutionMode.NON_BLOCKING);
        RawPeer callee = server.peer("10.0.0.3");
        stranger.request(
                "INVITE sip:u@10.0.0.1", FROM, "<sip:u@y>", "c", 1, OWN, "Supported: 100rel");
        SipRequest invite = callee.request("INVITE");
        for (int i = 0; i < 100; i++) {
            answered(callee, invite, 183, "t" + i);
        }
        server.run(Duration.ofSeconds(40));
        assertThat(victim.all).hasSizeBetween(50, 100);
        assertThat(victim.requests("PRACK")).isEqualTo(victim.all.size());
    }

    /** Its own Contact is left out: the other's stands in its place. */
    private int answered(RawPeer callee, SipRequest invite, int status, String tag) {
        StringBuilder text = new StringBuilder("SIP/2.0 " + status + " x\n");
        for (int i = 0; i < invite.headerCount(); i++) {
            String name = invite.nameAt(i).text();
            switch (name) {
                case "Via", "From", "Call-ID", "CSeq" ->
                        text.append(name).append(": ").append(invite.valueAt(i)).append('\n');
                case "To" ->
                        text.append("To: ").append(invite.valueAt(i)).append(";tag=" + tag + "\n");
                default -> {}
            }
        }
        text.append(OF_VICTIM).append('\n');
        if (status < 200) {
            text.append("Require: 100rel\nRSeq: 1\n");
        }
        callee.send(text.append("Content-Length: 0\n\n").toString());
        server.run(Duration.ofMillis(5));
        return text.length();
    }

    private static int bytes(RawPeer peer) {
        return peer.all.stream().mapToInt(SipMessage::length).sum();
    }

    // ---- subscriptions ----

    /** RFC 6665 4.2.1.2: a NOTIFY follows each SUBSCRIBE at once. */
    private static final class Notifier extends SipServlet {
        @Override
        protected void doSubscribe(SipServletRequest request) throws IOException {
            request.createResponse(200).send();
            notifyOf(request.getSession());
        }

        static void notifyOf(SipSession session) throws IOException {
            SipServletRequest notify = session.createRequest("NOTIFY");
            notify.setHeader("Event", "presence");
            notify.setHeader("Subscription-State", "active;expires=600");
            notify.send();
        }
    }

    private void subscribe(String to, int cseq) {
        stranger.request(
                "SUBSCRIBE sip:p@10.0.0.1",
                FROM,
                to,
                "s",
                cseq,
                OWN,
                "Event: presence",
                "Expires: 600");
    }

    @Test
    void theFirstNotifyLeavesOnceAsTheSourceOfADatagramMayBeForged() {
        server.deploy(new Notifier(), ExecutionMode.NON_BLOCKING);
        for (int i = 1; i <= 20; i++) {
            stranger.request(
                    "SUBSCRIBE sip:p@10.0.0.1",
                    FROM,
                    "<sip:p@y>",
                    "s" + i,
                    1,
                    OWN,
                    "Event: presence",
                    "Expires: 600");
        }
        server.run(Duration.ofSeconds(40));
        assertThat(stranger.requests("NOTIFY")).isEqualTo(20);
    }

    @Test
    void rfc3261_17_1_2_2_whoTookANotifyIsSentTheNextUntilHeAnswers() {
        server.deploy(new Notifier(), ExecutionMode.NON_BLOCKING);
        subscribe("<sip:p@y>", 1);
        String to = "<sip:p@y>;tag=" + stranger.response(200).toTag();
        stranger.respond(stranger.request("NOTIFY"), 200, "");
        subscribe(to, 2);
        server.run(Duration.ofSeconds(40));
        assertThat(stranger.requests("NOTIFY")).isEqualTo(1 + ALL_TIMES);
    }
}
