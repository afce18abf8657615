package io.carillon.grid.link;

import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jgroups.JChannel;
import org.jgroups.conf.ProtocolConfiguration;
import org.jgroups.conf.ProtocolStackConfigurator;
import org.jgroups.protocols.TP;

/**
 * The stack of protocols between nodes, and the only one: no multicast, one port, which speaks TLS.
 * There is no FD_SOCK2: its port could not speak TLS. That a process has ended is seen by the
 * transport's own connections, which every two members have.
 */
public final class LinkStack {
    /** A member that is not heard of for so long is suspected, among those who vote. */
    private static final String SILENCE_MILLIS = "2000";

    /** Among those who keep copies, where the voters decide first. */
    private static final String STORE_SILENCE_MILLIS = "5000";

    private static final String HEARTBEAT_MILLIS = "500";

    /** A suspect has so long to say that it lives. */
    private static final String VERIFY_MILLIS = "500";

    /**
     * Who is the first waits so long for others. Three nodes that start at once divide with half a
     * second.
     */
    public static final Duration JOIN_ALONE = Duration.ofSeconds(2);

    /**
     * Who knows that others are there waits longer for them: a grid of its own has to be merged
     * with theirs. It is over as soon as the one answers who has made the view. His answer to the
     * join itself has the same time.
     */
    public static final Duration JOIN_OTHERS = Duration.ofSeconds(5);

    /** Then it begins a grid of its own: who made the view does not answer. */
    private static final String MOST_JOINS = "5";

    private static final List<String> TRANSPORT =
            List.of(
                    "port_range 0",
                    "diag.enabled false",
                    "sock_conn_timeout 500",
                    "peer_addr_read_timeout 1000",
                    "tcp_nodelay true",
                    "enable_suspect_events true",
                    "log_details false",
                    "log_accept_error false",
                    "bundler_type per-destination",
                    // One that does not answer holds the others up in no queue.
                    "bundler.use_single_sender_thread false",
                    "thread_naming_pattern c",
                    // Handlers that compute may hold all that carry virtual threads.
                    "use_vthreads false",
                    "thread_pool.min_threads 2",
                    "thread_pool.max_threads 200",
                    "thread_pool.keep_alive_time 30000");

    private LinkStack() {}

    /** Makes a channel that is not connected yet. */
    public static JChannel channel(LinkSettings settings) throws Exception {
        return channel(settings, JOIN_ALONE);
    }

    /**
     * Makes a channel that is not connected yet.
     *
     * @param join so long it looks for others; then it is the first
     */
    public static JChannel channel(LinkSettings settings, Duration join) throws Exception {
        return channel(settings, List.of(), join);
    }

    /**
     * Makes a channel that is not connected yet, of members who vote.
     *
     * @param raft protocols on top, from the lowest
     */
    public static JChannel votingChannel(LinkSettings settings, List<ProtocolConfiguration> raft)
            throws Exception {
        return channel(settings, raft, JOIN_ALONE);
    }

    private static JChannel channel(
            LinkSettings settings, List<ProtocolConfiguration> top, Duration join)
            throws Exception {
        List<ProtocolConfiguration> protocols = protocols(settings, !top.isEmpty(), join);
        protocols.addAll(top);
        JChannel channel = make(settings.discovery(), new Configured(protocols));
        secure(channel, settings);
        ClosedConnections.watch(channel);
        WayRound.watch(channel);
        LateNodes.follow(channel, settings);
        Doubts.end(channel, System::nanoTime);
        if (top.isEmpty()) {
            StoreMessages.watch(channel);
        }
        channel.setName(settings.cluster() + "-" + settings.member());
        return channel;
    }

    private static JChannel make(Discovery discovery, Configured configured) throws Exception {
        return discovery instanceof Discovery.Database database
                ? DiscoveryTable.with(database.source().get(), () -> new JChannel(configured))
                : new JChannel(configured);
    }

    private static void secure(JChannel channel, LinkSettings settings)
            throws GeneralSecurityException {
        TP transport = channel.getProtocolStack().getTransport();
        transport.setSocketFactory(new LinkSockets(LinkTls.context(settings.key())));
    }

    /** Is this channel one of ours? Refuses what came up by some default instead. */
    public static void check(JChannel channel) {
        TP transport = channel.getProtocolStack().getTransport();
        if (!(transport.getSocketFactory() instanceof LinkSockets)) {
            throw new IllegalStateException(
                    "the grid came up on another stack than ours, without TLS: "
                            + channel.getProtocolStack().printProtocolSpec(false));
        }
    }

    private static List<ProtocolConfiguration> protocols(
            LinkSettings settings, boolean voting, Duration join) {
        int port = settings.listen().getPort() + settings.portOffset();
        List<String> transport = new ArrayList<>(TRANSPORT);
        transport.add("bind_addr " + settings.listen().getAddress().getHostAddress());
        transport.add("bind_port " + port);
        List<ProtocolConfiguration> all = new ArrayList<>();
        all.add(protocol("TCP", transport));
        Map.Entry<String, Map<String, String>> discovery =
                settings.discovery().protocol(settings.portOffset());
        all.add(
                new ProtocolConfiguration(
                        discovery.getKey(), new LinkedHashMap<>(discovery.getValue())));
        all.add(protocol("MERGE3", List.of("min_interval 1000", "max_interval 3000")));
        all.add(
                protocol(
                        "FD_ALL3",
                        List.of(
                                "timeout " + (voting ? SILENCE_MILLIS : STORE_SILENCE_MILLIS),
                                "interval " + HEARTBEAT_MILLIS)));
        all.add(protocol("VERIFY_SUSPECT2", List.of("timeout " + VERIFY_MILLIS)));
        all.add(protocol("pbcast.NAKACK2", List.of("use_mcast_xmit false", "xmit_interval 200")));
        all.add(protocol("UNICAST3", List.of("xmit_interval 200")));
        all.add(protocol("pbcast.STABLE", List.of("desired_avg_gossip 5000", "max_bytes 1000000")));
        if (voting) {
            // A member that comes back while the old one is still seen has to wait.
            all.add(protocol("raft.NO_DUPES", List.of()));
        }
        all.add(
                protocol(
                        "pbcast.GMS",
                        List.of(
                                "print_local_addr false",
                                "max_join_attempts " + MOST_JOINS,
                                "join_timeout " + join.toMillis())));
        all.add(protocol("FRAG4", List.of("frag_size 60000")));
        return all;
    }

    /** Of a name, and attributes as name and value with a space between. */
    private static ProtocolConfiguration protocol(String name, List<String> attributes) {
        Map<String, String> map = new LinkedHashMap<>();
        for (String attribute : attributes) {
            int space = attribute.indexOf(' ');
            map.put(attribute.substring(0, space), attribute.substring(space + 1));
        }
        return new ProtocolConfiguration(name, map);
    }

    /** A list of protocols, as JGroups wants to be told of it. */
    private record Configured(List<ProtocolConfiguration> protocols)
            implements ProtocolStackConfigurator {
        @Override
        public String getProtocolStackString() {
            StringBuilder text = new StringBuilder();
            protocols.forEach(each ->
                    text.append(text.isEmpty() ? "" : ":").append(each.getProtocolString()));
            return text.toString();
        }

        @Override
        public List<ProtocolConfiguration> getProtocolStack() {
            return protocols;
        }
    }
}
