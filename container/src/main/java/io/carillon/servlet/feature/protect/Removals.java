package io.carillon.servlet.feature.protect;

/**
 * Records of ended calls that are still to be removed: a store that does not answer leaves only so
 * many of them waiting. Owner: the shard's thread.
 */
final class Removals {
    private final ProtectionCounts counts;
    private final int most;
    private int waiting;

    Removals(ProtectionCounts counts, ProtectionSettings settings) {
        this.counts = counts;
        this.most = settings.removalsWaiting();
    }

    /** Of a call that has ended: is there a record to be removed, and room to wait for that? */
    boolean admit(CallRecord record) {
        if (record.handed && !record.removing && waiting == most) {
            record.handed = false;
            counts.removalsLost.increment();
        }
        if (record.handed && !record.removing) {
            record.removing = true;
            waiting++;
        }
        return record.handed;
    }

    /** Nothing of it is to be removed any more. */
    void over(CallRecord record) {
        if (record.removing) {
            record.removing = false;
            waiting--;
        }
    }
}
