package io.carillon.servlet.feature.security;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.SecurityConstraint;
import io.carillon.servlet.app.SecurityDescription;
import io.carillon.servlet.app.SecurityDescription.IdentityAssertion;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.sip.auth.DigestAlgorithm;
import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.AuthHeader;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipResponse;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.sip.SipServlet;
import org.jspecify.annotations.Nullable;

/** What tests of guarded applications have in common: a realm, its users, and their answers. */
final class Guard {
    static final String REALM = "carillon.test";

    private Guard() {}

    /** Alice is of the staff, Bob is the boss; the password of both is "secret". */
    static UserStore.@Nullable User find(String realm, String name) {
        if (!name.equals("alice") && !name.equals("bob")) {
            return null;
        }
        Map<DigestAlgorithm, String> ha1 = new EnumMap<>(DigestAlgorithm.class);
        for (DigestAlgorithm one : DigestAlgorithm.values()) {
            ha1.put(one, one.ha1(name, realm, "secret"));
        }
        return new UserStore.User(name, ha1, Set.of(name.equals("bob") ? "boss" : "staff"));
    }

    /** Those methods are for those roles. */
    static SecurityConstraint constraint(Set<String> roles, String... methods) {
        return new SecurityConstraint(
                List.of(new SecurityConstraint.Resources(Set.of(), Set.of(methods))),
                false,
                roles,
                false);
    }

    static ApplicationDescription application(
            String name,
            ExecutionMode mode,
            SipServlet servlet,
            SecurityConstraint... constraints) {
        return ApplicationDescription.builder(name)
                .servlet("main", () -> servlet)
                .execution(mode)
                .security(
                        new SecurityDescription(
                                List.of(constraints),
                                REALM,
                                IdentityAssertion.NONE,
                                Set.of("staff", "boss"),
                                Map.of(),
                                Map.of()))
                .build();
    }

    /** The next response, a challenge, as the client that answers it. */
    static DigestClient challenged(RawPeer peer, String user) {
        return client(peer.response(401), user);
    }

    static DigestClient challenged(RawPeer peer, String user, String password) {
        return client(peer.response(401), user, password);
    }

    static DigestClient client(SipResponse challenge, String user) {
        return client(challenge, user, "secret");
    }

    private static DigestClient client(SipResponse challenge, String user, String password) {
        try {
            return DigestClient.of(
                    AuthHeader.parse(challenge.header(HeaderName.WWW_AUTHENTICATE)),
                    user,
                    password);
        } catch (SipParseException e) {
            throw new AssertionError(e);
        }
    }

    static String answer(DigestClient client, String method, String uri) {
        return "Authorization: " + client.answer(method, uri, new byte[0], "abc");
    }
}
