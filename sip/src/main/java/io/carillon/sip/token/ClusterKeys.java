package io.carillon.sip.token;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The keys of a cluster's tokens and marks: with the first they are made, with both they are read.
 *
 * <p>A new key comes in three steps, each on all nodes before the next: it is read beside the old
 * one, the two change places, the old one goes.
 *
 * <p>Immutable; any thread.
 */
public final class ClusterKeys {
    /** Begins the sum: no key is a mark of {@link OwnMarks} or a seal of {@link ClusterTokens}. */
    private static final long OF_KEY = 4;

    private final long key0;
    private final long key1;
    private final boolean readsOther;
    private final long other0;
    private final long other1;

    private ClusterKeys(long key0, long key1, boolean readsOther, long other0, long other1) {
        this.key0 = key0;
        this.key1 = key1;
        this.readsOther = readsOther;
        this.other0 = other0;
        this.other1 = other1;
    }

    /**
     * One key of 128 bits.
     *
     * @param key0 half of the key
     * @param key1 the other half
     */
    public static ClusterKeys of(long key0, long key1) {
        return new ClusterKeys(key0, key1, false, 0, 0);
    }

    /** This key, and beside it another one with which nothing is made: that before, or the next. */
    public ClusterKeys andReads(long otherKey0, long otherKey1) {
        return new ClusterKeys(key0, key1, true, otherKey0, otherKey1);
    }

    /** Are tokens read by a second key too? */
    boolean readsOther() {
        return readsOther;
    }

    /** A sum under the key with which tokens are made. */
    SipHash sum() {
        return new SipHash(key0, key1);
    }

    /** A sum under the second key. */
    SipHash otherSum() {
        return new SipHash(other0, other1);
    }

    /**
     * Keys of 128 bits for a use outside of this package, under a label: one of each key, the one
     * with which things are made first. None tells another.
     */
    public List<byte[]> derive(String label) {
        byte[] own = derived(key0, key1, label);
        return readsOther ? List.of(own, derived(other0, other1, label)) : List.of(own);
    }

    private static byte[] derived(long key0, long key1, String label) {
        ByteBuffer derived = ByteBuffer.allocate(2 * Long.BYTES);
        for (int half = 0; half < 2; half++) {
            SipHash sum = new SipHash(key0, key1);
            sum.add(OF_KEY);
            sum.add(half);
            sum.add(label);
            derived.putLong(sum.end());
        }
        return derived.array();
    }

    /** Tells that there are keys, and none of them. */
    @Override
    public String toString() {
        return readsOther ? "two keys" : "one key";
    }
}
