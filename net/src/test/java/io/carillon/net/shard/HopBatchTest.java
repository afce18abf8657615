package io.carillon.net.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.LateStackUser;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.token.RandomSource;
import io.carillon.sip.token.ShardSelector;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** What one loop hands to another that is busy. */
class HopBatchTest {
    private static final int BATCH = 32;
    private static final Hop FROM =
            new Hop(Transport.UDP, null, new InetSocketAddress("127.0.0.1", 9), 0);

    private final LoopCounts[] tallies = {new LoopCounts(), new LoopCounts()};
    private final Semaphore received = new Semaphore(0);

    private static Shard shard(int index, ShardLoop loop) {
        Wire nowhere =
                (Wire)
                        Proxy.newProxyInstance(
                                Wire.class.getClassLoader(),
                                new Class<?>[] {Wire.class},
                                (proxy, method, arguments) -> null);
        return Stack.shard(
                index,
                StackConfig.builder().requestHeapBytes(1_000_000).build(),
                loop,
                nowhere,
                new LateStackUser(),
                RandomSource.secure(),
                System.nanoTime());
    }

    /** A large message of a call that belongs to shard 1. */
    private static byte[] message() {
        for (int i = 0; ; i++) {
            byte[] text =
                    ("ACK sip:a@b SIP/2.0\r\nCall-ID: " + i + "\r\n\r\n" + "x".repeat(60_000))
                            .getBytes(StandardCharsets.US_ASCII);
            if (ShardSelector.shardOf(text, text.length, 2) == 1) {
                return text;
            }
        }
    }

    private void deliver(ShardLoop loop, int messages) throws Exception {
        byte[] large = message();
        loop.eventLoop()
                .submit(() -> {
                    for (int i = 0; i < messages; i++) {
                        loop.deliver(large, large.length, FROM);
                    }
                })
                .get();
    }

    @Test
    void messagesForAShardThatIsBusyAreBoundedByTheirBytes() throws Exception {
        try (ShardGroup group = new ShardGroup(2, false, tallies, System.nanoTime())) {
            List<Shard> shards = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                group.loop(i).intake((message, length, from, now) -> received.release());
                shards.add(shard(i, group.loop(i)));
            }
            group.join(shards);
            CountDownLatch busy = new CountDownLatch(1);
            group.loop(1)
                    .execute(() -> {
                        try {
                            busy.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    });
            deliver(group.loop(0), 3 * BATCH);
            assertThat(tallies[0].get(NetworkCounter.HOPS_DROPPED)).isEqualTo(2 * BATCH);
            busy.countDown();
            received.acquire(BATCH);
            // There is room again as soon as they were taken up.
            deliver(group.loop(0), BATCH);
            received.acquire(BATCH);
            assertThat(tallies[0].get(NetworkCounter.HOPS_DROPPED)).isEqualTo(2 * BATCH);
        }
    }
}
