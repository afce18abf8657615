package io.carillon.net.udp;

import io.carillon.net.ListeningPoint;
import io.carillon.net.NetworkConfig;
import io.carillon.net.NetworkCounter;
import io.carillon.net.ReceiveBuffer;
import io.carillon.net.Tally;
import io.carillon.net.shard.Batched;
import io.carillon.net.shard.FailureReport;
import io.carillon.net.shard.ReportingPromise;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.message.SipMessage;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One datagram socket of one loop. Received datagrams are copied out once, into an array of their
 * own size, and delivered to their shard; sent ones wait in Netty's queue until the loop's
 * iteration ends and then leave with one system call.
 *
 * <p>Owner: the loop it is registered with. {@link #send} may be called on another loop where there
 * is one socket for all (no epoll).
 */
public final class UdpSocket extends ChannelInboundHandlerAdapter implements Batched {

    /** RFC 768: 65,535 less the UDP and the smallest IP header. */
    private static final int MAX_PAYLOAD = 65_507;

    /** Datagrams in the queue that are flushed without waiting for the end of the iteration. */
    private static final int FLUSH_AT = 128;

    private final ShardLoop loop;
    private final Tally tally;
    private final ListeningPoint point;
    private final InetSocketAddress local;
    private final NetworkConfig.Udp limits;
    private final ReceiveWindow window;
    private final Origins origins;
    private final Channel channel;
    private int unflushed;
    private boolean flushing;

    UdpSocket(
            ShardLoop loop,
            ListeningPoint point,
            Channel channel,
            ReceiveWindow window,
            NetworkConfig.Udp limits) {
        this.loop = loop;
        this.tally = loop.tally();
        this.point = point;
        this.channel = channel;
        this.window = window;
        this.limits = limits;
        this.local = (InetSocketAddress) channel.localAddress();
        this.origins = new Origins(local);
    }

    /** The bound address; a wildcard stays one. */
    public InetSocketAddress local() {
        return local;
    }

    /** Begins to receive. */
    public void receive() {
        channel.config().setAutoRead(true);
    }

    /** What the kernel granted. */
    public ReceiveBuffer receiveBuffer() {
        int granted =
                ((io.netty.channel.socket.DatagramChannel) channel).config().getReceiveBufferSize();
        if (channel instanceof io.netty.channel.epoll.EpollDatagramChannel) {
            // socket(7): the kernel doubles the value for bookkeeping, and the doubled one is read.
            // The JDK halves it itself.
            granted /= 2;
        }
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
        int length = content.readableBytes();
        tally.count(NetworkCounter.DATAGRAMS_IN);
        tally.add(NetworkCounter.DATAGRAM_BYTES_IN, length);
        if (isKeepAlive(content, length)) {
            tally.count(NetworkCounter.KEEPALIVES);
            return;
        }
        byte[] bytes = new byte[length];
        content.getBytes(content.readerIndex(), bytes);
        loop.deliver(bytes, length, origins.of(sender));
    }

    /**
     * Clients hold their address translation open by datagrams that are empty or a few line breaks
     * or NULs.
     */
    private static boolean isKeepAlive(ByteBuf content, int length) {
        if (length > 8) {
            return false;
        }
        for (int i = content.readerIndex(), end = i + length; i < end; i++) {
            byte b = content.getByte(i);
            if (b != '\r' && b != '\n' && b != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        tally.count(NetworkCounter.READ_BATCHES);
    }

    /**
     * Sends one message; it leaves when the loop's iteration ends.
     *
     * @param failure told when the kernel refuses it; a full queue is no failure but loss, as
     *     networks have it
     */
    public void send(
            SipMessage message, InetSocketAddress remote, @Nullable FailureReport failure) {
        if (loop.inShard()) {
            write(message, remote, failure);
        } else {
            loop.execute(() -> write(message, remote, failure));
        }
    }

    private void write(
            SipMessage message, InetSocketAddress remote, @Nullable FailureReport failure) {
        int length = message.length();
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
        content.writeBytes(message.bytes(), 0, length);
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

    /** Sends what waits and closes; returns when that is done. */
    void close() {
        channel.flush();
        channel.close().awaitUninterruptibly();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        window.release();
    }
}
