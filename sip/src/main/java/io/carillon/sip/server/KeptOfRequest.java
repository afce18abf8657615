package io.carillon.sip.server;

import io.carillon.sip.core.ShardCore;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of one request until it is answered for good, in bytes, as it counts for its sender:
 * the request itself, large provisional responses, branches that have ended.
 *
 * <p>Owner: the shard's thread.
 */
final class KeptOfRequest {
    /** Measured: a branch that has ended, with a final response of usual length. */
    private static final int ENDED_BRANCH_BYTES = 2048;

    private final ShardCore core;

    /** Where its sender is counted. */
    private final int place;

    private boolean held;
    private int provisionalBytes;

    /** Of branches that have ended before the last one. */
    private int branchBytes;

    /** 2xx of ours that wait for an ACK. */
    private int acksAwaited;

    KeptOfRequest(ShardCore core, int place) {
        this.core = core;
        this.place = place;
    }

    /** Are its bytes counted? */
    boolean held() {
        return held;
    }

    /**
     * The request is kept: its bytes count until {@link #letGo}.
     *
     * @param size of it
     */
    void hold(int size) {
        if (!held) {
            held = true;
            core.openBytes().opened(place, size);
        }
    }

    /** Null when nothing waits for it any longer. */
    @Nullable KeptOfRequest letGo(int size) {
        if (held) {
            held = false;
            core.openBytes().closed(place, size);
            provisionals(0);
            core.holds(place, branchBytes, 0);
            branchBytes = 0;
        }
        return acksAwaited == 0 ? null : this;
    }

    /** So many bytes of provisional responses are kept now. */
    void provisionals(int large) {
        core.holds(place, provisionalBytes, large);
        provisionalBytes = large;
    }

    /**
     * A branch has ended.
     *
     * @param request bytes of its request that are kept
     */
    void endedBranch(int request) {
        int before = branchBytes;
        branchBytes += ENDED_BRANCH_BYTES + request;
        core.holds(place, before, branchBytes);
    }

    /** A 2xx waits for its ACK: the request is kept for it. */
    void awaitsAck(int size) {
        acksAwaited++;
        hold(size);
    }

    /** Null when nothing waits for it any longer. */
    @Nullable KeptOfRequest awaitsAckNoMore(int size) {
        acksAwaited--;
        return acksAwaited == 0 ? letGo(size) : this;
    }
}
