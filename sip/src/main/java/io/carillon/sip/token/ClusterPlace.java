package io.carillon.sip.token;

import java.util.function.LongSupplier;

/**
 * What a server's stack knows of the cluster that it is in.
 *
 * @param number of the cluster, the same on all its nodes
 * @param keys of its tokens and marks, the same on all its nodes
 * @param ownership for which partitions this node may act now
 * @param loops event loops of this node: a partition lives on the one of its number modulo these
 * @param epochNanos the time that all nodes have, within minutes: nanoseconds since 1970
 */
public record ClusterPlace(
        int number, ClusterKeys keys, Ownership ownership, int loops, LongSupplier epochNanos) {

    public ClusterPlace {
        if (loops < 1 || loops > Ownership.PARTITIONS) {
            throw new IllegalArgumentException("loops are 1 to 1024: " + loops);
        }
    }

    /** The loop on which a partition lives. */
    public int loopOf(int partition) {
        return partition % loops;
    }

    /** Is there a partition in which a call may begin here? */
    public boolean acts() {
        for (int loop = 0; loop < loops; loop++) {
            if (actsOn(loop)) {
                return true;
            }
        }
        return false;
    }

    /** Is there one of that loop? A node of many loops may own none of some of them. */
    boolean actsOn(int loop) {
        return ownership.takesNewWork(ownedOn(loop, 0));
    }

    /**
     * A partition that this node owns, of that loop, and rather one that it is not about to give
     * away; the loop's own number when it owns none of them: what is sent for that one does not
     * leave.
     *
     * @param chance spreads what begins here over all of them
     */
    int ownedOn(int loop, long chance) {
        int ofLoop = (Ownership.PARTITIONS - 1 - loop) / loops + 1;
        int start = (int) Long.remainderUnsigned(chance, ofLoop);
        int owned = loop;
        for (int i = 0; i < ofLoop; i++) {
            int partition = (start + i) % ofLoop * loops + loop;
            if (ownership.takesNewWork(partition)) {
                return partition;
            }
            owned = ownership.mayBegin(partition) ? partition : owned;
        }
        return owned;
    }
}
