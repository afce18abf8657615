package io.carillon.servlet.security;

import io.carillon.servlet.message.ServletRequest;
import io.carillon.servlet.message.UacTransaction;
import io.carillon.sip.proxy.ProxyBranch;
import io.carillon.sip.shard.AttemptUser;
import org.jspecify.annotations.Nullable;

/**
 * Credentials that were accepted: for whom, and in which realm. It goes along where a request goes
 * from one application of this server to the next, as credentials are good for one look only.
 * Immutable.
 */
public record Proof(String realm, Caller caller) {
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
