package io.carillon.grid.link;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** How a node finds the others. No multicast. */
public sealed interface Discovery {
    /**
     * A list, the usual case.
     *
     * @param now where each listens whose address is known, this node among them or not; asked
     *     again and again, by any thread, so it may not block
     */
    record Nodes(Supplier<List<InetSocketAddress>> now) implements Discovery {
        /** With addresses that stay. */
        public Nodes(List<InetSocketAddress> nodes) {
            this(new Fixed(nodes));
        }

        private record Fixed(List<InetSocketAddress> nodes)
                implements Supplier<List<InetSocketAddress>> {
            private Fixed {
                nodes = List.copyOf(nodes);
            }

            @Override
            public List<InetSocketAddress> get() {
                return nodes;
            }
        }
    }

    /**
     * A name of which each address is a node's; all nodes listen on the same port.
     *
     * @param name asked for A and AAAA
     */
    record DnsName(String name) implements Discovery {}

    /**
     * The table {@code carillon_nodes} of the database, in which each node writes where it listens.
     * It is made when it is not there.
     *
     * @param source asked when connections are needed
     */
    record Database(Supplier<DataSource> source) implements Discovery {}

    /**
     * Name and attributes of JGroups' protocol; a channel's ports lie above the configured ones.
     */
    default Map.Entry<String, Map<String, String>> protocol(int portOffset) {
        return switch (this) {
            case Nodes(Supplier<List<InetSocketAddress>> now) ->
                    Map.entry(
                            "TCPPING",
                            Map.of(
                                    "initial_hosts",
                                    now.get().stream()
                                            .map(node ->
                                                    node.getAddress().getHostAddress()
                                                            + "["
                                                            + (node.getPort() + portOffset)
                                                            + "]")
                                            .collect(Collectors.joining(",")),
                                    "port_range",
                                    "0",
                                    "async_discovery",
                                    "true"));
            case DnsName(String name) ->
                    Map.entry(
                            "dns.DNS_PING",
                            Map.of(
                                    "dns_query",
                                    name,
                                    "dns_record_type",
                                    "A",
                                    "async_discovery_use_separate_thread_per_request",
                                    "true"));
            case Database database -> Map.entry("JDBC_PING2", DiscoveryTable.ATTRIBUTES);
        };
    }
}
