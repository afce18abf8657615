package io.carillon.servlet.feature.security;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.app.SecurityDescription;
import io.carillon.servlet.app.SecurityDescription.IdentityAssertion;
import io.carillon.servlet.feature.security.CachedUsers.Answer;
import io.carillon.servlet.feature.security.UserStore.User;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ForwardedDialog;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.port.Caller;
import io.carillon.servlet.port.OutboundInterfaces;
import io.carillon.servlet.port.Proof;
import io.carillon.servlet.port.Slot;
import io.carillon.sip.auth.DigestCredentials;
import io.carillon.sip.auth.DigestServer;
import io.carillon.sip.auth.DigestServer.Standing;
import io.carillon.sip.auth.DigestServer.Verdict;
import io.carillon.sip.auth.DigestUri;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.header.AuthHeader;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.function.Predicate;
import javax.servlet.sip.SipServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the servlets of an application that has constraints. Initial requests are asked for
 * credentials, and requests in a dialog whose caller has not shown a role that is wanted here. ACK
 * and CANCEL are never challenged (RFC 3261 section 22.1), nor are BYE and PRACK in a dialog: a
 * call has to come to its end. Whom the application called may keep the call up and end it, as
 * nobody. With the turn held.
 */
public final class Gate {
    private static final Slot<Gate> SLOT = Slot.of(Gate.class);

    /** What stands before its servlets; null when its descriptor constrains nothing. */
    public static @Nullable Gate of(Application application) {
        return application.parts().get(SLOT);
    }

    /** Before the first request of the application. */
    public void guard(Application application) {
        application.parts().put(SLOT, this);
    }

    private static final byte[] NO_BODY = {};

    /**
     * What keeps up a call, or a subscription, that the application began. RFC 3261 11.2: OPTIONS
     * "does not have any impact on the dialog", and some ask by it whether that lives. REFER is
     * none of these: it makes the application call somebody else (RFC 3515 5).
     */
    private static final Set<String> UPKEEP =
            Set.of(Methods.INVITE, Methods.UPDATE, Methods.INFO, Methods.NOTIFY, Methods.OPTIONS);

    /** How a request fares. */
    public enum Decision {
        /** The servlet may have it. */
        ADMITTED,
        /** It was answered. */
        ANSWERED,
        /** The user store has to be asked first, by {@link #ask}, and then the gate again. */
        ASK
    }

    private final Security security;
    private final SecurityDescription description;
    private final DigestServer digest;
    private final TriedCredentials tried;
    private final boolean mayBlock;

    /**
     * @param mayBlock whether the gate runs where a user store may be asked
     */
    public Gate(Security security, SecurityDescription description, boolean mayBlock) {
        this.security = security;
        this.description = description;
        String named = description.realm();
        this.digest = security.digest(named == null ? security.realm() : named);
        this.tried = new TriedCredentials(digest);
        this.mayBlock = mayBlock;
    }

    /** Judges a request for this servlet. */
    public Decision check(NamedServlet servlet, ServletRequest request) {
        if (request.uas() == null || !request.isInitial()) {
            return checkInDialog(servlet, request);
        }
        Demand demand = demand(servlet, request);
        if (demand == null) {
            return vouchedFor(request);
        }
        if (demand.confidential() && !request.isSecure()) {
            return refuse(request, "Secure Transport Required");
        }
        Set<String> roles = demand.roles();
        if (roles == null) {
            return vouchedFor(request);
        }
        if (roles.isEmpty()) {
            return refuse(request, null);
        }
        return authenticate(request, demand.proxy(), roles);
    }

