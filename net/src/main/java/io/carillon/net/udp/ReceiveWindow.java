package io.carillon.net.udp;

import io.carillon.net.shard.ShardLoop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * The one buffer that a datagram socket receives into, handed to Netty in windows of 4, 8, ...
 * slots: as many datagrams as one recvmmsg may bring. A system call that filled its window doubles
 * the next one, one that used no more than a quarter halves it (preparing slots costs time too),
 * and one that did not fill its window ends the batch without a further call just to hear that
 * there is nothing (epoll is level-triggered and tells again).
 *
 * <p>Owner: the socket's loop.
 */
final class ReceiveWindow implements RecvByteBufAllocator, RecvByteBufAllocator.ExtendedHandle {

    /** More than the largest datagram, so none is cut. */
    static final int SLOT_BYTES = 65_536;

    /** Datagrams after which other work of the loop gets its turn. */
    private static final int MAX_DATAGRAMS = 512;

    private static final int LEAST_SLOTS = 4;

    private final ShardLoop loop;
    private final ByteBuf whole;
    private final ByteBuf[] windows;
    private final int[] slots;
    private final boolean scatter;
    private int current;
    private int received;
    private boolean filled;
    private int attemptedBytes;
    private int lastBytes;

    /**
     * @param scatter true when one system call may bring many datagrams
     * @param mostSlots the widest window
     */
    ReceiveWindow(ShardLoop loop, boolean scatter, int mostSlots) {
        this.loop = loop;
        this.scatter = scatter;
        int least = scatter ? Math.min(LEAST_SLOTS, mostSlots) : 1;
        int most = scatter ? mostSlots : 1;
        int count = 1;
        for (int n = least; n < most; n *= 2) {
            count++;
        }
        whole = Unpooled.directBuffer(most * SLOT_BYTES, most * SLOT_BYTES);
        windows = new ByteBuf[count];
        slots = new int[count];
        int n = least;
        for (int i = 0; i < count; i++) {
            slots[i] = Math.min(n, most);
            windows[i] = whole.slice(0, slots[i] * SLOT_BYTES);
            n *= 2;
        }
    }

    /** Gives the buffer back to the system. */
    void release() {
        whole.release();
    }

    @Override
    public ExtendedHandle newHandle() {
        return this;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator alloc) {
        loop.beginRead();
        if (whole.refCnt() != 1) {
            // A datagram of the last read is still being looked at (the JDK's selector path reads
            // several first).
            return alloc.directBuffer(SLOT_BYTES, SLOT_BYTES);
        }
        whole.retain();
        return windows[current].clear();
    }

    @Override
    public int guess() {
        return slots[current] * SLOT_BYTES;
    }

    @Override
    public void reset(ChannelConfig config) {
        received = 0;
    }

    @Override
    public void incMessagesRead(int count) {
        received += count;
        if (!scatter) {
            filled = true;
            return;
        }
        filled = count >= slots[current];
        if (filled) {
            current = Math.min(current + 1, windows.length - 1);
        } else if (count * 4 <= slots[current] && current > 0) {
            current--;
        }
    }

    @Override
    public boolean continueReading() {
        return filled && received < MAX_DATAGRAMS;
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
        return continueReading();
    }

    @Override
    public void lastBytesRead(int bytes) {
        lastBytes = bytes;
    }

    @Override
    public int lastBytesRead() {
        return lastBytes;
    }

    @Override
    public void attemptedBytesRead(int bytes) {
        attemptedBytes = bytes;
    }

    @Override
    public int attemptedBytesRead() {
        return attemptedBytes;
    }

    @Override
    public void readComplete() {}
}
