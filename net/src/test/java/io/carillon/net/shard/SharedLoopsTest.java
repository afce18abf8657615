package io.carillon.net.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.sip.event.CarriedWork;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loops that share a thread, with real threads and sockets; they are moved by the test. */
@Timeout(120)
@SuppressWarnings("ThreadPriorityCheck") // yielding is what is tested
class SharedLoopsTest {
    private static final int LOOPS = 3;

    /** So late they look by themselves: never within a test. */
    private static final long NEVER_NANOS = 3_600_000_000_000L;

    private final LoopCounts[] tallies = {new LoopCounts(), new LoopCounts(), new LoopCounts()};
    private final ShardGroup group =
            new ShardGroup(LOOPS, true, true, tallies, System.nanoTime() + NEVER_NANOS);
    private final AtomicBoolean enough = new AtomicBoolean();

    @BeforeEach
    void available() {
        Assumptions.assumeTrue(group.epoll(), "no epoll here");
        assertThat(SharedIo.available()).as("the epoll of this Netty").isTrue();
        assertThat(CarriedThreads.available()).as(CarriedThreads.whyNot()).isTrue();
        for (int i = 0; i < LOOPS; i++) {
            onLoop(i, () -> true);
        }
    }

    @AfterEach
    void close() {
        enough.set(true);
        group.close();
        assertThat(group.ended()).isTrue();
    }

    /** A handler that stays beside its loop. */
    private record Work(Runnable body) implements CarriedWork {
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

    private <T> T onLoop(int index, Callable<T> task) {
        AtomicReference<T> result = new AtomicReference<>();
        CountDownLatch ran = new CountDownLatch(1);
        group.loop(index)
                .execute(() -> {
                    try {
                        result.set(task.call());
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    } finally {
                        ran.countDown();
                    }
                });
        await(ran);
        return result.get();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void goTo(int loop, int carrier) {
        group.carried().get(loop).goTo(group.carried().get(carrier).ownCarrier());
    }

    /** All on the thread of the first one. */
    private void share() {
        for (int i = 1; i < LOOPS; i++) {
            goTo(i, 0);
        }
        settle();
    }

    /** Each loop is where it is wanted. */
    private void settle() {
        for (int i = 0; i < LOOPS; i++) {
            while (!group.carried().get(i).settled()) {
                onLoop(i, () -> true);
            }
        }
    }

    /** The platform thread that carries who asks. */
    private static String carrier() {
        String thread = Thread.currentThread().toString();
        return thread.substring(thread.indexOf('@') + 1);
    }

    private Set<String> carriers() {
        settle();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < LOOPS; i++) {
            seen.add(onLoop(i, SharedLoopsTest::carrier));
        }
        return seen;
    }

    /**
     * A spare one may take over meanwhile, from a loop that loads classes: then it is looked again.
     */
    private void onOneThread() {
        settle();
        assertThat(group.carried()).allMatch(CarriedLoop::shares);
        while (carriers().size() > 1) {
            Thread.onSpinWait();
        }
    }

    @Test
    void eachLoopHasAThreadUntilTheyShareAndAfterwards() {
        assertThat(carriers()).hasSize(LOOPS);
        share();
        onOneThread();
        for (int i = 1; i < LOOPS; i++) {
            goTo(i, i);
        }
        assertThat(carriers()).hasSize(LOOPS);
        assertThat(onLoop(1, () -> tallies[1].get(NetworkCounter.LOOPS_MOVED))).isEqualTo(2);
    }

    /** In the time of who looks: the loops sleep until then, or work. */
    @Test
    void theyShareAfterFiveQuietSecondsAndPartWhenTheirThreadIsBusy() {
        long[] now = {System.nanoTime()};
        LoopSharing sharing = new LoopSharing(LOOPS, now[0]);
        sharing.of(group.carried());
        long began = now[0];
        // One that is just awake when it is looked at has worked since the last look.
        while (!group.carried().stream().allMatch(CarriedLoop::shares)) {
            now[0] += LoopSharing.LOOK_NANOS;
            sharing.look(now[0]);
        }
        assertThat(now[0] - began).isGreaterThan(ThreadCount.CALM_NANOS);
        onOneThread();
        onLoop(
                0,
                () -> {
                    for (int i = 0; i < LOOPS; i++) {
                        now[0] += LoopSharing.LOOK_NANOS;
                        sharing.look(now[0]);
                    }
                    return true;
                });
        assertThat(carriers()).hasSize(LOOPS);
    }

