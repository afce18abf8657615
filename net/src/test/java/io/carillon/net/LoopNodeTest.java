package io.carillon.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.loop.LoopLink;
import io.carillon.net.loop.LoopNetwork;
import io.carillon.sip.hop.Failure;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two stacks over the network in memory. */
class LoopNodeTest {

    private static InetSocketAddress at(int last) throws Exception {
        return new InetSocketAddress(
                InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) last}), 5060);
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "tcp"})
    void requestsAndResponsesFindTheirShards(String transport) throws Exception {
        try (LoopNetwork network = new LoopNetwork(LoopLink.PERFECT, 1)) {
            Node alice = new Node(network, at(1), 2);
            Node bob = new Node(network, at(2), 3);
            for (int i = 0; i < 20; i++) {
                alice.send(i % 2, "OPTIONS", "sip:bob@192.0.2.2;transport=" + transport);
            }
            for (int i = 0; i < 20; i++) {
                assertThat(alice.ended.poll(10, TimeUnit.SECONDS).status()).isEqualTo(200);
            }
            assertThat(bob.seen).hasSize(20);
            assertThat(bob.next().from().transport().name()).isEqualToIgnoringCase(transport);
        }
    }

    @Test
    void lossIsHealedByRetransmission_rfc3261_17_1_2() throws Exception {
        try (LoopNetwork network =
                new LoopNetwork(new LoopLink(0.3, 0.2, 0.2, Duration.ofMillis(2)), 3)) {
            Node alice = new Node(network, at(1), 1);
            Node bob = new Node(network, at(2), 1);
            for (int i = 0; i < 20; i++) {
                alice.send(0, "OPTIONS", "sip:bob@192.0.2.2");
            }
            for (int i = 0; i < 20; i++) {
                assertThat(alice.ended.poll(30, TimeUnit.SECONDS).status()).isEqualTo(200);
            }
            assertThat(bob.seen).hasSize(20);
        }
    }

    @Test
    void aStreamToNobodyFailsTheRequest_rfc3261_18_4() throws Exception {
        try (LoopNetwork network = new LoopNetwork(LoopLink.PERFECT, 1)) {
            Node alice = new Node(network, at(1), 1);
            alice.send(0, "OPTIONS", "sip:bob@192.0.2.9;transport=tcp");
            assertThat(alice.ended.poll(10, TimeUnit.SECONDS).failure())
                    .isEqualTo(Failure.TRANSPORT);
        }
    }
}
