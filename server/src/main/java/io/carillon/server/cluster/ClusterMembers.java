package io.carillon.server.cluster;

import io.carillon.server.config.ClusterSettings;
import io.carillon.server.start.StartException;
import io.carillon.sip.hop.HostPort;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Who is who in a cluster, by its configuration: a node's number is its place in the list, the
 * witness has the number behind the last. Immutable.
 *
 * @param nodes where each listens for the other members
 * @param witness likewise; null without one
 * @param routers where each talks to the nodes, by its number; one whose name is not known now is
 *     not resolved, and tells the nodes itself
 */
record ClusterMembers(
        List<InetSocketAddress> nodes,
        @Nullable InetSocketAddress witness,
        List<InetSocketAddress> routers) {
    /** More voters only cost time: each change asks a majority. */
    private static final int MOST_VOTERS = 5;

    /** Where nodes pass pages on, by TCP, lies so far above the port of a node. */
    static final int PAGES_PORT_OFFSET = 2;

    /** The link to routers, by UDP, lies so far above the port of a node. */
    static final int LINK_PORT_OFFSET = 3;

    /**
     * By the configuration.
     *
     * @throws StartException where a host is not known
     */
    static ClusterMembers of(ClusterSettings settings) throws StartException {
        List<InetSocketAddress> nodes = new ArrayList<>();
        for (HostPort node : settings.nodes()) {
            nodes.add(address("cluster.nodes", node));
        }
        HostPort witness = settings.witness();
        return new ClusterMembers(
                List.copyOf(nodes),
                witness == null ? null : address("cluster.witness", witness),
                settings.routers().stream()
                        .map(router -> new InetSocketAddress(router.bareHost(), router.port()))
                        .toList());
    }

    static InetSocketAddress address(String key, HostPort of) throws StartException {
        InetSocketAddress address = new InetSocketAddress(of.bareHost(), of.port());
        if (address.isUnresolved() || address.getAddress().isAnyLocalAddress()) {
            throw new StartException(
                    key
                            + ": "
                            + of
                            + " has to be the address of one machine, or a name that is known");
        }
        return address;
    }

    /** The number of the witness. */
    int witnessNumber() {
        return nodes.size();
    }

    /** Numbers of those that vote. */
    List<Integer> voters() {
        int voting = witness == null ? MOST_VOTERS : MOST_VOTERS - 1;
        List<Integer> numbers =
                new ArrayList<>(
                        IntStream.range(0, Math.min(voting, nodes.size())).boxed().toList());
        if (witness != null) {
            numbers.add(witnessNumber());
        }
        return numbers;
    }

    /** All that can be connected to. */
    List<InetSocketAddress> all() {
        List<InetSocketAddress> all = new ArrayList<>(nodes);
        if (witness != null) {
            all.add(witness);
        }
        return all;
    }

    InetSocketAddress address(int member) {
        return all().get(member);
    }

    /** Where routers and other nodes send messages to a node. */
    InetSocketAddress link(int node) {
        InetSocketAddress address = nodes.get(node);
        return new InetSocketAddress(address.getAddress(), address.getPort() + LINK_PORT_OFFSET);
    }

    /** Where other nodes pass pages on to a node. */
    InetSocketAddress pages(int node) {
        InetSocketAddress address = nodes.get(node);
        return new InetSocketAddress(address.getAddress(), address.getPort() + PAGES_PORT_OFFSET);
    }

    /** Of all nodes, by their number. */
    Map<Integer, InetSocketAddress> links() {
        Map<Integer, InetSocketAddress> links = new TreeMap<>();
        for (int node = 0; node < nodes.size(); node++) {
            links.put(node, link(node));
        }
        return links;
    }
}
