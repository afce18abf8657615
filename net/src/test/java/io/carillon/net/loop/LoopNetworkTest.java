package io.carillon.net.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopNetworkTest {

    private static final InetSocketAddress A = at(1);
    private static final InetSocketAddress B = at(2);

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static List<Integer> through(LoopLink link, Transport transport, int messages)
            throws InterruptedException {
        try (LoopNetwork network = new LoopNetwork(link, 7)) {
            LinkedBlockingQueue<Integer> came = new LinkedBlockingQueue<>();
            network.attach(B, (message, from) -> came.add(message[0] & 0xFF));
            for (int i = 0; i < messages; i++) {
                network.send(transport, A, B, new byte[] {(byte) i});
            }
            List<Integer> all = new ArrayList<>();
            // All is sent; what is not here after a silence longer than any delay is lost.
            for (Integer n = came.poll(1, TimeUnit.SECONDS);
                    n != null;
                    n = came.poll(300, TimeUnit.MILLISECONDS)) {
                all.add(n);
            }
            return all;
        }
    }

    @Test
    void aPerfectLinkKeepsAllInOrder() throws Exception {
        assertThat(through(LoopLink.PERFECT, Transport.UDP, 200)).hasSize(200).isSorted();
    }

    @Test
    void datagramsAreLost() throws Exception {
        assertThat(through(new LoopLink(0.5, 0, 0, Duration.ZERO), Transport.UDP, 200))
                .hasSizeBetween(60, 140)
                .isSorted();
    }

    @Test
    void datagramsComeTwice() throws Exception {
        assertThat(through(new LoopLink(0, 1, 0, Duration.ZERO), Transport.UDP, 50)).hasSize(100);
    }

    @Test
    void datagramsOvertake() throws Exception {
        List<Integer> all =
                through(new LoopLink(0, 0, 0.3, Duration.ofMillis(2)), Transport.UDP, 200);
        assertThat(all).hasSize(200);
        assertThat(all).isNotEqualTo(all.stream().sorted().toList());
    }

    @Test
    void streamsFeelNoneOfIt() throws Exception {
        assertThat(through(new LoopLink(0.5, 0.5, 0.5, Duration.ZERO), Transport.TCP, 200))
                .hasSize(200)
                .isSorted();
    }

    @Test
    void aStreamToNobodyFailsADatagramIsLost() {
        try (LoopNetwork network = new LoopNetwork(LoopLink.PERFECT, 1)) {
            assertThat(network.send(Transport.TCP, A, B, new byte[1])).isFalse();
            assertThat(network.send(Transport.UDP, A, B, new byte[1])).isTrue();
        }
    }

    @Test
    void anAddressHasOneOwner() throws Exception {
        try (LoopNetwork network = new LoopNetwork(LoopLink.PERFECT, 1)) {
            LinkedBlockingQueue<Hop> first = new LinkedBlockingQueue<>();
            network.attach(B, (message, from) -> first.add(from));
            assertThatThrownBy(() -> network.attach(B, (message, from) -> {}))
                    .isInstanceOf(IllegalArgumentException.class);
            network.send(Transport.UDP, A, B, new byte[1]);
            assertThat(first.poll(10, TimeUnit.SECONDS).remote()).isEqualTo(A);
            network.leave(B);
            network.attach(B, (message, from) -> {});
        }
    }
}