    /**
     * The tags tell whose dialog it is, wherever the request comes from: phones move, and nobody
     * else knows them. But a dialog that began without credentials stands for nobody.
     */
    private Decision checkInDialog(NamedServlet servlet, ServletRequest request) {
        Caller known = callerOfDialog(request);
        request.authenticated(known);
        if (request.has(HeaderName.P_ASSERTED_IDENTITY)) {
            assertAgain(request, known);
        }
        String method = request.getMethod();
        // RFC 3261 22.1: "Servers MUST NOT attempt to challenge an ACK"; of CANCEL the same.
        if (request.uas() == null || method.equals(Methods.BYE) || method.equals(Methods.PRACK)) {
            return Decision.ADMITTED;
        }
        Demand demand = demand(servlet, request);
        if (demand == null || (UPKEEP.contains(method) && ofTheCalled(request))) {
            return Decision.ADMITTED;
        }
        if (demand.confidential() && !request.isSecure()) {
            return refuse(request, "Secure Transport Required");
        }
        Set<String> roles = demand.roles();
        if (roles == null || (known != null && may(known, roles))) {
            return Decision.ADMITTED;
        }
        return roles.isEmpty()
                ? refuse(request, null)
                : authenticate(request, demand.proxy(), roles);
    }

    /**
     * Who is asserted to be one when a dialog begins does not assert another later. RFC 3325 5:
     * from an element that is not trusted "the proxy MUST replace that SIP or SIPS URI with a
     * single SIP or SIPS URI or remove this header field."
     */
    private void assertAgain(ServletRequest request, @Nullable Caller known) {
        IdentityAsserter asserter = security.asserter();
        if (asserter == null || asserted(request) != null) {
            return;
        }
        if (known == null) {
            request.drop(HeaderName.P_ASSERTED_IDENTITY); // nobody's
        } else if (known.name().indexOf('@') >= 0) {
            request.drop(HeaderName.P_ASSERTED_IDENTITY); // of another domain: not ours to assert
        } else {
            asserter.write(request, known.name(), digest.realm());
        }
    }

    /** Is it of the end that did not begin the dialog, but was called? */
    private static boolean ofTheCalled(ServletRequest request) {
        ServletSession session = request.session();
        if (session == null) {
            return false;
        }
        Dialog dialog = session.dialog().own();
        return dialog == null ? !fromCaller(session, request) : dialog.callIdOwner();
    }

    /** Through a proxy requests of both ends come; only one of them is the caller. */
    private static boolean fromCaller(ServletSession session, ServletRequest request) {
        ForwardedDialog through = session.dialog().proxied();
        return through == null || through.fromCaller((SipRequest) request.freeze());
    }

    /**
     * Through a proxy the callee knows the caller's tag too. So it stands for the caller only where
     * the request comes from the address that his first one came from; a datagram, whose source can
     * be forged, moreover for no more than keeping up and ending the call.
     */
    private static boolean provesCaller(ServletSession session, ServletRequest request) {
        UasTransaction server = request.uas();
        if (session.dialog().proxied() == null || server == null) {
            return true;
        }
        // An application of ours that has passed it on has not asked who sends it.
        Hop source = OutboundInterfaces.cameIn(server.transaction().source());
        String method = request.getMethod();
        return source == null
                || (session.path().isPeerAt(source)
                        && (source.transport().reliable()
                                || UPKEEP.contains(method)
                                || method.equals(Methods.BYE)
                                || method.equals(Methods.PRACK)));
    }

    /** Nobody is asked; but whom a trusted peer vouches for is known to the servlet. */
    private Decision vouchedFor(ServletRequest request) {
        String asserted = asserted(request);
        if (asserted == null) {
            return Decision.ADMITTED;
        }
        Answer answer = answerFor(asserted);
        if (answer == null) {
            return Decision.ASK;
        }
        if (answer.busy()) {
            return busy(request);
        }
        remember(request, caller(asserted, answer));
        return Decision.ADMITTED;
    }

    private static Caller caller(String asserted, Answer answer) {
        User user = answer.user();
        return new Caller(asserted, user == null ? Set.of() : user.roles());
    }

    private @Nullable Demand demand(NamedServlet servlet, ServletRequest request) {
        return Demand.of(description.constraints(), servlet.name(), request.getMethod());
    }

