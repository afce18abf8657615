package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionEvent;
import javax.servlet.sip.SipSessionListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** RFC 6665 and RFC 5057: what a container owes to subscriptions. */
class SubscriptionTest {
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";
    private static final String ACTIVE = "Subscription-State: active;expires=60";
    private static final String OVER = "Subscription-State: terminated;reason=noresource";

    private final Server server = Server.fresh(53);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final Events events = new Events();

    /** Takes and makes subscriptions. */
    private static final class Events extends SipServlet implements SipSessionListener {
        final List<String> seen = new ArrayList<>();
        final List<SipSession> sessions = new ArrayList<>();

        @Override
        protected void doSubscribe(SipServletRequest request) throws IOException {
            seen.add("SUBSCRIBE " + request.getHeader("Event"));
            sessions.add(request.getSession());
            if (!"presence".equals(request.getHeader("Event").split(";")[0])) {
                request.createResponse(489).send();
                return;
            }
            SipServletResponse ok = request.createResponse(200);
            ok.setExpires(60);
            ok.send();
        }

        @Override
        protected void doNotify(SipServletRequest request) throws IOException {
            seen.add("NOTIFY " + request.getHeader("Event"));
            sessions.add(request.getSession());
            request.createResponse(200).send();
        }

        @Override
        protected void doResponse(SipServletResponse response) {
            seen.add(response.getMethod() + " " + response.getStatus());
        }

        SipServletRequest subscribe() {
            try {
                SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                SipServletRequest request =
                        factory.createRequest(
                                factory.createApplicationSession(),
                                "SUBSCRIBE",
                                "sip:server@10.0.0.1",
                                "sip:a@10.0.0.2");
                request.setHeader("Event", "presence");
                request.setExpires(60);
                request.send();
                return request;
            } catch (ServletException | IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void sessionCreated(SipSessionEvent event) {}

        @Override
        public void sessionDestroyed(SipSessionEvent event) {}

        @Override
        public void sessionReadyToInvalidate(SipSessionEvent event) {
            seen.add("ready");
        }
    }

    private void deploy(ExecutionMode mode) throws Exception {
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", () -> events)
                        .listener(events)
                        .sessionTimeoutMinutes(0)
                        .execution(mode)
                        .build());
    }

    private void settle() {
        server.run(Duration.ofMillis(50));
    }

    /** A NOTIFY of a notifier with that tag. */
    private void notify(SipRequest subscribe, String tag, int cseq, String... headers) {
        String[] all = Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = CONTACT;
        alice.request(
                "NOTIFY sip:10.0.0.1",
                "<sip:a@10.0.0.2>;tag=" + tag,
                subscribe.from().toString(),
                subscribe.callId(),
                cseq,
                all);
    }

