package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.sip.message.SipRequest;
import java.time.Duration;
import java.util.List;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever crosses the end of a session, the session ends. */
class SessionEndsTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    private final Manual phone = new Manual();
    private final Server server = Server.fresh(9);
    private final RawPeer alice = server.peer("10.0.0.2");

    /** A message that came just before the expiry was told puts it off; it is not lost. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void anExpiryThatWasPutOffInTheLastMomentComesLater(ExecutionMode mode) {
        server.deploy(phone, mode);
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c1", 1, CONTACT);
        alice.response(180);
        ApplicationSession session = (ApplicationSession) phone.invite.getApplicationSession();
        server.run(Duration.ofSeconds(170));
        // The turn is busy when the time comes, and its work is the session's use.
        assertThat(session.enter()).isTrue();
        elsewhere(() -> server.run(Duration.ofSeconds(15)));
        session.touch();
        session.exit();
        server.run(Duration.ofSeconds(1));
        assertThat(session.isValid()).isTrue();
        server.run(Duration.ofSeconds(185));
        assertThat(session.isValid()).isFalse();
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    private static void elsewhere(Runnable work) {
        Thread thread = new Thread(work);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_2_2_4_earlyDialogsEnd64T1AfterThe2xxOfAnotherFork(ExecutionMode mode) {
        server.deploy(phone, mode);
        SipServletRequest invite = phone.call("sip:bob@10.0.0.2:5060");
        invite.getApplicationSession().setExpires(0);
        SipRequest received = alice.request("INVITE");
        alice.respond(received, 180, "one");
        alice.respond(received, 180, "two");
        alice.respond(received, 180, "three");
        phone.endsForks = false;
        alice.respond(received, 200, "two");
        alice.request("ACK");
        server.run(Duration.ofSeconds(20));
        SipSession first = invite.getSession();
        SipSession third = phone.responses.get(2).getSession();
        assertThat(first.getState()).isEqualTo(SipSession.State.EARLY);
        server.run(Duration.ofSeconds(20));
        assertThat(first.isValid()).isFalse();
        assertThat(third.isValid()).isFalse();
        assertThat(server.container.status().early()).isZero();
        assertThat(server.container.status().confirmed()).isEqualTo(1);
        alice.request(
                "BYE sip:10.0.0.1",
                "<sip:bob@10.0.0.2:5060>;tag=two",
                received.from().toString(),
                received.callId(),
                1);
        alice.response(200);
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    private SipSession sends(String method) throws Exception {
        SipFactory factory =
                (SipFactory) phone.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        SipServletRequest request =
                factory.createRequest(
                        factory.createApplicationSession(),
                        method,
                        "sip:server@10.0.0.1",
                        "sip:a@10.0.0.2:5060");
        request.send();
        return request.getSession();
    }

    /** JSR 289 6.2.4: what begins no dialog has done its work with its final response. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aRequestOfOursThatBeginsNoDialogLeavesNoSession(ExecutionMode mode) throws Exception {
        server.deploy(phone, mode);
        for (String method : List.of("MESSAGE", "OPTIONS", "INFO")) {
            for (int status : new int[] {200, 404}) {
                SipSession session = sends(method);
                alice.respond(alice.request(method), status, "a");
                server.run(Duration.ofMillis(100));
                assertThat(session.isValid()).as(method + " " + status).isFalse();
            }
        }
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    /** RFC 3261 10.2: the next REGISTER has the same Call-ID, so its session stays. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_10_2_theSessionOfARegisterStays(ExecutionMode mode) throws Exception {
        server.deploy(phone, mode);
        SipSession session = sends("REGISTER");
        alice.respond(alice.request("REGISTER"), 200, "a");
        server.run(Duration.ofMillis(100));
        session.createRequest("REGISTER").send();
        assertThat(alice.request("REGISTER").callId()).isEqualTo(session.getCallId());
        session.getApplicationSession().invalidate();
    }
}
