package io.carillon.net.stream;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.shard.ShardLoop;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Looks at the first bytes of a connection that is not of a trusted proxy: who begins with a header
 * of the PROXY protocol wants to be taken for somebody else, and is closed. Goes away as soon as
 * the bytes are something else.
 *
 * <p>Owner: the connection's loop.
 */
final class ProxyHeaderOfStranger extends ChannelInboundHandlerAdapter {
    private final ShardLoop loop;
    private final RefusalLog refusals;
    private int seen;
    private boolean word = true;
    private boolean signature = true;

    ProxyHeaderOfStranger(ShardLoop loop, RefusalLog refusals) {
        this.loop = loop;
        this.refusals = refusals;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        for (int i = bytes.readerIndex(); i < bytes.writerIndex() && (word || signature); i++) {
            byte next = bytes.getByte(i);
            word = word && next == ProxyHeader.WORD[seen];
            signature = signature && next == ProxyHeader.SIGNATURE[seen];
            seen++;
            if ((word && seen == ProxyHeader.WORD.length)
                    || (signature && seen == ProxyHeader.SIGNATURE.length)) {
                refuse(ctx, bytes);
                return;
            }
        }
        if (!word && !signature) {
            ctx.pipeline().remove(this);
        }
        ctx.fireChannelRead(message);
    }

    private void refuse(ChannelHandlerContext ctx, ByteBuf bytes) {
        bytes.release();
        loop.begin();
        loop.tally().count(NetworkCounter.PROXY_HEADERS_REFUSED);
        refusals.failed(
                ctx.channel().remoteAddress(),
                "a PROXY header of one who is not in proxy-protocol.trusted");
        loop.watch("closing a connection with a PROXY header", ctx.channel().close());
    }
}
