package io.carillon.sip.stack;

import io.carillon.sip.message.SipMessage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The account of received messages of one shard that wait outside of the stack: for the turn of
 * their call, or in the hands of application code that works on them. ACKs and responses are in no
 * server transaction, and a request may wait longer than its transaction lives, so what waits is
 * counted here.
 *
 * <p>Bounded by {@link Room}. Before that is reached it is {@link #CROWDED_EIGHTHS crowded}: then
 * only mailboxes with little in them get more, so that a few busy calls cannot take the room of all
 * others.
 *
 * <p>Any thread.
 */
public final class WaitingMessages {
    /** What a queued message weighs beside its bytes: the objects that hold it. */
    private static final int OBJECTS_BYTES = 512;

    /** Of {@link StackConfig#maxHeldBytes}. */
    private static final int CROWDED_EIGHTHS = 1;

    /** What one mailbox may hold where it is crowded. */
    private static final int LITTLE_BYTES = 16 << 10;

    private final AtomicLong bytes = new AtomicLong();
    private final long maxHeldBytes;

    WaitingMessages(long maxHeldBytes) {
        this.maxHeldBytes = maxHeldBytes;
    }

    /** Bytes that a message keeps alive while it waits: its whole array and its index. */
    public static int weight(SipMessage message) {
        return message.bytes().length + Integer.BYTES * message.headerCount() + OBJECTS_BYTES;
    }

    /** As {@link #weight}, of a message larger than usual; 0 of others, which a table bounds. */
    public static int large(SipMessage message) {
        return StackCounters.surplus(message) == 0 ? 0 : weight(message);
    }

    /**
     * Is there room for one message more?
     *
     * @param inMailbox bytes of messages in its mailbox
     * @param weight its own
     */
    public boolean hasRoom(int inMailbox, int weight, Room room) {
        long now = bytes.get();
        if (now >= room.waiting(maxHeldBytes)) {
            return false;
        }
        return room == Room.RESERVED
                || now < maxHeldBytes / 8 * CROWDED_EIGHTHS
                || inMailbox <= LITTLE_BYTES - weight;
    }

    /** So many more bytes wait, or fewer. */
    public void add(int change) {
        bytes.addAndGet(change);
    }

    /** Bytes that wait now. */
    public long bytes() {
        return bytes.get();
    }
}
