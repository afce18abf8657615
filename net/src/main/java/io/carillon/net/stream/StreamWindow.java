package io.carillon.net.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The one buffer that all connections of a loop are read into: what is read is taken out before the
 * next read, so a silent connection holds no buffer at all. Owner: the loop.
 */
final class StreamWindow implements RecvByteBufAllocator {

    static final int BYTES = 65_536;

    /** Reads of one connection before the others get their turn. */
    private static final int MAX_READS = 4;

    /** More than that is not told of what waits in a socket: since when it does is not known. */
    private static final long MOST_TOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ByteBuf whole = Unpooled.directBuffer(BYTES, BYTES);
    private final byte[] bytes = new byte[BYTES];
    private final LongSupplier nowNanos;
    private final LongConsumer waits;

    /**
     * @param nowNanos the time of the loop
     * @param waits told for how long a socket has always had more than one turn reads
     */
    StreamWindow(LongSupplier nowNanos, LongConsumer waits) {
        this.nowNanos = nowNanos;
        this.waits = waits;
    }

    /** Where the bytes go that are being read. */
    byte[] bytes() {
        return bytes;
    }

    /** Gives the buffer back, when the loop has ended. */
    void release() {
        whole.release();
    }

    @Override
    public ExtendedHandle newHandle() {
        return new Reading();
    }

    private final class Reading implements ExtendedHandle {
        private int reads;
        private int attemptedBytes;
        private int lastBytes;
        private boolean full;
        private long fullSinceNanos;

        @Override
        public ByteBuf allocate(ByteBufAllocator alloc) {
            return whole.refCnt() == 1 ? whole.clear().retain() : alloc.directBuffer(BYTES, BYTES);
        }

        @Override
        public int guess() {
            return BYTES;
        }

        @Override
        public void reset(ChannelConfig config) {
            reads = 0;
        }

        @Override
        public void incMessagesRead(int count) {
            reads += count;
        }

        @Override
        public boolean continueReading() {
            return lastBytes == attemptedBytes && reads < MAX_READS;
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return continueReading();
        }

        @Override
        public void lastBytesRead(int count) {
            lastBytes = count;
        }

        @Override
        public int lastBytesRead() {
            return lastBytes;
        }

        @Override
        public void attemptedBytesRead(int count) {
            attemptedBytes = count;
        }

        @Override
        public int attemptedBytesRead() {
            return attemptedBytes;
        }

        /** Where the last read of a turn was a whole one, more is in the socket. */
        @Override
        public void readComplete() {
            boolean before = full;
            full = reads >= MAX_READS && lastBytes == attemptedBytes;
            if (full && before) {
                long since = nowNanos.getAsLong() - fullSinceNanos;
                waits.accept(Math.min(since, MOST_TOLD_NANOS));
            } else if (full) {
                fullSinceNanos = nowNanos.getAsLong();
            }
        }
    }
}
