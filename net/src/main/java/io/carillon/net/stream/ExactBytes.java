package io.carillon.net.stream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Stands before TLS, which keeps what it was given until a record is whole: it gets a copy of just
 * what was read, and the loop's one read buffer is free for the next connection. Stateless.
 */
@ChannelHandler.Sharable
final class ExactBytes extends ChannelInboundHandlerAdapter {

    static final ExactBytes INSTANCE = new ExactBytes();

    private ExactBytes() {}

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf read = (ByteBuf) message;
        ByteBuf copy = ctx.alloc().directBuffer(read.readableBytes());
        copy.writeBytes(read);
        read.release();
        ctx.fireChannelRead(copy);
    }
}
