package io.carillon.net.udp;

import io.carillon.net.BindFailure;
import io.carillon.net.ListeningPoint;
import io.carillon.net.NetworkConfig;
import io.carillon.net.ReceiveBuffer;
import io.carillon.net.shard.ShardGroup;
import io.carillon.net.shard.ShardLoop;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.unix.UnixChannelOption;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * A UDP listening point: with epoll one socket per shard on the same port (SO_REUSEPORT: the kernel
 * gives all datagrams of one sender to one socket, so their order is kept), else one socket on the
 * first loop. Made and closed by the network's thread, immutable after.
 */
public final class UdpListener implements AutoCloseable {

    private final List<UdpSocket> sockets;
    private final InetSocketAddress local;

    private UdpListener(List<UdpSocket> sockets) {
        this.sockets = List.copyOf(sockets);
        this.local = sockets.getFirst().local();
    }

    /**
     * Binds; nothing is received before {@link #receive}.
     *
     * @param address the point's host, resolved, and its port
     * @throws BindFailure when the port cannot be bound
     */
    public static UdpListener bind(
            ListeningPoint point,
            InetSocketAddress address,
            ShardGroup shards,
            NetworkConfig.Udp limits)
            throws BindFailure {
        List<UdpSocket> sockets = new ArrayList<>();
        try {
            boolean shared = shards.epoll() && shards.size() > 1;
            InetSocketAddress chosen = address;
            if (shared) {
                // With SO_REUSEPORT the kernel would let a second server of the same user take half
                // of the traffic of the first one
                // without an error: ask once without it, which fails when anybody has the port.
                chosen = probe(address, shards.loop(0));
            }
            int count = shared ? shards.size() : 1;
            for (int i = 0; i < count; i++) {
                sockets.add(open(point, chosen, shards.loop(i), shards.epoll(), shared, limits));
                chosen = sockets.getFirst().local();
            }
            return new UdpListener(sockets);
        } catch (IOException | RuntimeException e) {
            for (UdpSocket socket : sockets) {
                socket.close();
            }
            throw BindFailure.of(point, e);
        }
    }

    private static InetSocketAddress probe(InetSocketAddress address, ShardLoop loop)
            throws IOException {
        Channel channel =
                bound(
                        new Bootstrap()
                                .group(loop.eventLoop())
                                .channelFactory(() -> new EpollDatagramChannel(family(address)))
                                .handler(new Nothing())
                                .bind(address));
        InetSocketAddress chosen = (InetSocketAddress) channel.localAddress();
        channel.close().awaitUninterruptibly();
        return chosen;
    }

    private static UdpSocket open(
            ListeningPoint point,
            InetSocketAddress address,
            ShardLoop loop,
            boolean epoll,
            boolean shared,
            NetworkConfig.Udp limits)
            throws IOException {
        ReceiveWindow window = new ReceiveWindow(loop, epoll, limits.batch());
        Bootstrap bootstrap =
                new Bootstrap()
                        .group(loop.eventLoop())
                        .channelFactory(() ->
                                epoll
                                        ? new EpollDatagramChannel(family(address))
                                        : new NioDatagramChannel(family(address)))
                        .handler(new Nothing())
                        .option(ChannelOption.AUTO_READ, false)
                        .option(ChannelOption.RECVBUF_ALLOCATOR, window)
                        .option(ChannelOption.SO_RCVBUF, limits.receiveBufferBytes())
                        .option(ChannelOption.SO_SNDBUF, limits.sendBufferBytes());
        if (epoll) {
            bootstrap.option(
                    EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, ReceiveWindow.SLOT_BYTES);
            bootstrap.option(UnixChannelOption.SO_REUSEPORT, shared);
        }
        Channel channel;
        try {
            channel = bound(bootstrap.bind(address));
        } catch (IOException e) {
            window.release();
            throw e;
        }
        UdpSocket socket = new UdpSocket(loop, point, channel, window, limits);
        channel.pipeline().addLast(socket);
        return socket;
    }

    private static Channel bound(ChannelFuture bind) throws IOException {
        bind.awaitUninterruptibly();
        Throwable cause = bind.cause();
        if (cause == null) {
            return bind.channel();
        }
        throw cause instanceof IOException io ? io : new IOException(cause);
    }

    private static SocketProtocolFamily family(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address
                ? SocketProtocolFamily.INET6
                : SocketProtocolFamily.INET;
    }

    /** The bound address, with the port that was chosen. */
    public InetSocketAddress local() {
        return local;
    }

    /** The socket that a loop sends by. */
    public UdpSocket socketOf(ShardLoop loop) {
        return sockets.size() == 1 ? sockets.getFirst() : sockets.get(loop.index());
    }

    /** Begins to receive. */
    public void receive() {
        for (UdpSocket socket : sockets) {
            socket.receive();
        }
    }

    /** What the kernel granted each socket. */
    public List<ReceiveBuffer> receiveBuffers() {
        return sockets.stream().map(UdpSocket::receiveBuffer).toList();
    }

    @Override
    public void close() {
        for (UdpSocket socket : sockets) {
            socket.close();
        }
    }

    /** Netty wants a handler before a channel is bound; ours comes when the address is known. */
    @ChannelHandler.Sharable
    private static final class Nothing extends ChannelInboundHandlerAdapter {}
}