    @Test
    void aLoopIsTheSameThreadWhereverItRuns() {
        Thread before = onLoop(1, Thread::currentThread);
        share();
        assertThat(onLoop(1, Thread::currentThread)).isSameAs(before);
        assertThat(onLoop(1, () -> group.loop(1).inShard())).isTrue();
        assertThat(onLoop(1, () -> group.loop(0).inShard())).isFalse();
    }

    /** The host waits in the kernel by itself, and nothing else wakes it. */
    @Test
    void aLoopThatComesWakesTheOneWhoseThreadItIs() {
        long took = 0;
        for (int to : new int[] {0, 1, 0}) { // the first time classes are loaded
            long asked = System.nanoTime();
            goTo(1, to);
            settle();
            assertThat(onLoop(1, () -> true)).isTrue();
            assertThat(group.carried().get(0).shares()).isEqualTo(to == 0);
            took = System.nanoTime() - asked;
        }
        assertThat(took).isLessThan(500_000_000);
    }

    /** A look each second would find it too. */
    @Test
    void aTaskWakesALoopThatSharesAtOnce() {
        share();
        onOneThread();
        for (int i = 0; i < 4; i++) {
            long asked = System.nanoTime();
            int loop = i % LOOPS;
            long ran = onLoop(loop, System::nanoTime);
            assertThat(ran - asked).isLessThan(500_000_000);
            quiet(50);
        }
    }

    /** All loops sleep for so long. */
    private static void quiet(long millis) {
        long until = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
    }

    @Test
    void whatIsReadOnALoopWakesItWhereItShares() throws Exception {
        share();
        CountDownLatch came = new CountDownLatch(1);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Channel reader = datagrams(1, came).bind(any).sync().channel();
        Channel writer = datagrams(2, new CountDownLatch(1)).bind(any).sync().channel();
        onOneThread();
        long sent = System.nanoTime();
        writer.writeAndFlush(
                        new DatagramPacket(
                                Unpooled.wrappedBuffer(new byte[] {1}),
                                (InetSocketAddress) reader.localAddress()))
                .sync();
        await(came);
        assertThat(System.nanoTime() - sent).isLessThan(500_000_000);
        assertThat(group.carried().get(1).shares()).isTrue();
    }

    private Bootstrap datagrams(int loop, CountDownLatch came) {
        return new Bootstrap()
                .group(group.loop(loop).eventLoop())
                .channel(EpollDatagramChannel.class)
                .handler(
                        new SimpleChannelInboundHandler<Object>() {
                            @Override
                            protected void channelRead0(ChannelHandlerContext context, Object got) {
                                came.countDown();
                            }
                        });
    }

    @Test
    void aTimeThatIsOverWakesItWhereItShares() {
        share();
        List<Long> late = new CopyOnWriteArrayList<>();
        CountDownLatch fired = new CountDownLatch(LOOPS);
        for (int i = 0; i < LOOPS; i++) {
            ShardLoop loop = group.loop(i);
            long at = System.nanoTime() + (i + 1) * 3_000_000L;
            loop.execute(() ->
                    loop.schedule(
                            () -> {
                                late.add(System.nanoTime() - at);
                                fired.countDown();
                            },
                            at - System.nanoTime()));
        }
        await(fired);
        // Each waits a second at most without it.
        assertThat(late).allMatch(nanos -> nanos > -1_000_000 && nanos < 500_000_000);
    }

    @Test
    void aLoopThatComputesKeepsNoOtherFromTheThread() {
        share();
        CountDownLatch computing = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        group.loop(1)
                .execute(() -> {
                    computing.countDown();
                    while (!enough.get()) {
                        Thread.onSpinWait();
                    }
                    ended.countDown();
                });
        await(computing);
        assertThat(onLoop(0, () -> true)).isTrue();
        assertThat(onLoop(2, () -> true)).isTrue();
        enough.set(true);
        await(ended);
        assertThat(onLoop(1, () -> true)).isTrue();
        onOneThread();
    }

