package io.carillon.sip.transaction;

import java.security.SecureRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Transactions by branch, sent-by and method (RFC 3261 sections 17.1.3 and 17.2.3). Chained buckets
 * whose nodes are the transactions themselves: an entry costs one reference and a lookup allocates
 * nothing.
 *
 * <p>The branch is compared in full, sent-by and method by the 64-bit hash alone: whoever could
 * forge that could as well copy the sent-by. Branches are compared by their bytes: a peer that
 * repeats a message repeats them, although RFC 3261 section 7.3.1 would let it change the case.
 *
 * <p>Owner: the shard's thread.
 */
public final class TransactionTable {
    // Drawn per process, so that nobody can prepare branches that meet in one bucket. Nothing
    // observable depends on them.
    private static final long SEED = new SecureRandom().nextLong();
    private static final long FACTOR = new SecureRandom().nextLong() | 1;

    private @Nullable Transaction[] buckets = new @Nullable Transaction[256];
    private int size;

    /**
     * Hash of a key.
     *
     * @param sentByHost of the Via, in any case; "" where the branch is our own
     * @param sentByPort of the Via, -1 when it has none
     * @param method the method, INVITE for ACK
     */
    public static long hash(String branch, String sentByHost, int sentByPort, String method) {
        long h = SEED;
        for (int i = 0; i < branch.length(); i++) {
            h = h * FACTOR + branch.charAt(i);
        }
        for (int i = 0; i < sentByHost.length(); i++) {
            char c = sentByHost.charAt(i);
            h = h * FACTOR + (c >= 'A' && c <= 'Z' ? c + 32 : c);
        }
        h = (h ^ (h >>> 29)) * 0xBF58476D1CE4E5B9L + sentByPort;
        h = (h ^ (h >>> 32)) * 0x94D049BB133111EBL + method.hashCode();
        return h ^ (h >>> 31);
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
        for (Transaction t = buckets[index(hash, buckets.length)]; t != null; t = t.nextInBucket) {
            if (t.keyHash == hash && t.branch.equals(branch)) {
                return t;
            }
        }
        return null;
    }

    /** Adds a transaction whose {@link Transaction#key} is set and not in the table yet. */
    public void add(Transaction transaction) {
        if (size >= buckets.length) {
            grow();
        }
        int at = index(transaction.keyHash, buckets.length);
        transaction.nextInBucket = buckets[at];
        buckets[at] = transaction;
        size++;
    }

    /** Removes a transaction; false when it was not there. */
    public boolean remove(Transaction transaction) {
        int at = index(transaction.keyHash, buckets.length);
        Transaction before = null;
        for (Transaction t = buckets[at]; t != null; before = t, t = t.nextInBucket) {
            if (t == transaction) {
                if (before == null) {
                    buckets[at] = t.nextInBucket;
                } else {
                    before.nextInBucket = t.nextInBucket;
                }
                t.nextInBucket = null;
                size--;
                return true;
            }
        }
        return false;
    }

    /** How many it holds, those that linger included. */
    public int size() {
        return size;
    }

    /** Visits all; the visitor must not change the table. */
    public void forEach(Consumer<Transaction> visitor) {
        for (Transaction head : buckets) {
            for (Transaction t = head; t != null; t = t.nextInBucket) {
                visitor.accept(t);
            }
        }
    }

    private void grow() {
        @Nullable Transaction[] old = buckets;
        @Nullable Transaction[] larger = new @Nullable Transaction[old.length * 2];
        for (Transaction head : old) {
            Transaction t = head;
            while (t != null) {
                Transaction following = t.nextInBucket;
                int at = index(t.keyHash, larger.length);
                t.nextInBucket = larger[at];
                larger[at] = t;
                t = following;
            }
        }
        buckets = larger;
    }

    private static int index(long hash, int length) {
        return (int) hash & (length - 1);
    }
}
