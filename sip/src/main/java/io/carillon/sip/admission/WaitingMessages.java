package io.carillon.sip.admission;

import io.carillon.sip.guard.Shares;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.observe.StackCounters;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The account of received messages of one shard that wait outside of the stack: for the turn of
 * their call, or in the hands of application code that works on them. ACKs and responses are in no
 * server transaction, and a request may wait longer than its transaction lives, so what waits is
 * counted here.
 *
 * <p>Bounded by {@link Room}. Before that is reached it is {@link #CROWDED_EIGHTHS crowded}: then
 * only mailboxes with little in them get more, so that a few busy calls cannot take the room of all
 * others. Nor can one source with many calls: where more than half of a kind's room is taken, it
 * has its share of what others leave of it.
 *
 * <p>Any thread.
 */
public final class WaitingMessages {
    /** What a queued message weighs beside its bytes: the objects that hold it. */
    private static final int OBJECTS_BYTES = 512;

    /** Of {@link Capacity#requestHeapBytes}. */
    private static final int CROWDED_EIGHTHS = 1;

    /** What one mailbox may hold where it is crowded. */
    private static final int LITTLE_BYTES = 16 << 10;

    private final AtomicLong bytes = new AtomicLong();
    private final long requestHeapBytes;
    private final Shares ofSources;

    public WaitingMessages(Capacity capacity) {
        requestHeapBytes = capacity.requestHeapBytes();
        ofSources =
                Shares.small(
                        Shares.units(requestHeapBytes),
                        capacity.sharePerSource(),
                        capacity.sources());
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
     * @param place where its sender is counted
     */
    public boolean hasRoom(int inMailbox, int weight, Room room, int place) {
        long now = bytes.get();
        long most = room.waiting(requestHeapBytes);
        if (now >= most) {
            return false;
        }
        // As long as others leave half of it free, one source may have that half.
        if (now >= most / 2
                && place != Sources.NOBODY
                && !ofSources.unlimited()
                && ofSources.held(place)
                        >= ofSources.limit(place, Shares.units(now), Shares.units(most), 4)) {
            return false;
        }
        return room == Room.RESERVED
                || now < requestHeapBytes / 8 * CROWDED_EIGHTHS
                || inMailbox <= LITTLE_BYTES - weight;
    }

    /**
     * A message waits.
     *
     * @param place where its sender is counted
     */
    public void add(int weight, int place) {
        bytes.addAndGet(weight);
        ofSources.take(place, Shares.units(weight));
    }

    /** It waits no longer. */
    public void remove(int weight, int place) {
        bytes.addAndGet(-weight);
        ofSources.giveBack(place, Shares.units(weight));
    }

    /** Bytes that wait now. */
    public long bytes() {
        return bytes.get();
    }
}
