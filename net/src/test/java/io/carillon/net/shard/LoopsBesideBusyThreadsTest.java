package io.carillon.net.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.LoopCounts;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops do not need the JDK's pool of virtual threads, which applications may take for long. */
@Timeout(60)
class LoopsBesideBusyThreadsTest {
    /** A loop with the JDK's selector too: where it sleeps a platform thread polls for it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLoopThatSleepsWakesUpWhileAllVirtualThreadsCompute(boolean nativeTransport)
            throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        try (ShardGroup group =
                new ShardGroup(
                        1,
                        nativeTransport,
                        new LoopCounts[] {new LoopCounts()},
                        System.nanoTime())) {
            CountDownLatch started = new CountDownLatch(1);
            group.loop(0).execute(started::countDown);
            started.await();
            CountDownLatch computing =
                    new CountDownLatch(Runtime.getRuntime().availableProcessors());
            for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
                Thread.startVirtualThread(() -> {
                    computing.countDown();
                    while (!enough.get()) {
                        Thread.onSpinWait();
                    }
                });
            }
            computing.await();
            for (int i = 0; i < 10; i++) {
                CountDownLatch ran = new CountDownLatch(1);
                group.loop(0).execute(ran::countDown);
                assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            enough.set(true);
        }
    }
}
