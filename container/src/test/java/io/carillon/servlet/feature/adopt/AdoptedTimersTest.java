package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ApplicationKey;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import javax.servlet.sip.annotation.SipApplicationKey;
import org.junit.jupiter.api.Test;

/** What is due in a call happens at the node that goes on with it, once and at its time. */
class AdoptedTimersTest {
    private static final Duration SHORT = AdoptedCallsTest.SHORT;

    /** Sets timers, keeps what it sees. */
    static final class Clock extends SipServlet implements TimerListener {
        private static final long serialVersionUID = 1L;

        final transient List<String> seen = new ArrayList<>();

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            if (request.isInitial()) {
                TimerService timers =
                        (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
                ServletTimer once =
                        timers.createTimer(request.getApplicationSession(), 60_000, true, "once");
                request.getSession().setAttribute("timer", once);
                timers.createTimer(request.getApplicationSession(), 50_000, 100_000, true, true, 7);
            }
            request.createResponse(200).send();
        }

        @Override
        protected void doBye(SipServletRequest request) throws IOException {
            request.createResponse(200).send();
        }

        @Override
        public void timeout(ServletTimer timer) {
            SipSession session =
                    (SipSession) timer.getApplicationSession().getSessions("SIP").next();
            seen.add(
                    timer.getInfo()
                            + " "
                            + (session.getAttribute("timer") == timer)
                            + " "
                            + timer.scheduledExecutionTime());
        }
    }

    @Test
    void timersOfApplicationsFireWhereTheCallIs() {
        Clock[] clock = new Clock[1];
        TwoNodes nodes =
                new TwoNodes(server -> {
                    clock[0] = new Clock();
                    server.deploy(clock[0], ExecutionMode.ADAPTIVE, clock[0]);
                });
        Leg alice = Leg.caller(nodes.alice, AdoptedCallsTest.called(nodes, "sip:s@10.0.0.1", "c1"));
        alice.ack();
        long began = nodes.server.container.millis();
        nodes.run(Duration.ofSeconds(20));
        nodes.fail();
        nodes.run(Duration.ofSeconds(100));
        assertThat(clock[0].seen).hasSize(2);
        assertThat(clock[0].seen.getFirst()).startsWith("7 false ");
        assertThat(clock[0].seen.getLast()).startsWith("once true ");
        for (int i = 0; i < 2; i++) {
            String seen = clock[0].seen.get(i);
            long due = Long.parseLong(seen.substring(seen.lastIndexOf(' ') + 1));
            assertThat(due - began).isBetween((5 + i) * 10_000L - 1_000, (5 + i) * 10_000L);
        }
        nodes.run(Duration.ofSeconds(50));
        assertThat(clock[0].seen).as("the second time").hasSize(3);
        nodes.server
                .container
                .sessions()
                .all()
                .forEach(session -> List.copyOf(session.getTimers()).forEach(ServletTimer::cancel));
        alice.bye();
        nodes.assertEnded(1);
    }

    @Test
    void whatWasDueWhileNobodyHadItFiresAtOnce() {
        Clock[] clock = new Clock[1];
        TwoNodes nodes =
                new TwoNodes(server -> {
                    clock[0] = new Clock();
                    server.deploy(clock[0], ExecutionMode.ADAPTIVE, clock[0]);
                });
        Leg alice = Leg.caller(nodes.alice, AdoptedCallsTest.called(nodes, "sip:s@10.0.0.1", "c1"));
        alice.ack();
        nodes.write();
        nodes.die();
        nodes.run(Duration.ofSeconds(70));
        nodes.rise();
        nodes.run(Duration.ofSeconds(1));
        assertThat(clock[0].seen).hasSize(2);
    }

    @Test
    void anApplicationSessionExpiresWhenItWouldHave() {
        Keeper[] keeper = new Keeper[1];
        TwoNodes nodes =
                new TwoNodes(server -> {
                    keeper[0] = new Keeper();
                    server.deploy(keeper[0], ExecutionMode.ADAPTIVE, keeper[0]);
                });
        Leg alice = Leg.caller(nodes.alice, AdoptedCallsTest.called(nodes, "sip:s@10.0.0.1", "c1"));
        alice.ack();
        nodes.run(Duration.ofSeconds(100));
        nodes.fail();
        nodes.run(Duration.ofSeconds(75));
        assertThat(nodes.adoption.adopted()).as("nothing was due").isZero();
        nodes.run(Duration.ofSeconds(10));
        assertThat(nodes.server.container.counters().expired.sum()).isOne();
    }

