package io.carillon.servlet.feature.security;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.UacTransaction;
import io.carillon.servlet.port.Proof;
import io.carillon.sip.proxy.ProxyBranch;
import io.carillon.sip.shard.AttemptUser;
import org.jspecify.annotations.Nullable;

/** Finds credentials that were accepted before. */
public final class Proofs {
    private Proofs() {}

    /**
     * Of a request that an application of ours sent to a listening point of ours: that of the
     * request that it was made from.
     *
     * @param sender who sent it; null for somebody else
     */
    public static @Nullable Proof ofSender(@Nullable AttemptUser sender) {
        if (sender instanceof UacTransaction copy) {
            return copy.proof();
        }
        // Where a redirect leads its sender has chosen, and the caller has proved himself for
        // another target (RFC 7616 3.4.6).
        return sender instanceof ProxyBranch branch
                        && branch.parent() == null
                        && branch.context().server().attachment() instanceof ServletRequest before
                ? before.known().proof()
                : null;
    }
}
