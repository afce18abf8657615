package io.carillon.server.access;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who asks, as it was found out. Immutable.
 *
 * @param name of the account
 * @param roles it has now
 * @param way password, token, session, oidc, or oidc-token for an access token of its issuer
 * @param session of a browser; null where there is none
 * @param token the id of the bearer token; null where there is none
 */
public record Caller(
        String name,
        Set<Role> roles,
        String way,
        @Nullable Session session,
        @Nullable String token) {
    public Caller {
        roles = Set.copyOf(roles);
    }

    /** May he? */
    public boolean may(Role role) {
        return role.within(roles);
    }
}
