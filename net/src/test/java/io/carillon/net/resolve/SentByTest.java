package io.carillon.net.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.listen.Listener;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.shard.ShardGroup;
import io.carillon.sip.hop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class SentByTest {
    @Test
    void addressesOfManyPeersDoNotFillTheMemory() throws Exception {
        try (ShardGroup group =
                new ShardGroup(1, false, new LoopCounts[] {new LoopCounts()}, System.nanoTime())) {
            ListeningPoint point = new ListeningPoint(Transport.UDP, "0.0.0.0", 5060);
            Listener all =
                    new Listener(
                            0,
                            point,
                            new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 5060));
            SentBy sentBy = new SentBy(new LocalAddresses(List.of(all), List.of()), group.loop(0));
            for (int i = 0; i < 10_000; i++) {
                InetAddress peer =
                        InetAddress.getByAddress(new byte[] {127, 1, (byte) (i >>> 8), (byte) i});
                sentBy.of(Transport.UDP, null, new InetSocketAddress(peer, 5060));
                assertThat(sentBy.remembered()).isLessThanOrEqualTo(SentBy.MAX_REMEMBERED);
            }
            assertThat(sentBy.remembered()).isPositive();
        }
    }
}
