package io.carillon.servlet.feature.security;

import static io.carillon.servlet.feature.security.Guard.answer;
import static io.carillon.servlet.feature.security.Guard.challenged;
import static io.carillon.servlet.feature.security.Guard.constraint;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.Ownership;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A phone answers a challenge of one node to another one, as all are one address to it. */
class ClusterCredentialsTest {
    private static final String BOB = "sip:bob@10.0.0.3:5060";
    private static final String ALICE = "<sip:alice@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    private final SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 9);
    private final Server one = node("10.0.0.1", 9);
    private final Server other = node("10.0.0.4", 10);
    private final RawPeer alice = new RawPeer(network, "10.0.0.2", 5060);
    private final RawPeer aliceAtOther =
            new RawPeer(network, "10.0.0.5", 5060, SimulatedNetwork.address("10.0.0.4", 5060));
    private final RawPeer bob = new RawPeer(network, "10.0.0.3", 5060);

    private Server node(String host, long seed) {
        Server made =
                new Server(
                        network,
                        host,
                        1,
                        seed,
                        new RoundTripStore(),
                        StackConfig.builder()
                                .cluster(
                                        new ClusterPlace(
                                                5,
                                                ClusterKeys.of(1, 2),
                                                Ownership.ALONE,
                                                1,
                                                () -> 0))
                                .build(),
                        ContainerConfig.defaults());
        made.container.security().users().store(Guard::find);
        return made;
    }

    private DigestClient challengedByOne() throws Exception {
        one.container.deploy(
                Guard.application(
                        "test",
                        ExecutionMode.ADAPTIVE,
                        new Bridge(BOB),
                        constraint(Set.of("*"), "INVITE")));
        alice.request("INVITE " + BOB, ALICE, "<sip:bob@y>", "c1", 1, CONTACT);
        return challenged(alice, "alice");
    }

    /** Whoever is called could try the password by it, or use it at the node that asked. */
    @Test
    void anAnswerToANodeGoesToNobodyElseByAnotherNode() throws Exception {
        String mine = answer(challengedByOne(), "INVITE", BOB);
        other.deploy(new Bridge(BOB), ExecutionMode.ADAPTIVE);
        aliceAtOther.request("INVITE " + BOB, ALICE, "<sip:bob@y>", "c2", 1, CONTACT, mine);
        SipRequest leg = bob.request("INVITE");
        assertThat(leg.has(HeaderName.AUTHORIZATION)).isFalse();
    }

    /** Each node counts for itself: what was used at one is none for the other. */
    @Test
    void anAnswerToANodeIsTakenByNoOther() throws Exception {
        String mine = answer(challengedByOne(), "INVITE", BOB);
        other.container.deploy(
                Guard.application(
                        "test",
                        ExecutionMode.ADAPTIVE,
                        new Bridge(BOB),
                        constraint(Set.of("*"), "INVITE")));
        aliceAtOther.request("INVITE " + BOB, ALICE, "<sip:bob@y>", "c2", 1, CONTACT, mine);
        assertThat(aliceAtOther.response(401).header(HeaderName.WWW_AUTHENTICATE))
                .contains("stale=true");
    }
}
