package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.EndPolicy;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.members.Proves;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipApplicationSessionEvent;
import javax.servlet.sip.SipApplicationSessionListener;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules of the SIP Servlet API on messages, sessions, timers and the end of calls. */
class SessionRulesTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    private final Manual phone = new Manual();
    private final Server server = Server.fresh(5);
    private final RawPeer alice = server.peer("10.0.0.2");

    private String talk(ExecutionMode mode) {
        server.deploy(phone, mode);
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c1", 1, CONTACT);
        String to = "<sip:uas@y>;tag=" + alice.response(180).toTag();
        phone.answer(200);
        alice.response(200);
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 1);
        server.run(Duration.ofMillis(50));
        return to;
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves(also = "SipSession#invalidate()")
    void messagesAreCommittedAndSystemHeadersAreNotTheApplications(ExecutionMode mode) {
        talk(mode);
        SipServletRequest invite = phone.invite;
        assertThat(invite.isCommitted()).isTrue();
        assertThatThrownBy(() -> invite.setHeader("X", "1"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> invite.createResponse(486))
                .isInstanceOf(IllegalStateException.class);
        SipSession session = invite.getSession();
        assertThatThrownBy(() -> session.createRequest("ACK"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> session.createRequest("CANCEL"))
                .isInstanceOf(IllegalArgumentException.class);
        SipServletRequest info = session.createRequest("INFO");
        assertThatThrownBy(() -> info.setHeader("Via", "x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(session::invalidate).isInstanceOf(IllegalStateException.class);
        assertThat(session.isReadyToInvalidate()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves(
            also = {
                "SipSession#getState()",
                "SipServletMessage#getSession()",
            })
    void aRegisterStaysInitialAndDoesNotLeak(ExecutionMode mode) {
        List<SipSession.State> states = new ArrayList<>();
        server.deploy(
                new SipServlet() {
                    @Override
                    protected void doRegister(SipServletRequest request) throws IOException {
                        SipSession session = request.getSession();
                        request.createResponse(200).send();
                        states.add(session.getState());
                    }
                },
                mode);
        alice.request("REGISTER sip:10.0.0.1", FROM, "<sip:a@x>", "r1", 1, CONTACT);
        alice.response(200);
        server.run(Duration.ofMillis(50));
        assertThat(states).containsExactly(SipSession.State.INITIAL);
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void anUnhandledRequestGets500(ExecutionMode mode) {
        server.deploy(new SipServlet() {}, mode);
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c1", 1, CONTACT);
        alice.response(500);
        server.run(Duration.ofMillis(50));
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves("SipApplicationSession#setExpires(int)")
    void sessionsExpireAfterThreeMinutesUnlessExtended(ExecutionMode mode) {
        List<String> events = new ArrayList<>();
        server.deploy(
                phone,
                mode,
                new SipApplicationSessionListener() {
                    @Override
                    public void sessionCreated(SipApplicationSessionEvent event) {
                        events.add("created");
                    }

                    @Override
                    public void sessionDestroyed(SipApplicationSessionEvent event) {
                        events.add("destroyed");
                    }

                    @Override
                    public void sessionExpired(SipApplicationSessionEvent event) {
                        events.add("expired");
                        if (events.size() == 2) {
                            assertThat(event.getApplicationSession().setExpires(2)).isEqualTo(2);
                        }
                    }

                    @Override
                    public void sessionReadyToInvalidate(SipApplicationSessionEvent event) {
                        events.add("ready");
                    }
                });
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c1", 1, CONTACT);
        alice.response(180);
        server.run(Duration.ofSeconds(179));
        assertThat(events).containsExactly("created");
        server.run(Duration.ofSeconds(2));
        assertThat(events).containsExactly("created", "expired");
        server.run(Duration.ofSeconds(121));
        assertThat(events).containsExactly("created", "expired", "expired", "destroyed");
        alice.response(500);
        server.assertEmpty();
    }

    private static final class Ticker extends SipServlet implements TimerListener {
        final List<Object> ticks = new ArrayList<>();

        @Override
        protected void doInvite(SipServletRequest request) {
            TimerService timers = (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
            SipApplicationSession session = request.getApplicationSession();
            timers.createTimer(session, 1_000, 1_000, false, false, "rate");
            timers.createTimer(session, 10_000, false, "end");
            timers.createTimer(session, 500, false, "never").cancel();
        }

        @Override
        public void timeout(ServletTimer timer) {
            ticks.add(timer.getInfo());
            if (timer.getInfo().equals("end")) {
                for (ServletTimer other : timer.getApplicationSession().getTimers()) {
                    other.cancel();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves(
            value = {
                "ServletTimer#cancel()",
                "ServletTimer#getApplicationSession()",
                "ServletTimer#getInfo()",
                "TimerService#createTimer(SipApplicationSession,long,boolean,Serializable)",
                "TimerService#createTimer(SipApplicationSession,long,long,boolean,boolean,Serializable)",
            },
            also = "SipServletMessage#getApplicationSession()")
    void timersTickUntilTheyAreCancelled(ExecutionMode mode) {
        Ticker ticker = new Ticker();
        server.deploy(ticker, mode, ticker);
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c1", 1, CONTACT);
        server.run(Duration.ofSeconds(30));
        assertThat(ticker.ticks).startsWith("rate", "rate").endsWith("end").doesNotContain("never");
        assertThat(ticker.ticks.size()).isBetween(10, 11);
        server.assertClean();
    }

    private static final class Reliable extends SipServlet {
        final List<String> events = new ArrayList<>();

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            try {
                request.createResponse(183).sendReliably();
            } catch (Rel100Exception e) {
                events.add("Rel100 " + e.getReason());
            }
            request.createResponse(200).send();
        }

        @Override
        protected void doPrack(SipServletRequest request) throws IOException {
            events.add("PRACK");
            request.createResponse(200).send();
        }

        @Override
        protected void doAck(SipServletRequest request) {
            events.add("ACK");
        }

        @Override
        protected void doBye(SipServletRequest request) throws IOException {
            request.createResponse(200).send();
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves("SipServletResponse#sendReliably()")
    void rfc3262_3_the200WaitsForThePrack(ExecutionMode mode) {
        Reliable reliable = new Reliable();
        server.deploy(reliable, mode);
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                CONTACT,
                "Supported: 100rel");
        SipResponse progress = alice.response(183);
        server.run(Duration.ofSeconds(2));
        assertThat(alice.responses(183)).isGreaterThan(1);
        assertThat(alice.responses(200)).isZero();
        String to = "<sip:uas@y>;tag=" + progress.toTag();
        String rseq = progress.header(io.carillon.sip.header.HeaderName.RSEQ);
        alice.request("PRACK sip:10.0.0.1", FROM, to, "c1", 2, "RAck: " + rseq + " 1 INVITE");
        alice.response(200);
        alice.response(200);
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 1);
        alice.request("BYE sip:10.0.0.1", FROM, to, "c1", 3);
        alice.response(200);
        server.run(Duration.ofMillis(100));
        assertThat(reliable.events).containsExactly("PRACK", "ACK");
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves(also = "SipServletResponse#sendReliably()")
    void sendReliablyNeedsSupport(ExecutionMode mode) {
        Reliable reliable = new Reliable();
        server.deploy(reliable, mode);
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c1", 1, CONTACT);
        alice.response(200);
        assertThat(reliable.events).containsExactly("Rel100 " + Rel100Exception.NO_REQ_SUPPORT);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void drainingRefusesNewCallsAndEndsTheHeldOnesWithBye(ExecutionMode mode) {
        talk(mode);
        server.container.refuseNewCalls(true);
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c2", 1, CONTACT);
        alice.response(503);
        assertThat(server.container.counters().refusedStopping.sum()).isEqualTo(1);
        assertThat(server.container.status().refused()).isZero();
        boolean[] done = new boolean[1];
        server.container.endCalls(EndPolicy.BYE, () -> done[0] = true);
        alice.respond(alice.request("BYE"), 200, "");
        server.run(Duration.ofMillis(100));
        assertThat(done[0]).isTrue();
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aRequestOfAnUnknownDialogGets481AndAnotherTargets404(ExecutionMode mode) {
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c0", 1, CONTACT);
        alice.response(404);
        server.deploy(phone, mode);
        alice.request("BYE sip:uas@10.0.0.1", FROM, "<sip:uas@y>;tag=nobody", "c9", 1);
        alice.response(481);
        server.run(Duration.ofMillis(50));
        server.assertEmpty();
    }

    @Test
    @Proves("SipServletRequest#getB2buaHelper()")
    void proxyAndB2buaExcludeEachOther() {
        List<String> events = new ArrayList<>();
        server.deploy(
                new SipServlet() {
                    @Override
                    protected void doInvite(SipServletRequest request)
                            throws IOException, javax.servlet.ServletException {
                        if (request.getCallId().equals("c1")) {
                            request.getB2buaHelper();
                            assertThatThrownBy(request::getProxy)
                                    .isInstanceOf(IllegalStateException.class);
                        } else {
                            request.getProxy();
                            assertThatThrownBy(request::getB2buaHelper)
                                    .isInstanceOf(IllegalStateException.class);
                        }
                        events.add(request.getCallId());
                        request.createResponse(SipServletResponse.SC_BUSY_HERE).send();
                    }
                },
                ExecutionMode.NON_BLOCKING);
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c1", 1, CONTACT);
        alice.response(486);
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c2", 1, CONTACT);
        alice.response(486);
        server.run(Duration.ofMillis(50));
        assertThat(events).containsExactly("c1", "c2");
        server.assertEmpty();
    }

    @Test
    @Proves(
            also = {
                "SipServletRequest#getProxy()",
                "SipServletRequest#setMaxForwards(int)",
            })
    void aRequestWithoutHopsIsAnswered483AndTheExceptionSaysSo() {
        List<String> events = new ArrayList<>();
        server.deploy(
                new SipServlet() {
                    @Override
                    protected void doInvite(SipServletRequest request) {
                        request.setMaxForwards(0);
                        try {
                            request.getProxy();
                        } catch (javax.servlet.sip.TooManyHopsException e) {
                            events.add("too many");
                        }
                    }
                },
                ExecutionMode.NON_BLOCKING);
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c1", 1, CONTACT);
        alice.response(483);
        assertThat(events).containsExactly("too many");
        server.run(Duration.ofMillis(50));
        server.assertEmpty();
    }

    @Test
    @Proves(
            value = "B2buaHelper#createCancel(SipSession)",
            also = {
                "SipFactory#createApplicationSession()",
                "SipFactory#createRequest(SipApplicationSession,String,String,String)",
                "SipServletRequest#send()",
            })
    void forksOfARequestOfOursAreCancelledByTheHelpersCancel() throws IOException {
        server.deploy(phone, ExecutionMode.BLOCKING);
        SipServletRequest invite = phone.call("sip:bob@10.0.0.2:5060");
        SipRequest received = alice.request("INVITE");
        alice.respond(received, 180, "b");
        server.run(Duration.ofMillis(50));
        server.container.features().backToBack().createCancel(invite.getSession()).send();
        alice.respond(alice.request("CANCEL"), 200, "b");
        alice.respond(received, 487, "b");
        alice.request("ACK");
        server.run(Duration.ofMillis(50));
        assertThat(phone.events).containsExactly("INVITE 180", "INVITE 487");
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves("SipSession#createRequest(String)")
    void aSessionWithoutDialogSendsOneRequestAtATime(ExecutionMode mode) throws IOException {
        server.deploy(phone, mode);
        SipServletRequest invite = phone.call("sip:bob@10.0.0.2:5060");
        SipSession session = invite.getSession();
        session.setInvalidateWhenReady(false);
        session.getApplicationSession().setInvalidateWhenReady(false);
        SipRequest first = alice.request("INVITE");
        assertThat(session.getState()).isEqualTo(SipSession.State.INITIAL);
        assertThatThrownBy(() -> session.createRequest("INVITE"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createRequest("OPTIONS"))
                .isInstanceOf(IllegalStateException.class);
        alice.respond(first, 486, "b");
        alice.request("ACK");
        server.run(Duration.ofMillis(50));
        assertThat(session.getState()).isEqualTo(SipSession.State.INITIAL);
        session.createRequest("INVITE").send();
        SipRequest second = alice.request("INVITE");
        assertThat(second.cseq().number()).isEqualTo(2);
        assertThat(second.callId()).isEqualTo(first.callId());
        assertThat(second.fromTag()).isEqualTo(first.fromTag());
    }
}
