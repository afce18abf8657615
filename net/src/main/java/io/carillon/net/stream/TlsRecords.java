package io.carillon.net.stream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Stands before TLS, which keeps what it was given until a record is whole: it gets a copy of just
 * what was read, and the loop's one read buffer is free for the next connection. It also counts
 * what is kept, since up to 64 kB of a record whose rest never comes would stay on each connection
 * unseen.
 *
 * <p>Owner: the connection's loop.
 */
final class TlsRecords extends ChannelInboundHandlerAdapter {
    /** RFC 8446 5.1: type, version, two bytes of length. */
    private static final int HEADER = 5;

    /**
     * A record of fewer bytes holds no SIP message: some 20 to 30 of them are the cipher's, and RFC
     * 3261 asks for more than the rest. RFC 8446 5.1 allows records without content, and 4.6.3 key
     * updates at any time; neither shows above TLS.
     */
    private static final int SMALL = 64;

    /** Who is told what is kept. On the connection's loop. */
    interface Account {
        /**
         * Told on each read of the socket.
         *
         * @param bytes of the record that is not whole
         * @param small records among what was read that are too small for a SIP message
         */
        void recordHeld(int bytes, int small);
    }

    private final Account connection;
    private int small;
    private int headerHave;
    private int length;
    private int left;

    TlsRecords(Account connection) {
        this.connection = connection;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf read = (ByteBuf) message;
        small = 0;
        count(read);
        ByteBuf copy = ctx.alloc().directBuffer(read.readableBytes());
        copy.writeBytes(read);
        read.release();
        ctx.fireChannelRead(copy);
        connection.recordHeld(held(), small);
    }

    /** Bytes of the record that is not whole. */
    private int held() {
        return left > 0 ? HEADER + length - left : headerHave;
    }

    private void count(ByteBuf read) {
        int p = read.readerIndex();
        int end = read.writerIndex();
        while (p < end) {
            if (left > 0) {
                int taken = Math.min(left, end - p);
                left -= taken;
                p += taken;
            } else {
                int value = read.getByte(p++) & 0xFF;
                // The last two bytes of the header are the length.
                length = headerHave < HEADER - 2 ? 0 : length << 8 | value;
                if (++headerHave == HEADER) {
                    headerHave = 0;
                    left = length;
                    if (length < SMALL) {
                        small++;
                    }
                }
            }
        }
    }
}
