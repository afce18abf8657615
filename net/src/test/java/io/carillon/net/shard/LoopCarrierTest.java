package io.carillon.net.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.sip.event.CarriedWork;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers beside a loop, on the thread that carries it. */
@Timeout(120)
@SuppressWarnings("ThreadPriorityCheck") // yielding is what is tested
class LoopCarrierTest {
    private final LoopCounts tally = new LoopCounts();
    private final ShardGroup group =
            new ShardGroup(1, false, new LoopCounts[] {tally}, System.nanoTime());
    private final ShardLoop loop = group.loop(0);
    private final CountDownLatch done = new CountDownLatch(1);

    /** Work that stays, and does not care how long it takes. */
    private static class Work implements CarriedWork {
        private final Object owner;
        private final Runnable body;

        Work(Runnable body) {
            this("one application", body);
        }

        Work(Object owner, Runnable body) {
            this.owner = owner;
            this.body = body;
        }

        @Override
        public Object owner() {
            return owner;
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

    @AfterEach
    void close() {
        group.close();
    }

    private void carry(Runnable body) {
        assertThat(loop.carry(new Work(body))).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void compute(AtomicBoolean until) {
        while (!until.get()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aHandlerRunsOnTheThreadOfItsLoopAndIsAnotherForTheShard() {
        List<String> seen = new ArrayList<>();
        carry(() -> {
            seen.add(Thread.currentThread().toString());
            seen.add(loop.inShard() + " " + Thread.currentThread().isVirtual());
            done.countDown();
        });
        await(done);
        assertThat(seen.get(0)).contains("carillon-shard-1");
        assertThat(seen.get(1)).isEqualTo("false true");
    }

    @Test
    void aHandlerThatTheLoopBringsRunsWhenTheLoopHasDoneItsTask() {
        List<String> seen = new ArrayList<>();
        loop.execute(() -> {
            carry(() -> {
                seen.add("handler");
                done.countDown();
            });
            seen.add("task");
        });
        await(done);
        assertThat(seen).containsExactly("task", "handler");
    }

    /** Runs it beside the loop and waits until it has ended. */
    private void carried(Object owner, Runnable body) {
        CountDownLatch ran = new CountDownLatch(1);
        assertThat(
                        loop.carry(
                                new Work(
                                        owner,
                                        () -> {
                                            try {
                                                body.run();
                                            } finally {
                                                ran.countDown();
                                            }
                                        })))
                .isTrue();
        await(ran);
    }

    @Test
    void handlersThatDoNotWaitRunOnOneThreadEachApplicationOnItsOwn() {
        Set<Thread> first = new HashSet<>();
        Set<Thread> second = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            carried("first", () -> first.add(Thread.currentThread()));
            carried("second", () -> second.add(Thread.currentThread()));
        }
        assertThat(first).hasSize(1);
        assertThat(second).hasSize(1).doesNotContainAnyElementsOf(first);
    }

    @Test
    void aHandlerThatWaitsKeepsItsThreadAndTheNextOneHasAnother() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        List<Thread> seen = new CopyOnWriteArrayList<>();
        carry(() -> {
            seen.add(Thread.currentThread());
            begun.countDown();
            await(goOn);
            seen.add(Thread.currentThread());
            done.countDown();
        });
        await(begun);
        carried("one application", () -> seen.add(Thread.currentThread()));
        goOn.countDown();
        await(done);
        assertThat(seen.get(2)).isSameAs(seen.get(0)).isNotSameAs(seen.get(1));
    }

    @Test
    void anInterruptIsForTheHandlerThatRuns() {
        List<Thread> known = new CopyOnWriteArrayList<>();
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        carried(
                "one application",
                () -> {
                    known.add(Thread.currentThread());
                    Thread.currentThread().interrupt();
                });
        known.get(0).interrupt();
        carried(
                "one application",
                () -> {
                    known.add(Thread.currentThread());
                    interrupted.add(Thread.currentThread().isInterrupted());
                });
        assertThat(known.get(1)).isSameAs(known.get(0));
        assertThat(interrupted).containsExactly(false);
    }

    @Test
    void aHandlerThatThrowsIsNotTheEndOfItsThread() {
        carried(
                "one application",
                () -> {
                    throw new IllegalStateException("of a test");
                });
        carried("one application", done::countDown);
        await(done);
    }

    @Test
    void moreApplicationsThanThreadsAreKeptForAllRun() {
        List<Integer> seen = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 40; i++) {
            int application = i % 10;
            carried("application " + application, () -> seen.add(application));
        }
        assertThat(seen).hasSize(40);
    }

    /** What has waited for another handler is asked with the time that it waited. */
    @Test
    void whatWaitsIsToldForHowLong() {
        List<Long> waited = new CopyOnWriteArrayList<>();
        loop.execute(() -> {
            carry(() -> {
                long until = System.nanoTime() + 3_000_000;
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
            });
            assertThat(
                            loop.carry(
                                    new Work(done::countDown) {
                                        @Override
                                        public boolean stays(long waitedNanos) {
                                            waited.add(waitedNanos);
                                            return true;
                                        }
                                    }))
                    .isTrue();
        });
        await(done);
        assertThat(waited.get(0)).isGreaterThanOrEqualTo(3_000_000);
    }

    @Test
    void aHandlerThatWaitsLetsTheLoopGoOn() {
        CountDownLatch fromLoop = new CountDownLatch(1);
        carry(() -> {
            await(fromLoop);
            done.countDown();
        });
        loop.execute(fromLoop::countDown);
        await(done);
    }

    @Test
    void aHandlerThatWaitsForALockOfAnotherLetsThatOneGoOn() {
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch second = new CountDownLatch(1);
        carry(() -> {
            lock.lock();
            try {
                carry(() -> {
                    lock.lock();
                    lock.unlock();
                    done.countDown();
                });
                carry(second::countDown);
                await(second);
            } finally {
                lock.unlock();
            }
        });
        await(done);
    }

    @Test
    void aHandlerThatComputesIsLeftBehindAndTheLoopGoesOn() {
        AtomicBoolean enough = new AtomicBoolean();
        CountDownLatch told = new CountDownLatch(1);
        assertThat(
                        loop.carry(
                                new Work(
                                        () -> {
                                            compute(enough);
                                            done.countDown();
                                        }) {
                                    @Override
                                    public void heldTheShard(long nanos) {
                                        assertThat(nanos).isGreaterThan(LoopCarrier.LONGEST_NANOS);
                                        told.countDown();
                                    }
                                }))
                .isTrue();
        await(told);
        loop.execute(() -> enough.set(true)); // by the loop, on another thread
        await(done);
        CountDownLatch after = new CountDownLatch(1);
        List<Long> taken = new ArrayList<>();
        loop.execute(() -> {
            taken.add(tally.get(NetworkCounter.LOOPS_TAKEN_OVER));
            after.countDown();
        });
        await(after);
        assertThat(taken).containsExactly(1L);
    }

    @Test
    void manyThatComputeAtOnceHoldUpNobodyForEver() {
        AtomicBoolean enough = new AtomicBoolean();
        CountDownLatch computing = new CountDownLatch(6);
        CountDownLatch ended = new CountDownLatch(6);
        for (int i = 0; i < 6; i++) {
            carry(() -> {
                computing.countDown();
                compute(enough);
                ended.countDown();
            });
        }
        await(computing);
        carry(done::countDown);
        await(done);
        loop.execute(() -> enough.set(true));
        await(ended);
    }

    /** A virtual thread has the scheduler of the one that starts it, if that is one too. */
    @Test
    void aThreadThatAHandlerStartsRunsAndMayOutliveIt() {
        CountDownLatch handlerEnded = new CountDownLatch(1);
        CountDownLatch childBegan = new CountDownLatch(1);
        carry(() -> {
            Thread.startVirtualThread(() -> {
                childBegan.countDown();
                Thread.yield();
                await(handlerEnded);
                Thread.startVirtualThread(done::countDown);
            });
            await(childBegan);
        });
        await(childBegan);
        carry(handlerEnded::countDown);
        await(done);
    }

    @Test
    void aThreadThatTheLoopStartsRunsAndTheLoopGoesOn() {
        CountDownLatch children = new CountDownLatch(100);
        CountDownLatch tasks = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            CountDownLatch goOn = new CountDownLatch(1);
            loop.execute(() ->
                    Thread.startVirtualThread(() -> {
                        Thread.yield();
                        await(goOn);
                        children.countDown();
                    }));
            carry(Thread::yield);
            loop.execute(() -> {
                goOn.countDown();
                tasks.countDown();
            });
        }
        await(tasks);
        await(children);
        loop.execute(done::countDown);
        await(done);
    }

