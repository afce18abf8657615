package io.carillon.sip.token;

/**
 * The keys of a cluster's tokens and marks: with the first they are made, with both they are read.
 *
 * <p>A new key comes in three steps, each on all nodes before the next: it is read beside the old
 * one, the two change places, the old one goes.
 *
 * <p>Immutable; any thread.
 */
public final class ClusterKeys {
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

    /** Tells that there are keys, and none of them. */
    @Override
    public String toString() {
        return readsOther ? "two keys" : "one key";
    }
}
