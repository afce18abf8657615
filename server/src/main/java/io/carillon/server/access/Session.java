package io.carillon.server.access;

import java.util.List;

/**
 * A browser that has logged in. Of {@link Sessions}; any thread reads.
 *
 * @param id that the cookie carries
 * @param csrf that a change has to bring besides: pages of others send our cookie, but cannot read
 *     this
 * @param account whose it is
 * @param way password or oidc
 * @param stamp of the account's password when it began; empty for oidc
 * @param roles for oidc, whose accounts are elsewhere; empty else
 */
public record Session(
        String id, String csrf, String account, String way, String stamp, List<String> roles) {
    @Override
    public String toString() {
        return account + " by " + way; // no secret in logs
    }
}
