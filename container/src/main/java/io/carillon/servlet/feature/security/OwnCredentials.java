package io.carillon.servlet.feature.security;

import io.carillon.servlet.feature.security.SessionSecurity.Space;
import io.carillon.servlet.feature.security.UserCredentials.Login;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.AuthHeader;
import io.carillon.sip.header.HeaderName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.function.BiFunction;
import javax.servlet.sip.AuthInfo;
import javax.servlet.sip.SipServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Answers challenges to requests of ours (RFC 3261 sections 22.2 and 22.3, RFC 8760 section 2.4).
 * Stateless; with the turn held.
 */
public final class OwnCredentials {
    private static final byte[] NO_BODY = {};

    private OwnCredentials() {}

    /**
     * {@code SipServletRequest.addAuthHeader}: those of the realms that {@code info} knows.
     *
     * @param keep later requests of the session carry them too
     */
    public static void answer(
            Security security,
            ServletRequest request,
            SipServletResponse challenge,
            AuthInfo info,
            boolean keep) {
        if (!(info instanceof UserCredentials known)) {
            throw new IllegalArgumentException("not made by SipFactory.createAuthInfo(): " + info);
        }
        answer(security, request, challenge, (status, realm) -> known.find(status, realm), keep);
    }

    /** {@code SipServletRequest.addAuthHeader}: the same for every realm. */
    public static void answer(
            Security security,
            ServletRequest request,
            SipServletResponse challenge,
            String user,
            String password,
            boolean keep) {
        answer(
                security,
                request,
                challenge,
                (status, realm) -> new Login(status, realm, user, password),
                keep);
    }

    private static void answer(
            Security security,
            ServletRequest request,
            SipServletResponse challenge,
            BiFunction<Integer, String, @Nullable Login> logins,
            boolean keep) {
        int status = challenge.getStatus();
        // RFC 3261 22.3: a forking proxy aggregates: one response may hold challenges of both
        // kinds.
        Map<Space, AuthHeader> chosen = new LinkedHashMap<>();
        collect(challenge, false, chosen);
        collect(challenge, true, chosen);
        if (chosen.isEmpty() && status != 401 && status != 407) {
            throw new IllegalArgumentException("a challenge is 401 or 407, not " + status);
        }
        SessionSecurity memory = SessionSecurity.of(request.getSession());
        chosen.forEach((space, asked) -> {
            Login login = logins.apply(space.proxy() ? 407 : 401, space.realm());
            if (login != null) {
                DigestClient client = DigestClient.of(asked, login.user(), login.password());
                if (keep) {
                    memory.answered().put(space, client);
                } else {
                    memory.answered().remove(space);
                }
                add(security, request, space, client);
            }
        });
    }

    // RFC 8760 2.4: "it SHOULD use the topmost header field that it supports".
    private static void collect(
            SipServletResponse challenge, boolean proxy, Map<Space, AuthHeader> chosen) {
        ListIterator<String> values =
                challenge.getHeaders(proxy ? "Proxy-Authenticate" : "WWW-Authenticate");
        while (values.hasNext()) {
            AuthHeader asked;
            try {
                asked = AuthHeader.parse(values.next());
            } catch (SipParseException e) {
                continue; // RFC 8760 2.4: a challenge that is not understood is ignored
            }
            String realm = asked.param("realm");
            if (realm != null && DigestClient.understands(asked)) {
                chosen.putIfAbsent(new Space(proxy, realm), asked);
            }
        }
    }

    /** RFC 3261 22.3: later requests carry credentials for what was asked before. */
    public static void again(Security security, ServletRequest request) {
        SessionSecurity.of(request.getSession())
                .answered()
                .forEach((space, client) -> {
                    if (!has(request, space)) {
                        add(security, request, space, client);
                    }
                });
    }

    private static HeaderName header(Space space) {
        return space.proxy() ? HeaderName.PROXY_AUTHORIZATION : HeaderName.AUTHORIZATION;
    }

    private static boolean has(ServletRequest request, Space space) {
        HeaderName name = header(space);
        if (!request.has(name)) {
            return false;
        }
        for (String value : request.texts(name)) {
            if (isFor(value, space)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFor(String value, Space space) {
        try {
            return space.realm().equals(AuthHeader.parse(value).param("realm"));
        } catch (SipParseException e) {
            return false; // the application's own, for another scheme
        }
    }

    /** One header per realm: what was there for this one goes. */
    private static void add(
            Security security, ServletRequest request, Space space, DigestClient client) {
        HeaderName name = header(space);
        byte[] body = request.getRawContent();
        AuthHeader answer =
                client.answer(
                        request.getMethod(),
                        request.requestUri().toString(),
                        body == null ? NO_BODY : body,
                        security.cnonce());
        List<String> kept =
                request.has(name)
                        ? request.texts(name).stream().filter(v -> !isFor(v, space)).toList()
                        : List.of();
        request.drop(name);
        kept.forEach(value -> request.putLast(name, value));
        String own = answer.toString();
        request.putLast(name, own);
        request.noted().ownCredentials(own);
    }
}
