package io.carillon.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.address.AddressRange;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.edge.EdgeConfig;
import io.carillon.sip.edge.InternalHosts;
import io.carillon.sip.edge.Peer;
import io.carillon.sip.edge.PeerTable;
import io.carillon.sip.feedback.OcMode;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import io.carillon.sip.message.MessageDraft;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a proxy does with overload control on both of its sides: RFC 7339, by its sections. */
class OverloadFeedbackProxyTest {
    private static final InetSocketAddress PROXY = SimulatedNetwork.address("10.0.9.1", 5060);
    private static final String OFFER = ";oc;oc-algo=\"loss\"";
    private static final String EVIL = ";oc=100;oc-algo=\"loss\";oc-validity=90000;oc-seq=9.9";

    private final SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 1);
    private ProxyNode proxy = proxy("10.0.1.0/24", "10.0.2.0/24");
    private final ScriptedPeer alice = ScriptedPeer.bind(network, "alice", "10.0.1.1", 5060);
    private final ScriptedPeer bob = ScriptedPeer.bind(network, "bob", "10.0.2.1", 5060);
    private int calls;

    private ProxyNode proxy(String... peers) {
        PeerTable table =
                PeerTable.builder()
                        .add(
                                Peer.named("neighbours").overload(OcMode.LOSS),
                                List.of(peers).stream().map(AddressRange::parse).toList(),
                                List.of())
                        .build();
        return ProxyNode.start(
                network,
                "10.0.9.1",
                1,
                user -> List.of("sip:bob@10.0.2.1"),
                StackConfig.builder()
                        .edge(
                                new EdgeConfig(
                                        table,
                                        List.of(new byte[32]),
                                        new InternalHosts(List.of(), List.of()),
                                        Compliance.DEFAULT)));
    }

    /** The same proxy, to which alice and bob are strangers. */
    private void knowsNobody() {
        proxy.node().crash();
        proxy = proxy("10.7.7.7");
    }

    private void call(String params, String... headers) {
        calls++;
        alice.send(
                PROXY,
                "INVITE sip:x@10.0.9.1 SIP/2.0\nVia: SIP/2.0/UDP 10.0.1.1;branch=z9hG4bK-a"
                        + calls
                        + params
                        + "\nFrom: <sip:alice@10.0.1.1>;tag=a\nTo: <sip:x@10.0.9.1>\nCall-ID: c"
                        + calls
                        + "\nCSeq: 1 INVITE\nContact: <sip:alice@10.0.1.1>\n"
                        + String.join("\n", headers));
    }

    /** Bob answers, with the parameters in these Vias: the proxy's, alice's, and further ones. */
    private void bobSays(Received invite, int status, String... params) {
        MessageDraft draft = MessageDraft.responseTo(invite.request(), status, null, "bob");
        List<Via> vias = invite.request().vias();
        draft.remove(HeaderName.VIA);
        for (int i = 0; i < vias.size(); i++) {
            Via plain = vias.get(i).withoutParam("oc").withoutParam("oc-algo");
            String more = i < params.length ? params[i] : "";
            draft.addLast(HeaderName.VIA, plain + more);
        }
        bob.send(invite.from(), draft);
    }

    private Received refused(String status) {
        Received response = alice.expect(status, Duration.ofSeconds(40));
        alice.send(
                PROXY,
                "ACK sip:x@10.0.9.1 SIP/2.0\nVia: "
                        + response.response().vias().getFirst().withoutParam("oc")
                        + "\nFrom: <sip:alice@10.0.1.1>;tag=a\nTo: "
                        + response.header("To")
                        + "\nCall-ID: "
                        + response.header("Call-ID")
                        + "\nCSeq: 1 ACK\nMax-Forwards: 70");
        return response;
    }

    @AfterEach
    void nothingIsLeft() {
        network.time().runFor(Duration.ofSeconds(400));
        assertThat(proxy.faults()).isEmpty();
        assertThat(proxy.leftovers()).isEmpty();
    }

    @Test
    void rfc7339_5_6_whatTheClientOffersUsIsNotForwarded() {
        call(OFFER);
        Received invite = bob.expect("INVITE");
        List<Via> vias = invite.request().vias();
        assertThat(vias.get(0).toString()).contains(OFFER);
        assertThat(vias.get(1).toString()).doesNotContain("oc");
        bobSays(invite, 486);
        refused("486");
    }

    @Test
    void rfc7339_4_1_theClientIsToldOurOwnValue() {
        call(OFFER);
        Received invite = bob.expect("INVITE");
        bobSays(invite, 180, ";oc=50;oc-algo=\"loss\";oc-validity=500;oc-seq=1.1");
        Received ringing = alice.expect("180");
        assertThat(ringing.response().topVia().param("oc")).isEqualTo("0");
        bobSays(invite, 486);
        assertThat(refused("486").response().topVia().param("oc-validity")).isEqualTo("0");
    }

    @Test
    void rfc7339_5_4_valuesInTheViaOfTheClientAreNotPassedOn() {
        call(OFFER);
        Received invite = bob.expect("INVITE");
        bobSays(invite, 180, "", EVIL);
        assertThat(alice.expect("180").response().topVia().param("oc")).isEqualTo("0");
        bobSays(invite, 486, "", EVIL);
        assertThat(refused("486").response().topVia().param("oc")).isEqualTo("0");
    }

    @Test
    void rfc7339_11_norDoesAProxyWithoutPeersPassThemOn() {
        knowsNobody();
        call(OFFER);
        Received invite = bob.expect("INVITE");
        assertThat(invite.request().topVia().hasParam("oc")).isFalse();
        bobSays(invite, 180, EVIL, EVIL);
        assertThat(alice.expect("180").response().topVia().param("oc"))
                .as("as the client wrote it: not supported")
                .isEmpty();
        bobSays(invite, 486, EVIL, EVIL);
        assertThat(refused("486").response().topVia().param("oc")).isEmpty();
    }

    @Test
    void rfc7339_5_4_noneOfTheViasBelowKeepsThem() {
        knowsNobody();
        call(
                "",
                "Via: SIP/2.0/UDP 10.5.5.5;branch=z9hG4bKb, SIP/2.0/UDP 10.5.5.6;branch=z9hG4bKc;oc");
        Received invite = bob.expect("INVITE");
        bobSays(invite, 180, "", EVIL, EVIL, EVIL);
        Received ringing = alice.expect("180");
        assertThat(ringing.response().vias()).hasSize(3);
        assertThat(ringing.header("Via")).doesNotContain("oc").contains("z9hG4bKc");
        bobSays(invite, 486, "", EVIL, EVIL, EVIL);
        assertThat(refused("486").header("Via")).doesNotContain("oc");
    }

    @Test
    void rfc7339_5_10_whatIsNotSentOnIsAnsweredBy503WithoutRetryAfter() {
        call("");
        Received invite = bob.expect("INVITE");
        bobSays(invite, 486, ";oc=100;oc-algo=\"loss\";oc-validity=5000;oc-seq=1.1");
        refused("486");
        call("");
        Received answer = refused("503");
        assertThat(answer.header("Retry-After")).isEmpty();
        assertThat(bob.count("INVITE")).isEqualTo(1);
    }
}