    private static TwoNodes timed(Keeper[] keeper) {
        return new TwoNodes(server -> {
            keeper[0] = new Keeper();
            try {
                server.container.deploy(
                        ApplicationDescription.builder("test")
                                .servlet("main", () -> keeper[0])
                                .sessionTimeoutMinutes(0)
                                .execution(ExecutionMode.ADAPTIVE)
                                .build());
            } catch (DeploymentException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void weRefreshACallThatTheNodeBeforeWasToRefresh() {
        Keeper[] keeper = new Keeper[1];
        TwoNodes nodes = timed(keeper);
        SipResponse ok =
                AdoptedCallsTest.called(
                        nodes,
                        "sip:s@10.0.0.1",
                        "c1",
                        "Supported: timer",
                        "Allow: INVITE, ACK, BYE, UPDATE",
                        "Session-Expires: 120;refresher=uas");
        Leg alice = Leg.caller(nodes.alice, ok);
        alice.ack();
        nodes.run(Duration.ofSeconds(30));
        nodes.fail();
        nodes.run(Duration.ofSeconds(25));
        assertThat(nodes.alice.unread()).as("not before it is due").isEmpty();
        SipRequest refresh = nodes.alice.request("UPDATE");
        assertThat(refresh.header(HeaderName.SESSION_EXPIRES)).isEqualTo("120;refresher=uac");
        nodes.alice.respond(refresh, 200, "", "Session-Expires: 120;refresher=uac");
        alice.bye();
        nodes.assertEnded(1);
    }

    @Test
    void aCallThatThePeerDoesNotRefreshIsEnded() {
        Keeper[] keeper = new Keeper[1];
        TwoNodes nodes = timed(keeper);
        SipResponse ok =
                AdoptedCallsTest.called(
                        nodes,
                        "sip:s@10.0.0.1",
                        "c1",
                        "Supported: timer",
                        "Session-Expires: 120;refresher=uac");
        Leg alice = Leg.caller(nodes.alice, ok);
        alice.ack();
        nodes.run(Duration.ofSeconds(30));
        nodes.fail();
        nodes.run(Duration.ofSeconds(50));
        assertThat(nodes.alice.unread()).as("not before it is due").isEmpty();
        alice.answers("BYE");
        nodes.assertEnded(1);
        assertThat(nodes.server.container.counters().sessionTimersExpired.sum()).isOne();
    }

    /** Answers, notifies when it is told to. */
    static final class Notifier extends SipServlet {
        private static final long serialVersionUID = 1L;
        transient SipSession last;

        @Override
        protected void doSubscribe(SipServletRequest request) throws IOException {
            last = request.getSession();
            SipServletResponse ok = request.createResponse(200);
            ok.setExpires(request.getExpires());
            ok.send();
            notify(
                    request.getHeader("Event"),
                    request.getExpires() == 0 ? "terminated;reason=timeout" : "active;expires=600");
        }

        void notify(String event, String state) {
            try {
                SipServletRequest notify = last.createRequest("NOTIFY");
                notify.setHeader("Event", event);
                notify.setHeader("Subscription-State", state);
                notify.send();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void aSubscriptionIsRefreshedAndEnds() {
        Notifier[] notifier = new Notifier[1];
        TwoNodes nodes =
                new TwoNodes(server -> {
                    notifier[0] = new Notifier();
                    server.deploy(notifier[0], ExecutionMode.ADAPTIVE);
                });
        nodes.alice.request(
                "SUBSCRIBE sip:s@10.0.0.1",
                "<sip:alice@x>;tag=a",
                "<sip:s@y>",
                "c1",
                1,
                "Event: presence;id=1",
                "Expires: 600",
                "Contact: <sip:10.0.0.2:5060>");
        Leg alice = Leg.caller(nodes.alice, nodes.alice.response(200));
        alice.answers("NOTIFY");
        subscribe(nodes, alice, "presence;id=2", 600);
        assertThat(nodes.server.container.counters().subscriptions.sum()).isOne();

        nodes.fail();

        // RFC 5057: the dialog goes on for the other one.
        subscribe(nodes, alice, "presence;id=1", 0);
        assertThat(nodes.server.container.counters().subscriptions.sum()).isOne();
        subscribe(nodes, alice, "presence;id=2", 600);
        notifier[0].notify("presence;id=2", "active;expires=590");
        alice.answers("NOTIFY");
        subscribe(nodes, alice, "presence;id=2", 0);
        nodes.assertEnded(1);
        assertThat(nodes.server.container.counters().subscriptions.sum()).isZero();
    }

    private static void subscribe(TwoNodes nodes, Leg alice, String event, int seconds) {
        alice.send("SUBSCRIBE", "Event: " + event, "Expires: " + seconds);
        nodes.alice.response(200);
        alice.answers("NOTIFY");
    }

    /** All calls meet in one application session. */
    public static final class Meeting extends SipServlet {
        private static final long serialVersionUID = 1L;

        final transient List<String> seen = new ArrayList<>();

        @SipApplicationKey
        public static String room(SipServletRequest request) {
            return "blue";
        }

        @Override
        protected void doInvite(SipServletRequest invite) throws IOException {
            Object before = invite.getApplicationSession().getAttribute("guests");
            int guests = before == null ? 1 : 1 + (Integer) before;
            invite.getApplicationSession().setAttribute("guests", guests);
            seen.add(invite.getApplicationSession().getId() + ' ' + guests);
            invite.createResponse(200).send();
        }

        @Override
        protected void doBye(SipServletRequest bye) throws IOException {
            bye.createResponse(200).send();
        }
    }

    @Test
    void anotherCallWithItsKeyFindsIt() {
        Meeting[] meeting = new Meeting[1];
        TwoNodes nodes =
                new TwoNodes(server -> {
                    meeting[0] = new Meeting();
                    deploy(server, meeting[0]);
                });
        Leg first = Leg.caller(nodes.alice, AdoptedCallsTest.called(nodes, "sip:s@10.0.0.1", "c1"));
        first.ack();
        nodes.fail();
        Leg second =
                Leg.caller(nodes.alice, AdoptedCallsTest.called(nodes, "sip:s@10.0.0.1", "c2"));
        second.ack();
        assertThat(meeting[0].seen).containsExactly("test:blue 2");
        first.bye();
        second.bye();
        nodes.assertEnded(1);
    }

    private static void deploy(Server server, Meeting meeting) {
        try {
            server.container.deploy(
                    ApplicationDescription.builder("test")
                            .servlet("main", () -> meeting)
                            .key(new ApplicationKey(Meeting.class.getName(), "room"))
                            .execution(ExecutionMode.ADAPTIVE)
                            .build());
        } catch (DeploymentException e) {
            throw new IllegalStateException(e);
        }
    }

    /** RFC 3891 3: the call that is to be replaced is found where it is now. */
    @Test
    void aCallThatReplacesItFindsIt() {
        Keeper[] keeper = new Keeper[1];
        TwoNodes nodes =
                new TwoNodes(server -> {
                    keeper[0] = new Keeper();
                    server.deploy(keeper[0], ExecutionMode.ADAPTIVE, keeper[0]);
                });
        SipResponse ok = AdoptedCallsTest.called(nodes, "sip:s@10.0.0.1", "c1");
        Leg first = Leg.caller(nodes.alice, ok);
        first.ack();
        nodes.fail();
        Leg second =
                Leg.caller(
                        nodes.alice,
                        AdoptedCallsTest.called(
                                nodes,
                                "sip:s@10.0.0.1",
                                "c2",
                                "Replaces: c1;to-tag=" + ok.toTag() + ";from-tag=a"));
        second.ack();
        assertThat(nodes.server.container.callsHeld()).as("one application session").isOne();
        first.bye();
        second.bye();
        nodes.assertEnded(1);
    }

    @Test
    void aMessageWaitsForTheHeadersOfItsPartition() {
        Keeper[] keeper = new Keeper[1];
        TwoNodes nodes =
                new TwoNodes(server -> {
                    keeper[0] = new Keeper();
                    server.deploy(keeper[0], ExecutionMode.ADAPTIVE, keeper[0]);
                });
        Leg alice = Leg.caller(nodes.alice, AdoptedCallsTest.called(nodes, "sip:s@10.0.0.1", "c1"));
        alice.ack();
        nodes.run(SHORT);
        nodes.store.slowNanos = Duration.ofSeconds(3).toNanos();
        nodes.fail();
        alice.bye();
        nodes.assertEnded(1);
    }
}
