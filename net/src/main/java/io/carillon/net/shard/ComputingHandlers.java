package io.carillon.net.shard;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;

/**
 * Handlers that compute on threads which their loops have left. More of them than there are
 * processors share these: a handler that begins takes longer by what the others have of it, and no
 * queue shows it. So that is a queueing delay as well.
 *
 * <p>What they take of a processor is measured, so that one that waits within native code, and
 * holds its thread, is not taken for one that computes.
 *
 * <p>One for all loops of a network. Any thread; two numbers.
 */
final class ComputingHandlers {
    /** Before one has ended: what made its loop leave it. */
    private static final long FIRST_MEAN_NANOS = LoopCarrier.LONGEST_NANOS;

    /** Less than this since the loop left it is no computing. */
    private static final long LEAST_NANOS = 500_000;

    /** The mean moves by this part of the difference with each that ends. */
    private static final int SHARE = 8;

    private final int processors;
    private final LongUnaryOperator processorNanos;
    private final AtomicInteger now = new AtomicInteger();
    private volatile long meanNanos = FIRST_MEAN_NANOS;

    /**
     * @param processors that this process may use
     * @param processorNanos what a platform thread has used of them, by its id; negative: not known
     */
    ComputingHandlers(int processors, LongUnaryOperator processorNanos) {
        this.processors = processors;
        this.processorNanos = processorNanos;
    }

    /** Of this process. */
    static ComputingHandlers ofProcess() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        boolean known = threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
        return new ComputingHandlers(
                Runtime.getRuntime().availableProcessors(),
                known ? threads::getThreadCpuTime : id -> -1);
    }

    /**
     * A loop leaves the thread to its handler.
     *
     * @return what the thread has used of a processor so far, for {@link #returned}
     */
    long left(long threadId) {
        now.incrementAndGet();
        return usedBy(threadId);
    }

    /** What a platform thread has used of a processor so far; negative: not known. */
    long usedBy(long threadId) {
        return processorNanos.applyAsLong(threadId);
    }

    /** It did not after all. */
    void notLeft() {
        now.decrementAndGet();
    }

    /** The handler has ended, or waits and holds no thread; on that thread. */
    void returned(long threadId, long usedBefore) {
        now.decrementAndGet();
        long used = usedBy(threadId);
        if (usedBefore < 0 || used < 0) {
            return;
        }
        long since = used - usedBefore;
        long whole = since < LEAST_NANOS ? 0 : LoopCarrier.LONGEST_NANOS + since;
        long mean = meanNanos;
        meanNanos = mean + (whole - mean) / SHARE; // one update that is lost among many is no harm
    }

    /** How many there are now. */
    int now() {
        return now.get();
    }

    /** By so much a handler like them takes longer that begins now, in nanoseconds. */
    long waitNanos() {
        long before = now.get() + 1L - processors;
        return before <= 0 ? 0 : before * meanNanos / processors;
    }
}