    private Decision authenticate(ServletRequest request, boolean proxy, Set<String> allowed) {
        String asserted = asserted(request);
        if (asserted != null) {
            Answer answer = answerFor(asserted);
            if (answer == null) {
                return Decision.ASK;
            }
            return answer.busy()
                    ? busy(request)
                    : enter(request, caller(asserted, answer), allowed);
        }
        if (description.assertion() == IdentityAssertion.REQUIRED) {
            return refuse(request, "Asserted Identity Required");
        }
        Proof proof = request.known().proof();
        if (proof != null && proof.realm().equals(digest.realm())) {
            return enter(request, proof.caller(), allowed); // an application before asked
        }
        DigestCredentials given = credentials(request, proxy);
        if (given == null) {
            return challenge(request, proxy, false);
        }
        Standing standing =
                digest.look(given, security.now(), TriedCredentials.mayBeForged(request));
        if (standing != Standing.DUE) {
            return challenge(request, proxy, standing == Standing.STALE);
        }
        if (TriedCredentials.held(request, digest.realm(), given.username())) {
            return busy(request);
        }
        if (!agrees(request, given)) {
            // RFC 7616 3.4.6: "if they are not, the server SHOULD return a 400 Bad Request error."
            security.uriRefused();
            return answer(request, request.createResponse(400, "Credentials For Another URI"));
        }
        Answer answer = answerFor(given.username());
        return answer == null
                ? Decision.ASK
                : answer.busy() ? busy(request) : judge(request, proxy, given, answer, allowed);
    }

    private Decision judge(
            ServletRequest request,
            boolean proxy,
            DigestCredentials given,
            Answer answer,
            Set<String> allowed) {
        User user = answer.user();
        byte[] body = request.getRawContent();
        Verdict verdict =
                digest.judge(
                        given,
                        user == null ? null : user.ha1().get(given.algorithm()),
                        request.getMethod(),
                        body == null ? NO_BODY : body,
                        security.now());
        tried.tell(request, given, verdict, security.now());
        if (verdict != Verdict.ACCEPTED || user == null) {
            return challenge(request, proxy, verdict == Verdict.STALE);
        }
        IdentityAsserter asserter = security.asserter();
        if (asserter != null) {
            asserter.write(request, user.name(), digest.realm());
        }
        TriedCredentials.accepted(request, digest.realm(), user.name());
        Caller caller = new Caller(user.name(), user.roles());
        request.noted().proved(new Proof(digest.realm(), caller));
        return enter(request, caller, allowed);
    }

    /** RFC 8760 2.6 item 6: is it meant for what the credentials were made for? */
    private boolean agrees(ServletRequest request, DigestCredentials given) {
        UasTransaction server = request.uas();
        DigestUri rule = security.digestUri();
        if (server == null || rule == DigestUri.ANY) {
            return true;
        }
        Wire wire = server.transaction().shard().wire();
        Predicate<String> own =
                host -> digest.realm().equalsIgnoreCase(host) || wire.isOwnHost(host);
        return rule.agrees(given.uri(), request.askedUri(), own)
                || (!request.isInitial() && rule.leadsHere(given.uri(), own));
    }

    private @Nullable Answer answerFor(String name) {
        CachedUsers users = security.users();
        return mayBlock ? users.find(digest.realm(), name) : users.peek(digest.realm(), name);
    }

    /**
     * Asks the user store for what {@link #check} found missing. Blocks.
     *
     * @return false when the store is asked for too many: then {@link #busy} answers
     */
    public boolean ask(NamedServlet servlet, ServletRequest request) {
        String name = asserted(request);
        if (name == null) {
            Demand demand = demand(servlet, request);
            DigestCredentials given = demand == null ? null : credentials(request, demand.proxy());
            name = given == null ? null : given.username();
        }
        return name == null || !security.users().find(digest.realm(), name).busy();
    }

