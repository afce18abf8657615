package io.carillon.sip.admission;

import io.carillon.sip.guard.Sources;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.observe.StackCounters;
import org.jspecify.annotations.Nullable;

/**
 * The account of bytes that a shard keeps of open requests, of what lingers of them, and of what it
 * sends for them: of all, of large messages, and of each source.
 *
 * <p>Large messages have half of each {@link Room}, and of that half a source has its share. So
 * what many sources send of them leaves the other half to messages of usual size. Exempt sources
 * have no part and no share. Where shares bind, and from where on there is no room, each kind of
 * request has what {@link Room} says.
 *
 * <p>Owner: the shard's thread. Memory is fixed.
 */
public final class OpenBytes {
    /** A source's large messages are refused from this part of its share on. */
    private static final int PART = 2;

    private final StackCounters counters;
    private final SourceShares shares;
    private final long most;

    public OpenBytes(Capacity capacity, StackCounters counters, SourceShares shares) {
        this.most = capacity.requestHeapBytes();
        this.counters = counters;
        this.shares = shares;
    }

    /**
     * What is kept of one thing changes.
     *
     * @param place of the source that it counts for; what is small counts for nobody
     * @param before bytes that it was counted with
     * @param now bytes from now on
     */
    public void changed(int place, int before, int now) {
        if (before == now) {
            return;
        }
        counters.holds(before, now);
        // Exactly what was taken is given back.
        if (StackCounters.countsForSource(before)) {
            shares.letsGo(place, before);
        }
        if (StackCounters.countsForSource(now)) {
            shares.holds(place, now);
        }
    }

    /**
     * Has that source no room for a large message more that would be kept but to be sent again?
     *
     * @param message as it was sent, or its bytes
     */
    public boolean tooLargeToLinger(int place, @Nullable Object message) {
        int size = StackCounters.surplus(message);
        return StackCounters.isLarge(size) && noneFor(place, Room.DIALOG, size);
    }

    /** A request is open, and counts for its source whatever its size. */
    public void opened(int place, int size) {
        counters.holds(0, size);
        shares.holds(place, size);
    }

    /** It is open no longer. */
    public void closed(int place, int size) {
        counters.holds(size, 0);
        shares.letsGo(place, size);
    }

    /** Have all together no room for what came by that hop? */
    public boolean full(Hop from, Room room, int size) {
        return counters.heldBytes() >= room.open(most) || fullOfLarge(from, room, size);
    }

    /** Is it a large one, and the part of those is full? */
    boolean fullOfLarge(Hop from, Room room, int size) {
        return StackCounters.isLarge(size) && fullOfLarge(shares.place(from), room, size);
    }

    /** Have all together no room for a message of that size more? */
    public boolean full(int place, Room room, int size) {
        return counters.heldBytes() >= room.open(most) || fullOfLarge(place, room, size);
    }

    /** What nobody else has us keep, or an exempt source, has all of the room. */
    private boolean fullOfLarge(int place, Room room, int size) {
        return StackCounters.isLarge(size)
                && place != Sources.NOBODY
                && counters.heldLarge() >= room.open(most / PART);
    }

    /** Has the source of what came by that hop no room for a message of that size more? */
    boolean holdsShare(Hop from, Room room, int size) {
        // Its place is looked up where it matters only.
        return (bind(room) || bindOfLarge(room)) && holdsShare(shares.place(from), room, size);
    }

    /** Is there no room for it, be it for all or for that source? */
    public boolean noneFor(int place, Room room, int size) {
        return full(place, room, size) || holdsShare(place, room, size);
    }

    private boolean holdsShare(int place, Room room, int size) {
        return (bind(room) && shares.holdsBytes(place, room, counters.heldBytes(), 1))
                || (StackCounters.isLarge(size)
                        && bindOfLarge(room)
                        && shares.holdsBytes(place, room, counters.heldLarge(), PART));
    }

    /** Is so much taken that shares bind? */
    private boolean bind(Room room) {
        return counters.heldBytes() >= room.open(most / 2);
    }

    /** Is so much of the part of large messages taken that shares bind? */
    public boolean scarceForLarge() {
        return bindOfLarge(Room.NEW);
    }

    private boolean bindOfLarge(Room room) {
        return counters.heldLarge() >= room.open(most / PART / 2);
    }

    /**
     * Is there no room for a request from above? As for those from the network: what belongs to a
     * dialog has a quarter more, what ends a call half more. One of usual size is bounded by the
     * table.
     *
     * @param place where whoever made us send it is counted
     */
    public boolean full(MessageDraft request, int place) {
        if (!bind(Room.NEW) && !bindOfLarge(Room.NEW)) {
            return false;
        }
        int size = StackCounters.surplus(request.mostBytes());
        if (!StackCounters.countsForSource(size)) {
            return false;
        }
        Room room =
                request.method().equals(Methods.BYE)
                        ? Room.RESERVED
                        : request.to().param("tag") == null ? Room.NEW : Room.DIALOG;
        return noneFor(place, room, size);
    }
}
