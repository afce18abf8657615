package io.carillon.servlet;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the heap before calls need it. What a heap has not used yet has to be found when it is used
 * first: by the kernel, and in a virtual machine by its host, which may take milliseconds for each
 * 2 MiB. Otherwise the calls of the first minutes wait for that. So behind READY a thread of the
 * lowest priority allocates what nobody keeps, 8 MiB five times a second, until the JVM has used
 * nearly all of its soft maximum once: 1.5 GiB in a minute or so. Slowly, so that the collector has
 * no more to do for it than a few collections of a heap in which little lives. ZGC keeps what it
 * has taken ({@code -XX:-ZUncommit} in jvm.options).
 *
 * <p>Does nothing where the heap has no soft maximum below its maximum: another collector, which
 * would stop the calls for it, or a heap that the owner chose ({@code -XX:+AlwaysPreTouch} takes
 * that at the start).
 *
 * <p>One for a process, from READY on; its thread ends when there is enough, or with {@link
 * #close}. Any thread may ask.
 */
public final class HeapTouch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeapTouch.class);

    static final int PIECE_BYTES = 1 << 20;
    static final int PIECES_A_STEP = 8;
    private static final long STEP_MILLIS = 200;

    /** Of the soft maximum: ZGC collects before it is reached. */
    private static final double ENOUGH = 0.85;

    /** It gives up when it has allocated so many times what it wants. */
    private static final int MOST_TIMES = 4;

    /** The heap of this process. */
    interface Heap {
        /** Garbage included: what was in use at once has been found. */
        long usedBytes();

        /** The soft maximum; 0 where there is nothing to take. */
        long wantedBytes();

        void allocate(int bytes);
    }

    private final Heap heap;
    private final CountDownLatch closed = new CountDownLatch(1);

    HeapTouch(Heap heap) {
        this.heap = heap;
    }

    /**
     * Begins in the background.
     *
     * @param wanted whether at all
     * @param first what the thread does first, as to take the lowest priority of its system
     */
    @SuppressWarnings("ThreadPriorityCheck") // a hint that costs nothing where it is not taken
    public static HeapTouch start(boolean wanted, Runnable first) {
        HeapTouch touch = new HeapTouch(new OwnHeap());
        if (wanted && touch.heap.wantedBytes() > 0) {
            Thread.ofPlatform()
                    .daemon()
                    .name("heap-touch")
                    .start(() -> {
                        first.run();
                        touch.run();
                    });
        }
        return touch;
    }

    private long allocated;

    /** The most that was in use at once. */
    private volatile long touched;

    private void run() {
        try {
            while (step() && !closed.await(STEP_MILLIS, TimeUnit.MILLISECONDS)) {}
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (OutOfMemoryError e) {
            LOG.warn("The heap could not be taken in advance: {}", e.getMessage());
        }
    }

    /** Takes a little; false when there is enough, or no more to be had. */
    boolean step() {
        long wanted = heap.wantedBytes();
        long taken = touchedBytes();
        if (taken >= wanted * ENOUGH) {
            LOG.debug("{} MiB of the heap have been used once", taken >> 20);
            return false;
        }
        if (allocated > MOST_TIMES * wanted) {
            LOG.debug(
                    "{} of {} MiB of the heap have been used once: the rest comes later",
                    taken >> 20,
                    wanted >> 20);
            return false;
        }
        for (int i = 0; i < PIECES_A_STEP; i++) {
            heap.allocate(PIECE_BYTES);
        }
        allocated += (long) PIECES_A_STEP * PIECE_BYTES;
        return true;
    }

    /** How much of the heap was in use at once: the system has found that. */
    public long touchedBytes() {
        touched = Math.max(touched, heap.usedBytes());
        return touched;
    }

    @Override
    public void close() {
        closed.countDown();
    }

    /** Of the soft maximum, where ZGC has one below the maximum; else 0. In bytes. */
    public static long softMaximum() {
        HotSpotDiagnosticMXBean machine =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        VMOption soft = machine.getVMOption("SoftMaxHeapSize");
        long bytes = Long.parseLong(soft.getValue());
        boolean zgc = Boolean.parseBoolean(machine.getVMOption("UseZGC").getValue());
        return zgc && bytes < Runtime.getRuntime().maxMemory() ? bytes : 0;
    }

    private static final class OwnHeap implements Heap {
        /** Keeps the compiler from leaving out what is not used. */
        @SuppressWarnings("unused")
        private volatile byte @Nullable [] last;

        @Override
        public long usedBytes() {
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }

        @Override
        public long wantedBytes() {
            return softMaximum();
        }

        @Override
        public void allocate(int bytes) {
            last = new byte[bytes];
            last = null;
        }
    }
}