    // ---- we subscribe ----

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc6665_4_4_1_theFirstNotifyMayComeBeforeThe200(ExecutionMode mode) throws Exception {
        deploy(mode);
        events.subscribe();
        SipRequest subscribe = alice.request("SUBSCRIBE");
        notify(subscribe, "n", 1, "Event: presence", ACTIVE);
        alice.response(200);
        alice.respond(subscribe, 200, "n", "Expires: 60");
        settle();
        assertThat(events.seen).containsExactly("NOTIFY presence", "SUBSCRIBE 200");
        server.run(Duration.ofSeconds(40));
        notify(subscribe, "n", 2, "Event: presence", OVER);
        alice.response(200);
        server.run(Duration.ofSeconds(40));
        assertThat(events.seen).last().isEqualTo("ready");
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc6665_4_1_2_4_withoutANotifyTimerNEndsIt(ExecutionMode mode) throws Exception {
        deploy(mode);
        events.subscribe();
        alice.respond(alice.request("SUBSCRIBE"), 200, "n", "Expires: 60");
        server.run(Duration.ofSeconds(31));
        assertThat(events.seen).containsExactly("SUBSCRIBE 200");
        server.run(Duration.ofSeconds(2));
        assertThat(events.seen).containsExactly("SUBSCRIBE 200", "ready");
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
        assertThat(server.container.counters().subscriptions.sum()).isZero();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc6665_4_4_1_aNotifyOfAnotherForkIsASubscriptionOfItsOwn(ExecutionMode mode)
            throws Exception {
        deploy(mode);
        SipServletRequest sent = events.subscribe();
        SipRequest subscribe = alice.request("SUBSCRIBE");
        alice.respond(subscribe, 200, "n1", "Expires: 60");
        notify(subscribe, "n1", 1, "Event: presence", ACTIVE);
        alice.response(200);
        notify(subscribe, "n2", 1, "Event: presence", ACTIVE);
        alice.response(200);
        notify(subscribe, "n2", 2, "Event: presence", ACTIVE);
        alice.response(200);
        assertThat(events.sessions).hasSize(3);
        assertThat(events.sessions.get(0)).isSameAs(sent.getSession());
        assertThat(events.sessions.get(1)).isNotSameAs(sent.getSession());
        assertThat(events.sessions.get(2).getId()).isEqualTo(events.sessions.get(1).getId());
        server.run(Duration.ofSeconds(33));
        notify(subscribe, "n3", 1, "Event: presence", ACTIVE);
        alice.response(481);
        notify(subscribe, "n1", 2, "Event: presence", OVER);
        alice.response(200);
        notify(subscribe, "n2", 3, "Event: presence", OVER);
        alice.response(200);
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @Test
    void rfc6665_4_1_3_aNotifyWithoutSubscriptionIs481() throws Exception {
        deploy(ExecutionMode.NON_BLOCKING);
        alice.request(
                "NOTIFY sip:10.0.0.1",
                "<sip:a@10.0.0.2>;tag=n",
                "<sip:server@10.0.0.1>;tag=none",
                "c9",
                1,
                "Event: presence",
                ACTIVE,
                CONTACT);
        alice.response(481);
        assertThat(events.seen).isEmpty();
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    // ---- we are subscribed to ----

    private String subscribe(int cseq, String to, String event, int status) {
        alice.request(
                "SUBSCRIBE sip:x@10.0.0.1",
                "<sip:a@10.0.0.2>;tag=a",
                to,
                "c1",
                cseq,
                "Event: " + event,
                "Expires: 60",
                CONTACT);
        return alice.response(status).to().toString();
    }

    private void tell(int session, String event, String state) throws IOException {
        SipServletRequest notify = events.sessions.get(session).createRequest("NOTIFY");
        notify.setHeader("Event", event);
        notify.setHeader("Subscription-State", state);
        notify.send();
        SipRequest received = alice.request("NOTIFY");
        assertThat(received.header(HeaderName.EVENT)).isEqualTo(event);
        alice.respond(received, 200, "");
        settle();
    }

    @Test
    void anUnknownEventIsTheApplications489() throws Exception {
        deploy(ExecutionMode.NON_BLOCKING);
        subscribe(1, "<sip:x@10.0.0.1>", "frobnicate", 489);
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    /** RFC 5057: one of two subscriptions ends, the dialog stays for the other. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc5057_aDialogLivesUntilItsLastSubscriptionEnds(ExecutionMode mode) throws Exception {
        deploy(mode);
        String to = subscribe(1, "<sip:x@10.0.0.1>", "presence", 200);
        settle();
        tell(0, "presence", "active;expires=60");
        assertThat(subscribe(2, to, "presence;id=2", 200)).isEqualTo(to);
        settle();
        tell(0, "presence;id=2", "active;expires=60");
        tell(0, "presence", "terminated;reason=timeout");
        assertThat(server.container.callsHeld()).isEqualTo(1);
        subscribe(3, to, "presence;id=2", 200);
        settle();
        tell(0, "presence;id=2", "terminated;reason=timeout");
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
        alice.request("SUBSCRIBE sip:10.0.0.1", "<sip:a@10.0.0.2>;tag=a", to, "c1", 4, CONTACT);
        alice.response(481);
    }

    @Test
    void subscriptionsBeyondTheCapAreRefused() throws Exception {
        server.container.rooms().maxSubscriptions(1);
        deploy(ExecutionMode.NON_BLOCKING);
        subscribe(1, "<sip:x@10.0.0.1>", "presence", 200);
        settle();
        alice.request(
                "SUBSCRIBE sip:x@10.0.0.1",
                "<sip:a@10.0.0.2>;tag=b",
                "<sip:x@10.0.0.1>",
                "c2",
                1,
                "Event: presence",
                CONTACT);
        assertThat(alice.response(503).header(HeaderName.RETRY_AFTER)).isNotNull();
        assertThat(server.container.counters().subscriptionsRefused.sum()).isEqualTo(1);
        tell(0, "presence", "terminated;reason=timeout");
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
        assertThat(server.container.counters().subscriptions.sum()).isZero();
        alice.request(
                "SUBSCRIBE sip:x@10.0.0.1",
                "<sip:a@10.0.0.2>;tag=b",
                "<sip:x@10.0.0.1>",
                "c3",
                1,
                "Event: presence",
                CONTACT);
        alice.response(200);
    }
}
