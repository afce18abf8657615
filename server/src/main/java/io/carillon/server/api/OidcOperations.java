package io.carillon.server.api;

import io.carillon.server.access.Accounts;
import io.carillon.server.access.OidcLogin;
import io.carillon.server.access.Role;
import io.carillon.server.access.Sessions;
import io.carillon.server.audit.AuditTrail;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;

/** Operations by which administrators come in whose accounts are elsewhere. */
final class OidcOperations {
    private static final String ACCESS = "access";
    private static final String CONSOLE = "/console/";
    private static final int STATE_BYTES = 24;

    private final OidcLogin oidc;
    private final Sessions sessions;
    private final Accounts accounts;
    private final Logins logins;
    private final AuditTrail trail;
    private final SecureRandom random = new SecureRandom();

    OidcOperations(OidcLogin oidc, Api.Access access, Logins logins) {
        this.oidc = oidc;
        this.sessions = access.sessions();
        this.accounts = access.accounts();
        this.logins = logins;
        this.trail = access.trail();
    }

    /**
     * How one comes in.
     *
     * @param password whether there is an account here
     * @param oidc whether an issuer is named
     */
    record Ways(boolean password, boolean oidc) {}

    List<Operation> all() {
        return List.of(
                Operation.get("getLoginWays", "/session/ways")
                        .about(ACCESS, "How one logs in here: by password, by OpenID Connect.")
                        .answers(Ways.class)
                        .does(call -> ApiAnswer.of(new Ways(!none(), oidc.on()))),
                Operation.get("beginOidc", "/oidc/login")
                        .about(ACCESS, "Sends a browser to the issuer of OpenID Connect (302).")
                        .does(call -> begin(call)),
                Operation.get("finishOidc", "/oidc/callback")
                        .about(ACCESS, "Where the issuer sends a browser back to (302).")
                        .with(Parameter.text("state", "What it was sent away with.", 512))
                        .with(Parameter.text("code", "For the token.", 4_096))
                        .with(Parameter.text("error", "Why there is none.", 512))
                        .anyQuery()
                        .does(this::finish));
    }

    private boolean none() throws Problem {
        try {
            return accounts.none();
        } catch (Accounts.Refused e) {
            throw new Problem(
                    HttpStatus.SERVICE_UNAVAILABLE_503, String.valueOf(e.getMessage()), e);
        }
    }

    private ApiAnswer begin(ApiCall call) throws Problem {
        if (!oidc.on()) {
            throw new Problem(HttpStatus.NOT_FOUND_404, "no issuer is named (admin.oidc.issuer)");
        }
        byte[] bytes = new byte[STATE_BYTES];
        random.nextBytes(bytes);
        String state = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        try {
            return ApiAnswer.redirect(oidc.begin(state, call.visitor().source()).toString())
                    .with("Set-Cookie", Cookies.away(state, call.visitor().secure()));
        } catch (OidcLogin.Failure e) {
            throw problem(e);
        }
    }

    private ApiAnswer finish(ApiCall call) throws Problem {
        Visitor visitor = call.visitor();
        String state = call.text("state");
        String own = visitor.away();
        try {
            if (own == null || !same(own, state)) {
                throw new Problem(
                        HttpStatus.FORBIDDEN_403, "this browser was not sent to the issuer");
            }
            if (!call.text("error").isEmpty()) {
                throw new Problem(
                        HttpStatus.FORBIDDEN_403, "the issuer says: " + call.text("error"));
            }
            OidcLogin.Person person = oidc.finish(state, call.text("code"));
            ApiAnswer in =
                    logins.begun(
                            visitor,
                            sessions.begin(person.name(), "oidc", "", Role.list(person.roles())),
                            person.roles());
            return ApiAnswer.redirect(CONSOLE)
                    .withAll(in.headers())
                    .with("Set-Cookie", Cookies.back(visitor.secure()));
        } catch (OidcLogin.Failure e) {
            throw refused(visitor, problem(e));
        } catch (Problem e) {
            throw refused(visitor, e);
        }
    }

    private Problem refused(Visitor visitor, Problem why) {
        trail.refused(
                new AuditTrail.Actor("", "oidc", visitor.address()),
                new AuditTrail.Deed("logIn", "", ""),
                why.status(),
                why.detail());
        return why;
    }

    private static Problem problem(OidcLogin.Failure e) {
        return new Problem(
                e.ofIssuer() ? HttpStatus.SERVICE_UNAVAILABLE_503 : HttpStatus.FORBIDDEN_403,
                String.valueOf(e.getMessage()),
                e);
    }

    private static boolean same(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
