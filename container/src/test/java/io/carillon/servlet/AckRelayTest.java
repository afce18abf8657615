package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.token.ShardToken;
import io.carillon.testkit.SimulatedNetwork;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Route of ours leads on only where we have put it, and then an ACK alone. */
class AckRelayTest {
    private static final String FROM = "<sip:m@z>;tag=m";
    private static final String TO = "<sip:v@z>;tag=v";

    private final ProxyTest.Forwarder proxy = new ProxyTest.Forwarder();
    private final Server server = Server.fresh(3).deploy(proxy, ExecutionMode.NON_BLOCKING);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");
    private final RawPeer stranger = server.peer("10.0.0.8");
    private final RawPeer victim = server.peer("10.0.0.9");

    private static String own(String token) {
        return "sip:10.0.0.1:5060;lr;crl=" + token;
    }

    /** A token of the right form: node 0, shard 0. Anybody can write it. */
    private static String invented() {
        return ShardToken.encode(0, 0, 0x1234_5678_9ABCL);
    }

    /** A call through the proxy, that ended. */
    private String callThatEnded() {
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                "<sip:a@x>;tag=a",
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 200, "b");
        SipResponse ok = alice.response(200);
        String route = "Route: " + ok.recordRoutes().getFirst();
        String to = "<sip:uas@y>;tag=b";
        alice.request("ACK sip:10.0.0.3:5060", "<sip:a@x>;tag=a", to, "c1", 1, route);
        bob.request("ACK");
        alice.request("BYE sip:10.0.0.3:5060", "<sip:a@x>;tag=a", to, "c1", 2, route);
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
        return route;
    }

    private void settle() {
        server.run(Duration.ofSeconds(70));
        server.assertClean();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sip:v@10.0.0.9:5060", "sip:v@10.0.0.9:5060;transport=tcp"})
    void anAckWithAnInventedRouteGoesNowhere(String target) {
        stranger.request("ACK " + target, FROM, TO, "x1", 1, "Route: <" + own(invented()) + ">");
        // RFC 3261 16.4: of a strict router our value stands in the Request-URI.
        stranger.request("ACK " + own(invented()), FROM, TO, "x2", 1, "Route: <" + target + ">");
        settle();
        assertThat(victim.all).isEmpty();
        assertThat(server.container.status().strays()).isEqualTo(2);
    }

    @Test
    void theRouteOfOneCallServesNoOther() {
        String route = callThatEnded();
        stranger.request("ACK sip:v@10.0.0.9:5060", FROM, TO, "other", 1, route);
        settle();
        assertThat(victim.all).isEmpty();
    }

    @Test
    void rfc3261_16_11_itServesALateAckOfItsOwnCall() {
        String route = callThatEnded();
        alice.request(
                "ACK sip:10.0.0.3:5060", "<sip:a@x>;tag=a", "<sip:uas@y>;tag=b", "c1", 1, route);
        assertThat(bob.request("ACK").callId()).isEqualTo("c1");
    }

    /** A token is compared as a whole: one call would have as many routes as somebody likes. */
    @ParameterizedTest
    @ValueSource(strings = {"x", "0", ".-l0000000000000", "%00"})
    void aRouteWithMoreBehindItsTokenServesNothing(String more) {
        String route = callThatEnded();
        long strays = server.container.status().strays();
        alice.request(
                "ACK sip:v@10.0.0.9:5060",
                "<sip:a@x>;tag=a",
                "<sip:uas@y>;tag=b",
                "c1",
                1,
                route.replaceFirst("(crl=[0-9a-v]+)", "$1" + more));
        settle();
        assertThat(victim.all).isEmpty();
        assertThat(server.container.status().strays()).isEqualTo(strays + 1);
    }

    /** Who answered has given up after 64*T1 (RFC 3261 13.3.1.4): nobody waits for an ACK then. */
    @Test
    void aCallThatEndedHasNoRouteForLong() {
        String route = callThatEnded();
        server.run(Duration.ofMinutes(15));
        long strays = server.container.status().strays();
        alice.request(
                "ACK sip:v@10.0.0.9:5060", "<sip:a@x>;tag=a", "<sip:uas@y>;tag=b", "c1", 1, route);
        settle();
        assertThat(victim.all).isEmpty();
        assertThat(server.container.status().strays()).isEqualTo(strays + 1);
    }

    /** RFC 3261 12.2.2: what belongs to no dialog gets 481, wherever its Route leads. */
    @ParameterizedTest
    @ValueSource(
            strings = {"BYE", "INFO", "NOTIFY", "UPDATE", "PRACK", "REFER", "MESSAGE", "SUBSCRIBE"})
    void noOtherRequestOfNoDialogGoesOn(String method) {
        String route = callThatEnded();
        String target = "sip:v@10.0.0.9:5060";
        stranger.request(
                method + " " + target, FROM, TO, "y1", 1, "Route: <" + own(invented()) + ">");
        stranger.response(481);
        stranger.request(method + " " + target, FROM, TO, "c1", 9, route);
        stranger.response(481);
        stranger.request(
                method + " " + own(invented()), FROM, TO, "y2", 1, "Route: <" + target + ">");
        stranger.response(481);
        settle();
        assertThat(victim.all).isEmpty();
    }

    /** RFC 3261 16.3 item 4: what would come back as it leaves is not sent. */
    @Test
    void anAckToAPeerThatNamesUsAsItsContactLeavesOnce() {
        int[] toOurselves = {0};
        server.network.tap((at, fate, transport, from, to, bytes) -> {
            String text = new String(bytes, StandardCharsets.UTF_8);
            if (fate == SimulatedNetwork.Fate.SENT && from.equals(to) && text.startsWith("ACK")) {
                toOurselves[0]++;
            }
        });
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                "<sip:a@x>;tag=a",
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        SipRequest invite = bob.request("INVITE");
        bob.send(
                "SIP/2.0 200 OK\nVia: "
                        + String.join("\nVia: ", invite.headers(HeaderName.VIA))
                        + "\nRecord-Route: "
                        + invite.header(HeaderName.RECORD_ROUTE)
                        + "\nFrom: <sip:a@x>;tag=a\nTo: <sip:uas@y>;tag=b\nCall-ID: c1\n"
                        + "CSeq: 1 INVITE\nContact: <sip:10.0.0.1>\nContent-Length: 0\n\n");
        String route = "Route: " + alice.response(200).recordRoutes().getFirst();
        for (int i = 0; i < 20; i++) {
            stranger.request(
                    "ACK sip:10.0.0.1", "<sip:a@x>;tag=a", "<sip:uas@y>;tag=b", "c1", 1, route);
        }
        server.run(Duration.ofSeconds(1));
        assertThat(toOurselves[0]).isEqualTo(20);
    }
}
