package io.carillon.servlet.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * The rescue, on real threads: virtual threads that compute hold all carriers, and others run all
 * the same.
 */
class VirtualApplicationThreadsTest {
    private record Work(String application, String servlet, String method, String callId)
            implements ApplicationThreads.Work {}

    @Test
    void busyLoopsOnAllCarriersDelayNobodyElse() throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        int carriers = Runtime.getRuntime().availableProcessors();
        CountDownLatch looping = new CountDownLatch(carriers);
        CountDownLatch others = new CountDownLatch(20);
        try (VirtualApplicationThreads threads = new VirtualApplicationThreads()) {
            for (int i = 0; i < carriers; i++) {
                Work work = new Work("greedy", "main", "INVITE", "c" + i);
                threads.execute(() -> {
                    threads.began(work);
                    looping.countDown();
                    while (!over.get()) {
                        Thread.onSpinWait();
                    }
                    threads.ended(work);
                });
            }
            assertThat(looping.await(10, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 20; i++) {
                threads.execute(others::countDown);
            }
            assertThat(others.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(threads.rescued()).isPositive();
            assertThat(threads.runningLongerThan(0))
                    .anyMatch(h -> h.application().equals("greedy") && h.holdsThread());
            over.set(true);
        }
    }

    /** A handler that a platform thread begins shares the processors with those that hold them. */
    @Test
    void whileHandlersHoldAllCarriersWorkIsSaidToWait() throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        int carriers = Runtime.getRuntime().availableProcessors();
        CountDownLatch looping = new CountDownLatch(carriers);
        CountDownLatch other = new CountDownLatch(1);
        try (VirtualApplicationThreads threads = new VirtualApplicationThreads()) {
            assertThat(threads.delayNanos()).isZero();
            Runnable loop =
                    new Runnable() {
                        @Override
                        public void run() {
                            if (!Thread.currentThread().isVirtual()) {
                                threads.execute(this); // rescued: it would hold no carrier
                                return;
                            }
                            looping.countDown();
                            while (!over.get()) {
                                Thread.onSpinWait();
                            }
                        }
                    };
            for (int i = 0; i < carriers; i++) {
                threads.execute(loop);
            }
            assertThat(looping.await(10, TimeUnit.SECONDS)).isTrue();
            threads.execute(other::countDown);
            assertThat(other.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(threads.delayNanos()).as("of a probe that does not run").isPositive();
        } finally {
            over.set(true);
        }
    }

    /** As where a machine stands still for a moment while handlers sleep. */
    @Test
    void handlersThatSleepOnPlatformThreadsKeepNobodyWaiting() throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        int carriers = Runtime.getRuntime().availableProcessors();
        CountDownLatch looping = new CountDownLatch(carriers);
        CountDownLatch awake = new CountDownLatch(1);
        CountDownLatch honest = new CountDownLatch(20);
        CountDownLatch asleep = new CountDownLatch(400);
        try (VirtualApplicationThreads threads = new VirtualApplicationThreads()) {
            for (int i = 0; i < carriers; i++) {
                threads.execute(() -> {
                    looping.countDown();
                    while (!over.get()) {
                        Thread.onSpinWait();
                    }
                });
            }
            assertThat(looping.await(10, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 400; i++) {
                int oneOfEight = 1 + i % 8;
                threads.execute(
                        () -> {
                            asleep.countDown();
                            try {
                                awake.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        },
                        oneOfEight);
            }
            for (int i = 0; i < 20; i++) {
                threads.execute(honest::countDown, 9);
            }
            assertThat(honest.await(10, TimeUnit.SECONDS)).as("beside sleepers").isTrue();
            over.set(true);
            assertThat(asleep.await(10, TimeUnit.SECONDS))
                    .as("virtual threads run again, so all of them begin")
                    .isTrue();
            awake.countDown();
        } finally {
            over.set(true);
            awake.countDown();
        }
    }

    @Test
    void aListenerThatWasCalledByAHandlerDoesNotHideTheHandler() {
        try (VirtualApplicationThreads threads = new VirtualApplicationThreads()) {
            Work handler = new Work("test", "main", "INVITE", "c1");
            Work listener = new Work("test", "listener", "attributeAdded", "");
            threads.began(handler);
            threads.began(listener);
            assertThat(threads.runningLongerThan(0))
                    .singleElement()
                    .extracting(RunningHandler::servlet)
                    .isEqualTo("main");
            threads.ended(listener);
            assertThat(threads.runningLongerThan(0))
                    .singleElement()
                    .extracting(RunningHandler::servlet)
                    .isEqualTo("main");
            threads.ended(handler);
            assertThat(threads.runningLongerThan(0)).isEmpty();
        }
    }

    @Test
    void oneSourceLeavesThreadsToGoOnToOthersAndAllIsDoneAfterTheEnd() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch other = new CountDownLatch(1);
        CountDownLatch all = new CountDownLatch(400);
        try (VirtualApplicationThreads threads = new VirtualApplicationThreads()) {
            for (int i = 0; i < 400; i++) {
                threads.goOn(
                        () -> {
                            try {
                                over.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            all.countDown();
                        },
                        1);
            }
            threads.goOn(other::countDown, 2);
            assertThat(other.await(10, TimeUnit.SECONDS)).isTrue();
        }
        over.countDown();
        assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