    /** Else all that wait would be tried before the sockets, each for some milliseconds. */
    @Test
    void theLoopThatGotAnotherThreadGoesBeforeTheNextHandler() {
        int handlers = 8;
        AtomicBoolean enough = new AtomicBoolean();
        AtomicInteger began = new AtomicInteger();
        AtomicInteger beganBefore = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(handlers);
        loop.execute(() -> {
            for (int i = 0; i < handlers; i++) {
                carry(() -> {
                    if (began.incrementAndGet() == 1) {
                        loop.execute(() -> {
                            beganBefore.set(began.get());
                            enough.set(true);
                        });
                    }
                    compute(enough);
                    ended.countDown();
                });
            }
        });
        await(ended);
        assertThat(beganBefore).hasValue(1);
    }

    /** Work that computes until that is set, and does this when it is told of it. */
    private void carryComputing(AtomicBoolean until, CountDownLatch ended, Runnable whenTold) {
        assertThat(
                        loop.carry(
                                new Work(
                                        () -> {
                                            compute(until);
                                            ended.countDown();
                                        }) {
                                    @Override
                                    public void heldTheShard(long nanos) {
                                        whenTold.run();
                                    }
                                }))
                .isTrue();
    }

    @Test
    void whatIsToldMayFail() {
        AtomicBoolean enough = new AtomicBoolean();
        CountDownLatch ended = new CountDownLatch(2);
        CountDownLatch told = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            carryComputing(
                    enough,
                    ended,
                    () -> {
                        told.countDown();
                        throw new IllegalStateException("as a test wants it");
                    });
        }
        await(told);
        carry(done::countDown);
        loop.execute(() -> enough.set(true));
        await(done);
        await(ended);
    }

