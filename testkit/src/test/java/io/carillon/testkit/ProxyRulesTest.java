package io.carillon.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.proxy.ProxyBranch;
import io.carillon.sip.proxy.ProxyPolicy;
import io.carillon.sip.proxy.ProxyUser;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.uri.SipUri;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Rules of RFC 3261 16 that need a policy, a watcher or a broken network: what the scenario files
 * do not reach.
 */
class ProxyRulesTest {
    private static final InetSocketAddress PROXY = SimulatedNetwork.address("10.0.9.1", 5060);
    private static final ProxyPolicy PARALLEL = ProxyPolicy.builder().recordRoute(true).build();

    private final SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 1);
    private final List<String> targets =
            new ArrayList<>(List.of("sip:bob@10.0.2.1", "sip:carol@10.0.3.1"));
    private final ProxyNode proxy =
            ProxyNode.start(network, "10.0.9.1", 2, user -> targets).policy(PARALLEL);
    private final ScriptedPeer alice = ScriptedPeer.bind(network, "alice", "10.0.1.1", 5060);
    private final ScriptedPeer bob = ScriptedPeer.bind(network, "bob", "10.0.2.1", 5060);
    private final ScriptedPeer carol = ScriptedPeer.bind(network, "carol", "10.0.3.1", 5060);
    private String uri = "sip:x@10.0.9.1";

    private void send(String method, String... headers) {
        alice.send(
                PROXY,
                method
                        + " "
                        + uri
                        + " SIP/2.0\nVia: SIP/2.0/UDP 10.0.1.1;branch=z9hG4bK-a1\n"
                        + "From: <sip:alice@10.0.1.1>;tag=a\nTo: <sip:x@10.0.9.1>\n"
                        + "Call-ID: c\nCSeq: 1 "
                        + method
                        + "\nContact: <sip:alice@10.0.1.1>\n"
                        + String.join("\n", headers));
    }

    private void ack(Received response) {
        alice.send(
                PROXY,
                "ACK "
                        + uri
                        + " SIP/2.0\nVia: SIP/2.0/UDP 10.0.1.1;branch=z9hG4bK-a1\n"
                        + "From: <sip:alice@10.0.1.1>;tag=a\nTo: "
                        + response.header("To")
                        + "\nCall-ID: c\nCSeq: 1 ACK\nMax-Forwards: 70");
    }

    /** The final response to our INVITE, acknowledged when it is none of 200. */
    private Received answered(int status) {
        Received response = alice.expect(Integer.toString(status), Duration.ofSeconds(40));
        if (status >= 300) {
            ack(response);
        }
        return response;
    }

    @AfterEach
    void nothingIsLeft() {
        network.time().runFor(Duration.ofSeconds(400));
        assertThat(proxy.faults()).isEmpty();
        assertThat(proxy.leftovers()).isEmpty();
    }

    @Test
    void rfc3261_16_6_step3_aCopyWithoutMaxForwardsGetsOneOf70() {
        send("INVITE");
        Received invite = bob.expect("INVITE");
        assertThat(invite.header("Max-Forwards")).isEqualTo("70");
        bob.reply(invite, 200);
        answered(200);
    }

    @Test
    void rfc3261_16_6_step3_otherwiseItIsDecrementedByOne() {
        send("OPTIONS", "Max-Forwards: 12");
        Received options = bob.expect("OPTIONS");
        assertThat(options.header("Max-Forwards")).isEqualTo("11");
        assertThat(options.header("Record-Route")).as("OPTIONS makes no dialog").isEmpty();
        bob.reply(options, 200);
        carol.reply(carol.expect("OPTIONS"), 404);
        alice.expect("200");
        alice.expectSilence(Duration.ofSeconds(1));
    }

    @Test
    void rfc3261_16_6_step4_ourRecordRouteGoesBeforeThoseThatAreThere() {
        send("INVITE", "Record-Route: <sip:10.0.1.7;lr>");
        Received invite = bob.expect("INVITE");
        assertThat(invite.header("Record-Route"))
                .startsWith("<sip:10.0.9.1:5060;lr;")
                .endsWith(", <sip:10.0.1.7;lr>");
        bob.reply(invite, 200);
        answered(200);
    }

    @Test
    void rfc5658_6_2_betweenTwoTransportsTheProxyRecordRoutesTwice() {
        targets.clear();
        targets.add("sip:bob@10.0.2.1;transport=tcp");
        send("INVITE");
        Received invite = bob.expect("INVITE");
        assertThat(invite.header("Record-Route").split(", ", -1))
                .satisfiesExactly(
                        inner ->
                                assertThat(inner).startsWith("<sip:10.0.9.1:5060;transport=tcp;lr"),
                        outer -> assertThat(outer).startsWith("<sip:10.0.9.1:5060;lr"));
        bob.transport(Transport.TCP).reply(invite, 200);
        answered(200);
    }

    @Test
    void rfc3261_16_5_aTargetThatIsInTheSetIsNotAddedAgain() {
        targets.set(1, "sip:bob@10.0.2.1;x=y");
        targets.add("SIP:bob@10.0.2.1");
        send("INVITE");
        Received invite = bob.expect("INVITE");
        network.time().runFor(Duration.ofMillis(100));
        assertThat(bob.count("INVITE")).as("equal by 19.1.4").isEqualTo(1);
        bob.reply(invite, 486);
        answered(486);
    }

    @Test
    void rfc3261_16_7_step10_withNoCancelTheOtherBranchesRingOn() {
        proxy.policy(PARALLEL.toBuilder().noCancel(true).build());
        send("INVITE");
        Received toCarol = carol.expect("INVITE");
        carol.reply(toCarol, 180);
        bob.reply(bob.expect("INVITE"), 200);
        answered(200);
        carol.expectSilence(Duration.ofSeconds(5));
        carol.reply(toCarol, 200);
        assertThat(answered(200).header("To")).as("any 2xx is forwarded").contains("tag-carol");
    }

    @Test
    void rfc3261_16_9_aTransportThatFailsCountsAs503AndGoesBackAs500() {
        targets.clear();
        targets.add("sip:nobody@10.0.8.8;transport=tcp");
        send("INVITE");
        answered(500);
    }

    @Test
    void rfc3261_21_4_18_aTargetWithoutAddressIsNoValidForwardingLocation() {
        targets.clear();
        targets.add("sip:x@nowhere.example.com");
        send("INVITE");
        answered(480);
    }

    @Test
    void rfc3261_16_7_step6_a408OfASilentBranchIsWorseThanAnAnswer() {
        targets.set(0, "sip:dead@10.0.8.8");
        send("INVITE");
        carol.reply(carol.expect("INVITE"), 486);
        answered(486);
    }

    @Test
    void rfc3261_16_7_step4_onlyASipsContactIsTriedForASipsRequest() {
        targets.clear();
        targets.add("sips:bob@10.0.2.1:5060");
        uri = "sips:x@10.0.9.1";
        send("INVITE");
        bob.reply(bob.expect("INVITE"), 302, "Contact: <sip:carol@10.0.3.1>");
        assertThat(answered(302).header("Contact")).isEqualTo("<sip:carol@10.0.3.1>");
        assertThat(carol.count("INVITE")).isZero();
    }

    @Test
    void rfc3261_16_7_step5_noContactIsTriedAfterA6xx() {
        send("INVITE");
        Received toBob = bob.expect("INVITE");
        carol.reply(carol.expect("INVITE"), 603);
        bob.reply(toBob, 302, "Contact: <sip:dave@10.0.1.1>");
        answered(603);
        assertThat(alice.count("INVITE")).isZero();
    }

    @Test
    void rfc3261_16_10_aCancelReachesWhoHasNotRungYetOnlyWhenItRings() {
        targets.remove(1);
        send("INVITE");
        Received invite = bob.expect("INVITE");
        send("CANCEL", "Reason: SIP;cause=200");
        alice.expect("200");
        bob.expectSilence(Duration.ofMillis(400));
        bob.reply(invite, 180);
        Received cancel = bob.expect("CANCEL");
        assertThat(cancel.header("Reason")).as("RFC 3326").isEqualTo("SIP;cause=200");
        bob.reply(cancel, 200);
        bob.reply(invite, 487);
        answered(487);
    }

    @Test
    void rfc3261_16_10_aCancelStartsNoFurtherSequentialBranch() {
        proxy.policy(PARALLEL.toBuilder().parallel(false).build());
        send("INVITE");
        Received invite = bob.expect("INVITE");
        bob.reply(invite, 180);
        alice.expect("180");
        send("CANCEL");
        alice.expect("200");
        bob.reply(bob.expect("CANCEL"), 200);
        bob.reply(invite, 487);
        answered(487);
        assertThat(carol.count("INVITE")).isZero();
    }

    @Test
    void rfc3261_16_8_theTimeOutOfASequentialBranchGoesOnToTheNext() {
        proxy.policy(PARALLEL.toBuilder().parallel(false).timeoutNanos(5_000_000_000L).build());
        send("INVITE");
        Received invite = bob.expect("INVITE");
        bob.reply(invite, 180);
        Received cancel = bob.expect("CANCEL", Duration.ofSeconds(6));
        bob.reply(cancel, 200);
        bob.reply(invite, 487);
        Received next = carol.expect("INVITE");
        carol.reply(next, 200);
        answered(200);
    }

    @Test
    void rfc3261_16_6_theTimeOutOfASequentialBranchEndsOtherMethodsBeforeTimerF() {
        proxy.policy(PARALLEL.toBuilder().parallel(false).timeoutNanos(5_000_000_000L).build());
        send("OPTIONS");
        bob.expect("OPTIONS");
        carol.reply(carol.expect("OPTIONS", Duration.ofSeconds(6)), 200);
        answered(200);
    }

    @Test
    void rfc3261_17_1_2_2_aTimeOutThatIsLaterThanTimerFLeavesTheBranchToTimerF() {
        proxy.policy(PARALLEL.toBuilder().parallel(false).timeoutNanos(180_000_000_000L).build());
        send("OPTIONS");
        bob.expect("OPTIONS");
        carol.reply(carol.expect("OPTIONS", Duration.ofSeconds(33)), 200);
    }

    @Test
    void rfc3261_16_7_step6_theUserMayAddABranchInsteadOfForwardingTheBest() {
        proxy.policy(PARALLEL.toBuilder().recurse(false).build());
        targets.remove(1);
        List<Integer> best = new ArrayList<>();
        proxy.watch(
                new ProxyUser() {
                    @Override
                    public boolean best(ProxyBranch branch, SipResponse response) {
                        best.add(response.status());
                        if (best.size() == 1) {
                            branch.context().addTarget(SipUri.of("carol", "10.0.3.1", -1));
                        }
                        return best.size() > 1;
                    }
                });
        send("INVITE");
        bob.reply(bob.expect("INVITE"), 486);
        carol.reply(carol.expect("INVITE"), 480);
        answered(480);
        assertThat(best).hasSize(2);
    }

    @Test
    void rfc3261_16_7_step6_theUserMayAnswerItself() {
        targets.remove(1);
        proxy.watch(
                new ProxyUser() {
                    @Override
                    public boolean best(ProxyBranch branch, SipResponse response) {
                        ServerTransaction server = branch.context().server();
                        server.respond(
                                MessageDraft.responseTo(
                                                server.request(), 433, null, server.localTag())
                                        .freezeResponse());
                        return false;
                    }
                });
        send("INVITE");
        bob.reply(bob.expect("INVITE"), 486);
        answered(433);
    }

    @Test
    void rfc3261_16_7_step4_aRedirectWithManyContactsAddsNoMoreThan64Targets() {
        targets.remove(1);
        proxy.policy(ProxyPolicy.builder().parallel(false).build());
        send("INVITE");
        String contacts =
                IntStream.range(0, 200)
                        .mapToObj(i -> "<sip:x" + i + "@10.0.3.1>")
                        .reduce((a, b) -> a + ", " + b)
                        .orElseThrow();
        bob.reply(bob.expect("INVITE"), 302, "Contact: " + contacts);
        for (int i = 0; i < 63; i++) {
            carol.reply(carol.expect("INVITE"), 486);
        }
        assertThat(answered(302).header("Contact")).doesNotContain("x62@").contains("x63@");
        assertThat(refusedRedirects()).isEqualTo(137);
    }

    @Test
    void rfc3261_16_7_step4_redirectsThatLeadToRedirectsEnd() {
        targets.remove(1);
        send("INVITE");
        for (int i = 0; i < 17; i++) {
            bob.reply(bob.expect("INVITE"), 302, "Contact: <sip:x" + i + "@10.0.2.1>");
        }
        assertThat(answered(302).header("Contact")).isEqualTo("<sip:x16@10.0.2.1>");
        assertThat(refusedRedirects()).isEqualTo(1);
    }

    private long refusedRedirects() {
        return proxy.node().shards().stream()
                .mapToLong(shard -> shard.counters().get(Counter.REDIRECTS_REFUSED))
                .sum();
    }

    @Test
    void rfc3261_16_4_aRouteOfSomebodyElseIsFollowedAndTheRequestUriKept() {
        uri = "sip:dave@10.0.3.1";
        send("INVITE", "Route: <sip:10.0.9.1;lr>, <sip:10.0.2.1;lr>");
        Received invite = bob.expect("INVITE");
        assertThat(invite.header("Request-URI")).isEqualTo(uri);
        assertThat(invite.header("Route")).isEqualTo("<sip:10.0.2.1;lr>");
        bob.reply(invite, 416);
        answered(416);
    }

    @Test
    void rfc3261_16_7_step9_2xxOfEveryForkAreForwardedEachTimeTheyCome() {
        send("INVITE");
        Received toBob = bob.expect("INVITE");
        bob.reply(toBob, 200);
        bob.reply(toBob, 200);
        carol.reply(carol.expect("INVITE"), 200);
        network.time().runFor(Duration.ofSeconds(1));
        assertThat(alice.count("200")).isEqualTo(3);
        List<String> tags =
                IntStream.range(0, 3).mapToObj(i -> answered(200).header("To")).toList();
        assertThat(tags.stream().filter(to -> to.contains("tag-bob")).count()).isEqualTo(2);
        assertThat(tags.stream().filter(to -> to.contains("tag-carol")).count()).isEqualTo(1);
    }
}
