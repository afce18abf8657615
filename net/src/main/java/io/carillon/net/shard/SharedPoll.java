package io.carillon.net.shard;

import io.netty.channel.epoll.Native;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Waits for several loops at once: for what their epolls have, for a time, or until another thread
 * wakes it; ppoll(2) on Linux, for 64-bit machines that put the least byte first, as Netty's epoll.
 *
 * <p>Owner: who carries the loops, except {@link #wake} and {@link #close}.
 */
final class SharedPoll implements AutoCloseable {
    private static final short POLLIN = 1;

    /** A {@code struct pollfd}: what, asked, ready. */
    private static final int ENTRY_BYTES = 8;

    private static final int ASKED = 4;
    private static final int READY = 6;

    /** One that poll(2) passes over. */
    private static final int NONE = -1;

    private static final MethodHandle PPOLL = ppoll();

    private final FileDescriptor waker = Native.newEventFd();
    private final MemorySegment entries;

    /** A struct timespec. */
    private final MemorySegment time = Arena.ofAuto().allocate(16, 8);

    private final AtomicBoolean waits = new AtomicBoolean();
    private int count;

    /**
     * @param most that it waits for at once
     */
    SharedPoll(int most) {
        entries = Arena.ofAuto().allocate((most + 1L) * ENTRY_BYTES, 8);
        clear();
    }

    @SuppressWarnings("restricted") // as for datagrams; the launcher enables native access
    private static MethodHandle ppoll() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("ppoll"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG));
    }

    /** Forgets what it was to wait for. */
    void clear() {
        count = 0;
        put(waker.intValue());
    }

    /** Waits for this one too. */
    void add(int fd) {
        put(fd);
    }

    /** Keeps the place of one that is not waited for. */
    void addNone() {
        put(NONE);
    }

    private void put(int fd) {
        long at = (long) count * ENTRY_BYTES;
        entries.set(ValueLayout.JAVA_INT, at, fd);
        entries.set(ValueLayout.JAVA_SHORT, at + ASKED, POLLIN);
        entries.set(ValueLayout.JAVA_SHORT, at + READY, (short) 0);
        count++;
    }

    /** Is that one waited for? In the order in which they were added, from 0. */
    boolean has(int index) {
        return index + 1 < count
                && entries.get(ValueLayout.JAVA_INT, (index + 1L) * ENTRY_BYTES) != NONE;
    }

    /** Has that one something? */
    boolean ready(int index) {
        return entries.get(ValueLayout.JAVA_SHORT, (index + 1L) * ENTRY_BYTES + READY) != 0;
    }

    /** From now on {@link #wake} wakes it: what has come before is looked at once more, then. */
    void announce() {
        waits.set(true);
    }

    /**
     * Waits.
     *
     * @param nanos at most
     */
    void await(long nanos) {
        long most = Math.max(0, nanos);
        time.set(ValueLayout.JAVA_LONG, 0, most / 1_000_000_000);
        time.set(ValueLayout.JAVA_LONG, 8, most % 1_000_000_000);
        try {
            var _ = (int) PPOLL.invokeExact(entries.address(), (long) count, time.address(), 0L);
        } catch (Throwable t) {
            if (t instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("a system call could not be made", t);
        }
    }

    /** It does not wait any more, or never has. */
    void over() {
        waits.set(false);
        if (entries.get(ValueLayout.JAVA_SHORT, READY) != 0) {
            Native.eventFdRead(waker.intValue());
        }
    }

    /** Ends its waiting, where it waits; any thread. */
    void wake() {
        if (waits.get() && waits.compareAndSet(true, false)) {
            synchronized (waker) {
                if (waker.isOpen()) {
                    Native.eventFdWrite(waker.intValue(), 1L);
                }
            }
        }
    }

    /** It never waits again. */
    @Override
    public void close() {
        synchronized (waker) {
            try {
                waker.close();
            } catch (IOException e) {
                throw new IllegalStateException("closing an eventfd failed", e);
            }
        }
    }
}
