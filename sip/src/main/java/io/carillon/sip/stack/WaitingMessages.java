package io.carillon.sip.stack;

import io.carillon.sip.message.SipMessage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The account of received messages of one shard that wait outside of the stack: for the turn of
 * their call, or for application code that works on them. ACKs and responses are in no server
 * transaction, and a request may wait longer than its transaction lives, so what waits is counted
 * here; it is a part of {@link Shard#heldBytes()} and has its bound in common with open requests.
 *
 * <p>Any thread.
 */
public final class WaitingMessages {
    /** What a queued message weighs beside its bytes: the objects that hold it. */
    private static final int OBJECTS_BYTES = 512;

    private final AtomicLong bytes = new AtomicLong();
    private final StackCounters counters;
    private final long maxHeldBytes;

    WaitingMessages(StackCounters counters, long maxHeldBytes) {
        this.counters = counters;
        this.maxHeldBytes = maxHeldBytes;
    }

    /** Bytes that a message keeps alive while it waits: its whole array and its index. */
    public static int weight(SipMessage message) {
        return message.bytes().length + Integer.BYTES * message.headerCount() + OBJECTS_BYTES;
    }

    /** Is there room of that kind for one message more? */
    public boolean hasRoom(Room room) {
        return !room.full(held(), maxHeldBytes);
    }

    /** So many more bytes wait, or fewer. */
    public void add(int change) {
        bytes.addAndGet(change);
    }

    /** Bytes that wait now. */
    public long bytes() {
        return bytes.get();
    }

    /** Those, and what open requests hold. */
    long held() {
        return counters.heldBytes() + bytes.get();
    }
}
