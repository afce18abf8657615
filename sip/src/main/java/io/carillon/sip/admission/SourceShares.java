package io.carillon.sip.admission;

import io.carillon.sip.guard.Shares;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What the requests of each source hold of a shard's room, so that one source cannot take it from
 * all others: bytes of open requests, and transactions. A share binds while more than half of the
 * room is taken, and is a part of what others leave; of both, the half and the share, each kind of
 * request has what {@link Room} says.
 *
 * <p>Owner: the shard's thread. Memory is fixed.
 */
public final class SourceShares {
    /** Power of two. */
    private static final int KNOWN = 256;

    /**
     * Of the room, so much a source has for what belongs to its calls where exempt sources fill it:
     * so that calls come to their end. Not where the others do: by requests with a tag that leads
     * nowhere many of them would fill it a floor at a time.
     */
    private static final int FLOOR = 256;

    private final Sources sources;
    private final int maxTransactions;
    private final int maxUnits;
    private final Shares bytes;
    private final Shares transactions;

    /** What all sources hold that are counted: units of bytes, and transactions. */
    private long countedUnits;

    private int countedTransactions;

    /** Whose place was asked for lately: most messages come from few. Overwritten. */
    private final @Nullable InetAddress[] known = new InetAddress[KNOWN];

    private final int[] places = new int[KNOWN];

    public SourceShares(Capacity capacity) {
        sources = capacity.sources();
        maxTransactions = capacity.maxTransactions();
        int percent = capacity.sharePerSource();
        maxUnits = Shares.units(capacity.requestHeapBytes());
        bytes = Shares.small(maxUnits, percent, sources);
        transactions = Shares.small(maxTransactions, percent, sources);
    }

    /**
     * Where what came by that hop is counted: for the peer, or for who began what an application of
     * ours passes on.
     */
    public int place(Hop from) {
        if (from.internal()) {
            return from.beside() instanceof Origin.Known known ? known.countedAt() : Sources.NOBODY;
        }
        InetAddress address = from.initial().remote().getAddress();
        if (address == null) {
            return Sources.NOBODY;
        }
        int hash = address.hashCode();
        int i = (hash ^ hash >>> 8 ^ hash >>> 16 ^ hash >>> 24) & (KNOWN - 1);
        if (address.equals(known[i])) {
            return places[i];
        }
        int place = sources.place(SourceKey.of(address));
        known[i] = address;
        places[i] = place;
        return place;
    }

    /**
     * Does the source of that place hold its share of bytes?
     *
     * @param taken bytes of all, of what is asked for
     * @param part of the room that is asked for, as one of so many
     */
    boolean holdsBytes(int place, Room room, long taken, int part) {
        return holds(bytes, place, room, Shares.units(taken), maxUnits / part, countedUnits);
    }

    /**
     * Has that source no room for a transaction more? What its requests make us send is in the
     * table too, and counts for it.
     *
     * @param all transactions
     */
    boolean fullOfTransactions(Hop from, Room room, int all) {
        return all >= room.open(maxTransactions / 2)
                && holds(
                        transactions, place(from), room, all, maxTransactions, countedTransactions);
    }

    /**
     * @param counted what sources hold of it that are counted; the others are exempt
     */
    private static boolean holds(
            Shares shares, int place, Room room, int taken, int most, long counted) {
        if (place == Sources.NOBODY || shares.unlimited()) {
            return false;
        }
        // Every kind's part is of what is left for new requests: else what many send in dialogs
        // would leave no room for those of others.
        int limit = shares.limit(place, taken, most, room.quartersOpen());
        int floor = room == Room.NEW || counted > most / 2 ? 1 : most / FLOOR;
        return shares.held(place) >= Math.max(limit, floor);
    }

    /** So much is kept for it. */
    void holds(int place, int size) {
        bytes.take(place, Shares.units(size));
        countedUnits += place == Sources.NOBODY ? 0 : Shares.units(size);
    }

    /** It is kept no longer. */
    void letsGo(int place, int size) {
        bytes.giveBack(place, Shares.units(size));
        countedUnits -= place == Sources.NOBODY ? 0 : Shares.units(size);
    }

    /** Bytes that the source of that place holds, in whole units. */
    public long heldAt(int place) {
        return Shares.bytes(bytes.held(place));
    }

    /** Transactions of the source of that place. */
    public long transactionsAt(int place) {
        return transactions.held(place);
    }

    /** A transaction begins. */
    public void begins(int place) {
        transactions.take(place, 1);
        countedTransactions += place == Sources.NOBODY ? 0 : 1;
    }

    /** It is over, what lingered of it too. */
    public void ended(int place) {
        transactions.giveBack(place, 1);
        countedTransactions -= place == Sources.NOBODY ? 0 : 1;
    }
}
