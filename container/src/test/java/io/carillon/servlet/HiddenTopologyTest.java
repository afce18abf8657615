package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.address.AddressRange;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.edge.EdgeConfig;
import io.carillon.sip.edge.InternalHosts;
import io.carillon.sip.edge.ListForm;
import io.carillon.sip.edge.Peer;
import io.carillon.sip.edge.PeerTable;
import io.carillon.sip.edge.Seal;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.HeaderForm;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whole dialogs between phones inside, 10.0.0.x, and a carrier that must not see any of it and
 * knows us as 203.0.113.1:5070. Everything that leaves for it is searched.
 */
class HiddenTopologyTest {
    private static final List<String> SECRETS = List.of("10.0.0.", "inside", "5071");
    private static final byte[] KEY =
            "a key for this test of 32 and more".getBytes(StandardCharsets.UTF_8);
    private static final InetSocketAddress OUTER = SimulatedNetwork.address("203.0.113.1", 5070);
    private static final String CARRIER = "198.51.100.7";
    private static final String ALICE = "\"Desk inside\" <sip:alice@10.0.0.2:5071>;tag=a";
    private static final String CALL = "call@10.0.0.2";

    private final List<String> leaks = new ArrayList<>();
    private int searched;
    private Server server = server(0, HeaderForm.DEFAULT);
    private RawPeer alice = server.peer("10.0.0.2");
    private RawPeer carrier = new RawPeer(server.network, CARRIER, 5060, OUTER);

    private void limited(int maxLine, HeaderForm names) {
        server = server(maxLine, names);
        alice = server.peer("10.0.0.2");
        carrier = new RawPeer(server.network, CARRIER, 5060, OUTER);
    }

