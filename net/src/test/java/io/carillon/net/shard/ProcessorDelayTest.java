package io.carillon.net.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.LoopCounts;
import io.carillon.sip.event.CarriedWork;
import io.carillon.sip.overload.QueueingDelay;
import io.carillon.sip.overload.ToldDelay;
import io.carillon.sip.overload.Waiting;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a shard is told while handlers compute on more threads than there are processors. */
@Timeout(120)
@SuppressWarnings("ThreadPriorityCheck") // yielding until the other threads have come so far
class ProcessorDelayTest {
    private final ShardGroup group =
            new ShardGroup(1, false, new LoopCounts[] {new LoopCounts()}, System.nanoTime());
    private final ShardLoop loop = group.loop(0);
    private final QueueingDelay told = new QueueingDelay();
    private final AtomicBoolean end = new AtomicBoolean();

    @AfterEach
    void close() {
        end.set(true);
        group.close();
    }

    private record Handler(Runnable body) implements CarriedWork {
        @Override
        public Object owner() {
            return "one application";
        }

        @Override
        public void run() {
            body.run();
        }

        @Override
        public boolean stays(long waitedNanos) {
            return true;
        }

        @Override
        public void heldTheShard(long nanos) {}
    }

    private void handle(Runnable body) {
        assertThat(loop.carry(new Handler(body))).isTrue();
    }

    @Test
    void aHandlerThatBeginsWhileOthersComputeOnAllProcessorsWaits() throws InterruptedException {
        loop.delay().tell(told);
        int many = Runtime.getRuntime().availableProcessors() + 1;
        CountDownLatch begun = new CountDownLatch(many);
        for (int i = 0; i < many; i++) {
            handle(() -> {
                begun.countDown();
                while (!end.get()) {
                    Thread.onSpinWait();
                }
            });
        }
        begun.await();
        long waits = 0;
        while (waits == 0) {
            CountDownLatch another = new CountDownLatch(1);
            handle(another::countDown);
            another.await();
            waits = ToldDelay.take(told, Waiting.PROCESSOR);
        }
        assertThat(waits).isPositive();
    }

    @Test
    void noneIsToldOfWhereHandlersEndSoon() throws InterruptedException {
        loop.delay().tell(told);
        for (int i = 0; i < 100; i++) {
            CountDownLatch one = new CountDownLatch(1);
            handle(one::countDown);
            one.await();
        }
        assertThat(ToldDelay.take(told, Waiting.PROCESSOR)).isZero();
    }
}
