package io.carillon.sip.proxy;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.shard.OutgoingRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What few branches have set before they start, and what the branches of a redirect there take
 * over: nothing of it is needed after the final response. Owner: the context's turn.
 *
 * @param hop the one to take; null for those of the target
 * @param refusal the status with which it ends unsent; 0: it is sent
 * @param repeatedAt where our timers repeat it ({@link OutgoingRequest#repeatedAt})
 */
record BranchPlan(@Nullable Hop hop, int refusal, long repeatedAt) {
    static final BranchPlan USUAL = new BranchPlan(null, 0, OutgoingRequest.ANYWHERE);

    private static final BranchPlan NOWHERE = new BranchPlan(null, 0, OutgoingRequest.NOWHERE);

    BranchPlan withHop(@Nullable Hop fixed) {
        return Objects.equals(fixed, hop) ? this : new BranchPlan(fixed, refusal, repeatedAt);
    }

    BranchPlan withRefusal(int status) {
        return new BranchPlan(hop, status, repeatedAt);
    }

    BranchPlan withRepeatedAt(long source) {
        if (source == repeatedAt) {
            return this;
        }
        return hop == null && refusal == 0 && source == OutgoingRequest.NOWHERE
                ? NOWHERE
                : new BranchPlan(hop, refusal, source);
    }

    /** For a branch of a redirect. */
    BranchPlan redirected() {
        return refusal == 0 ? this : withRefusal(0);
    }
}
