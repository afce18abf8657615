package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.members.Proves;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A proxy application, record-routing or not. */
class ProxyTest {
    static final class Forwarder extends SipServlet {
        final List<String> events = new ArrayList<>();
        boolean recordRoute = true;

        @Override
        protected void doInvite(SipServletRequest request) throws ServletException, IOException {
            events.add("INVITE");
            if (request.isInitial()) {
                Proxy proxy = request.getProxy();
                proxy.setRecordRoute(recordRoute);
                SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                proxy.proxyTo(factory.createURI("sip:uas@10.0.0.3:5060"));
            }
        }

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            if (request.getMethod().equals("INVITE")) {
                doInvite(request);
            } else {
                events.add(request.getMethod() + " " + request.getSession().getState());
            }
        }

        @Override
        protected void doResponse(SipServletResponse response) {
            events.add(response.getStatus() + " " + response.getSession().getState());
        }
    }

    private static final String FROM = "<sip:a@x>;tag=a";

    /** RFC 3261 21.4.18: we do "not currently have a valid forwarding location for that user". */
    @Test
    void whereNoAddressIsFoundTheCallerIsTold480() {
        Server server =
                Server.fresh(4)
                        .deploy(
                                new SipServlet() {
                                    @Override
                                    protected void doRequest(SipServletRequest request)
                                            throws ServletException, IOException {
                                        Proxy proxy = request.getProxy();
                                        proxy.proxyTo(request.getRequestURI());
                                    }
                                },
                                ExecutionMode.NON_BLOCKING);
        RawPeer alice = server.peer("10.0.0.2");
        alice.request("INVITE sip:x@nobody.example", FROM, "<sip:uas@y>", "c1", 1);
        alice.response(480);
        alice.request("MESSAGE sip:x@nobody.example", FROM, "<sip:uas@y>", "c2", 1);
        alice.response(480);
    }

    private static void invite(RawPeer alice) {
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves({"Proxy#proxyTo(URI)", "Proxy#setRecordRoute(boolean)"})
    void recordRoutes(ExecutionMode mode) {
        Forwarder forwarder = new Forwarder();
        Server server = Server.fresh(1).deploy(forwarder, mode);
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer bob = server.peer("10.0.0.3");
        invite(alice);
        SipRequest invite = bob.request("INVITE");
        assertThat(invite.maxForwards()).isEqualTo(69);
        assertThat(invite.recordRoutes()).hasSize(1);
        bob.respond(invite, 180, "b");
        assertThat(alice.response(180).vias()).hasSize(1);
        bob.respond(invite, 200, "b");
        SipResponse ok = alice.response(200);
        String route = "Route: " + ok.recordRoutes().getFirst();
        alice.request("ACK sip:10.0.0.3:5060", FROM, "<sip:uas@y>;tag=b", "c1", 1, route);
        assertThat(bob.request("ACK").topRoute()).isNull();
        server.run(Duration.ofSeconds(1));
        assertThat(server.container.status().confirmed()).isEqualTo(1);
        // The callee releases.
        bob.request("BYE sip:10.0.0.2:5060", "<sip:uas@y>;tag=b", FROM, "c1", 7, route);
        SipRequest bye = alice.request("BYE");
        alice.respond(bye, 200, "");
        bob.response(200);
        server.run(Duration.ofSeconds(1));
        assertThat(forwarder.events)
                .containsExactly(
                        "INVITE",
                        "180 EARLY",
                        "200 CONFIRMED",
                        "ACK CONFIRMED",
                        "BYE CONFIRMED",
                        "200 CONFIRMED");
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
        assertThat(server.node.leftovers()).isEmpty();
    }

    /** Whoever answered repeats the 2xx until its ACK comes, BYE or not. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves(also = "Proxy#setRecordRoute(boolean)")
    void rfc3261_16_11_anAckThatTheByeOvertookIsForwarded(ExecutionMode mode) {
        Server server = Server.fresh(1).deploy(new Forwarder(), mode);
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer bob = server.peer("10.0.0.3");
        invite(alice);
        bob.respond(bob.request("INVITE"), 200, "b");
        String route = "Route: " + alice.response(200).recordRoutes().getFirst();
        String to = "<sip:uas@y>;tag=b";
        alice.request("BYE sip:10.0.0.3:5060", FROM, to, "c1", 2, route);
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        server.run(Duration.ofSeconds(1));
        server.assertEmpty();
        alice.request("ACK sip:10.0.0.3:5060", FROM, to, "c1", 1, route);
        assertThat(bob.request("ACK").maxForwards()).isEqualTo(69);
        // A route that nobody recorded here leads nowhere.
        alice.request("ACK sip:10.0.0.3:5060", FROM, to, "c1", 1, "Route: <sip:10.0.0.1:5060;lr>");
        server.run(Duration.ofSeconds(1));
        assertThat(bob.requests("ACK")).isEqualTo(1);
    }

    /** SIPp's built-in caller names the callee or us, and keeps no route set. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void findsACallWithoutRoute(ExecutionMode mode) {
        for (String uri : new String[] {"sip:uas@10.0.0.3:5060", "sip:uas@10.0.0.1:5060"}) {
            Server server = Server.fresh(1).deploy(new Forwarder(), mode);
            RawPeer alice = server.peer("10.0.0.2");
            RawPeer bob = server.peer("10.0.0.3");
            alice.request(
                    "INVITE " + uri, FROM, "<sip:uas@y>", "c1", 1, "Contact: <sip:10.0.0.2:5060>");
            SipRequest invite = bob.request("INVITE");
            bob.respond(invite, 200, "b");
            alice.response(200);
            alice.request("ACK " + uri, FROM, "<sip:uas@y>;tag=b", "c1", 1);
            bob.request("ACK");
            alice.request("BYE " + uri, FROM, "<sip:uas@y>;tag=b", "c1", 2);
            bob.respond(bob.request("BYE"), 200, "");
            alice.response(200);
            server.run(Duration.ofSeconds(1));
            server.assertEmpty();
        }
    }

    /** The callee named us as its Contact: without an end the ACK would come back 70 times. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc5393_4_2_2_anAckThatComesBackGoesNoFurther(ExecutionMode mode) {
        Forwarder forwarder = new Forwarder();
        Server server = Server.fresh(1).deploy(forwarder, mode);
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer bob = server.peer("10.0.0.3");
        invite(alice);
        SipRequest invite = bob.request("INVITE");
        String ok = MessageDraft.responseTo(invite, 200, null, "b").freeze().toString();
        bob.send(ok.replace("\r\n\r\n", "\r\nContact: <sip:10.0.0.1:5060>\r\n\r\n"));
        alice.response(200);
        alice.request("ACK sip:10.0.0.1:5060", FROM, "<sip:uas@y>;tag=b", "c1", 1);
        server.run(Duration.ofSeconds(1));
        assertThat(forwarder.events).containsExactly("INVITE", "200 CONFIRMED", "ACK CONFIRMED");
        StackCounters counters = server.node.shards().getFirst().counters();
        assertThat(counters.get(Counter.ACKS_LOOPED)).isEqualTo(1);
        // One whose hops are used up neither leaves nor is lost without a count.
        String last =
                alice.text(
                        "ACK sip:uas@10.0.0.1", "z9hG4bKlast", FROM, "<sip:uas@y>;tag=b", "c1", 1);
        alice.send(last.replace("Max-Forwards: 70", "Max-Forwards: 0"));
        server.run(Duration.ofSeconds(1));
        assertThat(forwarder.events).hasSize(3);
        assertThat(counters.get(Counter.ACKS_LOOPED)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves(
            also = {
                "Proxy#proxyTo(URI)",
                "SipFactory#createURI(String)",
            })
    void withoutRecordRouteEndsWithTheFinalResponse(ExecutionMode mode) {
        Forwarder forwarder = new Forwarder();
        forwarder.recordRoute = false;
        Server server = Server.fresh(1).deploy(forwarder, mode);
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer bob = server.peer("10.0.0.3");
        invite(alice);
        bob.respond(bob.request("INVITE"), 200, "b");
        alice.response(200);
        server.run(Duration.ofMillis(100));
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void cancelReachesTheBranch(ExecutionMode mode) {
        Forwarder forwarder = new Forwarder();
        Server server = Server.fresh(1).deploy(forwarder, mode);
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer bob = server.peer("10.0.0.3");
        String invite =
                alice.text(
                        "INVITE sip:uas@10.0.0.1",
                        "z9hG4bKinv",
                        FROM,
                        "<sip:uas@y>",
                        "c1",
                        1,
                        "Contact: <sip:10.0.0.2:5060>");
        alice.send(invite);
        SipRequest received = bob.request("INVITE");
        bob.respond(received, 180, "b");
        alice.response(180);
        alice.send(
                alice.text("CANCEL sip:uas@10.0.0.1", "z9hG4bKinv", FROM, "<sip:uas@y>", "c1", 1));
        alice.response(200);
        bob.respond(bob.request("CANCEL"), 200, "b");
        bob.respond(received, 487, "b");
        alice.response(487);
        bob.request("ACK");
        server.run(Duration.ofSeconds(1));
        assertThat(forwarder.events)
                .containsExactly("INVITE", "180 EARLY", "CANCEL EARLY", "487 EARLY");
        server.assertEmpty();
    }

    /** Answers a re-INVITE itself, as a proxy may that wants no changes of a call. */
    private static final class Refusing extends SipServlet {
        @Override
        protected void doInvite(SipServletRequest request) throws ServletException, IOException {
            if (!request.isInitial()) {
                request.createResponse(488).send();
                return;
            }
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(true);
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            proxy.proxyTo(factory.createURI("sip:uas@10.0.0.3:5060"));
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_14_1_aReInviteThatAProxyRefusesLeavesTheCallAsItWas(ExecutionMode mode) {
        Server server = Server.fresh(1).deploy(new Refusing(), mode);
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer bob = server.peer("10.0.0.3");
        invite(alice);
        bob.respond(bob.request("INVITE"), 200, "b");
        String route = "Route: " + alice.response(200).recordRoutes().getFirst();
        String to = "<sip:uas@y>;tag=b";
        alice.request("ACK sip:10.0.0.3:5060", FROM, to, "c1", 1, route);
        bob.request("ACK");
        alice.send(
                alice.text(
                        "INVITE sip:10.0.0.3:5060",
                        "z9hG4bKre",
                        FROM,
                        to,
                        "c1",
                        2,
                        route,
                        "Contact: <sip:10.0.0.2:5060>"));
        alice.response(488);
        alice.send(alice.text("ACK sip:10.0.0.3:5060", "z9hG4bKre", FROM, to, "c1", 2, route));
        server.run(Duration.ofSeconds(1));
        assertThat(server.container.status().confirmed()).isEqualTo(1);
        alice.request("BYE sip:10.0.0.3:5060", FROM, to, "c1", 3, route);
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }
}
