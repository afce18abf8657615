package io.carillon.net.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.LoopCounts;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop that ends does its last tasks when it has no iterations any more. */
@Timeout(60)
class ShardLoopEndTest {
    /** Tells what its tasks threw; Netty logs that with a stack trace. */
    private static final class Loop extends SingleThreadEventLoop {
        final List<RuntimeException> thrown = new CopyOnWriteArrayList<>();
        final AtomicBoolean atItsEnd = new AtomicBoolean();

        Loop() {
            super(null, new DefaultThreadFactory("loop", true), true);
        }

        @Override
        protected void run() {
            do {
                Runnable task = takeTask();
                if (task != null) {
                    try {
                        task.run();
                    } catch (RuntimeException e) {
                        thrown.add(e);
                    }
                }
            } while (!confirmShutdown());
        }

        @Override
        public boolean isShutdown() {
            return atItsEnd.get() || super.isShutdown();
        }
    }

    @Test
    void aTaskThatIsLateIsDroppedAndNothingThrown() throws InterruptedException {
        Loop loop = new Loop();
        ShardLoop shard = new ShardLoop(0, loop, null, new LoopCounts(), System.nanoTime());
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        AtomicBoolean ran = new AtomicBoolean();
        loop.execute(() -> {
            try {
                held.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            loop.atItsEnd.set(true);
        });
        shard.execute(() -> ran.set(true));
        loop.execute(done::countDown);
        held.countDown();
        assertThat(done.await(50, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.thrown).isEmpty();
        assertThat(ran).isFalse();
        loop.atItsEnd.set(false);
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
}
