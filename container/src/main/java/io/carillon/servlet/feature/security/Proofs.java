package io.carillon.servlet.feature.security;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.UacTransaction;
import io.carillon.servlet.port.Proof;
import io.carillon.sip.proxy.ProxyBranch;
import io.carillon.sip.stack.AttemptUser;
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
        return sender instanceof ProxyBranch branch
                        && branch.context().server().attachment() instanceof ServletRequest before
                ? before.proof()
                : null;
    }
}
