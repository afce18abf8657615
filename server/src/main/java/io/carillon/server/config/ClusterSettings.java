package io.carillon.server.config;

import io.carillon.sip.hop.HostPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cluster: nodes that go on with each other's calls. There is one as soon as {@code name} is
 * given; without it the server is alone and loads nothing of this.
 *
 * @param name of the cluster
 * @param nodes all of them
 * @param witness who votes and has no calls
 * @param listen which of the nodes this one is
 * @param address of the cluster, for phones and peers
 * @param streams by what else than UDP the routers are reached
 * @param routers where they hear of the nodes
 * @param keyFile what only its members know
 * @param detectWithin when a silent node counts as dead
 */
public record ClusterSettings(
        @Setting(
                        "Name of the cluster that this server belongs to: 1 to 32 letters, digits, -"
                                + " and _. Without it the server is alone.")
                @Nullable String name,
        @Setting(
                        value =
                                "All nodes of the cluster, HOST:PORT each, in the same order on"
                                        + " every node; nine at most.",
                        more =
                                "A node uses this port and the three above it. A change of the"
                                        + " list needs a restart of all nodes. A host may be a name, which is"
                                        + " looked up again every 5 s: one that is not known yet, or"
                                        + " has another address later, is found all the same.",
                        standardText = "none")
                List<HostPort> nodes,
        @Setting(
                        value =
                                "A process that only votes (./carillon witness), for clusters of two nodes: with it"
                                        + " one node goes on when the other dies.",
                        standardText = "none")
                @Nullable HostPort witness,
        @Setting(
                        value = "Which of cluster.nodes this server is.",
                        standardText =
                                "the first of them that is an address of this machine with a free port")
                @Nullable HostPort listen,
        @Setting(
                        value =
                                "The address of the cluster for phones and peers, where its routers listen: it stands"
                                        + " in Via, Contact and Record-Route, and outlives each node.",
                        standardText = "none")
                @Nullable HostPort address,
        @Setting(
                        value =
                                "Where phones reach the routers by other transports than UDP:"
                                        + " tcp:HOST:PORT, tls, ws or wss, each once.",
                        more =
                                "Contact and Record-Route name this address. Where routers listen"
                                        + " on another address than the one that phones know, `as"
                                        + " HOST:PORT` follows with the one that phones know. The"
                                        + " certificates are those of `tls`.",
                        standardText = "none")
                List<ListenAddress> streams,
        @Setting(
                        value =
                                "Where the routers talk to the nodes (./carillon router), HOST:PORT each.",
                        standardText = "none")
                List<HostPort> routers,
        @Setting(
                        value =
                                "File with the key of the cluster: a line of 64 hexadecimal digits"
                                        + " or more, the same on all nodes and routers.",
                        more =
                                "Nobody but its owner may have the right to read the file. The key"
                                        + " makes and checks the marks in tags and routes, and"
                                        + " proves who belongs to the cluster. A second line is"
                                        + " another key that is read too, while keys change.",
                        standardText = "none")
                @Nullable Path keyFile,
        @Setting(
                        value =
                                "A node that is silent for so long is taken for dead, and others"
                                        + " go on with its calls.",
                        more =
                                "The value is the same on all nodes. Where the process of a node"
                                        + " has ended, the others know at once.",
                        standard = "2 s",
                        min = "1 s",
                        max = "10 s")
                Duration detectWithin) {
    private static final int LONGEST_NAME = 32;
    private static final int MOST_NODES = 9;
    private static final int MOST_ROUTERS = 256;

    /** What belongs together is there. */
    public ClusterSettings {
        if (name == null) {
            if (!nodes.isEmpty()
                    || listen != null
                    || address != null
                    || witness != null
                    || !streams.isEmpty()
                    || !routers.isEmpty()
                    || keyFile != null) {
                throw new IllegalArgumentException("name: is needed where others of its keys are");
            }
        } else {
            check(name, nodes, witness, listen);
            check(streams);
            checkRouters(routers);
            if (address != null && isAny(address)) {
                throw new IllegalArgumentException(
                        "address: "
                                + address
                                + " is no address that phones can write to; name one of the routers'"
                                + " hosts");
            }
            if (address == null) {
                throw new IllegalArgumentException(
                        "address: is needed, the address of the routers for phones and peers");
            }
            if (keyFile == null) {
                throw new IllegalArgumentException(
                        "key-file: is needed; make one with: openssl rand -hex 32 > cluster.key");
            }
        }
    }

    private static void check(
            String name,
            List<HostPort> nodes,
            @Nullable HostPort witness,
            @Nullable HostPort listen) {
        if (name.length() > LONGEST_NAME || !name.matches("[A-Za-z0-9_-]+")) {
            throw new IllegalArgumentException(
                    "name: '" + name + "' has to be 1 to 32 letters, digits, - and _");
        }
        if (nodes.isEmpty() || nodes.size() > MOST_NODES) {
            throw new IllegalArgumentException(
                    "nodes: 1 to " + MOST_NODES + " are possible, not " + nodes.size());
        }
        List<HostPort> members = new ArrayList<>(nodes);
        if (witness != null) {
            members.add(witness);
        }
        for (HostPort each : members) {
            if (isAny(each)) {
                throw new IllegalArgumentException(
                        (each.equals(witness) ? "witness: " : "nodes: ")
                                + each
                                + " has to be the address of one machine");
            }
        }
        Set<HostPort> once = new HashSet<>(nodes);
        if (once.size() < nodes.size() || (witness != null && !once.add(witness))) {
            throw new IllegalArgumentException("nodes: one of them stands there twice");
        }
        if (listen != null && !nodes.contains(listen)) {
            throw new IllegalArgumentException(
                    "listen: has to be one of nodes, which says who this server is");
        }
    }

    private static void checkRouters(List<HostPort> routers) {
        if (routers.size() > MOST_ROUTERS) {
            throw new IllegalArgumentException(
                    "routers: at most " + MOST_ROUTERS + " are possible, not " + routers.size());
        }
        Set<HostPort> once = new HashSet<>();
        for (HostPort each : routers) {
            if (!once.add(each)) {
                throw new IllegalArgumentException("routers: " + each + " stands there twice");
            }
            if (isAny(each)) {
                throw new IllegalArgumentException(
                        "routers: " + each + " has to be the address of one machine");
            }
        }
    }

    /** Does it mean all addresses of a machine? */
    private static boolean isAny(HostPort address) {
        return address.bareHost().equals("0.0.0.0") || address.bareHost().equals("::");
    }

    private static void check(List<ListenAddress> streams) {
        Set<ListenAddress.Transport> once = EnumSet.noneOf(ListenAddress.Transport.class);
        for (ListenAddress each : streams) {
            if (each.transport() == ListenAddress.Transport.UDP) {
                throw new IllegalArgumentException(
                        "streams: " + each + " is what address says; here stand tcp, tls, ws, wss");
            }
            if (!once.add(each.transport())) {
                throw new IllegalArgumentException(
                        "streams: " + each + " is the second of its transport; one is possible");
            }
        }
    }

    /** Is this server one of a cluster? */
    public boolean configured() {
        return name != null;
    }

    /**
     * The number of this node: its place among the nodes, from 0.
     *
     * @throws IllegalStateException while nobody has said which one it is
     */
    public int member() {
        if (listen == null) {
            throw new IllegalStateException("no cluster.listen");
        }
        return nodes.indexOf(listen);
    }

    /** These, of the node that listens there. */
    public ClusterSettings withListen(HostPort node) {
        return new ClusterSettings(
                name, nodes, witness, node, address, streams, routers, keyFile, detectWithin);
    }
}
