package io.carillon.net.tls;

import io.carillon.net.listen.ListeningPoint;
import io.carillon.sip.hop.TlsPeer;
import io.carillon.sip.hop.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server on 127.0.0.1 that sends back what it gets over TLS, and clients of it. */
final class TlsEcho implements AutoCloseable {

    static final ListeningPoint POINT = new ListeningPoint(Transport.TLS, "127.0.0.1", 0);
    private static final int PATIENCE_SECONDS = 20;

    private final EventLoopGroup loops =
            new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel listener;
    private final BlockingQueue<TlsPeer> clients = new LinkedBlockingQueue<>();

    TlsEcho(LiveTlsContexts contexts) throws Exception {
        ChannelInitializer<Channel> accepted =
                new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        SslHandler tls = contexts.server(POINT, channel.alloc());
                        channel.pipeline().addLast(tls, new Echo());
                        tls.handshakeFuture()
                                .addListener(done -> {
                                    if (done.isSuccess()) {
                                        clients.add(
                                                contexts.peer(
                                                        tls,
                                                        (InetSocketAddress)
                                                                channel.remoteAddress()));
                                    }
                                });
                    }
                };
        listener =
                new ServerBootstrap()
                        .group(loops)
                        .channel(NioServerSocketChannel.class)
                        .childHandler(accepted)
                        .bind(InetAddress.getLoopbackAddress(), 0)
                        .sync()
                        .channel();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** What the server knows of the client that connected last. */
    TlsPeer client() throws InterruptedException {
        TlsPeer known = clients.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (known == null) {
            throw new AssertionError("no handshake ended on the server's side");
        }
        return known;
    }

    /** A connection of a client of ours; not yet connected in the sense of TLS. */
    Connection connect(LiveTlsContexts contexts, @Nullable String domain) throws Exception {
        InetSocketAddress remote = address();
        Connection connection = new Connection(contexts, remote);
        ChannelHandler opened =
                new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        SslHandler tls = contexts.client(domain, remote, channel.alloc());
                        connection.tls = tls;
                        channel.pipeline().addLast(tls, connection);
                    }
                };
        connection.channel =
                new Bootstrap()
                        .group(loops)
                        .channel(NioSocketChannel.class)
                        .handler(opened)
                        .connect(remote)
                        .sync()
                        .channel();
        return connection;
    }

    /** The client's end. */
    static final class Connection extends ChannelInboundHandlerAdapter {
        private final LiveTlsContexts contexts;
        private final InetSocketAddress remote;
        private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
        private @Nullable SslHandler tls;
        private @Nullable Channel channel;

        private Connection(LiveTlsContexts contexts, InetSocketAddress remote) {
            this.contexts = contexts;
            this.remote = remote;
        }

        /** Null: the handshake went well. */
        @Nullable Throwable failure() throws InterruptedException {
            tls.handshakeFuture().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return tls.handshakeFuture().cause();
        }

        /** How the handshake ended. */
        HandshakeOutcome outcome() throws InterruptedException {
            Throwable failure = failure();
            return failure == null ? HandshakeOutcome.OK : HandshakeFailure.outcome(failure);
        }

        TlsPeer server() {
            return contexts.peer(tls, remote);
        }

        /** What the server shows, once it has. */
        X509Certificate certificateAfterHandshake() throws InterruptedException {
            if (failure() != null) {
                throw new AssertionError(failure());
            }
            return certificate();
        }

        X509Certificate certificate() {
            return server().certificates().getFirst();
        }

        /** What comes back for a text; null when the connection ends instead. */
        @Nullable String ask(String text) throws InterruptedException {
            channel.writeAndFlush(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
            String back = received.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return back == null || back.isEmpty() ? null : back;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            received.add(((ByteBuf) message).toString(StandardCharsets.US_ASCII));
            ((ByteBuf) message).release();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            received.add("");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close(); // the handshake's future tells it
        }
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close(); // the counts tell it
        }
    }

    @Override
    public void close() {
        listener.close().syncUninterruptibly();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