    /** Answers a request for which the user store could not be asked now. */
    public Decision busy(ServletRequest request) {
        SipServletResponse response = request.createResponse(503);
        int seconds = request.host().shards().some().config().capacity().retryAfterSeconds();
        response.setHeader("Retry-After", Integer.toString(seconds));
        return answer(request, response);
    }

    private Decision enter(ServletRequest request, Caller caller, Set<String> allowed) {
        remember(request, caller);
        return may(caller, allowed) ? Decision.ADMITTED : refuse(request, null);
    }

    private static boolean may(Caller caller, Set<String> allowed) {
        for (String role : allowed) {
            if (role.equals("*") || caller.roles().contains(role)) {
                return true;
            }
        }
        return false;
    }

    /** The first who is known to have begun the dialog stays its caller. */
    private static void remember(ServletRequest request, Caller caller) {
        request.authenticated(caller);
        ServletSession session = request.session();
        if (session != null
                && (request.isInitial()
                        || (session.path().caller() == null && fromCaller(session, request)))) {
            session.path().caller(caller);
        }
    }

    private static @Nullable Caller callerOfDialog(ServletRequest request) {
        ServletSession session = request.session();
        Caller known = session == null ? null : session.path().caller();
        return known == null
                        || session == null
                        || !fromCaller(session, request)
                        || !provesCaller(session, request)
                ? null
                : known;
    }

    // ---- what the request brings ----

    /** RFC 3325 section 5: the identity that a trusted peer asserts; null when there is none. */
    private @Nullable String asserted(ServletRequest request) {
        String from = request.getInitialRemoteAddr();
        UasTransaction server = request.uas();
        if (description.assertion() == IdentityAssertion.NONE
                || from == null
                || server == null
                || !(security.trusts(from) || security.trusts(request.tlsPeer()))) {
            return null;
        }
        Wire wire = server.transaction().shard().wire();
        return new AssertedIdentity(digest.realm(), wire::isOwnHost).of(request);
    }

    /** The first well formed credentials for our realm. */
    private @Nullable DigestCredentials credentials(ServletRequest request, boolean proxy) {
        HeaderName name = proxy ? HeaderName.PROXY_AUTHORIZATION : HeaderName.AUTHORIZATION;
        if (!request.has(name)) {
            return null;
        }
        for (String value : request.texts(name)) {
            try {
                AuthHeader header = AuthHeader.parse(value);
                if (DigestCredentials.isDigest(header)
                        && digest.realm().equals(header.param("realm"))) {
                    return DigestCredentials.parse(header);
                }
            } catch (SipParseException e) {
                // RFC 3261 22.1: credentials that are not acceptable are asked for anew
            }
        }
        return null;
    }

    // ---- answers ----

    private Decision challenge(ServletRequest request, boolean proxy, boolean stale) {
        SipServletResponse response = request.createResponse(proxy ? 407 : 401);
        String header = proxy ? "Proxy-Authenticate" : "WWW-Authenticate";
        byte[] to = TriedCredentials.challenged(request);
        for (AuthHeader one : digest.challenges(stale, security.now(), to)) {
            response.addHeader(header, one.toString());
        }
        return answer(request, response);
    }

    private static Decision refuse(ServletRequest request, @Nullable String reason) {
        return answer(
                request,
                reason == null ? request.createResponse(403) : request.createResponse(403, reason));
    }

    /**
     * Sends it, and leaves nothing behind of a request that would begin something: those without
     * credentials must not cost memory. A dialog goes on without what it was refused.
     */
    private static Decision answer(ServletRequest request, SipServletResponse response) {
        try {
            response.send();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ServletSession session = request.session();
        if (session != null && session.isValid() && request.isInitial()) {
            ApplicationSession parent = session.parent();
            session.end();
            if (parent.key() == null
                    && parent.isValid()
                    && parent.sessions().isEmpty()
                    && parent.getTimers().isEmpty()) {
                parent.end();
            }
        }
        return Decision.ANSWERED;
    }
}
