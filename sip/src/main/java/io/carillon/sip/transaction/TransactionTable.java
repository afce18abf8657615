package io.carillon.sip.transaction;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.ViaScan;
import java.security.SecureRandom;
import java.util.BitSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Transactions by branch, sent-by and method (RFC 3261 sections 17.1.3 and 17.2.3), those of
 * received requests by source, Call-ID and CSeq number too. Open addressing: the hashes stand
 * beside each other, apart from the transactions, so that a lookup which finds nothing, the rule
 * for a new request, and a removal touch no other transaction. Those that linger are seldom in a
 * processor's cache. A lookup allocates nothing.
 *
 * <p>The branch is compared in full, all else by the 64-bit hash alone: its seed and its factor are
 * drawn at random, so nobody can choose what makes it equal to another one. Branches and Call-IDs
 * are compared by their bytes: a peer that repeats a message repeats them, although RFC 3261
 * section 7.3.1 would let it change the case.
 *
 * <p>Owner: the shard's thread.
 */
public final class TransactionTable {
    // Drawn per process, so that nobody can prepare branches that meet in one bucket. Nothing
    // observable depends on them.
    private static final long SEED = new SecureRandom().nextLong();
    private static final long FACTOR = new SecureRandom().nextLong() | 1;
    private static final long FACTOR_2 = FACTOR * FACTOR;
    private static final long FACTOR_3 = FACTOR_2 * FACTOR;
    private static final long FACTOR_4 = FACTOR_3 * FACTOR;

    /** Half of the places are empty at least; a power of two. */
    private static final int FIRST_PLACES = 512;

    /**
     * Half of the hash, by place; 0 where there is none. A table of many calls lies outside of the
     * caches, so each place is as small as it can be.
     */
    private int[] hashes = new int[FIRST_PLACES];

    private @Nullable Transaction[] entries = new @Nullable Transaction[FIRST_PLACES];
    private int size;

    /**
     * Hash of a key.
     *
     * @param sentByHost of the Via, in any case; "" where the branch is our own
     * @param sentByPort of the Via, -1 when it has none
     * @param method the method, INVITE for ACK
     */
    public static long hash(String branch, String sentByHost, int sentByPort, String method) {
        long h = text(SEED, branch);
        for (int j = 0; j < sentByHost.length(); j++) {
            char c = sentByHost.charAt(j);
            h = h * FACTOR + (c >= 'A' && c <= 'Z' ? c + 32 : c);
        }
        return whole(h, sentByPort, method.hashCode());
    }

    private static long whole(long branchAndHost, int sentByPort, int methodHash) {
        long h = branchAndHost;
        h = (h ^ (h >>> 29)) * 0xBF58476D1CE4E5B9L + sentByPort;
        h = (h ^ (h >>> 32)) * 0x94D049BB133111EBL + methodHash;
        return h ^ (h >>> 31);
    }

    /** Hash of a part of a message, ASCII as what is compared here is. */
    private static long ascii(long start, byte[] b, int from, int to) {
        long h = start;
        for (int i = from; i < to; i++) {
            h = h * FACTOR + b[i];
        }
        return h;
    }

    /** As {@link #hash} of a branch of ours, of the bytes of a request that is not parsed. */
    public static long ours(byte[] b, int branchFrom, int branchTo, int methodHash) {
        return whole(ascii(SEED, b, branchFrom, branchTo), -1, methodHash);
    }

    /**
     * As {@link #received} of {@link #hash}, of a request that is not parsed: of the parts of its
     * bytes, which are ASCII.
     *
     * @param via the topmost, scanned
     * @param methodHash of its text, as {@link String#hashCode}
     */
    public static long received(
            byte[] b,
            ViaScan via,
            int methodHash,
            int callIdFrom,
            int callIdTo,
            long cseqNumber,
            long source) {
        long h = ascii(SEED, b, via.branchStart(), via.branchEnd());
        for (int i = via.hostStart(); i < via.hostEnd(); i++) {
            h = h * FACTOR + Ascii.lower(b[i]);
        }
        h = whole(h, via.port(), methodHash);
        return received(ascii(h, b, callIdFrom, callIdTo), source, cseqNumber);
    }

    /**
     * Hash of the key of a received request: RFC 3261 section 17.2.3 takes branch, sent-by and
     * method, which everybody downstream of a request can read and write again. So where it came
     * from and what it belongs to count as well: by whatever else is in that branch from elsewhere
     * a transaction is neither found nor hidden.
     *
     * @param hash of branch, sent-by and method
     * @param source of the packet, a {@link io.carillon.sip.guard.SourceKey}: without its port,
     *     which changes with a new connection, or at a router that translates addresses
     */
    public static long received(long hash, long source, String callId, long cseqNumber) {
        return received(text(hash, callId), source, cseqNumber);
    }

