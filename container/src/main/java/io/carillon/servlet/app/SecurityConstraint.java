package io.carillon.servlet.app;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A {@code security-constraint} of sip.xml. Immutable.
 *
 * @param resources what it protects
 * @param proxyAuthentication the challenge is 407, not 401
 * @param roles who may; {@code *}: every authenticated user; empty: nobody; null: authentication is
 *     not asked for
 * @param confidential only over TLS
 */
public record SecurityConstraint(
        List<Resources> resources,
        boolean proxyAuthentication,
        @Nullable Set<String> roles,
        boolean confidential) {

    /**
     * A {@code resource-collection}.
     *
     * @param servlets names; empty: every servlet
     * @param methods of SIP; empty: every method
     */
    public record Resources(Set<String> servlets, Set<String> methods) {
        public Resources {
            servlets = Set.copyOf(servlets);
            methods = Set.copyOf(methods);
        }

        boolean hold(String servlet, String method) {
            return (servlets.isEmpty() || servlets.contains(servlet))
                    && (methods.isEmpty() || methods.contains(method));
        }
    }

    public SecurityConstraint {
        resources = List.copyOf(resources);
        roles = roles == null ? null : Set.copyOf(roles);
    }

    public boolean protects(String servlet, String method) {
        for (Resources one : resources) {
            if (one.hold(servlet, method)) {
                return true;
            }
        }
        return false;
    }
}
