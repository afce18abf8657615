package io.carillon.sip.proxy;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.shard.OutgoingRequest;
import org.jspecify.annotations.Nullable;

/**
 * What is set of a {@link ProxyBranch} before it starts, and what the branches of a redirect there
 * take over: nothing of it is needed after the final response. Owner: the context's turn.
 */
final class BranchPlan {
    /** The request, until it is sent; null while nobody has asked for it. */
    @Nullable MessageDraft draft;

    /** The one hop to take; null for those of the target. */
    @Nullable Hop hop;

    /** The status with which it ends unsent; 0: it is sent. */
    int refusal;

    /** Where our timers repeat it ({@link OutgoingRequest#repeatedAt}). */
    long repeatedAt = OutgoingRequest.ANYWHERE;

    /**
     * @param redirected of the branch whose redirect leads here; null without
     */
    BranchPlan(@Nullable MessageDraft draft, @Nullable BranchPlan redirected) {
        this.draft = draft;
        if (redirected != null) {
            hop = redirected.hop;
            repeatedAt = redirected.repeatedAt;
        }
    }
}
