package io.carillon.net.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@link LoopCarrier} relies on of the JDK's virtual threads. */
@Timeout(60)
@SuppressWarnings("ThreadPriorityCheck") // yielding is what is tested
class CarriedThreadsTest {
    private final LinkedBlockingQueue<Runnable> given = new LinkedBlockingQueue<>();

    @BeforeEach
    void available() {
        assertThat(CarriedThreads.available()).as(CarriedThreads.whyNot()).isTrue();
    }

    private void runNext() throws InterruptedException {
        Runnable next = given.poll(30, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        next.run();
    }

    @Test
    void nothingRunsButWhatItsSchedulerIsGiven() throws Exception {
        Thread[] seen = new Thread[1];
        Thread thread =
                CarriedThreads.unstarted(
                        given::add, "carried", () -> seen[0] = Thread.currentThread());
        thread.start();
        assertThat(seen[0]).isNull();
        runNext();
        assertThat(seen[0]).isSameAs(thread);
        assertThat(thread.isVirtual()).isTrue();
        assertThat(thread.isAlive()).isFalse();
        assertThat(given).isEmpty();
    }

    @Test
    void aThreadThatWaitsLeavesItsCarrierAndIsGivenAgain() throws Exception {
        StringBuilder told = new StringBuilder();
        Thread thread =
                CarriedThreads.unstarted(
                        given::add,
                        null,
                        () -> {
                            told.append("a");
                            LockSupport.park();
                            told.append("b");
                        });
        thread.start();
        runNext();
        assertThat(told).hasToString("a");
        assertThat(given).isEmpty();
        LockSupport.unpark(thread);
        runNext();
        assertThat(told).hasToString("ab");
        assertThat(thread.isAlive()).isFalse();
    }

    /** Since JDK 24 (JEP 491) a monitor holds no carrier. */
    @Test
    void aThreadThatWaitsForAMonitorLeavesItsCarrier() throws Exception {
        Object monitor = new Object();
        StringBuilder told = new StringBuilder();
        Thread thread =
                CarriedThreads.unstarted(
                        given::add,
                        null,
                        () -> {
                            synchronized (monitor) {
                                told.append("in");
                            }
                        });
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch enough = new CountDownLatch(1);
        Thread holder =
                Thread.ofPlatform()
                        .start(() -> {
                            synchronized (monitor) {
                                held.countDown();
                                try {
                                    enough.await();
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                            }
                        });
        held.await();
        thread.start();
        runNext();
        assertThat(told).isEmpty();
        enough.countDown();
        holder.join();
        while (told.isEmpty()) {
            runNext(); // more than once where it looked too early
        }
        assertThat(told).hasToString("in");
    }

    @Test
    void aThreadThatYieldsIsGivenAgainBeforeItsCarrierGoesOn() throws Exception {
        StringBuilder told = new StringBuilder();
        Thread thread =
                CarriedThreads.unstarted(
                        given::add,
                        null,
                        () -> {
                            told.append("a");
                            Thread.yield();
                            told.append("b");
                        });
        thread.start();
        runNext();
        assertThat(told).hasToString("a");
        assertThat(given).hasSize(1);
        runNext();
        assertThat(told).hasToString("ab");
    }

    /** Else what a handler starts would have to run on the thread of the loop. */
    @Test
    void aThreadThatItStartsComesToTheSameSchedulerAndIsToldFromIt() throws Exception {
        StringBuilder told = new StringBuilder();
        CountDownLatch ran = new CountDownLatch(1);
        Thread thread =
                CarriedThreads.unstarted(
                        given::add,
                        null,
                        () -> {
                            Thread.startVirtualThread(ran::countDown);
                            Thread.yield();
                            told.append("b");
                        });
        thread.start();
        Runnable first = given.take();
        first.run();
        Runnable child = given.take();
        assertThat(child).isNotSameAs(first);
        assertThat(given.take()).isSameAs(first);
        CarriedThreads.others().execute(child);
        ran.await();
        first.run();
        assertThat(told).hasToString("b");
        assertThat(given).isEmpty();
    }
}
