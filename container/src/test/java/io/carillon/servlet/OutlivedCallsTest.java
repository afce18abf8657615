package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.LogPace;
import io.carillon.servlet.config.EndPolicy;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.TakeOver;
import io.carillon.servlet.kernel.TurnTap;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipApplicationSessionEvent;
import javax.servlet.sip.SipApplicationSessionListener;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SIP Servlet 1.1, 6.3: the application session ends, and the call of its legs does not. */
class OutlivedCallsTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final Duration THREE_MINUTES = Duration.ofSeconds(181);

    private final Server server = Server.fresh(3);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");
    private final List<String> shown = new ArrayList<>();

    private void call() {
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 200, "b", "Contact: <sip:10.0.0.3:5060>");
        String to = "<sip:uas@y>;tag=" + alice.response(200).toTag();
        alice.request("ACK sip:10.0.0.1:5060", FROM, to, "c1", 1);
        bob.request("ACK");
    }

    private void look() {
        server.container.tap(
                new TurnTap() {
                    @Override
                    public void ended(ServletSession session) {}

                    @Override
                    public void takenOver(ApplicationSession parent, TakeOver how) {}

                    @Override
                    public long nanoTime() {
                        return server.time.nanoTime();
                    }

                    @Override
                    public void opened(ServletSession session) {}

                    @Override
                    public void handled(
                            ApplicationSession parent,
                            String callId,
                            String servlet,
                            String method,
                            int status,
                            long beganNanos,
                            boolean threw) {
                        if (servlet.equals("container")) {
                            shown.add(method);
                        }
                    }
                });
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void bothEndsOfABackToBackCallGetBye(ExecutionMode mode) {
        server.deploy(new Bridge("sip:uas@10.0.0.3:5060"), mode);
        look();
        call();
        server.run(THREE_MINUTES);
        SipRequest toAlice = alice.request("BYE");
        SipRequest toBob = bob.request("BYE");
        assertThat(toAlice.header(HeaderName.REASON)).contains("Session timeout");
        assertThat(toBob.header(HeaderName.REASON)).contains("Session timeout");
        alice.respond(toAlice, 200, "");
        bob.respond(toBob, 200, "");
        assertThat(server.container.counters().outlived.sum()).isOne();
        assertThat(shown)
                .containsExactly(
                        "session-timeout: ends the call", "session-timeout: ends the call");
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
        assertThat(server.node.leftovers()).isEmpty();
    }

    @Test
    void nobodyGetsAByeWhereCallsAreLeft() {
        server.deploy(new Bridge("sip:uas@10.0.0.3:5060"), ExecutionMode.NON_BLOCKING);
        server.container.outlivedCalls().policy(EndPolicy.LEAVE);
        look();
        call();
        server.run(THREE_MINUTES);
        assertThat(alice.unread()).isEmpty();
        assertThat(bob.unread()).isEmpty();
        assertThat(server.container.counters().outlived.sum()).isOne();
        assertThat(shown)
                .containsExactly(
                        "session-timeout: forgets the call", "session-timeout: forgets the call");
    }

    @Test
    void aProxySendsNoByeAndTheCallIsCounted() {
        server.deploy(
                new SipServlet() {
                    @Override
                    protected void doRequest(SipServletRequest request)
                            throws ServletException, IOException {
                        if (request.isInitial()) {
                            Proxy proxy = request.getProxy();
                            proxy.setRecordRoute(true);
                            proxy.proxyTo(request.getRequestURI());
                        }
                    }
                },
                ExecutionMode.NON_BLOCKING);
        look();
        alice.request(
                "INVITE sip:uas@10.0.0.3",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Route: <sip:10.0.0.1;lr>",
                "Contact: <sip:10.0.0.2:5060>");
        bob.respond(bob.request("INVITE"), 200, "b", "Contact: <sip:10.0.0.3:5060>");
        String route = "Route: " + alice.response(200).recordRoutes().getFirst();
        alice.request("ACK sip:10.0.0.3:5060", FROM, "<sip:uas@y>;tag=b", "c1", 1, route);
        bob.request("ACK");
        server.run(THREE_MINUTES);
        assertThat(bob.unread()).isEmpty();
        assertThat(server.container.counters().outlived.sum()).isOne();
        assertThat(shown).containsExactly("session-timeout: forgets the call");
    }

    @Test
    void aListenerThatExtendsTheLifeKeepsTheCall() {
        server.deploy(
                new Bridge("sip:uas@10.0.0.3:5060"),
                ExecutionMode.NON_BLOCKING,
                new SipApplicationSessionListener() {
                    @Override
                    public void sessionExpired(SipApplicationSessionEvent event) {
                        event.getApplicationSession().setExpires(10);
                    }

                    @Override
                    public void sessionCreated(SipApplicationSessionEvent event) {}

                    @Override
                    public void sessionDestroyed(SipApplicationSessionEvent event) {}

                    @Override
                    public void sessionReadyToInvalidate(SipApplicationSessionEvent event) {}
                });
        call();
        server.run(THREE_MINUTES);
        assertThat(bob.unread()).isEmpty();
        assertThat(server.container.callsHeld()).isOne();
        assertThat(server.container.counters().outlived.sum()).isZero();
    }

    @Test
    void aSubscriptionIsNoCall() {
        server.deploy(
                new SipServlet() {
                    @Override
                    protected void doSubscribe(SipServletRequest subscribe) throws IOException {
                        SipServletResponse ok = subscribe.createResponse(200);
                        ok.setExpires(3600);
                        ok.send();
                        SipServletRequest notify = subscribe.getSession().createRequest("NOTIFY");
                        notify.setHeader("Event", "presence");
                        notify.setHeader("Subscription-State", "active;expires=3600");
                        notify.send();
                    }
                },
                ExecutionMode.NON_BLOCKING);
        alice.request(
                "SUBSCRIBE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Event: presence",
                "Expires: 3600",
                "Contact: <sip:10.0.0.2:5060>");
        alice.response(200);
        alice.respond(alice.request("NOTIFY"), 200, "");
        server.run(THREE_MINUTES);
        assertThat(alice.unread()).isEmpty();
        assertThat(server.container.callsHeld()).isZero();
        assertThat(server.container.counters().outlived.sum()).isZero();
    }

    /** What owners of old archives are warned of at the first call. */
    @Test
    void aSessionExpiresByDefaultUntilSomebodyHasChosen() {
        server.deploy(new Bridge("sip:uas@10.0.0.3:5060"), ExecutionMode.NON_BLOCKING);
        call();
        ApplicationSession session = server.container.sessions().all().iterator().next();
        assertThat(session.expiresByDefault()).isTrue();
        assertThat(session.application().isFirstCall()).isFalse();
        session.setExpires(10);
        assertThat(session.expiresByDefault()).isFalse();
    }

    @Test
    void oneLineAMinuteStandsForAllCallsBetween() {
        LogPace pace = new LogPace(60_000);
        assertThat(pace.admit(1)).isOne();
        assertThat(pace.admit(2)).isZero();
        assertThat(pace.admit(60_000)).isZero();
        assertThat(pace.admit(60_001)).isEqualTo(3);
        assertThat(pace.admit(60_002)).isZero();
    }
}
