package io.carillon.servlet.feature.security;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.UacTransaction;
import io.carillon.servlet.port.Proof;
import io.carillon.sip.proxy.BranchResponses;
import io.carillon.sip.shard.AttemptUser;
import org.jspecify.annotations.Nullable;

/** Finds credentials that were accepted before. */
public final class Proofs {
    private Proofs() {}

    /** Of a request that goes on from its application; null where that chose no target itself. */
    public static @Nullable Proof onward(ServletRequest request) {
        Proof proof = request.known().proof();
        return proof == null || hasOthersTargets(request) ? null : proof;
    }

    /** Does it go where somebody else has chosen? */
    public static boolean hasOthersTargets(ServletRequest request) {
        return Boolean.TRUE.equals(request.getAttribute(Proof.OTHERS_TARGETS));
    }

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
        return sender instanceof BranchResponses proxied
                        && proxied.branch().parent() == null
                        && proxied.branch().context().server().attachment()
                                instanceof ServletRequest before
                ? onward(before)
                : null;
    }
}
