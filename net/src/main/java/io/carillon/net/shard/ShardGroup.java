package io.carillon.net.shard;

import io.carillon.net.count.LoopCounts;
import io.carillon.sip.shard.Shard;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The event loops of a network. Made, joined and closed by the thread that starts and stops it. */
public final class ShardGroup implements AutoCloseable {

    private static final long CLOSE_SECONDS = 5;

    private final boolean epoll;
    private final MultiThreadIoEventLoopGroup group;
    private final ShardLoop[] loops;

    /**
     * Makes the loops; their threads start with their first work.
     *
     * @param shards how many
     * @param nativeTransport epoll where there is one
     * @param tallies one per shard
     * @param startNanos time zero
     */
    public ShardGroup(int shards, boolean nativeTransport, LoopCounts[] tallies, long startNanos) {
        epoll = nativeTransport && Epoll.isAvailable();
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        group =
                new MultiThreadIoEventLoopGroup(
                        shards, new DefaultThreadFactory("carillon-shard"), io);
        loops = new ShardLoop[shards];
        int i = 0;
        for (EventExecutor executor : group) {
            loops[i] = new ShardLoop(i, (SingleThreadEventLoop) executor, tallies[i], startNanos);
            i++;
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

    /** All loops, for accepted connections to be spread over. */
    public EventLoopGroup eventLoops() {
        return group;
    }

    /** Gives every loop its shard; before any socket reads. */
    public void join(List<Shard> shards) {
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
    }
}
