package io.carillon.servlet.feature.security;

import io.carillon.servlet.app.SecurityConstraint;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What all constraints that protect a resource ask for together. Immutable.
 *
 * @param roles one of them is wanted; empty: nobody is let in; null: nobody is asked
 * @param proxy is the caller asked as by a proxy (407)?
 * @param confidential has the request to come by TLS?
 */
record Demand(@Nullable Set<String> roles, boolean proxy, boolean confidential) {
    /**
     * The servlet specification's union: a constraint that asks for nobody's credentials opens, one
     * without roles closes.
     *
     * @return null where no constraint protects it
     */
    static @Nullable Demand of(
            List<SecurityConstraint> constraints, String servlet, String method) {
        Demand demand = null;
        for (SecurityConstraint one : constraints) {
            if (one.protects(servlet, method)) {
                Set<String> roles = one.roles();
                demand =
                        demand == null
                                ? new Demand(roles, one.proxyAuthentication(), one.confidential())
                                : new Demand(
                                        union(demand.roles, roles),
                                        demand.proxy || one.proxyAuthentication(),
                                        demand.confidential || one.confidential());
            }
        }
        return demand;
    }

    private static @Nullable Set<String> union(
            @Nullable Set<String> some, @Nullable Set<String> others) {
        if ((some != null && some.isEmpty()) || (others != null && others.isEmpty())) {
            return Set.of();
        }
        if (some == null || others == null) {
            return null;
        }
        Set<String> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }
}