    /** For a lock of the log, which another handler has that waits for this loop. */
    @Test
    void whoIsToldMayWaitForAnotherHandler() {
        AtomicBoolean enough = new AtomicBoolean();
        AtomicBoolean second = new AtomicBoolean();
        CountDownLatch ended = new CountDownLatch(2);
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch ofTheNext = new CountDownLatch(1);
        carryComputing(
                enough,
                ended,
                () -> {
                    told.countDown();
                    await(ofTheNext);
                });
        await(told);
        carryComputing(second, ended, () -> {});
        carry(ofTheNext::countDown);
        loop.execute(() -> {
            enough.set(true);
            second.set(true);
        });
        await(ended);
        await(ofTheNext);
    }

    @Test
    void whatMayNotStayIsDroppedAndTheNextRuns() {
        AtomicBoolean ran = new AtomicBoolean();
        assertThat(
                        loop.carry(
                                new Work(() -> ran.set(true)) {
                                    @Override
                                    public Object owner() {
                                        return this;
                                    }

                                    @Override
                                    public boolean stays(long waitedNanos) {
                                        return false;
                                    }
                                }))
                .isTrue();
        carry(done::countDown);
        await(done);
        assertThat(ran).isFalse();
    }

    @Test
    void whatMayNotGoOnThereGoesOnWhereItsWorkHasIt() throws InterruptedException {
        LinkedBlockingQueue<Runnable> elsewhere = new LinkedBlockingQueue<>();
        List<String> seen = new ArrayList<>();
        assertThat(
                        loop.carry(
                                new Work(
                                        () -> {
                                            Thread.yield();
                                            seen.add(Thread.currentThread().toString());
                                            done.countDown();
                                        }) {
                                    @Override
                                    public boolean goesOn(Runnable rest, long waitedNanos) {
                                        elsewhere.add(rest);
                                        return false;
                                    }
                                }))
                .isTrue();
        Runnable rest = elsewhere.take();
        assertThat(seen).isEmpty();
        Thread other = Thread.ofPlatform().name("elsewhere").start(rest);
        await(done);
        other.join();
        assertThat(seen.getFirst()).contains("elsewhere");
    }

    @Test
    void handlersWithoutEndLeaveTheLoopItsTurn() {
        AtomicBoolean stop = new AtomicBoolean();
        Runnable[] again = new Runnable[1];
        again[0] =
                () -> {
                    if (!stop.get()) {
                        carry(again[0]);
                    } else {
                        done.countDown();
                    }
                };
        carry(again[0]);
        loop.execute(() -> stop.set(true));
        await(done);
    }

    @Test
    void whatAHandlerThrowsEndsItAlone() {
        carry(() -> {
            throw new IllegalStateException("a handler's own");
        });
        carry(done::countDown);
        await(done);
    }

    @Test
    void aHandlerThatWaitsWhileTheLoopsEndComesToItsEnd() {
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch waits = new CountDownLatch(1);
        carry(() -> {
            waits.countDown();
            await(closed);
            done.countDown();
        });
        await(waits);
        group.close();
        closed.countDown();
        await(done);
        assertThat(loop.carry(new Work(() -> {}))).isFalse();
    }

