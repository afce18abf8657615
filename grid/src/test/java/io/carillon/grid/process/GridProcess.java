package io.carillon.grid.process;

import com.sun.management.OperatingSystemMXBean;
import io.carillon.cluster.voting.MemberLink;
import io.carillon.grid.GridNode;
import io.carillon.servlet.port.CallStore.State;
import io.carillon.sip.token.Ownership;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * A node in a process of its own, told by lines what to do: it answers by lines. Arguments: number,
 * folder, ports of all nodes.
 */
public final class GridProcess {
    private static final long AGAIN_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int BATCH = 50;

    private final GridNode node;
    private final int number;

    private GridProcess(int number, Path folder, List<Integer> ports) {
        List<InetSocketAddress> nodes =
                ports.stream()
                        .map(p -> new InetSocketAddress(InetAddress.getLoopbackAddress(), p))
                        .toList();
        this.number = number;
        node =
                GridNode.of("processes", number)
                        .listen(nodes.get(number))
                        .nodes(nodes)
                        .voters(IntStream.range(0, nodes.size()).boxed().toList())
                        .secret(new byte[32])
                        .folder(folder)
                        .build();
        node.link().listen(new Events());
    }

    /** Runs until its input ends. */
    public static void main(String[] arguments) throws Exception {
        List<Integer> ports =
                Arrays.stream(arguments, 2, arguments.length).map(Integer::valueOf).toList();
        long begin = System.nanoTime();
        GridProcess process =
                new GridProcess(Integer.parseInt(arguments[0]), Path.of(arguments[1]), ports);
        process.node.start();
        say("ready " + (System.nanoTime() - begin) / 1_000_000);
        Thread.ofPlatform().daemon().start(process::watch);
        BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            say("answer " + process.answer(line.split(" ")));
        }
        process.node.close();
        System.exit(0);
    }

    private String answer(String[] words) throws Exception {
        return switch (words[0]) {
            case "write" -> write(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            case "check" -> check(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            case "missing" -> String.valueOf(node.store().partitionsWithoutCopy());
            case "seen" -> String.valueOf(node.link().seen().size());
            case "leads" -> String.valueOf(node.voting().leads());
            case "cpu" -> String.valueOf(cpuNanos());
            case "load" ->
                    load(
                            Integer.parseInt(words[1]),
                            Integer.parseInt(words[2]),
                            Integer.parseInt(words[3]));
            case "propose" -> propose();
            default -> "unknown " + words[0];
        };
    }

    private String propose() throws Exception {
        long begin = System.nanoTime();
        while (true) {
            try {
                node.voting().propose(new byte[] {1}).toCompletableFuture().get();
                return String.valueOf((System.nanoTime() - begin) / 1_000);
            } catch (ExecutionException notKnown) {
                // Sent to a leader that was none yet, or no more: a server proposes again too.
                if (System.nanoTime() - begin > AGAIN_WITHIN_NANOS) {
                    throw notKnown;
                }
            }
        }
    }

    /** Records that name their number, all partitions in turn; how many are protected. */
    private String write(int count, int size) throws InterruptedException {
        List<List<State>> open = new ArrayList<>();
        for (int at = 0; at < count; at += BATCH) {
            open.add(
                    IntStream.range(at, Math.min(count, at + BATCH))
                            .mapToObj(i -> state(i, 1, size))
                            .toList());
        }
        // As the write path does: what two nodes do not hold is written again.
        for (int tries = 0; tries < 20 && !open.isEmpty(); tries++) {
            open = unprotected(open);
        }
        return String.valueOf(count - open.stream().mapToInt(List::size).sum());
    }

    /** Writes batches; those that are not on two nodes then. */
    private List<List<State>> unprotected(List<List<State>> batches) throws InterruptedException {
        List<List<State>> left = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch open = new CountDownLatch(batches.size());
        Semaphore underWay = new Semaphore(20);
        for (List<State> batch : batches) {
            underWay.acquire();
            node.store()
                    .write(
                            batch,
                            outcome -> {
                                if (!outcome.isProtected()) {
                                    event("unprotected " + outcome);
                                    left.add(batch);
                                }
                                underWay.release();
                                open.countDown();
                            });
        }
        open.await();
        return left;
    }

    /** How many of the records are found, each with all of its bytes. */
    private String check(int count, int size) throws InterruptedException {
        AtomicLongArray found = new AtomicLongArray(count);
        CountDownLatch open = new CountDownLatch(Ownership.PARTITIONS);
        AtomicInteger failures = new AtomicInteger();
        long begin = System.nanoTime();
        for (int partition = 0; partition < Ownership.PARTITIONS; partition++) {
            node.store()
                    .readAll(
                            partition,
                            state -> {
                                int i = Integer.parseInt(state.id().substring(5));
                                if (i < count
                                        && Arrays.equals(
                                                state(i, 1, size).bytes(), state.bytes())) {
                                    found.incrementAndGet(i);
                                }
                            },
                            failure -> {
                                if (failure != null) {
                                    failures.incrementAndGet();
                                }
                                open.countDown();
                            });
        }
        open.await();
        long once = IntStream.range(0, count).filter(i -> found.get(i) == 1).count();
        return once + " " + failures.get() + " " + (System.nanoTime() - begin) / 1_000_000;
    }

    private static State state(int i, long sequence, int size) {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) i);
        bytes[0] = (byte) (i >>> 8);
        return new State(i % Ownership.PARTITIONS, "call " + i, 1, sequence, bytes);
    }

    /** So many records a second, as a flush each 10 ms writes them: the time until each is held. */
    private String load(int rate, int seconds, int size) {
        Histogram held = new Histogram(3);
        AtomicInteger unprotected = new AtomicInteger();
        // An owner mostly has the calls of which it holds the first copy.
        int[] own =
                IntStream.range(0, Ownership.PARTITIONS)
                        .filter(partition -> node.store().placement(partition)[0] == this.number)
                        .toArray();
        int each = Math.max(1, rate / 100);
        long interval = 1_000_000_000L * each / rate;
        long begin = System.nanoTime();
        int number = 0;
        for (long next = begin; next - begin < seconds * 1_000_000_000L; next += interval) {
            while (System.nanoTime() < next) {
                LockSupport.parkNanos(next - System.nanoTime());
            }
            List<State> batch = new ArrayList<>();
            for (int i = 0; i < each; i++) {
                int call = number % 20_000;
                State made = state(call, 2 + number / 20_000, size);
                batch.add(
                        new State(
                                own[call % own.length],
                                made.id(),
                                1,
                                made.sequence(),
                                made.bytes()));
                number++;
            }
            long at = next;
            node.store()
                    .write(
                            batch,
                            outcome -> {
                                synchronized (held) {
                                    held.recordValue((System.nanoTime() - at) / 1_000);
                                }
                                if (!outcome.isProtected()) {
                                    unprotected.incrementAndGet();
                                }
                            });
        }
        LockSupport.parkNanos(500_000_000);
        synchronized (held) {
            return held.getValueAtPercentile(50)
                    + " "
                    + held.getValueAtPercentile(99)
                    + " "
                    + held.getMaxValue()
                    + " "
                    + unprotected.get()
                    + " "
                    + number;
        }
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    /** Says how many partitions have one copy too few, whenever it changes. */
    private void watch() {
        int before = -1;
        while (true) {
            int missing = node.store().partitionsWithoutCopy();
            if (missing != before) {
                event("missing " + missing);
                before = missing;
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static void event(String what) {
        say("event " + System.currentTimeMillis() + " " + what);
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Says what is told about members. */
    private final class Events implements MemberLink.Listener {
        @Override
        public void received(int from, byte[] bytes) {}

        @Override
        public void joined(int member) {
            event("joined " + member);
        }

        @Override
        public void left(int member) {
            event("left " + member);
        }

        @Override
        public void died(int member) {
            event("died " + member + " says " + number);
        }
    }
}