    private static long received(long hashWithCallId, long source, long cseqNumber) {
        long h = (hashWithCallId * FACTOR + cseqNumber) * FACTOR + source;
        h = (h ^ (h >>> 32)) * FACTOR_3;
        return h ^ (h >>> 31);
    }

    private static long text(long start, String text) {
        long h = start;
        int i = 0;
        // Four at a time, as the multiplications of one after the other would wait for each other.
        for (int last = text.length() - 3; i < last; i += 4) {
            h =
                    h * FACTOR_4
                            + text.charAt(i) * FACTOR_3
                            + text.charAt(i + 1) * FACTOR_2
                            + text.charAt(i + 2) * FACTOR
                            + text.charAt(i + 3);
        }
        for (; i < text.length(); i++) {
            h = h * FACTOR + text.charAt(i);
        }
        return h;
    }

    /** A hash that is the same in every process. */
    public static long stableHash(String text) {
        long h = 0xCBF29CE484222325L;
        for (int i = 0; i < text.length(); i++) {
            h = (h ^ text.charAt(i)) * 0x100000001B3L;
        }
        return h ^ (h >>> 29);
    }

    /** The transaction with this key, or null. */
    public @Nullable Transaction find(long hash, String branch) {
        int wanted = half(hash);
        int mask = hashes.length - 1;
        for (int i = wanted & mask; hashes[i] != 0; i = (i + 1) & mask) {
            if (hashes[i] == wanted) {
                Transaction t = entries[i];
                if (t != null && t.keyHash == hash && t.branch.equals(branch)) {
                    return t;
                }
            }
        }
        return null;
    }

    /** Is there one with this hash and the branch in these bytes? */
    public boolean holds(long hash, byte[] b, int branchFrom, int branchTo) {
        int wanted = half(hash);
        int mask = hashes.length - 1;
        for (int i = wanted & mask; hashes[i] != 0; i = (i + 1) & mask) {
            Transaction t = hashes[i] == wanted ? entries[i] : null;
            if (t != null && t.keyHash == hash && Ascii.equals(b, branchFrom, branchTo, t.branch)) {
                return true;
            }
        }
        return false;
    }

    private static int half(long hash) {
        int half = (int) hash;
        return half == 0 ? 1 : half;
    }

    /** Adds a transaction whose {@link Transaction#key} is set and not in the table yet. */
    public void add(Transaction transaction) {
        if (2 * (size + 1) > hashes.length) {
            grow();
        }
        put(half(transaction.keyHash), transaction);
        size++;
    }

    private void put(int hash, Transaction transaction) {
        int mask = hashes.length - 1;
        int i = hash & mask;
        while (hashes[i] != 0) {
            i = (i + 1) & mask;
        }
        hashes[i] = hash;
        entries[i] = transaction;
    }

    /** Removes a transaction; false when it was not there. */
    public boolean remove(Transaction transaction) {
        int wanted = half(transaction.keyHash);
        int mask = hashes.length - 1;
        for (int i = wanted & mask; hashes[i] != 0; i = (i + 1) & mask) {
            if (hashes[i] == wanted && entries[i] == transaction) {
                close(i);
                size--;
                return true;
            }
        }
        return false;
    }

    /** Empties a place; what stands behind it moves up, as far as its own place allows. */
    private void close(int place) {
        int mask = hashes.length - 1;
        int hole = place;
        for (int i = (hole + 1) & mask; hashes[i] != 0; i = (i + 1) & mask) {
            int home = hashes[i] & mask;
            if (((i - home) & mask) >= ((i - hole) & mask)) {
                hashes[hole] = hashes[i];
                entries[hole] = entries[i];
                hole = i;
            }
        }
        hashes[hole] = 0;
        entries[hole] = null;
    }

    /** How many it holds, those that linger included. */
    public int size() {
        return size;
    }

    /** Visits all; the visitor must not change the table. */
    public void forEach(Consumer<Transaction> visitor) {
        for (Transaction t : entries) {
            if (t != null) {
                visitor.accept(t);
            }
        }
    }

    /** Adds the partitions in which something is under way. */
    public void underWay(BitSet partitions) {
        for (Transaction t : entries) {
            if (t != null && t.partition() >= 0 && t.isUnderWay()) {
                partitions.set(t.partition());
            }
        }
    }

    private void grow() {
        int[] oldHashes = hashes;
        @Nullable Transaction[] old = entries;
        hashes = new int[2 * old.length];
        entries = new @Nullable Transaction[2 * old.length];
        for (int i = 0; i < old.length; i++) {
            Transaction t = old[i];
            if (t != null) {
                put(oldHashes[i], t);
            }
        }
    }
}
