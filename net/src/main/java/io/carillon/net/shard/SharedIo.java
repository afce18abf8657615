package io.carillon.net.shard;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.FileDescriptor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * The epoll of a loop that may share its thread. Alone there, the loop waits in the kernel, as any
 * other does. With others it only looks what is there, and parks: who carries waits for all of them
 * ({@link SharedPoll}).
 *
 * <p>Owner: the loop, except {@link #wakeup}. The number of Netty's epoll is inside of Netty only:
 * without it loops do not share. Nothing else touches that.
 */
final class SharedIo implements IoHandler {
    private static final long LONGEST_NANOS = 1_000_000_000;
    private static final @Nullable MethodHandle EPOLL_FD = epollFd();

    private final IoHandler io;
    private final CarriedLoop loop;
    private final LoopSharing sharing;
    private final int fd;
    private final Looking looking = new Looking();

    private SharedIo(IoHandler io, int fd, CarriedLoop loop, LoopSharing sharing) {
        this.io = io;
        this.fd = fd;
        this.loop = loop;
        this.sharing = sharing;
    }

    private static @Nullable MethodHandle epollFd() {
        try {
            return MethodHandles.privateLookupIn(EpollIoHandler.class, MethodHandles.lookup())
                    .findGetter(EpollIoHandler.class, "epollFd", FileDescriptor.class);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null; // another Netty
        }
    }

    /** Can loops with epoll share threads here? */
    static boolean available() {
        return EPOLL_FD != null;
    }

    /** Makes the epoll of this loop, by what makes Netty's. */
    static IoHandlerFactory factory(IoHandlerFactory epoll, CarriedLoop loop, LoopSharing sharing) {
        return executor -> {
            IoHandler io = epoll.newHandler(executor);
            return new SharedIo(io, fd((EpollIoHandler) io), loop, sharing);
        };
    }

    private static int fd(EpollIoHandler io) {
        MethodHandle getter = EPOLL_FD;
        if (getter == null) {
            throw new IllegalStateException("the epoll of this Netty is not known");
        }
        try {
            return ((FileDescriptor) getter.invokeExact(io)).intValue();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** What Netty's epoll asks, when it may not wait; or is to say when it has waited. */
    private final class Looking implements IoHandlerContext {
        private @Nullable IoHandlerContext of;
        private boolean mayWait;

        Looking at(IoHandlerContext context, boolean waits) {
            of = context;
            mayWait = waits;
            return this;
        }

        private IoHandlerContext of() {
            IoHandlerContext known = of;
            if (known == null) {
                throw new IllegalStateException("asked outside of a round");
            }
            return known;
        }

        @Override
        public boolean canBlock() {
            return mayWait && of().canBlock();
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
            return of().delayNanos(currentTimeNanos);
        }

        @Override
        public long deadlineNanos() {
            return of().deadlineNanos();
        }

        /** Asked before what is ready is dealt with: it has waited. */
        @Override
        public boolean shouldReportActiveIoTime() {
            isAwake();
            return of().shouldReportActiveIoTime();
        }

        @Override
        public void reportActiveIoTime(long activeNanos) {
            of().reportActiveIoTime(activeNanos);
        }
    }

    private void isAwake() {
        IdleTime idle = loop.idleTime();
        if (idle.sleeps()) {
            idle.ends(System.nanoTime());
        }
    }

    @Override
    public void initialize() {
        io.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        isAwake();
        sharing.look(System.nanoTime());
        loop.moveIfWanted();
        if (!context.canBlock()) {
            return io.run(looking.at(context, false));
        }
        if (loop.shares()) {
            sleep(context);
            return io.run(looking.at(context, false));
        }
        if (loop.inTurn() || loop.waits()) {
            loop.letRun(); // who carries is to know that it is alone, before it waits here
            return io.run(looking.at(context, false));
        }
        loop.idleTime().begins(System.nanoTime());
        int handled = io.run(looking.at(context, true));
        isAwake();
        return handled;
    }

    private void sleep(IoHandlerContext context) {
        long now = System.nanoTime();
        long longest = context.deadlineNanos() == -1 ? LONGEST_NANOS : context.delayNanos(now);
        if (longest <= 0) {
            return;
        }
        // An interrupt of a handler that runs on the loop would let it never sleep again.
        var _ = Thread.interrupted();
        loop.fallsAsleep(fd, now + Math.min(longest, LONGEST_NANOS));
        if (context.canBlock()) {
            loop.sleep();
        }
        loop.isAwake();
    }

    @Override
    public void wakeup() {
        io.wakeup();
        loop.wake();
    }

    @Override
    public void prepareToDestroy() {
        io.prepareToDestroy();
    }

    @Override
    public void destroy() {
        io.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return io.register(handle);
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return io.isCompatible(handleType);
    }
}
