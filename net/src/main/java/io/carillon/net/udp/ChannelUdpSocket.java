package io.carillon.net.udp;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.guard.Guard;
import io.carillon.net.keepalive.Stun;
import io.carillon.net.keepalive.StunPort;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.listen.ReceiveBuffer;
import io.carillon.net.shard.FailureReport;
import io.carillon.net.shard.ReportingPromise;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.guard.SourceKey;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A datagram socket by the JDK's channel, for systems without epoll: one system call per datagram.
 *
 * <p>Owner: the loop it is registered with. {@link #send} may be called on another loop, as there
 * is one socket for all.
 */
final class ChannelUdpSocket extends ChannelInboundHandlerAdapter implements UdpSocket {

    private final ShardLoop loop;
    private final LoopCounts tally;
    private final ListeningPoint point;
    private final InetSocketAddress local;
    private final UdpConfig limits;
    private final DatagramScreening reception;
    private final ReceivedHops origins;
    private final StunPort stun;
    private final Channel channel;
    private int unflushed;
    private boolean flushing;

    private ChannelUdpSocket(
            ShardLoop loop,
            ListeningPoint point,
            Channel channel,
            UdpConfig limits,
            DatagramScreening reception) {
        this.loop = loop;
        this.tally = loop.tally();
        this.point = point;
        this.channel = channel;
        this.limits = limits;
        this.local = (InetSocketAddress) channel.localAddress();
        this.origins = new ReceivedHops(local);
        this.stun = new StunPort(loop, reception.pings());
        this.reception = reception;
    }

    @Override
    public InetSocketAddress local() {
        return local;
    }

    static ChannelUdpSocket open(
            ListeningPoint point,
            InetSocketAddress address,
            ShardLoop loop,
            UdpConfig limits,
            DatagramScreening reception)
            throws IOException {
        Bootstrap bootstrap =
                new Bootstrap()
                        .group(loop.eventLoop())
                        .channelFactory(() -> new NioDatagramChannel(family(address)))
                        .handler(new Nothing())
                        .option(ChannelOption.AUTO_READ, false)
                        .option(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new FixedRecvByteBufAllocator(SLOT_BYTES)
                                        .maxMessagesPerRead(MAX_DATAGRAMS))
                        .option(ChannelOption.SO_RCVBUF, limits.receiveBufferBytes())
                        .option(ChannelOption.SO_SNDBUF, limits.sendBufferBytes());
        ChannelFuture bind = bootstrap.bind(address).awaitUninterruptibly();
        Throwable cause = bind.cause();
        if (cause != null) {
            throw cause instanceof IOException io ? io : new IOException(cause);
        }
        ChannelUdpSocket socket =
                new ChannelUdpSocket(loop, point, bind.channel(), limits, reception);
        bind.channel().pipeline().addLast(socket);
        return socket;
    }

    private static SocketProtocolFamily family(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address
                ? SocketProtocolFamily.INET6
                : SocketProtocolFamily.INET;
    }

    /** Netty wants a handler before a channel is bound; ours comes when the address is known. */
    @ChannelHandler.Sharable
    private static final class Nothing extends ChannelInboundHandlerAdapter {}

    @Override
    public void receive() {
        channel.config().setAutoRead(true);
    }

    @Override
    public ReceiveBuffer receiveBuffer() {
        int granted =
                ((io.netty.channel.socket.DatagramChannel) channel).config().getReceiveBufferSize();
        return new ReceiveBuffer(
                point.withPort(local.getPort()),
                loop.index(),
                limits.receiveBufferBytes(),
                granted);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        DatagramPacket packet = (DatagramPacket) message;
        try {
            received(packet.content(), packet.sender());
        } finally {
            packet.release();
        }
    }

    private void received(ByteBuf content, InetSocketAddress sender) {
        loop.beginRead();
        int length = content.readableBytes();
        tally.count(NetworkCounter.DATAGRAMS_IN);
        tally.add(NetworkCounter.DATAGRAM_BYTES_IN, length);
        Guard watch = reception.guard();
        if (watch != null
                && !watch.admitsDatagram(
                        SourceKey.of(sender.getAddress()), loop.nowNanos(), tally, loop.sheds())) {
            return;
        }
        byte[] bytes = new byte[length];
        content.getBytes(content.readerIndex(), bytes);
        DatagramTaker taker = reception.taker();
        if (taker != null) {
            taker.received(loop, bytes, length);
            return;
        }
        if (UdpSocket.isKeepAlive(bytes)) {
            tally.count(NetworkCounter.KEEPALIVES);
            return;
        }
        if (Stun.is(bytes)) {
            stun.received(bytes, sender, this);
            return;
        }
        loop.deliver(bytes, length, origins.of(sender));
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        tally.count(NetworkCounter.READ_BATCHES);
    }

    @Override
    public void send(
            byte[] bytes, int length, InetSocketAddress remote, @Nullable FailureReport failure) {
        if (loop.inShard()) {
            write(bytes, length, remote, failure);
        } else {
            byte[] kept = Arrays.copyOf(bytes, length);
            loop.execute(() -> write(kept, length, remote, failure));
        }
    }

    private void write(
            byte[] bytes, int length, InetSocketAddress remote, @Nullable FailureReport failure) {
        ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
        if (queue == null || length > MAX_PAYLOAD) {
            tally.count(NetworkCounter.DATAGRAM_SEND_ERRORS);
            if (failure != null) {
                failure.report(
                        length > MAX_PAYLOAD
                                ? "a datagram cannot hold " + length + " bytes"
                                : "the socket is closed");
            }
            return;
        }
        if (queue.totalPendingWriteBytes() + length > limits.maxUnsentBytes()) {
            tally.count(NetworkCounter.DATAGRAMS_UNSENT);
            return;
        }
        ByteBuf content = channel.alloc().directBuffer(length, length);
        content.writeBytes(bytes, 0, length);
        ChannelPromise promise =
                failure == null
                        ? channel.voidPromise()
                        : new ReportingPromise(
                                channel, tally, NetworkCounter.DATAGRAM_SEND_ERRORS, failure);
        // The promise itself reports; the void one tells exceptionCaught.
        var _ = channel.write(new DatagramPacket(content, remote), promise);
        tally.count(NetworkCounter.DATAGRAMS_OUT);
        tally.add(NetworkCounter.DATAGRAM_BYTES_OUT, length);
        if (++unflushed == 1) {
            loop.flushLater(this);
        } else if (unflushed % FLUSH_AT == 0) {
            flush();
        }
    }

    @Override
    public void flushBatch() {
        unflushed = 0;
        flush();
    }

    private void flush() {
        tally.count(NetworkCounter.WRITE_BATCHES);
        flushing = true;
        channel.flush();
        flushing = false;
    }

    /** Errors of reads, and of sends that nobody wants to hear about. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        tally.count(
                flushing
                        ? NetworkCounter.DATAGRAM_SEND_ERRORS
                        : NetworkCounter.DATAGRAM_READ_ERRORS);
    }

    @Override
    public void close() {
        channel.flush();
        channel.close().awaitUninterruptibly();
    }
}
