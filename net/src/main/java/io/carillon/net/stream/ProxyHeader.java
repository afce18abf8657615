package io.carillon.net.stream;

import io.carillon.net.address.HostLiteral;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.shard.ShardLoop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the header of the PROXY protocol (version 1 or 2) with which a trusted proxy begins
 * each connection, and tells whom it connects; then the connection begins as if that one had made
 * it. Until then it is no connection: it holds the header's bytes alone, for the time of a
 * handshake.
 *
 * <p>Owner: the connection's loop.
 */
final class ProxyHeader extends ChannelInboundHandlerAdapter {
    /** The specification, section 2.2. */
    static final byte[] SIGNATURE = {
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A
    };

    /** Section 2.1: how a header of version 1 begins. */
    static final byte[] WORD = {'P', 'R', 'O', 'X', 'Y', ' '};

    /** Section 2.1: "a 108-byte buffer is always enough" for a header of version 1. */
    private static final int MOST_TEXT = 107;

    private static final int HEAD = 16;

    /** Addresses and what a proxy adds to them; more is none of our business. */
    private static final int MOST_BINARY = HEAD + 2_048;

    private final ShardLoop loop;
    private final RefusalLog refusals;
    private final Consumer<InetSocketAddress> begin;
    private final Future<?> deadline;
    private final ByteBuf read = Unpooled.buffer(256);
    private boolean over;

    private ProxyHeader(
            Channel channel,
            ShardLoop loop,
            int withinMillis,
            RefusalLog refusals,
            Consumer<InetSocketAddress> begin) {
        this.loop = loop;
        this.refusals = refusals;
        this.begin = begin;
        this.deadline =
                loop.schedule(
                        () -> broken(channel, "no PROXY header came in time"),
                        TimeUnit.MILLISECONDS.toNanos(withinMillis));
    }

    /**
     * Begins to wait.
     *
     * @param begin gets who is behind the proxy, or the proxy itself where it speaks for itself
     */
    static void await(
            Channel channel,
            ShardLoop loop,
            int withinMillis,
            RefusalLog refusals,
            Consumer<InetSocketAddress> begin) {
        channel.pipeline().addLast(new ProxyHeader(channel, loop, withinMillis, refusals, begin));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            if (!over) {
                read.writeBytes(bytes);
                look(ctx);
            }
        } finally {
            bytes.release();
        }
    }

    private void look(ChannelHandlerContext ctx) {
        int length = length();
        if (length < 0) {
            broken(ctx.channel(), "what it sent is no PROXY header");
        } else if (length > 0 && read.readableBytes() >= length) {
            header(ctx, read.readSlice(length));
        }
    }

    /** Of the whole header; 0 while that cannot be told, -1 when it is none. */
    private int length() {
        int known = read.readableBytes();
        if (begins(WORD, known)) {
            int end = read.indexOf(0, Math.min(known, MOST_TEXT), (byte) '\n');
            return end >= 0 ? end + 1 : known >= MOST_TEXT ? -1 : 0;
        }
        if (!begins(SIGNATURE, known)) {
            return -1;
        }
        if (known < HEAD) {
            return 0;
        }
        int length = HEAD + read.getUnsignedShort(HEAD - 2);
        return length > MOST_BINARY ? -1 : length;
    }

    private boolean begins(byte[] with, int known) {
        for (int i = 0; i < Math.min(with.length, known); i++) {
            if (read.getByte(i) != with[i]) {
                return false;
            }
        }
        return true;
    }

    private void header(ChannelHandlerContext ctx, ByteBuf header) {
        InetSocketAddress source;
        try {
            source = source(header, (InetSocketAddress) ctx.channel().remoteAddress());
        } catch (DecoderException | IllegalArgumentException e) {
            broken(ctx.channel(), "its PROXY header is wrong: " + e.getMessage());
            return;
        }
        end();
        Channel channel = ctx.channel();
        ByteBuf rest = channel.alloc().buffer(Math.max(1, read.readableBytes()));
        rest.writeBytes(read);
        ctx.pipeline().remove(this);
        begin.accept(source);
        if (rest.isReadable() && channel.isOpen()) {
            channel.pipeline().fireChannelRead(rest);
        } else {
            rest.release();
        }
    }

    /** Who is behind the proxy. */
    private static InetSocketAddress source(ByteBuf header, InetSocketAddress proxy) {
        EmbeddedChannel reader = new EmbeddedChannel(new HAProxyMessageDecoder());
        try {
            reader.writeInbound(Unpooled.copiedBuffer(header));
            HAProxyMessage message = reader.readInbound();
            if (message == null) {
                throw new IllegalArgumentException("it is not whole");
            }
            try {
                return source(message, proxy);
            } finally {
                message.release();
            }
        } finally {
            var _ = reader.finishAndReleaseAll();
        }
    }

    private static InetSocketAddress source(HAProxyMessage message, InetSocketAddress proxy) {
        // Section 2.2: "LOCAL: the connection was established on purpose by the proxy without being
        // relayed." Section 2.1, UNKNOWN: "the receiver must ignore anything presented before the
        // CRLF".
        if (message.command() == HAProxyCommand.LOCAL
                || message.proxiedProtocol() == HAProxyProxiedProtocol.UNKNOWN) {
            return proxy;
        }
        String address = message.sourceAddress();
        InetAddress host = address == null ? null : HostLiteral.parse(address);
        boolean stream =
                message.proxiedProtocol() == HAProxyProxiedProtocol.TCP4
                        || message.proxiedProtocol() == HAProxyProxiedProtocol.TCP6;
        if (host == null || !stream || message.sourcePort() == 0) {
            throw new IllegalArgumentException(
                    message.proxiedProtocol() + " from " + address + ":" + message.sourcePort());
        }
        return new InetSocketAddress(host, message.sourcePort());
    }

    private void broken(Channel channel, @Nullable String why) {
        if (over) {
            return;
        }
        end();
        loop.begin();
        loop.tally().count(NetworkCounter.PROXY_HEADERS_BROKEN);
        refusals.failed(channel.remoteAddress(), String.valueOf(why));
        loop.watch("closing a connection without its PROXY header", channel.close());
    }

    private void end() {
        over = true;
        deadline.cancel(false);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        // As a proxy does that looks whether we are there.
        end();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        broken(ctx.channel(), cause.getMessage());
    }
}
