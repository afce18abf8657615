package io.carillon.servlet.app;

import io.carillon.servlet.app.SecurityDescription.IdentityAssertion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The security elements of one sip.xml. One thread. */
final class SecurityXml {
    private record Used(XmlElement element, String role) {}

    private record Servlets(XmlElement element, Set<String> names) {}

    private final String file;
    private final List<String> warnings;
    private final List<SecurityConstraint> constraints = new ArrayList<>();
    private final Set<String> roles = new HashSet<>();
    private final Map<String, String> runAs = new LinkedHashMap<>();
    private final Map<String, Map<String, String>> roleRefs = new LinkedHashMap<>();
    private final List<Used> used = new ArrayList<>();
    private final List<Servlets> protectedServlets = new ArrayList<>();
    private @Nullable XmlElement login;
    private @Nullable String realm;
    private IdentityAssertion assertion = IdentityAssertion.NONE;

    SecurityXml(String file, List<String> warnings) {
        this.file = file;
        this.warnings = warnings;
    }

    void role(XmlElement element) throws DeploymentException {
        roles.add(text(element, "role-name"));
    }

    // ---- of a servlet ----

    void runAs(String servlet, XmlElement element) throws DeploymentException {
        String role = text(element, "role-name");
        used.add(new Used(element, role));
        runAs.put(servlet, role);
    }

    void roleRef(String servlet, XmlElement element) throws DeploymentException {
        String name = text(element, "role-name");
        XmlElement link = element.child("role-link");
        String role = link == null || link.text().isEmpty() ? name : link.text();
        if (link != null) {
            used.add(new Used(element, role));
        }
        roleRefs.computeIfAbsent(servlet, _ -> new HashMap<>()).put(name, role);
    }

    // ---- constraints ----

    void constraint(XmlElement element) throws DeploymentException {
        List<SecurityConstraint.Resources> resources = new ArrayList<>();
        for (XmlElement child : element.children) {
            if (child.name.equals("resource-collection")) {
                Set<String> servlets = texts(child, "servlet-name");
                protectedServlets.add(new Servlets(child, servlets));
                resources.add(
                        new SecurityConstraint.Resources(servlets, texts(child, "sip-method")));
            } else if (child.name.equals("web-resource-collection")) {
                throw fault(child, "belongs into web.xml; sip.xml has <resource-collection>");
            }
        }
        if (resources.isEmpty()) {
            throw fault(element, "needs <resource-collection>");
        }
        XmlElement auth = element.child("auth-constraint");
        Set<String> allowed = auth == null ? null : texts(auth, "role-name");
        if (auth != null && allowed != null) {
            for (String role : allowed) {
                used.add(new Used(auth, role));
            }
        }
        constraints.add(
                new SecurityConstraint(
                        resources,
                        element.child("proxy-authentication") != null,
                        allowed,
                        confidential(element)));
    }

    private boolean confidential(XmlElement constraint) throws DeploymentException {
        XmlElement data = constraint.child("user-data-constraint");
        if (data == null) {
            return false;
        }
        String guarantee = text(data, "transport-guarantee");
        return switch (guarantee) {
            case "NONE" -> false;
            case "INTEGRAL", "CONFIDENTIAL" -> true;
            default ->
                    throw fault(
                            data,
                            "transport-guarantee must be NONE, INTEGRAL or CONFIDENTIAL, not '"
                                    + guarantee
                                    + "'");
        };
    }

    // ---- login ----

    void login(XmlElement element) throws DeploymentException {
        XmlElement before = login;
        if (before != null) {
            throw fault(element, "stands in line " + before.line + " already");
        }
        login = element;
        XmlElement method = element.child("auth-method");
        String name = method == null ? "DIGEST" : method.text().toUpperCase(Locale.ROOT);
        switch (name) {
            case "DIGEST", "" -> {}
            // RFC 8760 2.6: "SIP clients and servers MUST NOT accept or request Basic
            // authentication."
            case "BASIC" ->
                    warnings.add(
                            at(element)
                                    + "auth-method BASIC is carried out as DIGEST, for SIP forbids Basic (RFC 8760 2.6)");
            case "CLIENT-CERT" ->
                    throw fault(element, "auth-method CLIENT-CERT is not supported; use DIGEST");
            default ->
                    throw fault(element, "auth-method must be DIGEST or BASIC, not '" + name + "'");
        }
        XmlElement realmName = element.child("realm-name");
        if (realmName != null && !realmName.text().isEmpty()) {
            realm = realmName.text();
        }
        XmlElement identity = element.child("identity-assertion");
        if (identity != null) {
            assertion(identity);
        }
    }

    private void assertion(XmlElement element) throws DeploymentException {
        String scheme = text(element, "identity-assertion-scheme");
        if (!scheme.equals("P-Asserted-Identity")) {
            throw fault(
                    element,
                    "identity-assertion-scheme must be P-Asserted-Identity, not '" + scheme + "'");
        }
        String support = text(element, "identity-assertion-support");
        assertion =
                switch (support) {
                    case "SUPPORTED" -> IdentityAssertion.SUPPORTED;
                    case "REQUIRED" -> IdentityAssertion.REQUIRED;
                    default ->
                            throw fault(
                                    element,
                                    "identity-assertion-support must be SUPPORTED or REQUIRED, not '"
                                            + support
                                            + "'");
                };
    }

    // ---- the whole ----

    /**
     * @param servlets names that sip.xml declares; constraints may name those of annotations too
     */
    SecurityDescription description(Set<String> servlets) throws DeploymentException {
        for (Used one : used) {
            if (!one.role().equals("*") && !roles.contains(one.role())) {
                warnings.add(
                        at(one.element())
                                + "role '"
                                + one.role()
                                + "' is declared by no <security-role>");
                roles.add(one.role());
            }
        }
        for (Servlets one : protectedServlets) {
            for (String name : one.names()) {
                if (!servlets.isEmpty() && !servlets.contains(name)) {
                    throw fault(
                            one.element(),
                            "no servlet is named '"
                                    + name
                                    + "'; a constraint on nothing would leave the application open");
                }
            }
        }
        if (login == null && constraints.stream().anyMatch(c -> c.roles() != null)) {
            warnings.add(
                    file
                            + ": <security-constraint> without <login-config>: DIGEST in the server's realm is taken");
        }
        return new SecurityDescription(constraints, realm, assertion, roles, runAs, roleRefs);
    }

    private static Set<String> texts(XmlElement element, String name) {
        Set<String> texts = new HashSet<>();
        for (XmlElement child : element.children) {
            if (child.name.equals(name) && !child.text().isEmpty()) {
                texts.add(child.text());
            }
        }
        return texts;
    }

    private String text(XmlElement element, String childName) throws DeploymentException {
        XmlElement child = element.child(childName);
        if (child == null || child.text().isEmpty()) {
            throw fault(element, "needs <" + childName + ">");
        }
        return child.text();
    }

    private String at(XmlElement element) {
        return file + ":" + element.line + ": <" + element.name + "> ";
    }

    private DeploymentException fault(XmlElement element, String rule) {
        return new DeploymentException(file, element.line, "<" + element.name + ">", rule);
    }
}
