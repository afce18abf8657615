package io.carillon.net.stream;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;

/** Sockets of connections, and what they are set to. Stateless. */
final class ClientChannels {

    /** Time in which the peer's machine must take what was sent: 64*T1, as Timer B and F. */
    private static final int UNACKNOWLEDGED_MILLIS = 32_000;

    /** When a connection is told that its peer reads again. */
    private static final WriteBufferWaterMark SLOW_READER =
            new WriteBufferWaterMark(UnsentBytes.LITTLE / 2, UnsentBytes.LITTLE);

    private ClientChannels() {}

    /** A socket that is not connected yet. */
    static Channel fresh(boolean epoll, InetSocketAddress remote) {
        SocketProtocolFamily family =
                remote.getAddress() instanceof Inet6Address
                        ? SocketProtocolFamily.INET6
                        : SocketProtocolFamily.INET;
        return epoll
                ? new EpollSocketChannel(family)
                : new NioSocketChannel(SelectorProvider.provider(), family);
    }

    /** Sets what every connection is set to. */
    static void set(Channel fresh, StreamWindow window) {
        fresh.config().setRecvByteBufAllocator(window);
        fresh.config().setWriteBufferWaterMark(SLOW_READER);
        fresh.config().setOption(ChannelOption.TCP_NODELAY, true);
        fresh.config().setOption(ChannelOption.SO_KEEPALIVE, true);
        if (fresh instanceof EpollSocketChannel) {
            // Else a peer whose machine died holds what is sent to it for a quarter of an hour.
            fresh.config().setOption(EpollChannelOption.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLIS);
        }
    }
}
