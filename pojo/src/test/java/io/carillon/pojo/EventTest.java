package io.carillon.pojo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.UserAgent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipErrorEvent;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TimerService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Timers, the life of sessions, and what does not come. */
@SipTest(roundTrip = true)
class EventTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @SipHandler
    static class Timers {
        final List<String> seen = new ArrayList<>();

        @Invite
        int invite(SipApplicationSession session, TimerService timers) {
            timers.createTimer(session, 1_000, false, "named");
            timers.createTimer(session, 2_000, false, new NamedTimer("data", "payload"));
            timers.createTimer(session, 3_000, false, 42);
            return 180;
        }

        @OnTimer("named")
        void named(ServletTimer timer) {
            seen.add("named " + timer.getInfo());
        }

        @OnTimer("data")
        void withData(NamedTimer timer) {
            seen.add(timer.name() + " " + timer.data());
        }

        @OnTimer
        void other(ServletTimer timer, SipApplicationSession session) {
            seen.add("other " + timer.getInfo() + " " + session.isValid());
        }
    }

    @Test
    void timersFindTheirHandlersByName(SipTestServer server) throws Exception {
        Timers handler = new Timers();
        PlainHandlers.deploy(server, "timers", handler);
        server.phone("alice").call(server.uri("x"));
        server.advance(Duration.ofSeconds(4));
        assertThat(handler.seen).containsExactly("named named", "data payload", "other 42 true");
    }

    @SipHandler
    static class Lives {
        final List<String> seen = new ArrayList<>();

        @Message
        int message() {
            return 200;
        }

        @SessionCreated
        void created(SipApplicationSession session) {
            seen.add("application created");
        }

        @SessionCreated
        void created(SipSession session) {
            seen.add("created");
        }

        @SessionReadyToInvalidate
        void ready(SipSession session) {
            seen.add("ready");
        }

        @SessionDestroyed
        void destroyed(SipSession session) {
            seen.add("destroyed");
        }

        @SessionReadyToInvalidate
        void ready(SipApplicationSession session) {
            seen.add("application ready");
        }

        @SessionDestroyed
        void destroyed(SipApplicationSession session) {
            seen.add("application destroyed");
        }
    }

    @Test
    void theLifeOfSessionsIsTold(SipTestServer server) throws Exception {
        Lives handler = new Lives();
        PlainHandlers.deploy(server, "lives", handler);
        assertThat(new Wire(server).status("MESSAGE", "sip:x@10.0.0.1")).isEqualTo(200);
        server.assertNothingLeft();
        assertThat(handler.seen)
                .containsExactlyInAnyOrder(
                        "application created",
                        "created",
                        "ready",
                        "destroyed",
                        "application ready",
                        "application destroyed");
    }

    @SipHandler
    static class AlsoTold {
        int told;

        @SessionCreated
        void created(SipSession session) {
            told++;
        }
    }

    @Test
    void severalHandlersOfAnEventAreAllTold(SipTestServer server) throws Exception {
        Lives lives = new Lives();
        AlsoTold other = new AlsoTold();
        PlainHandlers.deploy(server, "lives", lives, other);
        new Wire(server).status("MESSAGE", "sip:x@10.0.0.1");
        assertThat(lives.seen).contains("created");
        assertThat(other.told).isEqualTo(1);
    }

    @SipHandler
    static class Expires {
        int expired;

        @Invite
        int invite(SipApplicationSession session) {
            session.setExpires(1);
            return 200;
        }

        @SessionExpired
        void expired(SipApplicationSession session) {
            expired++;
            if (expired == 1) {
                session.setExpires(1);
            }
        }
    }

    @Test
    void anExpiryCanBePutOff(SipTestServer server) throws Exception {
        Expires handler = new Expires();
        PlainHandlers.deploy(server, "expires", handler);
        server.phone("alice").call(server.uri("x"));
        server.advance(Duration.ofSeconds(90));
        assertThat(handler.expired).isEqualTo(1);
        assertThat(server.sessions("expires")).hasSize(1);
        server.advance(Duration.ofSeconds(60));
        assertThat(handler.expired).isEqualTo(2);
        server.assertNothingLeft();
    }

    @SipHandler
    static class Answers {
        @Invite
        int invite() {
            return 200;
        }
    }

    @SipHandler
    static class HearsOfAcks extends Answers {
        @Nullable String seen;

        @NoAckReceived
        void noAck(SipErrorEvent event, SipSession session, SipServletResponse response)
                throws Exception {
            seen = "no ACK for " + response.getStatus();
            session.createRequest("BYE").send();
        }
    }

    @Test
    void aMissingAckIsToldOrElseTheCallEnds(SipTestServer server) throws Exception {
        HearsOfAcks hears = new HearsOfAcks();
        PlainHandlers.deploy(server, "hears", hears);
        ScriptedPeer caller = server.peer("caller");
        invite(caller);
        caller.expect("200");
        Received bye = caller.expect("BYE", Duration.ofSeconds(40));
        caller.reply(bye, 200);
        assertThat(hears.seen).isEqualTo("no ACK for 200");
    }

    @Test
    void withoutAHandlerAMissingAckEndsTheCallToo(SipTestServer server) throws Exception {
        PlainHandlers.deploy(server, "answers", new Answers());
        ScriptedPeer caller = server.peer("caller");
        invite(caller);
        caller.expect("200");
        caller.reply(caller.expect("BYE", Duration.ofSeconds(40)), 200);
        server.assertNothingLeft();
    }

    private static void invite(ScriptedPeer caller) {
        caller.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                """
                INVITE sip:x@10.0.0.1 SIP/2.0
                Via: SIP/2.0/UDP 10.0.1.1;branch=z9hG4bK-1
                Max-Forwards: 70
                From: <sip:caller@10.0.1.1>;tag=a
                To: <sip:x@10.0.0.1>
                Call-ID: noack@10.0.1.1
                CSeq: 1 INVITE
                Contact: <sip:caller@10.0.1.1>
                Content-Length: 0

                """);
    }

    @SipHandler
    static class Reaches {
        @Nullable String seen;

        @Invite
        @Initial
        Plan invite() {
            return Plan.bridge("sip:nobody@10.0.7.7;transport=tcp");
        }

        @Invite
        @ErrorResponse
        Plan failed(SipServletResponse response) {
            seen = "failed " + response.getStatus();
            return Plan.relay();
        }

        @Invite
        @ConnectionLost
        Plan lost(SipServletResponse response, SipServletRequest request) {
            seen = "lost " + request.getRequestURI();
            return Plan.relay();
        }
    }

    @Test
    void aPeerThatCannotBeReachedIsALostConnection(SipTestServer server) throws Exception {
        Reaches handler = new Reaches();
        PlainHandlers.deploy(server, "reaches", handler);
        UserAgent alice = server.phone("alice");
        var call = alice.call(server.uri("x"));
        server.advance(Duration.ofSeconds(35));
        assertThat(handler.seen).startsWith("lost sip:nobody@10.0.7.7");
        assertThat(call.finalStatus()).isEqualTo(503);
        server.assertNothingLeft();
    }

    @SipHandler
    static class TwoTimers {
        @OnTimer("a")
        void one(ServletTimer timer) {}

        @OnTimer("a")
        void other(ServletTimer timer) {}
    }

    @SipHandler
    static class WhichSession {
        @SessionCreated
        void created() {}
    }

    @Test
    void eventsInDoubtAreRefused(SipTestServer server) {
        assertThatThrownBy(() -> PlainHandlers.deploy(server, "two", new TwoTimers()))
                .hasMessageContaining("TwoTimers.one")
                .hasMessageContaining("TwoTimers.other");
        assertThatThrownBy(() -> PlainHandlers.deploy(server, "which", new WhichSession()))
                .hasMessageContaining("needs a parameter that says which session");
    }
}
