package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Our tag shows that the source of the first request hears us, as long as nobody else was sent it.
 * Here a forger writes the victim's address as his source and his own as Contact, so that requests
 * of ours tell him the tag; then he goes on in the victim's name.
 */
class TagLearnedElsewhereTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String OF_FORGER = "Contact: <sip:a@10.0.0.8:5060>";
    private static final String OF_VICTIM = "Contact: <sip:v@10.0.0.9:5060>";

    private final Server server = Server.fresh(5);
    private final RawPeer forger = server.peer("10.0.0.8");
    private final RawPeer callee = server.peer("10.0.0.3");

    /** What it sends is forged: the victim never says anything by itself. */
    private final RawPeer victim = server.peer("10.0.0.9");

    private void forged(String method, String to, int cseq, String... headers) {
        victim.request(method + " sip:10.0.0.1", FROM, to, "c", cseq, headers);
        server.run(Duration.ofMillis(50));
    }

    private static String ours(SipRequest sent) {
        return "<sip:u@y>;tag=" + sent.fromTag();
    }

    /** The callee's requests in the dialog, each once. */
    private void calleeSends(SipRequest invite, String method, int from, int count) {
        for (int i = from; i < from + count; i++) {
            callee.request(
                    method + " sip:10.0.0.1",
                    invite.to() + ";tag=b",
                    invite.from().toString(),
                    invite.callId(),
                    i,
                    "Contact: <sip:10.0.0.3:5060>");
            server.run(Duration.ofMillis(50));
        }
    }

    private SipRequest bridged() {
        server.deploy(new Bridge("sip:u@10.0.0.3:5060"), ExecutionMode.NON_BLOCKING);
        forged("INVITE", "<sip:u@y>", 1, OF_FORGER);
        return callee.request("INVITE");
    }

    private void settle() {
        server.run(Duration.ofSeconds(150));
        server.assertClean();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UPDATE", "INVITE"})
    void whoLearntOurTagFromARequestToHisContactSpeaksForNoOtherAddress(String refresh) {
        SipRequest invite = bridged();
        callee.respond(invite, 200, "b");
        server.run(Duration.ofMillis(50));
        calleeSends(invite, "INFO", 1, 1);
        SipRequest told = forger.request("INFO");
        forged("ACK", ours(told), 1);
        forged(refresh, ours(told), 2, OF_VICTIM);
        SipRequest onward = callee.request("ACK");
        assertThat(onward.callId()).isEqualTo(invite.callId());
        callee.respond(callee.request(refresh), 200, "b");
        server.run(Duration.ofMillis(50));
        forged("ACK", ours(told), 2);
        calleeSends(invite, "INFO", 2, 30);
        settle();
        assertThat(victim.requests("INFO")).isEqualTo(30);
    }

    @Test
    void norDoesHeInAnEarlyDialog() {
        SipRequest invite = bridged();
        callee.respond(invite, 180, "b");
        server.run(Duration.ofMillis(50));
        calleeSends(invite, "UPDATE", 1, 1);
        SipRequest told = forger.request("UPDATE");
        forged("UPDATE", ours(told), 2, OF_VICTIM);
        callee.respond(callee.request("UPDATE"), 200, "b");
        server.run(Duration.ofMillis(50));
        calleeSends(invite, "INFO", 2, 30);
        server.run(Duration.ofSeconds(40));
        assertThat(victim.requests("INFO")).isEqualTo(30);
    }

    /** A request to a Record-Route tells it as well. */
    @Test
    void norDoesHeByARecordRoute() throws IOException {
        Manual phone = new Manual();
        server.deploy(phone, ExecutionMode.NON_BLOCKING);
        forged("INVITE", "<sip:u@y>", 1, OF_VICTIM, "Record-Route: <sip:10.0.0.8:5060;lr>");
        phone.answer(200);
        SipSession session = Objects.requireNonNull(phone.invite).getSession();
        session.createRequest("INFO").send();
        SipRequest told = forger.request("INFO");
        forged("ACK", ours(told), 1);
        for (int i = 0; i < 10; i++) {
            session.createRequest("INFO").send();
        }
        settle();
        assertThat(victim.requests("INFO")).isZero();
    }

    /** RFC 6665 4.1.2.2: a refresh has a Contact as well. */
    @Test
    void norDoesWhoSubscribesInTheNameOfAnother() {
        server.deploy(
                new SipServlet() {
                    @Override
                    protected void doSubscribe(SipServletRequest request) throws IOException {
                        request.createResponse(200).send();
                        SipServletRequest notify = request.getSession().createRequest("NOTIFY");
                        notify.setHeader("Event", "presence");
                        notify.setHeader("Subscription-State", "active;expires=600");
                        notify.send();
                    }
                },
                ExecutionMode.NON_BLOCKING);
        String[] wants = {OF_FORGER, "Event: presence", "Expires: 600"};
        forged("SUBSCRIBE", "<sip:p@y>", 1, wants);
        String ours = "<sip:p@y>;tag=" + forger.request("NOTIFY").fromTag();
        wants[0] = OF_VICTIM;
        for (int i = 2; i <= 31; i++) {
            forged("SUBSCRIBE", ours, i, wants);
        }
        server.run(Duration.ofSeconds(40));
        assertThat(victim.requests("NOTIFY")).isEqualTo(30);
    }

    /** RFC 3515 2.4.4: the NOTIFYs of a REFER go to its Contact. */
    @Test
    void norDoesWhoRefersInTheNameOfAnother() throws IOException {
        SipServletRequest[] refer = new SipServletRequest[1];
        server.deploy(
                new SipServlet() {
                    @Override
                    protected void doRequest(SipServletRequest request) throws IOException {
                        if (request.getMethod().equals("REFER")) {
                            refer[0] = request;
                        }
                        request.createResponse(202).send();
                        tell(request.getSession());
                    }
                },
                ExecutionMode.NON_BLOCKING);
        forged("REFER", "<sip:p@y>", 1, OF_FORGER, "Refer-To: <sip:x@10.0.0.7>");
        String ours = "<sip:p@y>;tag=" + forger.request("NOTIFY").fromTag();
        forged("REFER", ours, 2, OF_VICTIM, "Refer-To: <sip:x@10.0.0.7>");
        for (int i = 0; i < 10; i++) {
            tell(Objects.requireNonNull(refer[0]).getSession());
        }
        server.run(Duration.ofSeconds(40));
        assertThat(victim.requests("NOTIFY")).isEqualTo(11);
    }

    private static void tell(SipSession session) throws IOException {
        SipServletRequest notify = session.createRequest("NOTIFY");
        notify.setHeader("Event", "refer");
        notify.setHeader("Subscription-State", "active;expires=60");
        notify.send();
    }

    /** RFC 3261 17.1.2.2: who answers is heard, however the tag went. */
    @Test
    void whoAnswersIsHeardAgain() {
        SipRequest invite = bridged();
        callee.respond(invite, 200, "b");
        server.run(Duration.ofMillis(50));
        calleeSends(invite, "INFO", 1, 1);
        forger.respond(forger.request("INFO"), 200, "");
        server.run(Duration.ofMillis(50));
        calleeSends(invite, "INFO", 2, 1);
        server.run(Duration.ofSeconds(20));
        assertThat(forger.requests("INFO")).isGreaterThan(5);
        assertThat(victim.requests("INFO")).isZero();
    }

    /**
     * RFC 3261 8.2.6.2: an answer repeats the To tag of its request, so it is no secret of ours.
     */
    @Test
    void whoBeginsByATagOfHisOwnKnowsNoTagOfOurs() {
        server.deploy(new Bridge("sip:u@10.0.0.3:5060"), ExecutionMode.NON_BLOCKING);
        String own = "<sip:u@y>;tag=evil";
        forged("INVITE", own, 1, OF_VICTIM);
        SipRequest invite = callee.request("INVITE");
        callee.respond(invite, 200, "b");
        server.run(Duration.ofMillis(50));
        forged("ACK", own, 1);
        assertThat(callee.request("ACK").callId()).isEqualTo(invite.callId());
        calleeSends(invite, "INFO", 1, 10);
        settle();
        assertThat(victim.requests("INFO")).isEqualTo(10);
    }
}
