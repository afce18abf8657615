package io.carillon.server.cluster;

import io.carillon.cluster.table.Member;
import io.carillon.cluster.table.PartitionTable;
import io.carillon.server.config.ClusterSettings;
import io.carillon.sip.hop.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Who is who in a cluster, by its configuration: a node's number is its place in the list, the
 * witness has the number behind the last. The address of a name that is not known now is not
 * resolved ({@link MemberNames} looks it up again). Immutable.
 *
 * @param nodes where each listens for the other members
 * @param witness likewise; null without one
 * @param routers where each talks to the nodes, by its number; one whose name is not known tells
 *     the nodes itself
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
     * @param names looks one up; what it does not find stays unresolved
     */
    static ClusterMembers of(
            ClusterSettings settings, Function<HostPort, InetSocketAddress> names) {
        HostPort witness = settings.witness();
        return new ClusterMembers(
                settings.nodes().stream().map(names).toList(),
                witness == null ? null : names.apply(witness),
                settings.routers().stream().map(names).toList());
    }

    /** Asks the system. */
    static InetSocketAddress lookUp(HostPort of) {
        return new InetSocketAddress(of.bareHost(), of.port());
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

    /** All of them, by their number. */
    List<InetSocketAddress> all() {
        List<InetSocketAddress> all = new ArrayList<>(nodes);
        if (witness != null) {
            all.add(witness);
        }
        return all;
    }

    /** Those whose address is known: all that can be connected to. */
    List<InetSocketAddress> known() {
        return all().stream().filter(each -> !each.isUnresolved()).toList();
    }

    InetSocketAddress address(int member) {
        return all().get(member);
    }

    /** For people: the address in digits, or the name where that is not known. */
    static String printed(InetSocketAddress address) {
        return HostPort.of(
                        address.isUnresolved()
                                ? address.getHostString()
                                : address.getAddress().getHostAddress(),
                        address.getPort())
                .toString();
    }

    /**
     * Where other nodes pass pages on to a node; not resolved where nobody knows.
     *
     * @param table says where it listens that lives
     */
    InetSocketAddress pages(int node, PartitionTable table) {
        return above(now(node, table), PAGES_PORT_OFFSET);
    }

    /** Where routers and other nodes send messages to a node that is not in a table. */
    InetSocketAddress link(int node) {
        return above(nodes.get(node), LINK_PORT_OFFSET);
    }

    /** Of all nodes whose address is known, by their number, before any table is known. */
    Map<Integer, InetSocketAddress> links() {
        Map<Integer, InetSocketAddress> links = new TreeMap<>();
        for (int node = 0; node < nodes.size(); node++) {
            put(links, node, link(node));
        }
        return links;
    }

    /** Of all nodes whose address is known, by their number. */
    Map<Integer, InetSocketAddress> links(PartitionTable table) {
        Map<Integer, InetSocketAddress> links = new TreeMap<>();
        for (int node = 0; node < nodes.size(); node++) {
            put(links, node, above(now(node, table), LINK_PORT_OFFSET));
        }
        return links;
    }

    private static void put(
            Map<Integer, InetSocketAddress> links, int node, InetSocketAddress link) {
        if (!link.isUnresolved()) {
            links.put(node, link);
        }
    }

    /** What a member that lives said as it joined is later than any name. */
    private InetSocketAddress now(int node, PartitionTable table) {
        Member member = table.member(node);
        InetAddress joined = member == null || !member.living() ? null : joined(member.address());
        InetSocketAddress named = nodes.get(node);
        return joined == null ? named : new InetSocketAddress(joined, named.getPort());
    }

    /** Of {@code host/digits:port}, as members join. */
    private static @Nullable InetAddress joined(String address) {
        try {
            String digits = address.substring(address.lastIndexOf('/') + 1);
            return InetAddress.ofLiteral(HostPort.parse(digits).bareHost());
        } catch (IllegalArgumentException e) {
            return null; // of an older build, or of another list
        }
    }

    private static InetSocketAddress above(InetSocketAddress address, int offset) {
        int port = address.getPort() + offset;
        return address.isUnresolved()
                ? InetSocketAddress.createUnresolved(address.getHostString(), port)
                : new InetSocketAddress(address.getAddress(), port);
    }
}
