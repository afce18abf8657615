package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.LinkCounter;
import io.carillon.net.guard.Guard;
import io.carillon.net.guard.GuardConfig;
import io.carillon.net.stream.StreamConfig;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.token.RandomSource;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * What a node's guard refuses in a flood ends at the router; the node decides, the router drops.
 */
class FloodAtTheEdgeTest {
    private static Guard oneDatagramASecond() {
        return new Guard(
                new GuardConfig(
                        AddressRanges.NONE,
                        new GuardConfig.Rate(1, 1),
                        GuardConfig.Rate.OFF,
                        GuardConfig.Rate.OFF,
                        0,
                        GuardConfig.BanRule.OFF,
                        List.of()),
                RandomSource.secure()::nextLong,
                System.nanoTime());
    }

    @Test
    void theRouterDropsWhatTheNodeDoesNotListenTo() throws Exception {
        try (SmallCluster cluster =
                        new SmallCluster(StreamConfig.defaults(), 1, oneDatagramASecond());
                DatagramSocket stranger = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            byte[] flood =
                    StreamPhone.request("OPTIONS", "UDP", "flood", "flood")
                            .getBytes(StandardCharsets.US_ASCII);
            InetSocketAddress front = cluster.router().listening().getFirst().address();
            DatagramPacket packet = new DatagramPacket(flood, flood.length, front);
            Awaitility.await()
                    .until(() -> {
                        for (int i = 0; i < 2 * 32; i++) {
                            stranger.send(packet);
                        }
                        return cluster.router().counts().get(RouterCounter.DROPPED_UNHEARD) > 0;
                    });
            assertThat(cluster.node.link().count(LinkCounter.UNHEARD)).isPositive();
        }
    }

    @Test
    void aSourceIsHeardAgainAfterAMoment() {
        UnheardSources unheard = new UnheardSources();
        long now = 5;
        assertThat(unheard.any(now)).isFalse();
        unheard.add(7, 1, now);
        long last = now + UnheardSources.HOLD_NANOS - 1;
        assertThat(unheard.any(last)).isTrue();
        assertThat(unheard.has(7, 1, last)).isTrue();
        assertThat(unheard.has(8, 1, last)).as("another source").isFalse();
        assertThat(unheard.has(7, 2, last)).as("another node").isFalse();
        assertThat(unheard.has(7, 1, last + 1)).isFalse();
        assertThat(unheard.any(last + 1)).isFalse();
        assertThat(TimeUnit.NANOSECONDS.toMillis(UnheardSources.HOLD_NANOS))
                .as("as docs/guides/router.md says")
                .isEqualTo(100);
    }
}
