package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ApplicationKey;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletContextAttributeEvent;
import javax.servlet.ServletContextAttributeListener;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import javax.servlet.sip.ar.SipApplicationRoutingRegionType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A new version takes new calls, the old one keeps its own. Virtual time. */
class RedeploymentTest {
    private static final String FROM = "<sip:a@x>;tag=a";

    /** Answers, and writes down what it saw. */
    static final class Phone extends SipServlet implements TimerListener {
        final List<String> events = new ArrayList<>();
        boolean broken;

        @Override
        public void init() throws ServletException {
            if (broken) {
                throw new ServletException("no database");
            }
        }

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            events.add("INVITE");
            if (request.getFrom().getURI().toString().contains("timer")) {
                ((TimerService) getServletContext().getAttribute(TIMER_SERVICE))
                        .createTimer(request.getApplicationSession(), 5_000, false, "x");
            }
            request.createResponse(200).send();
        }

        @Override
        protected void doBye(SipServletRequest request) throws IOException {
            events.add("BYE");
            request.createResponse(200).send();
        }

        @Override
        protected void doResponse(SipServletResponse response) {
            events.add(response.getMethod() + " " + response.getStatus());
        }

        @Override
        public void timeout(ServletTimer timer) {
            events.add("TIMER");
        }

        @Override
        public void destroy() {
            events.add("destroy");
        }
    }

    private final Phone first = new Phone();
    private final Phone second = new Phone();
    private final Server server = Server.fresh(1);
    private final RawPeer alice = server.peer("10.0.0.2");

    private ApplicationDescription version(Phone phone, ExecutionMode mode) {
        return ApplicationDescription.builder("phone")
                .servlet("main", () -> phone)
                .listener(phone)
                .execution(mode)
                .build();
    }

    /** Returns the To of the dialog. */
    private String call(String callId, String from) {
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                from,
                "<sip:uas@y>",
                callId,
                1,
                "Contact: <sip:10.0.0.2:5060>");
        SipResponse ok = alice.response(200);
        String to = "<sip:uas@y>;tag=" + ok.toTag();
        alice.request("ACK sip:uas@10.0.0.1:5060", from, to, callId, 1);
        server.run(Duration.ofSeconds(1));
        return to;
    }

    private void hangUp(String callId, String from, String to) {
        alice.request("BYE sip:uas@10.0.0.1:5060", from, to, callId, 2);
        alice.response(200);
        server.run(Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void newCallsGoToTheNewVersionAndRunningOnesEndOnTheOld(ExecutionMode mode) throws Exception {
        Application old = server.container.deploy(version(first, mode));
        String to = call("c1", FROM);
        Application now = server.container.replace(version(second, mode), null);
        assertThat(old.state()).isEqualTo(Application.State.RETIRING);
        assertThat(now.version()).isEqualTo(2);
        assertThat(server.container.applications()).containsExactly(now);
        assertThat(server.container.retiring()).containsExactly(old);
        String toOfNew = call("c2", FROM);
        hangUp("c1", FROM, to);
        assertThat(first.events).containsExactly("INVITE", "BYE", "destroy");
        assertThat(old.state()).isEqualTo(Application.State.STOPPED);
        assertThat(server.container.retiring()).isEmpty();
        hangUp("c2", FROM, toOfNew);
        assertThat(second.events).containsExactly("INVITE", "BYE");
        server.assertEmpty();
    }

    @Test
    void anOldVersionWithoutCallsEndsAtOnce() throws Exception {
        Application old = server.container.deploy(version(first, ExecutionMode.BLOCKING));
        server.container.replace(version(second, ExecutionMode.BLOCKING), null);
        assertThat(old.state()).isEqualTo(Application.State.STOPPED);
        assertThat(first.events).containsExactly("destroy");
    }

    @Test
    void timersOfRunningCallsFireOnTheOldVersion() throws Exception {
        server.container.deploy(version(first, ExecutionMode.BLOCKING));
        String from = "<sip:timer@x>;tag=a";
        String to = call("c1", from);
        server.container.replace(version(second, ExecutionMode.BLOCKING), null);
        hangUp("c1", from, to);
        server.run(Duration.ofSeconds(6));
        assertThat(first.events).containsExactly("INVITE", "BYE", "TIMER", "destroy");
        assertThat(second.events).isEmpty();
    }

    @Test
    void aNewVersionThatFailsLeavesTheOldInService() throws Exception {
        Application old = server.container.deploy(version(first, ExecutionMode.BLOCKING));
        second.broken = true;
        assertThatThrownBy(() ->
                        server.container.replace(version(second, ExecutionMode.BLOCKING), null))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("no database")
                .hasMessageNotContaining("\n");
        assertThat(server.container.applications()).containsExactly(old);
        assertThat(old.state()).isEqualTo(Application.State.STARTED);
        call("c1", FROM);
        assertThat(first.events).containsExactly("INVITE");
        Phone third = new Phone();
        assertThat(server.container.replace(version(third, ExecutionMode.BLOCKING), null).version())
                .as("versions that never served are not counted")
                .isEqualTo(2);
    }

    @Test
    void atTheLimitCallsOfTheOldVersionGetByeAndItEnds() throws Exception {
        Application old = server.container.deploy(version(first, ExecutionMode.BLOCKING));
        call("c1", FROM);
        server.container.replace(version(second, ExecutionMode.BLOCKING), Duration.ofSeconds(60));
        server.run(Duration.ofSeconds(58));
        assertThat(alice.requests("BYE")).isZero();
        assertThat(old.state()).isEqualTo(Application.State.RETIRING);
        server.run(Duration.ofSeconds(3));
        alice.respond(alice.request("BYE"), 200, "");
        server.run(Duration.ofSeconds(34));
        assertThat(old.state()).isEqualTo(Application.State.STOPPED);
        server.assertEmpty();
    }

    @Test
    void anOldCallWhoseOtherEndIsGoneEndsAfterTheLimitToo() throws Exception {
        Application old = server.container.deploy(version(first, ExecutionMode.BLOCKING));
        call("c1", FROM);
        server.container.replace(version(second, ExecutionMode.BLOCKING), Duration.ofSeconds(60));
        server.run(Duration.ofSeconds(100));
        assertThat(old.state()).isEqualTo(Application.State.STOPPED);
        assertThat(server.container.callsHeld()).isZero();
    }

    @Test
    void aKeyedSessionKeepsItsVersion() throws Exception {
        server.container.deploy(keyed(first));
        String to = call("c1", FROM);
        Application now = server.container.replace(keyed(second), null);
        String toOther = call("c2", FROM);
        assertThat(first.events).containsExactly("INVITE", "INVITE");
        hangUp("c1", FROM, to);
        hangUp("c2", FROM, toOther);
        call("c3", FROM);
        assertThat(second.events).containsExactly("INVITE");
        assertThat(now.version()).isEqualTo(2);
    }

    /**
     * Everybody's key. JSR 289 15.11.2: the method may look at the request as the router saw it.
     */
    public static String key(SipServletRequest request) {
        return request.getRegion().getType() == SipApplicationRoutingRegionType.NEUTRAL
                        && request.getSubscriberURI() == null
                ? "conference"
                : "another";
    }

    private static ApplicationDescription keyed(Phone phone) {
        return ApplicationDescription.builder("phone")
                .servlet("main", () -> phone)
                .key(new ApplicationKey(RedeploymentTest.class.getName(), "key"))
                .build();
    }

    @Test
    void anApplicationOutOfServiceKeepsItsCallsAndGetsNoNewOnes() throws Exception {
        server.container.deploy(version(first, ExecutionMode.BLOCKING));
        String to = call("c1", FROM);
        assertThat(server.container.retire("phone", null)).isTrue();
        assertThat(server.container.retire("phone", null)).isFalse();
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c2", 1);
        alice.response(404);
        hangUp("c1", FROM, to);
        assertThat(first.events).containsExactly("INVITE", "BYE", "destroy");
    }

    /** What it keeps up by itself, such as a registration, would otherwise keep it up for ever. */
    @Test
    void anApplicationOutOfServiceIsToldByAnAttributeOfItsContext() throws Exception {
        List<String> told = new ArrayList<>();
        ServletContextAttributeListener listener =
                new ServletContextAttributeListener() {
                    @Override
                    public void attributeAdded(ServletContextAttributeEvent event) {
                        told.add(event.getName() + ' ' + event.getValue());
                    }
                };
        server.container.deploy(
                ApplicationDescription.builder("phone")
                        .servlet("main", () -> first)
                        .listener(listener)
                        .build());
        String to = call("c1", FROM);
        assertThat(told).isEmpty();
        server.container.retire("phone", null);
        server.run(Duration.ofSeconds(1));
        assertThat(told).containsExactly("io.carillon.retiring true");
        hangUp("c1", FROM, to);
        assertThat(first.events).containsExactly("INVITE", "BYE", "destroy");
    }

    @Test
    void undeployedItEndsItsSessionsAndThenItself() throws Exception {
        Application old = server.container.deploy(version(first, ExecutionMode.BLOCKING));
        call("c1", FROM);
        server.container.undeploy("phone");
        server.run(Duration.ofSeconds(1));
        assertThat(first.events).containsExactly("INVITE", "destroy");
        assertThat(old.state()).isEqualTo(Application.State.STOPPED);
        assertThat(server.container.callsHeld()).isZero();
    }

    @Test
    void callsWithoutPauseLoseNothingAcrossManyVersions() throws Exception {
        List<Phone> phones = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Phone phone = new Phone();
            phones.add(phone);
            server.container.replace(version(phone, ExecutionMode.BLOCKING), null);
            // On its way while the next version takes over.
            alice.request(
                    "INVITE sip:uas@10.0.0.1",
                    FROM,
                    "<sip:uas@y>",
                    "n" + i,
                    1,
                    "Contact: <sip:10.0.0.2:5060>");
            server.run(Duration.ofMillis(i % 4));
        }
        server.run(Duration.ofSeconds(1));
        List<String> tos = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            SipResponse ok = alice.response(200);
            String to = "<sip:uas@y>;tag=" + ok.toTag();
            tos.add(to);
            alice.request("ACK sip:uas@10.0.0.1:5060", FROM, to, ok.callId(), 1);
            alice.request("BYE sip:uas@10.0.0.1:5060", FROM, to, ok.callId(), 2);
        }
        server.run(Duration.ofSeconds(40));
        assertThat(alice.responses(404) + alice.responses(480) + alice.responses(500)).isZero();
        assertThat(server.container.retiring()).isEmpty();
        for (Phone phone : phones.subList(0, 39)) {
            assertThat(phone.events).endsWith("destroy").containsOnlyOnce("destroy");
        }
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aKeyNamesOneApplicationSessionWhicheverVersionAsks(ExecutionMode mode) throws Exception {
        server.container.deploy(version(first, mode));
        SipFactory ofOld =
                (SipFactory) first.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        SipApplicationSession held = ofOld.createApplicationSessionByKey("k");
        held.setAttribute("who", "old");
        held.setInvalidateWhenReady(false); // its OPTIONS begins no dialog
        server.container.replace(version(second, mode), null);
        SipFactory factory =
                (SipFactory) second.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        SipSessionsUtil util =
                (SipSessionsUtil)
                        second.getServletContext().getAttribute(SipServlet.SIP_SESSIONS_UTIL);
        assertThat(util.getApplicationSessionByKey("k", false)).isSameAs(held);
        assertThat(util.getApplicationSessionByKey("k", true)).isSameAs(held);
        assertThat(util.getApplicationSessionById(held.getId())).isSameAs(held);
        assertThat(factory.createApplicationSessionByKey("k")).isSameAs(held);
        // What the new version begins there is the old one's call.
        factory.createRequest(held, "OPTIONS", "sip:server@10.0.0.1", "sip:a@10.0.0.2:5060").send();
        alice.respond(alice.request("OPTIONS"), 200, "b");
        server.run(Duration.ofMillis(50));
        assertThat(first.events).contains("OPTIONS 200");
        assertThat(second.events).isEmpty();
        held.invalidate();
        server.run(Duration.ofMillis(50));
        assertThat(first.events).endsWith("destroy");
        assertThat(util.getApplicationSessionByKey("k", false)).isNull();
        SipApplicationSession fresh = util.getApplicationSessionByKey("k", true);
        assertThat(fresh).isNotSameAs(held);
        fresh.invalidate();
        server.assertEmpty();
    }
}