    /**
     * As with loops that are platform threads: an application whose main method returns goes on.
     */
    @Test
    void theProcessStaysAsLongAsTheLoopsAreOpen() throws InterruptedException {
        List<Thread> stay =
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> !thread.isDaemon())
                        .filter(thread -> thread.getName().startsWith("carillon-shard"))
                        .toList();
        assertThat(stay).isNotEmpty();
        group.close();
        for (Thread thread : stay) {
            thread.join();
        }
    }

    /**
     * Tasks of a shard never overlap, whatever the handlers do beside them: wait, yield, hold
     * locks, compute until another thread has taken the loop over.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void noTwoThreadsAreEverInsideOneShard(long seed) {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        int[] plain = new int[1]; // of the shard: no two threads write it
        int handlers = 400;
        CountDownLatch ended = new CountDownLatch(handlers);
        CountDownLatch tasks = new CountDownLatch(2 * handlers);
        Object monitor = new Object();
        Runnable task =
                () -> {
                    if (inside.incrementAndGet() != 1 || !loop.inShard()) {
                        overlaps.incrementAndGet();
                    }
                    plain[0]++;
                    inside.decrementAndGet();
                    tasks.countDown();
                };
        Random random = new Random(seed);
        for (int i = 0; i < handlers; i++) {
            int kind = random.nextInt(100);
            carry(() -> {
                loop.execute(task);
                if (kind < 3) {
                    // Longer than a handler may: a task of the loop ends it.
                    AtomicBoolean until = new AtomicBoolean();
                    loop.execute(() -> until.set(true));
                    compute(until);
                } else if (kind < 30) {
                    Thread.yield();
                } else if (kind < 50) {
                    synchronized (monitor) {
                        Thread.yield();
                    }
                } else if (kind < 70) {
                    CountDownLatch answered = new CountDownLatch(1);
                    loop.execute(answered::countDown);
                    await(answered);
                }
                loop.execute(task);
                ended.countDown();
            });
        }
        await(ended);
        await(tasks);
        CountDownLatch read = new CountDownLatch(1);
        int[] counted = new int[1];
        loop.execute(() -> {
            counted[0] = plain[0];
            read.countDown();
        });
        await(read);
        assertThat(overlaps).hasValue(0);
        assertThat(counted[0]).isEqualTo(2 * handlers);
    }

    /**
     * Whatever handlers do in whatever order, and wherever they go on: each comes to its end, with
     * the threads that it has started.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void everyHandlerComesToItsEndWithTheThreadsThatItStarts(long seed) {
        Random random = new Random(seed);
        int handlers = 300;
        CountDownLatch ended = new CountDownLatch(handlers);
        Object monitor = new Object();
        ReentrantLock lock = new ReentrantLock();
        try (ExecutorService platform = Executors.newCachedThreadPool()) {
            for (int i = 0; i < handlers; i++) {
                int[] steps = random.ints(6, 0, 8).toArray();
                Random places = new Random(random.nextLong()); // of whoever carries, one at a time
                Runnable body =
                        () -> {
                            for (int step : steps) {
                                take(step, monitor, lock);
                            }
                            ended.countDown();
                        };
                assertThat(
                                loop.carry(
                                        new Work(body) {
                                            @Override
                                            public Object owner() {
                                                return this;
                                            }

                                            @Override
                                            public boolean stays(long waitedNanos) {
                                                if (places.nextInt(10) > 0) {
                                                    return true;
                                                }
                                                platform.execute(this);
                                                return false;
                                            }

                                            @Override
                                            public boolean goesOn(Runnable rest, long waitedNanos) {
                                                if (places.nextInt(4) > 0) {
                                                    return true;
                                                }
                                                platform.execute(rest);
                                                return false;
                                            }
                                        }))
                        .isTrue();
            }
            await(ended);
        }
    }

    private void take(int step, Object monitor, ReentrantLock lock) {
        CountDownLatch answered = new CountDownLatch(1);
        switch (step) {
            case 0 -> Thread.yield();
            case 1 -> {
                loop.execute(answered::countDown);
                await(answered);
            }
            case 2 -> {
                synchronized (monitor) {
                    loop.execute(answered::countDown);
                    await(answered);
                }
            }
            case 3 -> {
                lock.lock();
                try {
                    Thread.yield();
                } finally {
                    lock.unlock();
                }
            }
            case 4 -> {
                Thread child = Thread.startVirtualThread(Thread::yield);
                try {
                    child.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            case 5 -> {
                loop.execute(() -> Thread.startVirtualThread(answered::countDown));
                await(answered);
            }
            case 6 -> {
                carry(answered::countDown);
                await(answered);
            }
            default -> {
                AtomicBoolean until = new AtomicBoolean();
                loop.execute(() -> until.set(true));
                if (Thread.currentThread().isVirtual()) {
                    compute(until);
                }
            }
        }
    }
}