    @Test
    void handlersRunWhereTheirLoopsShareAndMayWaitOrCompute() {
        share();
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(LOOPS * 2);
        List<String> seen = new CopyOnWriteArrayList<>();
        for (int i = 0; i < LOOPS; i++) {
            group.loop(i)
                    .carry(
                            new Work(() -> {
                                seen.add(carrier());
                                await(goOn);
                                ended.countDown();
                            }));
        }
        group.loop(2)
                .carry(
                        new Work(() -> {
                            while (!enough.get()) {
                                Thread.onSpinWait();
                            }
                        }));
        for (int i = 0; i < LOOPS; i++) {
            group.loop(i).carry(new Work(ended::countDown));
        }
        assertThat(onLoop(1, () -> true)).isTrue();
        for (int i = 1; i < LOOPS; i++) {
            goTo(i, i);
        }
        goOn.countDown();
        await(ended);
        assertThat(seen).hasSize(LOOPS);
    }

    /** An interrupt would end each sleep of the loop at once, for ever. */
    @Test
    void anInterruptIsForgotten() {
        share();
        onLoop(
                1,
                () -> {
                    Thread.currentThread().interrupt();
                    return true;
                });
        onLoop(1, () -> true);
        CountDownLatch later = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean(true);
        group.loop(1)
                .execute(() ->
                        group.loop(1)
                                .schedule(
                                        () -> {
                                            interrupted.set(Thread.currentThread().isInterrupted());
                                            later.countDown();
                                        },
                                        2_000_000));
        await(later);
        assertThat(interrupted).isFalse();
    }

    /** Loops move to and fro while tasks, times and handlers come: none is lost or out of order. */
    @Test
    void nothingIsLostWhileLoopsMove() throws Exception {
        long seed = 20261126;
        int producers = 3;
        int each = 4_000;
        Random random = new Random(seed);
        List<List<Integer>> got = new ArrayList<>();
        List<AtomicInteger> inside = new ArrayList<>();
        AtomicInteger overlaps = new AtomicInteger();
        for (int i = 0; i < LOOPS; i++) {
            got.add(new ArrayList<>());
            inside.add(new AtomicInteger());
        }
        CountDownLatch all = new CountDownLatch(producers * each);
        CountDownLatch handlers = new CountDownLatch(producers * each / 20);
        List<Thread> threads = new ArrayList<>();
        for (int producer = 0; producer < producers; producer++) {
            int from = producer * each;
            Random own = new Random(seed + producer);
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int n = 0; n < each; n++) {
                                    int number = from + n;
                                    int target = own.nextInt(LOOPS);
                                    ShardLoop loop = group.loop(target);
                                    loop.execute(() -> {
                                        if (inside.get(target).getAndIncrement() != 0) {
                                            overlaps.incrementAndGet();
                                        }
                                        got.get(target).add(number);
                                        inside.get(target).decrementAndGet();
                                        all.countDown();
                                    });
                                    if (n % 20 == 0) {
                                        loop.carry(
                                                new Work(() -> {
                                                    Thread.yield();
                                                    handlers.countDown();
                                                }));
                                        LockSupport.parkNanos(own.nextInt(200_000));
                                    }
                                }
                            }));
        }
        while (all.getCount() > 0 || handlers.getCount() > 0) {
            goTo(1 + random.nextInt(LOOPS - 1), random.nextInt(LOOPS));
            if (all.await(random.nextInt(3_000), TimeUnit.MICROSECONDS)) {
                await(handlers);
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(overlaps).hasValue(0);
        for (List<Integer> one : got) {
            for (int producer = 0; producer < producers; producer++) {
                int number = producer;
                assertThat(one.stream().filter(n -> n / each == number).toList()).isSorted();
            }
        }
        assertThat(got.stream().mapToInt(List::size).sum()).isEqualTo(producers * each);
    }

    @Test
    void loopsThatShareAndHaveNothingToDoSleep() {
        share();
        IdleTime idle = group.carried().getFirst().ownCarrier().idleTime();
        long before = idle.untilNanos(System.nanoTime());
        CountDownLatch later = new CountDownLatch(1);
        group.loop(1).execute(() -> group.loop(1).schedule(later::countDown, 300_000_000));
        await(later);
        assertThat(idle.untilNanos(System.nanoTime()) - before).isGreaterThan(200_000_000);
    }
}