    private Server server(int maxLine, HeaderForm names) {
        Peer peer =
                Peer.named("carrier")
                        .hiding()
                        .with(maxLine, names, ListForm.AS_IS)
                        .from(new InetSocketAddress(InetAddress.ofLiteral("203.0.113.1"), 0));
        EdgeConfig edge =
                new EdgeConfig(
                        PeerTable.builder()
                                .add(peer, List.of(AddressRange.parse(CARRIER)), List.of())
                                .build(),
                        List.of(KEY),
                        new InternalHosts(InternalHosts.UNREACHABLE, List.of("inside")),
                        Compliance.DEFAULT);
        SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 7);
        Server made =
                new Server(
                        network,
                        "10.0.0.1",
                        1,
                        7,
                        new RoundTripStore(),
                        StackConfig.builder().edge(edge).nodeId(Seal.number(KEY)).build(),
                        ContainerConfig.defaults()
                                .withListeningPoints(
                                        List.of("sip:10.0.0.1:5060", "sip:203.0.113.1:5070")));
        made.node.listen("203.0.113.1", 5070);
        network.tap((at, fate, transport, from, to, bytes) -> search(from, to, bytes));
        return made;
    }

    private void search(InetSocketAddress from, InetSocketAddress to, byte[] bytes) {
        if (!to.getAddress().getHostAddress().equals(CARRIER)) {
            return;
        }
        searched++;
        String text = new String(bytes, StandardCharsets.UTF_8);
        String lower = text.toLowerCase(Locale.ROOT);
        if (!from.equals(OUTER) || SECRETS.stream().anyMatch(lower::contains)) {
            leaks.add(from + " " + text);
        }
    }

    @AfterEach
    void nothingLeaked() {
        assertThat(searched).isPositive();
        assertThat(leaks).isEmpty();
        server.assertClean();
    }

    /** Proxies to where the Request-URI's user says. */
    private static final class Gateway extends SipServlet {
        private final boolean recordRoute;
        private final Transport outside;

        Gateway(boolean recordRoute) {
            this(recordRoute, Transport.UDP);
        }

        Gateway(boolean recordRoute, Transport outside) {
            this.recordRoute = recordRoute;
            this.outside = outside;
        }

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            if (!request.isInitial()) {
                return;
            }
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(recordRoute);
            boolean out = request.getRequestURI().toString().contains("bob");
            proxy.proxyTo(factory.createURI(out ? carrierBy(outside) : "sip:alice@10.0.0.2:5060"));
        }
    }

    private static String carrierBy(Transport transport) {
        String parameter = transport == Transport.UDP ? "" : ";transport=" + transport.parameter();
        return "sip:bob@" + CARRIER + ":5060" + parameter;
    }

    private void invite(String to, String... more) {
        List<String> headers = new ArrayList<>(List.of(more));
        headers.add("Contact: <sip:alice@10.0.0.2:5060;x=y>");
        headers.add("User-Agent: Phone inside");
        alice.request(
                "INVITE sip:" + to + "@10.0.0.1",
                ALICE,
                "<sip:bob@inside>",
                CALL,
                1,
                headers.toArray(String[]::new));
    }

    /** A request of the carrier within the dialog that a message of ours made. */
    private void fromCarrier(
            String method, SipMessage seen, boolean asCallee, int cseq, String... more) {
        List<String> routes = seen.headers(HeaderName.RECORD_ROUTE);
        List<String> headers = new ArrayList<>(List.of(more));
        if (!routes.isEmpty()) {
            headers.add("Route: " + String.join(", ", asCallee ? routes : routes.reversed()));
        }
        String own = asCallee ? seen.to() + ";tag=b" : seen.from().toString();
        String other = asCallee ? seen.from().toString() : seen.to().toString();
        carrier.request(
                method + " " + seen.contacts().getFirst().uri(),
                own,
                other,
                seen.callId(),
                cseq,
                headers.toArray(String[]::new));
    }

    private void fromAlice(
            String method, SipMessage seen, boolean asCallee, int cseq, String... more) {
        List<String> routes = new ArrayList<>(seen.headers(HeaderName.RECORD_ROUTE));
        // The proxy next to her has taken its own out.
        routes.removeIf(route -> route.contains("10.0.0.50"));
        List<String> headers = new ArrayList<>(List.of(more));
        if (!routes.isEmpty()) {
            headers.add("Route: " + String.join(", ", asCallee ? routes : routes.reversed()));
        }
        alice.request(
                method + " " + seen.contacts().getFirst().uri(),
                asCallee ? seen.to() + ";tag=a" : seen.from().toString(),
                asCallee ? seen.from().toString() : seen.to().toString(),
                seen.callId(),
                cseq,
                headers.toArray(String[]::new));
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aProxiedCallOutIsWholeOnBothSides(ExecutionMode mode) {
        server.deploy(new Gateway(true), mode);
        invite("bob", "Record-Route: <sip:10.0.0.50;lr>");
        SipRequest outside = carrier.request("INVITE");
        assertThat(outside.vias()).hasSize(1);
        assertThat(outside.recordRoutes()).hasSize(1);
        carrier.respond(outside, 180, "b");
        SipResponse ringing = alice.response(180);
        assertThat(ringing.vias()).hasSize(1);
        assertThat(ringing.topVia().host()).isEqualTo("10.0.0.2");
        carrier.respond(outside, 200, "b");
        SipResponse ok = alice.response(200);
        assertThat(ok.from()).hasToString(ALICE);
        assertThat(ok.to()).hasToString("<sip:bob@inside>;tag=b");
        assertThat(ok.callId()).isEqualTo(CALL);
        assertThat(ok.headers(HeaderName.RECORD_ROUTE)).hasSize(3).endsWith("<sip:10.0.0.50;lr>");
        fromAlice("ACK", ok, false, 1);
        carrier.request("ACK");
        fromAlice("UPDATE", ok, false, 2);
        carrier.respond(carrier.request("UPDATE"), 200, "b");
        alice.response(200);
        fromCarrier("INVITE", outside, true, 7, "Contact: <sip:bob@" + CARRIER + ">");
        // What the first proxy inside recorded is on the route again.
        SipRequest again = inside50("INVITE");
        assertThat(again.requestUri()).hasToString("sip:alice@10.0.0.2:5060;x=y");
        assertThat(again.callId()).isEqualTo(CALL);
        assertThat(again.headers(HeaderName.ROUTE)).containsExactly("<sip:10.0.0.50;lr>");
        fifty().respond(again, 200, "");
        carrier.response(200);
        fromCarrier("ACK", outside, true, 7);
        inside50("ACK");
        fromCarrier("BYE", outside, true, 8);
        fifty().respond(inside50("BYE"), 200, "");
        carrier.response(200);
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    private @Nullable RawPeer fifty;

    private RawPeer fifty() {
        RawPeer known = fifty;
        if (known == null) {
            known = server.peer("10.0.0.50");
            fifty = known;
        }
        return known;
    }

    private SipRequest inside50(String method) {
        return fifty().request(method);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aProxiedCallInIsWholeOnBothSides(ExecutionMode mode) {
        server.deploy(new Gateway(true), mode);
        // Its own phone has a private address, too: that comes back to it as it was.
        String own = "own-call@192.168.1.9";
        carrier.request(
                "INVITE sip:alice@203.0.113.1:5070",
                "<sip:p@192.168.1.9>;tag=b",
                "<sip:alice@203.0.113.1>",
                own,
                1,
                "Contact: <sip:p@192.168.1.9:5060>",
                "Record-Route: <sip:" + CARRIER + ":5060;lr>");
        SipRequest inside = alice.request("INVITE");
        assertThat(inside.vias()).hasSize(2);
        alice.respond(inside, 200, "a", "Warning: 399 10.0.0.2 \"from inside\"");
        SipResponse ok = carrier.response(200);
        assertThat(ok.callId()).isEqualTo(own);
        assertThat(ok.from()).hasToString("<sip:p@192.168.1.9>;tag=b");
        List<String> routes = new ArrayList<>(ok.headers(HeaderName.RECORD_ROUTE).reversed());
        assertThat(routes.removeFirst()).isEqualTo("<sip:" + CARRIER + ":5060;lr>");
        for (String method : List.of("ACK", "INVITE", "ACK", "INFO", "BYE")) {
            String route = "Route: " + String.join(",", routes);
            carrier.request(
                    method + " " + ok.contacts().getFirst().uri(),
                    "<sip:p@192.168.1.9>;tag=b",
                    ok.to().toString(),
                    own,
                    method.equals("ACK") ? 1 : 2,
                    route);
            SipRequest seen = alice.request(method);
            assertThat(seen.requestUri()).hasToString("sip:10.0.0.2:5060");
            assertThat(seen.topRoute()).isNull();
            if (method.equals("INFO")) {
                // And the other way, while the call is up: to the address that its phone gave.
                fromAlice("MESSAGE", inside, true, 4);
                SipRequest message = carrier.request("MESSAGE");
                assertThat(message.requestUri()).hasToString("sip:p@192.168.1.9:5060");
                assertThat(message.callId()).isEqualTo(own);
                carrier.respond(message, 200, "");
                alice.response(200);
            }
            if (!method.equals("ACK")) {
                alice.respond(seen, 200, "");
                carrier.response(200);
            }
        }
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aB2buaHidesWhatItsApplicationCopies(ExecutionMode mode) {
        server.deploy(new Bridge("sip:bob@" + CARRIER + ":5060"), mode);
        invite(
                "bob",
                "P-Asserted-Identity: <sip:alice@inside>",
                "Diversion: <sip:desk@10.0.0.2>",
                "X-Node: inside-7");
        SipRequest outside = carrier.request("INVITE");
        assertThat(outside.contact()).hasToString("<sip:203.0.113.1:5070>");
        assertThat(outside.header(HeaderName.P_ASSERTED_IDENTITY))
                .isEqualTo("<sip:alice@203.0.113.1>");
        carrier.respond(outside, 200, "b");
        SipResponse ok = alice.response(200);
        fromAlice("ACK", ok, false, 1);
        carrier.request("ACK");
        fromAlice(
                "REFER",
                ok,
                false,
                2,
                "Refer-To: <sip:carol@10.0.0.8:5071?Replaces=other%4010.0.0.8%3Bto-tag%3D1>");
        SipRequest refer = carrier.request("REFER");
        String target = String.valueOf(refer.header(HeaderName.REFER_TO));
        assertThat(target).contains("carol@203.0.113.1:5070;crh=").contains("?Replaces=crh-");
        carrier.respond(refer, 202, "b");
        alice.response(202);
        String over = "Subscription-State: terminated;reason=noresource";
        fromCarrier("NOTIFY", outside, true, 5, "Event: refer", over);
        alice.respond(alice.request("NOTIFY"), 200, "");
        carrier.response(200);
        endedByTheCarrier(outside);
    }

    /** Via, Record-Route and Contact are printed otherwise for each of them. */
    @ParameterizedTest
    @EnumSource(Transport.class)
    void whateverTheCarrierIsReachedByAProxiedCallHidesTheInside(Transport transport) {
        carrier.over(transport);
        server.deploy(new Gateway(true, transport), ExecutionMode.NON_BLOCKING);
        invite("bob");
        SipRequest outside = carrier.request("INVITE");
        assertThat(carrier.lastTransport).isEqualTo(transport);
        assertThat(outside.vias()).hasSize(1);
        talk(outside);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void whateverTheCarrierIsReachedByAB2buaHidesTheInside(Transport transport) {
        carrier.over(transport);
        server.deploy(new Bridge(carrierBy(transport)), ExecutionMode.NON_BLOCKING);
        invite("bob", "Diversion: <sip:desk@10.0.0.2>", "X-Node: inside-7");
        SipRequest outside = carrier.request("INVITE");
        assertThat(carrier.lastTransport).isEqualTo(transport);
        talk(outside);
    }

    private void endedByTheCarrier(SipRequest outside) {
        fromCarrier("BYE", outside, true, 6);
        alice.respond(alice.request("BYE"), 200, "");
        carrier.response(200);
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    /** An answer, a request each way, and the end from outside. */
    private void talk(SipRequest outside) {
        carrier.respond(outside, 200, "b");
        SipResponse ok = alice.response(200);
        fromAlice("ACK", ok, false, 1);
        carrier.request("ACK");
        fromAlice("INFO", ok, false, 2, "X-Node: inside-8");
        carrier.respond(carrier.request("INFO"), 200, "b");
        alice.response(200);
        fromCarrier("INFO", outside, true, 5);
        alice.respond(alice.request("INFO"), 200, "", "Warning: 399 10.0.0.2 \"from inside\"");
        carrier.response(200);
        endedByTheCarrier(outside);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aRefusalItsAckAndACancelFindTheirWay(ExecutionMode mode) {
        server.deploy(new Gateway(true), mode);
        invite("bob");
        SipRequest outside = carrier.request("INVITE");
        carrier.respond(outside, 486, "b", "Reason: SIP;cause=486");
        SipResponse busy = alice.response(486);
        assertThat(busy.callId()).isEqualTo(CALL);
        assertThat(carrier.request("ACK").topVia().branch()).isEqualTo(outside.topVia().branch());
        String second = "second@10.0.0.2";
        alice.send(
                alice.text(
                        "INVITE sip:bob@10.0.0.1",
                        "z9hG4bKc",
                        ALICE,
                        "<sip:bob@inside>",
                        second,
                        1,
                        "Contact: <sip:10.0.0.2>"));
        SipRequest invite = carrier.request("INVITE");
        carrier.respond(invite, 180, "b");
        alice.response(180);
        alice.send(
                alice.text(
                        "CANCEL sip:bob@10.0.0.1",
                        "z9hG4bKc",
                        ALICE,
                        "<sip:bob@inside>",
                        second,
                        1,
                        "Reason: SIP;cause=200;text=\"elsewhere at 10.0.0.3\""));
        alice.response(200);
        SipRequest cancel = carrier.request("CANCEL");
        assertThat(cancel.callId()).isEqualTo(invite.callId());
        assertThat(cancel.requestUri()).isEqualTo(invite.requestUri());
        carrier.respond(cancel, 200, "b");
        carrier.respond(invite, 487, "b");
        alice.response(487);
        carrier.request("ACK");
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void withoutRecordRouteTheCarriersRequestsComeByTheContactItSaw(ExecutionMode mode) {
        server.deploy(new Gateway(false), mode);
        invite("bob");
        SipRequest outside = carrier.request("INVITE");
        assertThat(outside.recordRoutes()).isEmpty();
        carrier.respond(outside, 200, "b");
        alice.response(200);
        server.run(Duration.ofSeconds(40));
        fromCarrier("BYE", outside, true, 5);
        SipRequest bye = alice.request("BYE");
        assertThat(bye.requestUri()).hasToString("sip:alice@10.0.0.2:5060;x=y");
        assertThat(bye.callId()).isEqualTo(CALL);
        alice.respond(bye, 200, "");
        carrier.response(200);
        // Somebody who made a token up is told what anybody with an unknown call is told.
        carrier.request(
                "BYE sip:alice@203.0.113.1:5070;crh=AAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                outside.to() + ";tag=b",
                outside.from().toString(),
                outside.callId(),
                6);
        carrier.response(481);
        assertThat(server.node.shards().getFirst().counters().get(Counter.EDGE_TOKENS_REFUSED))
                .isEqualTo(1);
    }

    /** An application that lets nobody call; it passes on what comes from inside alone. */
    private static final class Asking extends SipServlet {
        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            if (request.isInitial()) {
                if (request.getRequestURI().toString().contains("bob")) {
                    Proxy proxy = request.getProxy();
                    proxy.setRecordRoute(false);
                    SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                    proxy.proxyTo(factory.createURI(carrierBy(Transport.UDP)));
                } else {
                    request.createResponse(401).send();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aTokenLeadsNobodyPastTheApplications(ExecutionMode mode) {
        server.deploy(new Asking(), mode);
        invite("bob");
        SipRequest outside = carrier.request("INVITE");
        String uri = outside.contacts().getFirst().uri().toString();
        carrier.respond(outside, 200, "b");
        alice.response(200);
        server.run(Duration.ofSeconds(40));
        // A call that nobody knows.
        for (String method : List.of("INVITE", "MESSAGE", "REGISTER", "BYE")) {
            carrier.request(
                    method + " " + uri, "<sip:m@x>;tag=m", "<sip:alice@x>;tag=zz1", "made-up", 1);
            carrier.response(481);
        }
        // The call that was: whatever may begin something is asked for, or is no call.
        fromCarrier("INVITE", outside, true, 7, "Contact: <sip:bob@" + CARRIER + ">");
        carrier.response(401);
        for (String method : List.of("MESSAGE", "REGISTER", "SUBSCRIBE", "PUBLISH", "REFER")) {
            fromCarrier(method, outside, true, 8);
            carrier.response(481);
        }
        assertThat(alice.all).noneMatch(m -> m.toString().contains("zz1"));
        fromCarrier("INFO", outside, true, 9);
        alice.respond(alice.request("INFO"), 200, "");
        carrier.response(200);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aTokenForTheContactReachesWhoeverRegisteredWithTheCarrier(ExecutionMode mode) {
        server.deploy(new Gateway(true), mode);
        alice.request(
                "REGISTER sip:bob@" + CARRIER,
                ALICE,
                "<sip:alice@" + CARRIER + ">",
                CALL,
                1,
                "Contact: <sip:alice@10.0.0.2:5060>;expires=60");
        SipRequest outside = carrier.request("REGISTER");
        String contact = outside.contacts().getFirst().toString();
        carrier.respond(outside, 200, "r", "Contact: " + contact);
        assertThat(alice.response(200).contacts().toString()).contains("sip:alice@10.0.0.2:5060");
        carrier.request(
                "INVITE " + outside.contacts().getFirst().uri(),
                "<sip:p@x>;tag=p",
                "<sip:alice@x>",
                "in",
                1,
                "Contact: <sip:" + CARRIER + ">");
        alice.respond(alice.request("INVITE"), 486, "a");
        carrier.response(486);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void linesStayShortAndWhatCannotIsAnswered513(ExecutionMode mode) {
        limited(256, HeaderForm.COMPACT);
        server.deploy(new Gateway(true), mode);
        invite(
                "bob",
                "Record-Route: <sip:10.0.0.50;lr;x=" + "y".repeat(300) + ">, <sip:10.0.0.51;lr>",
                "Supported: " + "timer,".repeat(80) + "path");
        SipRequest outside = carrier.request("INVITE");
        assertThat(outside.toString().lines().mapToInt(String::length).max().orElse(0))
                .isLessThanOrEqualTo(256);
        assertThat(outside.toString()).contains("\r\nv: SIP/2.0/UDP");
        carrier.respond(outside, 486, "b");
        alice.response(486);
        carrier.request("ACK");
        invite("bob", "X-Long: " + "z".repeat(300));
        assertThat(alice.response(513).reason()).isEqualTo("Header Line Too Long");
        // The other way: what the carrier cannot take is not sent to it.
        carrier.request(
                "INVITE sip:alice@203.0.113.1:5070",
                "<sip:p@x>;tag=p",
                "<sip:alice@x>",
                "in-1",
                1,
                "Contact: <sip:" + CARRIER + ">");
        alice.respond(alice.request("INVITE"), 486, "a", "X-Long: " + "z".repeat(300));
        carrier.response(513);
        assertThat(server.node.shards().getFirst().counters().get(Counter.EDGE_LINES_REFUSED))
                .isEqualTo(2);
    }
}
