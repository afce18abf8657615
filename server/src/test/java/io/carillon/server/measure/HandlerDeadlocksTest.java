package io.carillon.server.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.measure.ServerStatus.SlowHandler;
import io.carillon.servlet.threads.RunningHandler;
import java.lang.Thread.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handlers that wait for locks of each other are named; who only waits is not. */
class HandlerDeadlocksTest {
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);

    /** Who is in a deadlock by monitors stays for good: as a virtual thread it keeps no JVM. */
    @AfterEach
    void end() {
        end.countDown();
        threads.forEach(Thread::interrupt);
    }

    private interface Work {
        void run() throws Exception;
    }

    private RunningHandler runs(String call, Work work) {
        Thread thread =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                work.run();
                            } catch (Exception e) {
                                Thread.currentThread().interrupt();
                            }
                        });
        threads.add(thread);
        return new RunningHandler("shop", "Cart", "INVITE", call, 2_000_000_000L, false, thread);
    }

    private static void are(State state, RunningHandler... all) {
        for (RunningHandler one : all) {
            Awaitility.await().until(() -> one.thread().getState() == state);
        }
    }

    private static void both(Object first, CyclicBarrier met, Object second) throws Exception {
        synchronized (first) {
            met.await();
            synchronized (second) {
                throw new AssertionError("no deadlock");
            }
        }
    }

    private static void both(ReentrantLock first, CyclicBarrier met, ReentrantLock second)
            throws Exception {
        first.lockInterruptibly();
        met.await();
        second.lockInterruptibly();
    }

    @Test
    void twoHandlersWithMonitorsOfEachOtherAreNamed() {
        Object one = new Object();
        Object other = new Object();
        CyclicBarrier met = new CyclicBarrier(2);
        RunningHandler a = runs("a", () -> both(one, met, other));
        RunningHandler b = runs("b", () -> both(other, met, one));
        RunningHandler behind =
                runs(
                        "c",
                        () -> {
                            synchronized (one) {
                                end.await();
                            }
                        });
        are(State.BLOCKED, a, b, behind);
        List<SlowHandler> shown = new SlowHandlers().of(List.of(a, b, behind), 0);
        assertThat(shown)
                .extracting(SlowHandler::callId, SlowHandler::deadlock)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("a", "shop, Cart, INVITE of call b"),
                        org.assertj.core.groups.Tuple.tuple("b", "shop, Cart, INVITE of call a"),
                        org.assertj.core.groups.Tuple.tuple("c", ""));
        assertThat(shown.getFirst().at())
                .startsWith(
                        HandlerDeadlocksTest.class.getName() + ".both(HandlerDeadlocksTest.java:");
    }

    @Test
    void soAreThoseWithOtherLocks() {
        ReentrantLock one = new ReentrantLock();
        ReentrantLock other = new ReentrantLock();
        CyclicBarrier met = new CyclicBarrier(2);
        RunningHandler a = runs("a", () -> both(one, met, other));
        RunningHandler b = runs("b", () -> both(other, met, one));
        Awaitility.await().until(() -> one.hasQueuedThreads() && other.hasQueuedThreads());
        are(State.WAITING, a, b);
        assertThat(new HandlerDeadlocks().among(List.of(a, b), 0))
                .containsEntry(a.thread().threadId(), "shop, Cart, INVITE of call b")
                .containsEntry(b.thread().threadId(), "shop, Cart, INVITE of call a");
    }

    /** The usual way out of deadlocks: one of the two gives up in time. */
    @Test
    void whoWaitsForSomebodyThatGivesUpIsInNoDeadlock() {
        ReentrantLock one = new ReentrantLock();
        ReentrantLock other = new ReentrantLock();
        CyclicBarrier met = new CyclicBarrier(2);
        RunningHandler a = runs("a", () -> both(one, met, other));
        RunningHandler b =
                runs(
                        "b",
                        () -> {
                            other.lockInterruptibly();
                            met.await();
                            one.tryLock(1, TimeUnit.HOURS);
                        });
        Awaitility.await().until(() -> one.hasQueuedThreads() && other.hasQueuedThreads());
        are(State.WAITING, a);
        are(State.TIMED_WAITING, b);
        assertThat(new HandlerDeadlocks().among(List.of(a, b), 0)).isEmpty();
    }

    /** One waits in a monitor of its own, which it has let go of; one waits for who only works. */
    @Test
    void whoWaitsForWhatWillComeIsInNoDeadlock() throws InterruptedException {
        Object lock = new Object();
        CountDownLatch has = new CountDownLatch(1);
        RunningHandler owner =
                runs(
                        "a",
                        () -> {
                            synchronized (lock) {
                                has.countDown();
                                end.await();
                            }
                        });
        assertThat(has.await(10, TimeUnit.SECONDS)).isTrue();
        RunningHandler behind =
                runs(
                        "b",
                        () -> {
                            synchronized (lock) {
                                end.await();
                            }
                        });
        Object own = new Object();
        RunningHandler waits =
                runs(
                        "c",
                        () -> {
                            synchronized (own) {
                                own.wait();
                            }
                        });
        are(State.BLOCKED, behind);
        are(State.WAITING, owner, waits);
        assertThat(new HandlerDeadlocks().among(List.of(owner, behind, waits), 0)).isEmpty();
    }

    @Test
    void threadsAreLookedAtOnlyForThoseWhoAreBlockedAnew() {
        int[] dumps = new int[1];
        HandlerDeadlocks deadlocks =
                new HandlerDeadlocks(() -> {
                    dumps[0]++;
                    return ThreadLocks.NONE;
                });
        Object lock = new Object();
        CountDownLatch has = new CountDownLatch(1);
        RunningHandler owner =
                runs(
                        "a",
                        () -> {
                            synchronized (lock) {
                                has.countDown();
                                end.await();
                            }
                        });
        are(State.WAITING, owner);
        deadlocks.among(List.of(owner), 0);
        assertThat(dumps[0]).as("nobody is blocked").isZero();
        RunningHandler behind =
                runs(
                        "b",
                        () -> {
                            synchronized (lock) {
                                end.await();
                            }
                        });
        are(State.BLOCKED, behind);
        long second = 1_000_000_000L;
        for (int i = 1; i <= 10; i++) {
            deadlocks.among(List.of(owner, behind), i * second);
        }
        assertThat(dumps[0]).isOne();
        deadlocks.among(List.of(owner, behind), (HandlerDeadlocks.SAME_SECONDS + 2) * second);
        assertThat(dumps[0]).isEqualTo(2);
    }
}
