package io.carillon.server.api;

import io.carillon.server.access.Accounts;
import io.carillon.server.access.Caller;
import io.carillon.server.access.OidcLogin;
import io.carillon.server.access.Role;
import io.carillon.server.access.Session;
import io.carillon.server.access.Sessions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Set;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who asks: by a bearer token, ours or the issuer's, or by the session of a browser. Any
 * thread.
 */
final class Callers {
    private final Accounts accounts;
    private final Sessions sessions;
    private final OidcLogin oidc;

    Callers(Accounts accounts, Sessions sessions, OidcLogin oidc) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.oidc = oidc;
    }

    /**
     * Who it is; null: it says nothing, or nothing that counts.
     *
     * @param use does he do something? Else he only goes on to listen
     * @throws Problem with 401 for a token of the issuer's that does not count, or as it cannot be
     *     found out
     */
    @Nullable Caller find(Visitor visitor, boolean use) throws Problem {
        try {
            String bearer = visitor.bearer();
            if (bearer != null) {
                Caller own = accounts.bearer(bearer);
                return own == null ? oidc.bearer(bearer, use) : own;
            }
            String id = visitor.session();
            Session session = id == null ? null : sessions.find(id, use);
            return session == null ? null : of(session);
        } catch (Accounts.Refused e) {
            throw new Problem(
                    HttpStatus.INTERNAL_SERVER_ERROR_500, String.valueOf(e.getMessage()), e);
        } catch (OidcLogin.Failure e) {
            throw new Problem(
                    e.ofIssuer() ? HttpStatus.SERVICE_UNAVAILABLE_503 : HttpStatus.UNAUTHORIZED_401,
                    String.valueOf(e.getMessage()),
                    e);
        }
    }

    private @Nullable Caller of(Session session) throws Accounts.Refused {
        if (session.stamp().isEmpty()) { // an account elsewhere
            return new Caller(
                    session.account(), Role.of(session.roles()), session.way(), session, null);
        }
        Set<Role> roles = accounts.roles(session.account());
        if (roles == null || !session.stamp().equals(accounts.stamp(session.account()))) {
            sessions.end(session.id()); // the account is gone, or its password is another
            return null;
        }
        return new Caller(session.account(), roles, session.way(), session, null);
    }

    /**
     * Whoever asks by a cookie has to show that it is his page that asks: other sites' pages let a
     * browser send our cookies, and cannot read what goes with them.
     */
    static void check(Operation operation, Visitor visitor, @Nullable Caller caller)
            throws Problem {
        Session session = caller == null ? null : caller.session();
        if (session == null) {
            return;
        }
        if (visitor.foreignPage()) {
            throw new Problem(HttpStatus.FORBIDDEN_403, "a page of another site asks");
        }
        if (operation.method() == Operation.Method.GET) {
            return;
        }
        String csrf = visitor.csrf();
        if (csrf == null || !same(csrf, session.csrf())) {
            throw new Problem(
                    HttpStatus.FORBIDDEN_403,
                    "the header "
                            + Cookies.CSRF_HEADER
                            + " of the session is missing or another; GET /api/v1/session tells it");
        }
    }

    private static boolean same(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
