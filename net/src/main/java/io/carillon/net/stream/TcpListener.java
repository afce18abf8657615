package io.carillon.net.stream;

import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.shard.ShardGroup;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;

/**
 * A listening point of TCP, TLS, WS or WSS: one socket, whose connections are spread over all
 * loops. Immutable.
 */
public final class TcpListener implements AutoCloseable {

    private final Channel channel;

    private TcpListener(Channel channel) {
        this.channel = channel;
    }

    /**
     * Binds; the kernel takes connections from now on, they are accepted from {@link #receive} on.
     *
     * @throws BindFailure when the port cannot be bound
     */
    public static TcpListener bind(
            ListeningPoint point,
            InetSocketAddress address,
            ShardGroup shards,
            StreamTransport transport,
            int backlog)
            throws BindFailure {
        SocketProtocolFamily family =
                address.getAddress() instanceof Inet6Address
                        ? SocketProtocolFamily.INET6
                        : SocketProtocolFamily.INET;
        ChannelFuture bind =
                new ServerBootstrap()
                        .group(shards.loop(0).eventLoop(), shards.eventLoops())
                        .channelFactory(() ->
                                shards.epoll()
                                        ? new EpollServerSocketChannel(family)
                                        : new NioServerSocketChannel(
                                                SelectorProvider.provider(), family))
                        .option(ChannelOption.SO_BACKLOG, backlog)
                        .option(ChannelOption.AUTO_READ, false)
                        .childHandler(transport.acceptor(point))
                        .bind(address)
                        .awaitUninterruptibly();
        Throwable cause = bind.cause();
        if (cause != null) {
            throw BindFailure.of(point, cause);
        }
        return new TcpListener(bind.channel());
    }

    /** The bound address, with the port that was chosen. */
    public InetSocketAddress local() {
        return (InetSocketAddress) channel.localAddress();
    }

    /** Begins to accept. */
    public void receive() {
        channel.config().setAutoRead(true);
    }

    /** Accepts no more; connections that are open stay. */
    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
    }
}
