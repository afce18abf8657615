package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
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
import javax.servlet.sip.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What crosses on the wire, seen by a record-routing proxy application. */
class ProxyRaceTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    static final class Forking extends SipServlet {
        final List<String> events = new ArrayList<>();
        final String[] targets;

        Forking(String... targets) {
            this.targets = targets;
        }

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            events.add(request.getMethod());
            if (request.isInitial()) {
                Proxy proxy = request.getProxy();
                proxy.setRecordRoute(true);
                SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                List<URI> uris = new ArrayList<>();
                for (String target : targets) {
                    uris.add(factory.createURI(target));
                }
                proxy.proxyTo(uris);
            }
        }

        @Override
        protected void doResponse(SipServletResponse response) {
            events.add(response.getMethod() + " " + response.getStatus());
        }
    }

    private final Forking forking = new Forking("sip:b@10.0.0.3:5060");
    private final Server server = Server.fresh(11);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");

    private SipRequest invite(ExecutionMode mode) {
        server.deploy(forking, mode);
        alice.send(
                alice.text(
                        "INVITE sip:uas@10.0.0.1",
                        "z9hG4bKinv",
                        FROM,
                        "<sip:uas@y>",
                        "c1",
                        1,
                        CONTACT));
        return bob.request("INVITE");
    }

    private void cancel() {
        alice.send(
                alice.text("CANCEL sip:uas@10.0.0.1", "z9hG4bKinv", FROM, "<sip:uas@y>", "c1", 1));
    }

    private static String route(SipResponse response) {
        NameAddress own = response.recordRoutes().getFirst();
        return "Route: " + own;
    }

    private void bye(String route, String tag, int cseq) {
        alice.request("BYE sip:10.0.0.3:5060", FROM, "<sip:uas@y>;tag=" + tag, "c1", cseq, route);
    }

    private void assertNothingLeft() {
        server.run(Duration.ofMillis(200));
        server.assertEmpty();
        server.run(Duration.ofSeconds(70));
        assertThat(server.node.leftovers()).isEmpty();
    }

    private SipResponse talk(ExecutionMode mode) {
        SipRequest invite = invite(mode);
        bob.respond(invite, 200, "b");
        SipResponse ok = alice.response(200);
        alice.request("ACK sip:10.0.0.3:5060", FROM, "<sip:uas@y>;tag=b", "c1", 1, route(ok));
        bob.request("ACK");
        return ok;
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_16_10_aCancelCrosses200(ExecutionMode mode) {
        SipRequest invite = invite(mode);
        bob.respond(invite, 180, "b");
        alice.response(180);
        bob.respond(invite, 200, "b");
        cancel();
        SipResponse first = alice.response(200);
        SipResponse second = alice.response(200);
        SipResponse ok = first.cseq().method().equals("INVITE") ? first : second;
        bob.forget(); // a CANCEL may have reached it before its 200 reached us
        alice.request("ACK sip:10.0.0.3:5060", FROM, "<sip:uas@y>;tag=b", "c1", 1, route(ok));
        bye(route(ok), "b", 2);
        while (true) {
            var message = bob.any();
            if (message instanceof SipRequest request && request.is("BYE")) {
                bob.respond(request, 200, "");
                break;
            }
        }
        alice.response(200);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_16_7_aRepeated200IsForwardedAgainAndIsOneEvent(ExecutionMode mode) {
        SipRequest invite = invite(mode);
        bob.respond(invite, 200, "b");
        SipResponse ok = alice.response(200);
        bob.respond(invite, 200, "b");
        // While it waits for the turn another copy would be one too many.
        server.run(Duration.ofMillis(50));
        bob.respond(invite, 200, "b");
        server.run(Duration.ofMillis(100));
        assertThat(alice.responses(200)).isEqualTo(3);
        assertThat(forking.events).containsExactly("INVITE", "INVITE 200");
        // The first ACK is lost, the second comes.
        alice.request("ACK sip:10.0.0.3:5060", FROM, "<sip:uas@y>;tag=b", "c1", 1, route(ok));
        bob.request("ACK");
        bye(route(ok), "b", 2);
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_3_1_4_anAckThatNeverComesIsTheEndpointsBusiness(ExecutionMode mode) {
        SipRequest invite = invite(mode);
        bob.respond(invite, 200, "b");
        SipResponse ok = alice.response(200);
        server.run(Duration.ofSeconds(33));
        // The callee gives up and releases.
        bob.request("BYE sip:10.0.0.2:5060", "<sip:uas@y>;tag=b", FROM, "c1", 1, route(ok));
        alice.respond(alice.request("BYE"), 200, "");
        bob.response(200);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_15_1_2_aByeCrossesAReInvite(ExecutionMode mode) {
        SipResponse ok = talk(mode);
        bob.request(
                "INVITE sip:10.0.0.2:5060",
                "<sip:uas@y>;tag=b",
                FROM,
                "c1",
                5,
                route(ok),
                "Contact: <sip:10.0.0.3:5060>");
        bye(route(ok), "b", 2);
        SipRequest reInvite = alice.request("INVITE");
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        alice.respond(reInvite, 487, "");
        bob.response(487);
        alice.request("ACK");
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_14_2_glareIsDecidedByTheEndpoints(ExecutionMode mode) {
        SipResponse ok = talk(mode);
        bob.request(
                "INVITE sip:10.0.0.2:5060",
                "<sip:uas@y>;tag=b",
                FROM,
                "c1",
                5,
                route(ok),
                "Contact: <sip:10.0.0.3:5060>");
        alice.request(
                "INVITE sip:10.0.0.3:5060", FROM, "<sip:uas@y>;tag=b", "c1", 2, route(ok), CONTACT);
        SipRequest toAlice = alice.request("INVITE");
        SipRequest toBob = bob.request("INVITE");
        alice.respond(toAlice, 491, "");
        bob.respond(toBob, 491, "");
        server.run(Duration.ofMillis(50));
        assertThat(alice.responses(491)).isEqualTo(1);
        assertThat(bob.responses(491)).isEqualTo(1);
        assertThat(alice.requests("ACK")).isEqualTo(1);
        assertThat(bob.requests("ACK")).isEqualTo(2);
        alice.forget();
        bob.forget();
        bye(route(ok), "b", 3);
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_16_7_every2xxOfAForkIsForwardedAndHasASession(ExecutionMode mode) {
        RawPeer carol = server.peer("10.0.0.4");
        Forking two = new Forking("sip:b@10.0.0.3:5060", "sip:c@10.0.0.4:5060");
        server.deploy(two, mode);
        alice.send(
                alice.text(
                        "INVITE sip:uas@10.0.0.1",
                        "z9hG4bKinv",
                        FROM,
                        "<sip:uas@y>",
                        "c1",
                        1,
                        CONTACT));
        SipRequest toBob = bob.request("INVITE");
        SipRequest toCarol = carol.request("INVITE");
        bob.respond(toBob, 200, "b");
        carol.respond(toCarol, 200, "c");
        SipResponse one = alice.response(200);
        SipResponse other = alice.response(200);
        assertThat(List.of(one.toTag(), other.toTag())).containsExactlyInAnyOrder("b", "c");
        for (String tag : List.of("b", "c")) {
            RawPeer peer = tag.equals("b") ? bob : carol;
            String uri = "sip:10.0.0." + (tag.equals("b") ? 3 : 4) + ":5060";
            alice.request("ACK " + uri, FROM, "<sip:uas@y>;tag=" + tag, "c1", 1, route(one));
            assertThat(peer.request("ACK").toTag()).isEqualTo(tag);
            alice.request("BYE " + uri, FROM, "<sip:uas@y>;tag=" + tag, "c1", 2, route(one));
            peer.respond(peer.request("BYE"), 200, "");
            alice.response(200);
        }
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_16_7_aLate1xxIsNotForwarded(ExecutionMode mode) {
        SipRequest invite = invite(mode);
        bob.respond(invite, 200, "b");
        bob.respond(invite, 180, "b");
        SipResponse ok = alice.response(200);
        server.run(Duration.ofMillis(100));
        assertThat(alice.responses(180)).isZero();
        assertThat(forking.events).containsExactly("INVITE", "INVITE 200");
        alice.request("ACK sip:10.0.0.3:5060", FROM, "<sip:uas@y>;tag=b", "c1", 1, route(ok));
        bob.request("ACK");
        bye(route(ok), "b", 2);
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        assertNothingLeft();
    }
}
