package io.carillon.server.cluster;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nanoseconds since the machine started, those included in which it slept (CLOCK_BOOTTIME of
 * Linux): {@code System.nanoTime} stands still meanwhile, and a node that woke up would take its
 * lease for a fresh one. Any thread.
 */
final class BootClock implements LongSupplier {
    private static final Logger LOG = LoggerFactory.getLogger(BootClock.class);
    private static final int CLOCK_BOOTTIME = 7;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private static final MemoryLayout TIME =
            MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

    private final MethodHandle clockGettime;
    private final ThreadLocal<MemorySegment> room =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(TIME));

    private BootClock(MethodHandle clockGettime) {
        this.clockGettime = clockGettime;
    }

    /** That of this machine; where there is none the monotonic clock of the JDK. */
    @SuppressWarnings("restricted") // the launcher enables native access
    static LongSupplier ofMachine() {
        try {
            Linker linker = Linker.nativeLinker();
            MethodHandle call =
                    linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("clock_gettime"),
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.ADDRESS));
            BootClock clock = new BootClock(call);
            if (clock.read() > 0) {
                return clock;
            }
        } catch (RuntimeException | UnsatisfiedLinkError e) {
            LOG.debug("No clock that goes on while the machine sleeps", e);
        }
        LOG.warn(
                "This system has no clock that goes on while the machine sleeps: a node that is"
                        + " suspended may act for what others own when it wakes up");
        return System::nanoTime;
    }

    @Override
    public long getAsLong() {
        return read();
    }

    private long read() {
        MemorySegment time = room.get();
        try {
            if ((int) clockGettime.invokeExact(CLOCK_BOOTTIME, time) != 0) {
                return -1;
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("clock_gettime", e);
        }
        return time.get(ValueLayout.JAVA_LONG, 0) * NANOS_PER_SECOND
                + time.get(ValueLayout.JAVA_LONG, Long.BYTES);
    }
}
