package io.carillon.servlet.threads;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * How much longer work takes that begins now on a platform thread, as it shares the processors with
 * what computes: with what holds the carriers of the virtual threads, and with all that began as it
 * does. No queue shows that.
 *
 * <p>What such work uses of a processor is measured, so work that sleeps counts for nothing. One
 * that computes for seconds counts as {@value #MOST_NANOS} ns: it takes its part of the processors
 * and no more, and says nothing of the others.
 *
 * <p>Any thread; two numbers.
 */
final class ProcessorShare {
    static final long MOST_NANOS = 50_000_000;

    /** Before one has ended. */
    private static final long FIRST_MEAN_NANOS = 5_000_000;

    /** The mean moves by this part of the difference with each that ends. */
    private static final int SHARE = 8;

    private final int processors;
    private final LongSupplier usedNanos;
    private final AtomicInteger now = new AtomicInteger();
    private volatile long meanNanos = FIRST_MEAN_NANOS;

    /**
     * @param processors that this process may use
     * @param usedNanos what the calling platform thread has used of them; negative: not known
     */
    ProcessorShare(int processors, LongSupplier usedNanos) {
        this.processors = processors;
        this.usedNanos = usedNanos;
    }

    /** Of this process. */
    static ProcessorShare ofProcess() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        boolean known =
                threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
        return new ProcessorShare(
                Runtime.getRuntime().availableProcessors(),
                known ? threads::getCurrentThreadCpuTime : () -> -1);
    }

    /** Runs it, on the calling platform thread. */
    void perform(Runnable work) {
        now.incrementAndGet();
        long before = usedNanos.getAsLong();
        try {
            work.run();
        } finally {
            now.decrementAndGet();
            long after = usedNanos.getAsLong();
            if (before >= 0 && after >= 0) {
                long mean = meanNanos;
                // One update that is lost among many is no harm.
                meanNanos = mean + (Math.min(MOST_NANOS, after - before) - mean) / SHARE;
            }
        }
    }

    /** By so much work takes longer that begins now beside virtual threads that do not run. */
    long waitNanos() {
        return (now.get() + 1L) * meanNanos / processors;
    }
}
