package io.carillon.servlet.app;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an application's descriptor says of security. Immutable.
 *
 * @param realm of the challenges; null: the server's default
 * @param assertion whether P-Asserted-Identity of a trusted peer stands for credentials
 * @param roles declared by {@code security-role}
 * @param runAs role by servlet name
 * @param roleRefs by servlet name: the role meant by a name in the servlet's code
 */
public record SecurityDescription(
        List<SecurityConstraint> constraints,
        @Nullable String realm,
        IdentityAssertion assertion,
        Set<String> roles,
        Map<String, String> runAs,
        Map<String, Map<String, String>> roleRefs) {
    public static final SecurityDescription NONE =
            new SecurityDescription(
                    List.of(), null, IdentityAssertion.NONE, Set.of(), Map.of(), Map.of());

    /** What {@code identity-assertion} asks for. */
    public enum IdentityAssertion {
        NONE,
        SUPPORTED,
        REQUIRED
    }

    public SecurityDescription {
        constraints = List.copyOf(constraints);
        roles = Set.copyOf(roles);
        runAs = Map.copyOf(runAs);
        roleRefs = Map.copyOf(roleRefs);
    }

    /** The role that a servlet's code means by this name. */
    public String roleOf(String servlet, String name) {
        Map<String, String> refs = roleRefs.get(servlet);
        String linked = refs == null ? null : refs.get(name);
        return linked == null ? name : linked;
    }
}
