package io.carillon.server.api;

import io.carillon.server.access.Accounts;
import io.carillon.server.access.Caller;
import io.carillon.server.access.KnownBrowser;
import io.carillon.server.access.LoginLimits;
import io.carillon.server.access.Role;
import io.carillon.server.access.Session;
import io.carillon.server.access.Sessions;
import io.carillon.server.audit.AuditTrail;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Logs browsers in and out. One password at a time is looked at, as that takes a processor for a
 * while; how many are looked at says {@link LoginLimits}. Any thread; blocks.
 */
final class Logins {
    private static final long LONGEST_WAIT_SECONDS = 5;
    private static final int LONGEST_PASSWORD = 200;

    private final Accounts accounts;
    private final Sessions sessions;
    private final LoginLimits limits;
    private final KnownBrowser browsers = new KnownBrowser();
    private final AuditTrail trail;
    private final Semaphore one = new Semaphore(1, true);

    Logins(Accounts accounts, Sessions sessions, LoginLimits limits, AuditTrail trail) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.limits = limits;
        this.trail = trail;
    }

    /**
     * Who logs in.
     *
     * @param name of the account
     * @param password of it
     */
    record Login(String name, String password) {
        @Override
        public String toString() {
            return name; // no password in logs
        }
    }

    /**
     * A session as its page sees it.
     *
     * @param account whose it is
     * @param roles it has
     * @param csrf that a change has to bring in X-CSRF-Token; empty for a bearer token
     * @param way how he showed who he is
     */
    record Shown(String account, List<String> roles, String csrf, String way) {}

    ApiAnswer logIn(ApiCall call) throws Problem {
        Visitor visitor = call.visitor();
        if (visitor.foreignPage()) {
            throw new Problem(HttpStatus.FORBIDDEN_403, "a page of another site asks");
        }
        Login login = call.body(Login.class);
        String name = given(login.name());
        String password = given(login.password());
        String mark = visitor.browser();
        String browser = mark == null ? "" : browsers.name(mark, name);
        long seconds = limits.guess(visitor.source(), name, browser);
        if (seconds > 0) {
            throw refused(
                    visitor,
                    name,
                    new Problem(
                            HttpStatus.TOO_MANY_REQUESTS_429,
                            "too many wrong passwords; try again in " + seconds + " s",
                            seconds));
        }
        try {
            if (!right(name, password)) {
                throw refused(
                        visitor,
                        name,
                        new Problem(HttpStatus.UNAUTHORIZED_401, "no such account, or password"));
            }
            limits.right(visitor.source(), name, browser);
            Set<Role> roles = accounts.roles(name);
            String stamp = accounts.stamp(name);
            if (roles == null || stamp == null) {
                throw new Problem(HttpStatus.UNAUTHORIZED_401, "the account was just removed");
            }
            Session session = sessions.begin(name, "password", stamp, List.of());
            return begun(visitor, session, roles);
        } catch (Accounts.Refused e) {
            throw new Problem(
                    HttpStatus.SERVICE_UNAVAILABLE_503, String.valueOf(e.getMessage()), e);
        }
    }

    /** A session begins; that is written down. */
    ApiAnswer begun(Visitor visitor, Session session, Set<Role> roles) throws Problem {
        try {
            trail.begin(
                            new AuditTrail.Actor(
                                    session.account(), session.way(), visitor.address()),
                            new AuditTrail.Deed("logIn", session.account(), ""),
                            null)
                    .ended(true, HttpStatus.OK_200, "", null);
        } catch (IOException e) {
            sessions.end(session.id());
            throw new Problem(
                    HttpStatus.SERVICE_UNAVAILABLE_503, String.valueOf(e.getMessage()), e);
        }
        boolean secure = visitor.secure();
        return ApiAnswer.of(
                        new Shown(
                                session.account(), Role.list(roles), session.csrf(), session.way()))
                .with("Set-Cookie", Cookies.begin(session.id(), secure))
                .with("Set-Cookie", Cookies.known(browsers.mark(session.account()), secure));
    }

    private Problem refused(Visitor visitor, String name, Problem why) {
        trail.refused(
                new AuditTrail.Actor(name, "none", visitor.address()),
                new AuditTrail.Deed("logIn", name, ""),
                why.status(),
                why.detail());
        return why;
    }

    private boolean right(String name, String password) throws Problem, Accounts.Refused {
        try {
            if (!one.tryAcquire(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw Problem.busy("too many log in");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Problem.busy("the server is stopping");
        }
        try {
            return accounts.password(name, password.toCharArray());
        } finally {
            one.release();
        }
    }

    @SuppressWarnings("ConstantValue") // what a body leaves out is null
    private static String given(String text) throws Problem {
        if (text == null || text.isEmpty() || text.length() > LONGEST_PASSWORD) {
            throw Problem.bad(
                    "name and password are needed, each of at most "
                            + LONGEST_PASSWORD
                            + " characters");
        }
        return text;
    }

    /** Who asks. */
    ApiAnswer show(ApiCall call) throws Problem {
        Caller caller = call.known();
        Session session = caller.session();
        return ApiAnswer.of(
                new Shown(
                        caller.name(),
                        Role.list(caller.roles()),
                        session == null ? "" : session.csrf(),
                        caller.way()));
    }

    ApiAnswer logOut(ApiCall call) throws Problem {
        Session session = call.known().session();
        if (session == null) {
            throw Problem.bad("there is no session: a token is not logged out, but revoked");
        }
        sessions.end(session.id());
        return ApiAnswer.message("logged out")
                .with("Set-Cookie", Cookies.end(call.visitor().secure()));
    }
}
