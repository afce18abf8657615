package io.carillon.it.failover;

import io.carillon.it.failover.application.TrialServlet;
import io.carillon.lab.rig.PackedClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * What the processes of a trial cluster read: key, configurations, which application gets which
 * call, and the archive of the trial's own application.
 */
final class ClusterFiles {
    private static final int KEY_BYTES = 32;
    private static final int NODE_PORTS = 10;

    private static final String DESCRIPTOR =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <sip-app xmlns="http://www.jcp.org/xml/ns/sipservlet"
                     xmlns:javaee="http://java.sun.com/xml/ns/javaee" version="1.1">
              <app-name>trial</app-name>
              <servlet-selection><main-servlet>trial</main-servlet></servlet-selection>
              <servlet>
                <javaee:servlet-name>trial</javaee:servlet-name>
                <javaee:servlet-class>io.carillon.it.failover.application.TrialServlet</javaee:servlet-class>
                <javaee:load-on-startup>1</javaee:load-on-startup>
              </servlet>
              <listener>
                <javaee:listener-class>io.carillon.it.failover.application.TrialServlet</javaee:listener-class>
              </listener>
              <session-config>
                <javaee:session-timeout>1440</javaee:session-timeout>
              </session-config>
            </sip-app>
            """;

    private final Path folder;
    private final Site site;
    private final int port;
    private final int nodes;
    private final boolean witness;
    private final TrialCluster.Front front;

    /**
     * Writes them.
     *
     * @param port the first of 50
     * @param nodes how many
     * @param witness is there one?
     * @param more of the nodes
     */
    ClusterFiles(
            Path folder, Site site, int port, int nodes, boolean witness, TrialCluster.More more)
            throws IOException {
        this.folder = folder;
        this.site = site;
        this.port = port;
        this.nodes = nodes;
        this.witness = witness;
        this.front = more.front();
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        Files.createFile(
                key(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key(), HexFormat.of().formatHex(bytes) + "\n");
        Files.writeString(routing(), routingText() + more.routing());
        Files.writeString(router(), configuration(-1) + front.sections());
        for (int node = 0; node < nodes; node++) {
            Files.writeString(node(node), configuration(node) + more.configuration());
        }
        PackedClasses.named(
                archive(),
                DESCRIPTOR,
                List.of(TrialServlet.class.getName(), TrialServlet.LOG_CLASS));
    }

    private Path key() {
        return folder.resolve("cluster.key");
    }

    /** Which application gets which call. */
    Path routing() {
        return folder.resolve("router.properties");
    }

    /** Of the router, and of the witness. */
    Path router() {
        return folder.resolve("router.yaml");
    }

    Path node(int node) {
        return folder.resolve("node" + node + ".yaml");
    }

    Path archive() {
        return folder.resolve("trial.war");
    }

    /** Where a node writes which timers have fired. */
    Path timers(int node) {
        return folder.resolve("timers-" + node + ".log");
    }

    /** Says what befalls the grid of all nodes. */
    Path trouble() {
        return folder.resolve("trouble");
    }

    int nodePort(int node) {
        return port + NODE_PORTS * (node + 1);
    }

    private static String routingText() {
        List<String> all = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            all.add(
                    "(\""
                            + kind.application()
                            + "\", \"DAR:From\", \"TERMINATING\", \"\", \"NO_ROUTE\", \""
                            + all.size()
                            + "\", \"USER="
                            + kind.user()
                            + " DIRECTION=INBOUND\")");
        }
        return "ALL: " + String.join(", ", all) + '\n';
    }

    private String configuration(int node) {
        List<String> addresses = new ArrayList<>();
        for (int each = 0; each < nodes; each++) {
            addresses.add(site.node(each) + ":" + nodePort(each));
        }
        StringBuilder text = new StringBuilder("cluster:\n  name: failover\n");
        if (node >= 0) {
            line(text, "listen", site.node(node) + ":" + nodePort(node));
        }
        line(text, "nodes", addresses.toString());
        if (witness) {
            line(text, "witness", site.node(nodes) + ":" + nodePort(nodes));
        }
        line(text, "address", site.router() + ":" + port);
        List<String> links = new ArrayList<>();
        for (int router = 0; router < front.routers(); router++) {
            links.add(site.router() + ":" + (port + 1 + router));
        }
        line(text, "routers", links.toString());
        text.append(front.cluster());
        line(text, "key-file", key().toString());
        return text.append("sip:\n  listen: []\n").toString();
    }

    private static void line(StringBuilder text, String key, String value) {
        text.append("  ").append(key).append(": ").append(value).append('\n');
    }
}
