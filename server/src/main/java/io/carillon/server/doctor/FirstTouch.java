package io.carillon.server.doctor;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * What memory costs when it is used for the first time. A virtual machine may have to wait for its
 * host to find each page: milliseconds for every 2 MiB by which a heap grows, in the thread of the
 * calls. So the free memory is taken twice, and the two times compared. Takes seconds for each GiB
 * at worst; owner: one thread.
 */
public final class FirstTouch {
    private static final String CHECK = "first-touch";

    /** The command that spares the calls of a server the first use of its heap. */
    static final String TAKEN_AT_THE_START =
            "./carillon run --jvm -Xms4g --jvm -Xmx4g --jvm -XX:+AlwaysPreTouch ...   # the heap is taken at the start";

    private static final long GIB = 1L << 30;
    private static final long PIECE_BYTES = 1L << 28;
    private static final double SLOW_SECONDS = 0.5;
    private static final double TIMES_SLOWER = 4;

    /** Pages of the system. */
    interface Pages {
        /** Takes so many bytes and has them found; their address, negative: there are no more. */
        long take(long bytes);

        /** Gives them back. */
        void give(long address, long bytes);
    }

    private final Pages pages;
    private final LongSupplier nanoTime;

    FirstTouch(Pages pages, LongSupplier nanoTime) {
        this.pages = pages;
        this.nanoTime = nanoTime;
    }

    /**
     * Bytes that can be taken without want: seven eighths of what the machine, or the container or
     * service around us, has free; 0 where that is not to be seen.
     */
    public static long room(SystemFiles files) {
        Long free = files.number("proc/meminfo", "MemAvailable");
        Long left = new ControlGroup(files, "self").memoryLeftBytes();
        long machine = free == null ? 0 : free << 10;
        return Math.max(0, (left == null ? machine : Math.min(machine, left)) / 8 * 7);
    }

    /** Takes so many bytes of this machine twice. */
    public static Finding touch(long bytes) {
        return bytes < PIECE_BYTES
                ? tooLittle()
                : new FirstTouch(new MappedPages(), System::nanoTime).measure(bytes);
    }

    private static Finding tooLittle() {
        return Finding.note(
                CHECK, "There is too little free memory to try what its first use costs.", "");
    }

    Finding measure(long bytes) {
        double[] first = secondsPerGib(bytes);
        double[] again = secondsPerGib(bytes);
        if (first.length == 0 || again.length == 0) {
            return tooLittle();
        }
        double slowest = first[first.length - 1];
        double usual = again[again.length / 2];
        String tried = " (" + NumberText.bytes(first.length * PIECE_BYTES) + " tried)";
        if (slowest < SLOW_SECONDS || slowest < TIMES_SLOWER * usual) {
            return Finding.ok(
                    CHECK,
                    String.format(
                            Locale.ROOT,
                            "Memory takes at most %.2f s for 1 GiB when it is used for the first time%s.",
                            slowest,
                            tried));
        }
        return Finding.warning(
                CHECK,
                String.format(
                        Locale.ROOT,
                        "The first use of 1 GiB of memory took up to %.2f s, the second %.2f s%s: the host finds it when"
                                + " it is needed.",
                        slowest,
                        usual,
                        tried),
                String.format(
                        Locale.ROOT,
                        "While a server's heap grows, its calls wait some %.1f ms for each 2 MiB.",
                        slowest * 2_000 / 1024),
                TAKEN_AT_THE_START);
    }

    /** Of each piece, from the fastest to the slowest. */
    private double[] secondsPerGib(long bytes) {
        List<Long> taken = new ArrayList<>();
        double[] seconds = new double[(int) (bytes / PIECE_BYTES)];
        try {
            for (int i = 0; i < seconds.length; i++) {
                long begin = nanoTime.getAsLong();
                long address = pages.take(PIECE_BYTES);
                if (address < 0) {
                    break;
                }
                seconds[i] = (nanoTime.getAsLong() - begin) / 1e9 * GIB / PIECE_BYTES;
                taken.add(address);
            }
        } finally {
            taken.forEach(address -> pages.give(address, PIECE_BYTES));
        }
        double[] sorted = Arrays.copyOf(seconds, taken.size());
        Arrays.sort(sorted);
        return sorted;
    }

    /** Pages of Linux, by mmap(2). */
    private static final class MappedPages implements Pages {
        private static final int READ_AND_WRITE = 3;
        private static final int PRIVATE_ANONYMOUS_POPULATED = 0x2 | 0x20 | 0x8000;

        private final MethodHandle map;
        private final MethodHandle unmap;

        @SuppressWarnings("restricted")
        MappedPages() {
            Linker linker = Linker.nativeLinker();
            map =
                    linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("mmap"),
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_LONG,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.JAVA_LONG,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_LONG));
            unmap =
                    linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("munmap"),
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_LONG,
                                    ValueLayout.JAVA_LONG));
        }

        @Override
        public long take(long bytes) {
            try {
                return (long)
                        map.invokeExact(
                                MemorySegment.NULL,
                                bytes,
                                READ_AND_WRITE,
                                PRIVATE_ANONYMOUS_POPULATED,
                                -1,
                                0L);
            } catch (Throwable e) {
                throw new IllegalStateException("mmap(2) cannot be called", e);
            }
        }

        @Override
        public void give(long address, long bytes) {
            try {
                if ((int) unmap.invokeExact(address, bytes) != 0) {
                    throw new IllegalStateException("munmap(2) refused memory that was taken");
                }
            } catch (IllegalStateException e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("munmap(2) cannot be called", e);
            }
        }
    }
}
