package io.carillon.net.shard;

import io.carillon.net.count.LoopCounts;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.token.ClusterPlace;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The event loops of a network. Made, joined and closed by the thread that starts and stops it. */
public final class ShardGroup implements AutoCloseable {
    private static final String NOT_OPENED =
            "Java was started without --add-opens java.base/java.lang=ALL-UNNAMED";

    /**
     * Why handlers run on threads of their own, which costs more than on the event loops; empty
     * where they run on those. Any thread.
     */
    public static String handlersApart() {
        return CarriedThreads.available() ? "" : NOT_OPENED;
    }

    private static final Logger LOG = LoggerFactory.getLogger(ShardGroup.class);
    private static final String NAME = "carillon-shard";
    private static final long CLOSE_SECONDS = 5;

    private final boolean epoll;
    private final MultiThreadIoEventLoopGroup group;
    private final ShardLoop[] loops;

    /** The threads of the loops, where these are virtual threads; else none. */
    private final List<CarriedLoop> carried = new ArrayList<>();

    /** Null where the loops are platform threads. */
    private final @Nullable CarrierGuard guard;

    /** As the other, of loops that each have a thread. */
    public ShardGroup(int shards, boolean nativeTransport, LoopCounts[] tallies, long startNanos) {
        this(shards, nativeTransport, false, tallies, startNanos);
    }

    /**
     * Makes the loops; their threads start with their first work.
     *
     * @param shards how many
     * @param nativeTransport epoll where there is one
     * @param shareThreads may loops that have little to do share a thread, where there is epoll?
     * @param tallies one per shard
     * @param startNanos time zero
     */
    public ShardGroup(
            int shards,
            boolean nativeTransport,
            boolean shareThreads,
            LoopCounts[] tallies,
            long startNanos) {
        epoll = nativeTransport && Epoll.isAvailable();
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        if (CarriedThreads.available()) {
            guard = new CarrierGuard(NAME);
            boolean share = shareThreads && shards > 1 && epoll && SharedIo.available();
            LoopSharing sharing = share ? new LoopSharing(shards, startNanos) : null;
            group =
                    new CarriedLoops(
                            shards, io, new Making(guard, List.of(tallies), sharing, carried));
            if (sharing != null) {
                sharing.of(carried);
            }
        } else {
            guard = null;
            LOG.info(
                    "Handlers run on threads of their own, not on the event loops: {} ({})",
                    NOT_OPENED,
                    CarriedThreads.whyNot());
            group = new MultiThreadIoEventLoopGroup(shards, new DefaultThreadFactory(NAME), io);
        }
        loops = new ShardLoop[shards];
        int i = 0;
        for (EventExecutor executor : group) {
            CarriedLoop thread = carried.isEmpty() ? null : carried.get(i);
            loops[i] =
                    new ShardLoop(
                            i, (SingleThreadEventLoop) executor, thread, tallies[i], startNanos);
            i++;
        }
    }

    /**
     * What loops that are virtual threads are made of.
     *
     * @param sharing null where each has a thread of its own for ever
     * @param made those that there are; one more with each
     */
    private record Making(
            CarrierGuard guard,
            List<LoopCounts> tallies,
            @Nullable LoopSharing sharing,
            List<CarriedLoop> made) {
        CarriedLoop next(String name) {
            LoopCounts tally = tallies.get(made.size());
            SharedPoll poll = sharing == null ? null : new SharedPoll(tallies.size());
            CarriedLoop loop = new CarriedLoop(new LoopCarrier(name, guard, tally, poll), tally);
            made.add(loop);
            return loop;
        }

        IoHandlerFactory io(IoHandlerFactory io, CarriedLoop loop) {
            LoopSharing known = sharing;
            return known == null ? io : SharedIo.factory(io, loop, known);
        }
    }

    /** Loops that are virtual threads, each with a carrier of its own. */
    private static final class CarriedLoops extends MultiThreadIoEventLoopGroup {
        CarriedLoops(int shards, IoHandlerFactory io, Making making) {
            super(shards, new ThreadPerTaskExecutor(Thread::new), io, making);
        }

        @Override
        protected IoEventLoop newChild(Executor unused, IoHandlerFactory io, Object... args) {
            Making making = (Making) args[0];
            String name = NAME + "-" + (making.made().size() + 1);
            CarriedLoop loop = making.next(name);
            return super.newChild(
                    task ->
                            loop.thread(
                                            name,
                                            () ->
                                                    FastThreadLocalThread.runWithFastThreadLocal(
                                                            task))
                                    .start(),
                    making.io(io, loop));
        }
    }

    /** True when the loops use epoll. */
    public boolean epoll() {
        return epoll;
    }

    public int size() {
        return loops.length;
    }

    public ShardLoop loop(int index) {
        return loops[index];
    }

    /** The loop that owns a Netty loop of this group. */
    public ShardLoop of(EventLoop eventLoop) {
        for (ShardLoop loop : loops) {
            if (loop.eventLoop() == eventLoop) {
                return loop;
            }
        }
        throw new IllegalArgumentException("a loop of another group: " + eventLoop);
    }

    /** Where loops run, as {@link LoopSharing} sees them; for tests. */
    List<CarriedLoop> carried() {
        return carried;
    }

    /** All loops, for accepted connections to be spread over. */
    public EventLoopGroup eventLoops() {
        return group;
    }

    /** Gives every loop its shard; before any socket reads. */
    public void join(List<Shard> shards) {
        ClusterPlace cluster = shards.getFirst().config().tokens().cluster();
        if (cluster != null && cluster.loops() != loops.length) {
            throw new IllegalArgumentException(
                    "there are %d event loops, and the cluster was told of %d"
                            .formatted(loops.length, cluster.loops()));
        }
        for (int i = 0; i < loops.length; i++) {
            loops[i].join(loops, shards.get(i));
        }
    }

    /** True when the threads are gone. */
    public boolean ended() {
        return group.isTerminated();
    }

    /**
     * Ends the loops after the tasks they have; returns when their threads are gone or after 5 s.
     */
    @Override
    public void close() {
        group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
        CarrierGuard own = guard;
        if (own != null) {
            own.close();
        }
    }
}
