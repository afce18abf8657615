package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Requests of a callee or notifier that come before the response which begins their dialog, or so
 * close behind it that the application has not seen that response yet.
 */
class RequestsBeforeAnswersTest {
    private static final String FROM = "<sip:a@10.0.0.2>;tag=a";
    private static final String ACTIVE = "Subscription-State: active;expires=60";
    private static final String EVENT = "Event: presence";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    private final Server server = Server.fresh(61);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");
    private final RawPeer carol = server.peer("10.0.0.4");
    private final Staying proxy = new Staying();

    /** A proxy that stays on the way, to one target or to two. */
    private static final class Staying extends SipServlet {
        final List<String> seen = new ArrayList<>();
        final List<SipSession> notified = new ArrayList<>();

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            seen.add(request.getMethod());
            if (request.getMethod().equals("NOTIFY")) {
                notified.add(request.getSession());
            }
            if (!request.isInitial()) {
                return;
            }
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(true);
            proxy.setSupervised(true);
            proxy.proxyTo(
                    request.getRequestURI().toString().contains("two")
                            ? List.of(
                                    factory.createURI("sip:b@10.0.0.3:5060"),
                                    factory.createURI("sip:c@10.0.0.4:5060"))
                            : List.of(factory.createURI("sip:b@10.0.0.3:5060")));
        }
    }

    private void deploy(SipServlet servlet, ExecutionMode mode) throws Exception {
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", () -> servlet)
                        .sessionTimeoutMinutes(0)
                        .execution(mode)
                        .build());
    }

    private void subscribe(String user) {
        alice.request(
                "SUBSCRIBE sip:" + user + "@10.0.0.1",
                FROM,
                "<sip:b@y>",
                "sub",
                1,
                EVENT,
                "Expires: 60",
                CONTACT);
    }

    /** What a notifier sends: by the Record-Route of the SUBSCRIBE, to its Contact. */
    private static void request(
            RawPeer from, SipRequest begun, String method, String tag, int cseq, String... more) {
        List<String> headers = new ArrayList<>(List.of(more));
        headers.add("Contact: <sip:" + from.hostPort() + ">");
        if (!begun.recordRoutes().isEmpty()) {
            headers.add("Route: " + begun.recordRoutes().getFirst());
        }
        from.request(
                method + " " + begun.contact().uri(),
                begun.to() + ";tag=" + tag,
                begun.from().toString(),
                begun.callId(),
                cseq,
                headers.toArray(String[]::new));
    }

    // ---- NOTIFY ----

    /**
     * RFC 6665 4.4.1: the subscriber may get a NOTIFY before the 2xx; RFC 3261 16.4: with our
     * Record-Route in it, it is for us to pass on.
     */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc6665_4_4_1_aNotifyBeforeThe2xxPassesTheProxy(ExecutionMode mode) throws Exception {
        deploy(proxy, mode);
        subscribe("one");
        SipRequest subscribe = bob.request("SUBSCRIBE");
        request(bob, subscribe, "NOTIFY", "n", 1, EVENT, ACTIVE);
        alice.respond(alice.request("NOTIFY"), 200, "");
        bob.response(200);
        bob.respond(subscribe, 200, "n", "Expires: 60");
        alice.response(200);
        request(bob, subscribe, "NOTIFY", "n", 2, EVENT, ACTIVE);
        alice.respond(alice.request("NOTIFY"), 200, "");
        bob.response(200);
        server.run(Duration.ofMillis(50));
        assertThat(proxy.seen).containsExactly("SUBSCRIBE", "NOTIFY", "NOTIFY");
        assertThat(proxy.notified.get(0).getId()).isEqualTo(proxy.notified.get(1).getId());
        server.run(Duration.ofSeconds(40));
        // The first NOTIFY's notifier is still known when nobody waits for others any more.
        request(bob, subscribe, "NOTIFY", "n", 3, EVENT, ACTIVE);
        alice.respond(alice.request("NOTIFY"), 200, "");
        bob.response(200);
        request(bob, subscribe, "NOTIFY", "late", 1, EVENT, ACTIVE);
        bob.response(481);
        server.assertClean();
    }

    /** RFC 6665 4.4.1: each fork notifies, though one 2xx alone goes back to the subscriber. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc6665_4_4_1_notifiesOfAllForksPassTheProxy(ExecutionMode mode) throws Exception {
        deploy(proxy, mode);
        subscribe("two");
        SipRequest first = bob.request("SUBSCRIBE");
        SipRequest second = carol.request("SUBSCRIBE");
        request(carol, second, "NOTIFY", "c", 1, EVENT, ACTIVE);
        alice.respond(alice.request("NOTIFY"), 200, "");
        carol.response(200);
        bob.respond(first, 200, "b", "Expires: 60");
        alice.response(200);
        request(bob, first, "NOTIFY", "b", 1, EVENT, ACTIVE);
        alice.respond(alice.request("NOTIFY"), 200, "");
        bob.response(200);
        request(carol, second, "NOTIFY", "c", 2, EVENT, ACTIVE);
        alice.respond(alice.request("NOTIFY"), 200, "");
        carol.response(200);
        assertThat(proxy.notified).hasSize(3);
        assertThat(proxy.notified.get(2).getId()).isEqualTo(proxy.notified.get(0).getId());
        assertThat(proxy.notified.get(1).getId()).isNotEqualTo(proxy.notified.get(0).getId());
        server.run(Duration.ofSeconds(40));
        server.assertClean();
    }

    /** A refused SUBSCRIBE has no notifier, and nothing of it stays. */
    @Test
    void aRefusedSubscriptionLeavesNothing() throws Exception {
        deploy(proxy, ExecutionMode.NON_BLOCKING);
        subscribe("one");
        SipRequest subscribe = bob.request("SUBSCRIBE");
        bob.respond(subscribe, 403, "n");
        alice.response(403);
        request(bob, subscribe, "NOTIFY", "n", 1, EVENT, ACTIVE);
        bob.response(481);
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    // ---- behind a provisional response ----

    private SipRequest invited() {
        alice.request("INVITE sip:one@10.0.0.1", FROM, "<sip:b@y>", "call", 1, CONTACT);
        return bob.request("INVITE");
    }

    /** RFC 3311 5.1: an UPDATE may be sent in an early dialog, so from its first 1xx on. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3311_5_1_anUpdateRightBehindA180PassesTheProxy(ExecutionMode mode) throws Exception {
        deploy(proxy, mode);
        SipRequest invite = invited();
        bob.respond(invite, 180, "b");
        request(bob, invite, "UPDATE", "b", 1);
        alice.response(180);
        alice.respond(alice.request("UPDATE"), 200, "");
        bob.response(200);
        bob.respond(invite, 486, "b");
        alice.response(486);
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3311_5_1_anUpdateRightBehindThe180OfAnotherForkPassesTheProxy(ExecutionMode mode)
            throws Exception {
        deploy(proxy, mode);
        SipRequest invite = invited();
        bob.respond(invite, 180, "b1");
        alice.response(180);
        bob.respond(invite, 180, "b2");
        request(bob, invite, "UPDATE", "b2", 1);
        alice.response(180);
        alice.respond(alice.request("UPDATE"), 200, "");
        bob.response(200);
        bob.respond(invite, 486, "b1");
        alice.response(486);
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3311_5_1_anUpdateRightBehindA180ReachesTheUserAgent(ExecutionMode mode)
            throws Exception {
        Bridge bridge = new Bridge("sip:b@10.0.0.3:5060");
        deploy(bridge, mode);
        SipRequest invite = invited();
        bob.respond(invite, 180, "b");
        request(bob, invite, "UPDATE", "b", 1);
        alice.response(180);
        alice.respond(alice.request("UPDATE"), 200, "");
        bob.response(200);
        assertThat(bridge.events).containsExactly("INVITE", "INVITE 180", "UPDATE", "UPDATE 200");
        bob.respond(invite, 180, "b2"); // another fork: a session of its own
        request(bob, invite, "UPDATE", "b2", 1);
        server.run(Duration.ofMillis(50));
        assertThat(bridge.events).filteredOn("UPDATE"::equals).hasSize(2);
        bob.respond(invite, 486, "b");
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    /** A response that begins no dialog leaves nothing in the tables. */
    @Test
    void aLateProvisionalResponseOfAnotherForkBeginsNothing() throws Exception {
        deploy(proxy, ExecutionMode.BLOCKING);
        SipRequest invite = invited();
        bob.respond(invite, 200, "b");
        bob.respond(invite, 180, "other");
        request(bob, invite, "UPDATE", "other", 1);
        alice.response(200);
        bob.response(481);
        alice.request(
                "ACK sip:b@10.0.0.3:5060",
                FROM,
                "<sip:b@y>;tag=b",
                "call",
                1,
                "Route: " + invite.recordRoutes().getFirst());
        bob.request("ACK");
        alice.request(
                "BYE sip:b@10.0.0.3:5060",
                FROM,
                "<sip:b@y>;tag=b",
                "call",
                2,
                "Route: " + invite.recordRoutes().getFirst());
        bob.respond(bob.request("BYE"), 200, "");
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    /** What comes right behind the response of another fork is of that fork, a NOTIFY too. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aNotifyRightBehindAnotherForksResponse(ExecutionMode mode) throws Exception {
        Bridge bridge = new Bridge("sip:b@10.0.0.3:5060");
        deploy(bridge, mode);
        SipRequest invite = invited();
        bob.respond(invite, 180, "b");
        alice.response(180);
        bob.respond(invite, 180, "b2");
        request(bob, invite, "NOTIFY", "b2", 1, "Event: talk", ACTIVE);
        server.run(Duration.ofMillis(50));
        assertThat(bridge.events).contains("NOTIFY");
    }

    /** The same without haste. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aNotifyOfAnotherForkLater(ExecutionMode mode) throws Exception {
        Bridge bridge = new Bridge("sip:b@10.0.0.3:5060");
        deploy(bridge, mode);
        SipRequest invite = invited();
        bob.respond(invite, 180, "b");
        alice.response(180);
        bob.respond(invite, 180, "b2");
        server.run(Duration.ofMillis(50));
        request(bob, invite, "NOTIFY", "b2", 1, "Event: talk", ACTIVE);
        server.run(Duration.ofMillis(50));
        assertThat(bridge.events).contains("NOTIFY");
    }

    /** Another subscription that is refused ends none. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aRefusedSecondSubscriptionEndsNotTheFirst(ExecutionMode mode) throws Exception {
        deploy(proxy, mode);
        subscribe("one");
        SipRequest subscribe = bob.request("SUBSCRIBE");
        bob.respond(subscribe, 200, "n", "Expires: 60");
        alice.response(200);
        alice.request(
                "SUBSCRIBE sip:10.0.0.3:5060",
                FROM,
                "<sip:b@y>;tag=n",
                "sub",
                2,
                "Event: dialog",
                "Expires: 60",
                "Route: " + subscribe.recordRoutes().getFirst(),
                CONTACT);
        bob.respond(bob.request("SUBSCRIBE"), 489, "");
        alice.response(489);
        server.run(Duration.ofMillis(50));
        request(bob, subscribe, "NOTIFY", "n", 1, EVENT, ACTIVE);
        alice.respond(alice.request("NOTIFY"), 200, "");
        bob.response(200);
    }

    /** Two subscriptions: the NOTIFY that ends the second one comes before the first's first. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void theEndOfASecondSubscriptionEndsNotTheFirst(ExecutionMode mode) throws Exception {
        deploy(proxy, mode);
        alice.request(
                "REFER sip:one@10.0.0.1",
                FROM,
                "<sip:b@y>",
                "sub",
                1,
                "Refer-To: <sip:c@z>",
                CONTACT);
        SipRequest refer = bob.request("REFER");
        bob.respond(refer, 202, "n");
        alice.response(202);
        alice.request(
                "SUBSCRIBE sip:10.0.0.3:5060",
                FROM,
                "<sip:b@y>;tag=n",
                "sub",
                2,
                "Event: dialog",
                "Expires: 0",
                "Route: " + refer.recordRoutes().getFirst(),
                CONTACT);
        bob.respond(bob.request("SUBSCRIBE"), 200, "", "Expires: 0");
        alice.response(200);
        request(bob, refer, "NOTIFY", "n", 1, "Event: dialog", "Subscription-State: terminated");
        alice.respond(alice.request("NOTIFY"), 200, "");
        bob.response(200);
        server.run(Duration.ofMillis(50));
        request(bob, refer, "NOTIFY", "n", 2, "Event: refer", ACTIVE);
        alice.respond(alice.request("NOTIFY"), 200, "");
        bob.response(200);
    }
}
