package io.carillon.servlet.check;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.NamedResource;
import io.carillon.servlet.app.SecurityConstraint;
import io.carillon.servlet.app.SecurityDescription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What an application needs of its server, or meets there, by its descriptors. Stateless. */
final class ServerNeeds {
    private ServerNeeds() {}

    /**
     * Sentences for the owner, each with the setting or command and the page.
     *
     * @param root the folder that holds WEB-INF
     */
    static List<String> of(Path root, ApplicationDescription application) {
        List<String> needs = new ArrayList<>();
        addUsers(application.security(), needs);
        for (NamedResource resource : application.resources()) {
            if (resource.type().equals("javax.sql.DataSource")) {
                needs.add(
                        "a database as java:comp/env/"
                                + resource.name()
                                + ": the server's own, or that of database.url"
                                + " (docs/guides/security.md#database)");
            }
        }
        if (!application.sessionTimeoutDeclared()) {
            needs.add(
                    "a word on session-timeout: without it in sip.xml a call ends after "
                            + ApplicationDescription.DEFAULT_SESSION_TIMEOUT_MINUTES
                            + " minutes without a message (sessions.expired-calls)");
        }
        if (Files.exists(root.resolve("WEB-INF/web.xml"))) {
            needs.add(
                    "HTTP: its pages are at /"
                            + application.name()
                            + ", or at applications."
                            + application.name()
                            + ".http-path (docs/guides/converged-http.md)");
        }
        if (application.distributable()) {
            needs.add(
                    "attributes that are Serializable: it is distributable, so its calls may go on"
                            + " in another node of a cluster (docs/guides/clustering.md)");
        }
        return needs;
    }

    private static void addUsers(SecurityDescription security, List<String> needs) {
        TreeSet<String> roles = new TreeSet<>();
        boolean asked = false;
        for (SecurityConstraint constraint : security.constraints()) {
            Set<String> named = constraint.roles();
            asked |= named != null;
            roles.addAll(named == null ? Set.of() : named);
        }
        if (!asked) {
            return;
        }
        roles.remove("*");
        StringBuilder text = new StringBuilder("users: carillon users add NAME");
        if (security.realm() != null) {
            text.append(" --realm ").append(security.realm());
        }
        roles.forEach(role -> text.append(" --role ").append(role));
        needs.add(text.append(" (docs/guides/security.md)").toString());
    }
}
