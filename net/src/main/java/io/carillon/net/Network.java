package io.carillon.net;

import io.carillon.net.address.HostLiteral;
import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounters;
import io.carillon.net.guard.Guard;
import io.carillon.net.keepalive.StunPings;
import io.carillon.net.link.LinkConfig;
import io.carillon.net.link.LinkPorts;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.Listener;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.listen.ReceiveBuffer;
import io.carillon.net.resolve.DnsQuestions;
import io.carillon.net.resolve.EgressFilter;
import io.carillon.net.resolve.LocalAddresses;
import io.carillon.net.resolve.TargetResolver;
import io.carillon.net.shard.ShardFactory;
import io.carillon.net.shard.ShardGroup;
import io.carillon.net.shard.ShardLoop;
import io.carillon.net.stream.CloseCause;
import io.carillon.net.stream.ConnectionListener;
import io.carillon.net.stream.StreamTransport;
import io.carillon.net.stream.TcpListener;
import io.carillon.net.udp.DatagramScreening;
import io.carillon.net.udp.UdpListener;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.shard.Shard;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIP over real sockets: listening points, connections, and the event loops with their shards.
 * Either all points are bound or the start fails and nothing is left behind.
 *
 * <p>Any thread, but started and closed by one.
 */
public final class Network implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Network.class);

    private final NetworkConfig config;
    private final ShardGroup loops;
    private final DatagramScreening reception;
    private final StreamTransport streams;
    private final DnsQuestions questions;
    private final NetworkCounters counters;
    private final List<Shard> shards = new ArrayList<>();
    private final List<NetworkWire> wires = new ArrayList<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final List<UdpListener> udp = new ArrayList<>();
    private final List<TcpListener> tcp = new ArrayList<>();
    private final List<ReceiveBuffer> receiveBuffers = new ArrayList<>();
    private @Nullable LinkPorts link;
    private boolean receiving;
    private boolean closed;

    private Network(NetworkConfig config, @Nullable Guard guard, @Nullable Guard guardOfStreams) {
        this.config = config;
        long now = System.nanoTime();
        LoopCounts[] tallies = new LoopCounts[config.shards()];
        for (int i = 0; i < tallies.length; i++) {
            tallies[i] = new LoopCounts();
        }
        counters = new NetworkCounters(tallies);
        loops = new ShardGroup(config.shards(), config.nativeTransport(), tallies, now);
        reception = new DatagramScreening(guard, new StunPings());
        streams =
                new StreamTransport(
                        config.stream(), config.webSocket(), config.tls(), guardOfStreams, loops);
        questions = DnsQuestions.of(config.dns());
    }

    /**
     * Binds all listening points and begins to receive.
     *
     * @throws BindFailure when one cannot be bound: names transport, host and port, and says why
     */
    public static Network start(NetworkConfig config, ShardFactory factory) throws BindFailure {
        Network network = bind(config, factory);
        network.receive();
        return network;
    }

    /**
     * Binds all listening points and makes the shards, but receives nothing before {@link
     * #receive}: for layers above that want to know the shards first.
     *
     * @throws BindFailure when one cannot be bound; nothing stays bound then
     */
    public static Network bind(NetworkConfig config, ShardFactory factory) throws BindFailure {
        return bind(config, null, factory);
    }

    /**
     * As {@link #bind(NetworkConfig, ShardFactory)}.
     *
     * @param guard says who is listened to; null: everybody
     * @throws BindFailure when one cannot be bound; nothing stays bound then
     */
    public static Network bind(NetworkConfig config, @Nullable Guard guard, ShardFactory factory)
            throws BindFailure {
        return bind(new Network(config, guard, guard), factory);
    }

    /**
     * As {@link #bind(NetworkConfig, ShardFactory)}, of a router: its nodes say which datagrams are
     * listened to.
     *
     * @param guard says whose connections are taken; null: everybody's
     * @throws BindFailure when one cannot be bound; nothing stays bound then
     */
    public static Network bindRouter(
            NetworkConfig config, @Nullable Guard guard, ShardFactory factory) throws BindFailure {
        return bind(new Network(config, null, guard), factory);
    }

    private static Network bind(Network network, ShardFactory factory) throws BindFailure {
        try {
            network.makeShards(factory);
            network.bindAll();
            return network;
        } catch (BindFailure | RuntimeException e) {
            network.close();
            throw e;
        }
    }

    /**
     * Binds every listening point and lets it go again: for a start that has long work to do before
     * it binds, and should not do it in vain.
     *
     * @throws BindFailure as {@link #bind} would throw it now
     */
    public static void tryPorts(NetworkConfig config) throws BindFailure {
        LinkConfig link = config.link();
        if (link != null) {
            tryLink(link);
        }
        for (ListeningPoint point : config.listen()) {
            InetSocketAddress address = address(point);
            try {
                if (point.transport() == Transport.UDP) {
                    new DatagramSocket(address).close();
                } else {
                    tryStream(address);
                }
            } catch (IOException e) {
                throw BindFailure.of(point, e);
            }
        }
    }

    private static void tryLink(LinkConfig link) throws BindFailure {
        try {
            new DatagramSocket(link.listen()).close();
        } catch (IOException e) {
            ListeningPoint point =
                    new ListeningPoint(
                            Transport.UDP,
                            link.listen().getAddress().getHostAddress(),
                            link.listen().getPort());
            throw BindFailure.of(point, e);
        }
    }

    private static void tryStream(InetSocketAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            // As the real one: connections that end are no reason to refuse.
            socket.setReuseAddress(true);
            socket.bind(address);
        }
    }

    private void makeShards(ShardFactory factory) {
        TargetResolver resolver =
                new TargetResolver(
                        questions,
                        config.dns().limits(),
                        () -> ThreadLocalRandom.current().nextLong());
        for (int i = 0; i < loops.size(); i++) {
            ShardLoop loop = loops.loop(i);
            NetworkWire wire =
                    new NetworkWire(
                            loop, streams, reception.pings(), resolver, config.tls() != null);
            wires.add(wire);
            shards.add(factory.create(i, loop, wire, loop.nowNanos()));
        }
        loops.join(shards);
    }

    private void bindAll() throws BindFailure {
        List<@Nullable UdpListener> byIndex = new ArrayList<>();
        for (ListeningPoint point : config.listen()) {
            InetSocketAddress address = address(point);
            InetSocketAddress local;
            UdpListener datagrams = null;
            switch (point.transport()) {
                case UDP -> {
                    datagrams =
                            UdpListener.bind(
                                    point,
                                    address,
                                    loops,
                                    config.udp(),
                                    config.egress().icmp(),
                                    reception);
                    udp.add(datagrams);
                    receiveBuffers.addAll(datagrams.receiveBuffers());
                    local = datagrams.local();
                }
                case TCP, TLS, WS, WSS -> {
                    if (point.transport().secure() && config.tls() == null) {
                        throw new BindFailure(
                                point,
                                "TLS is not configured: a certificate and its key are needed"
                                        + " (tls.certificate and tls.key)",
                                new IllegalStateException("no TlsContexts"));
                    }
                    TcpListener connections =
                            TcpListener.bind(
                                    point, address, loops, streams, config.stream().backlog());
                    tcp.add(connections);
                    local = connections.local();
                }
                default -> throw new IllegalStateException("transport " + point.transport());
            }
            byIndex.add(datagrams);
            listeners.add(new Listener(listeners.size(), point.withPort(local.getPort()), local));
        }
        List<Listener> reached = new ArrayList<>(listeners);
        LinkConfig linked = config.link();
        if (linked != null) {
            LinkPorts ports = bind(linked);
            for (Listener each : ports.listeners(reached.size())) {
                reached.add(each);
                byIndex.add(null);
            }
        }
        LocalAddresses addresses = new LocalAddresses(reached, config.domains());
        EgressFilter filter = new EgressFilter(config.egress(), addresses);
        for (NetworkWire wire : wires) {
            wire.bound(addresses, filter, byIndex, link);
        }
        for (String warning : warnings()) {
            LOG.warn("{}", warning);
        }
    }

    private LinkPorts bind(LinkConfig linked) throws BindFailure {
        LinkPorts ports =
                LinkPorts.bind(linked, loops, config.udp(), reception.guard(), reception.pings());
        link = ports;
        receiveBuffers.addAll(ports.receiveBuffers());
        return ports;
    }

    private static InetSocketAddress address(ListeningPoint point) throws BindFailure {
        InetAddress literal = HostLiteral.parse(point.host());
        if (literal != null) {
            return new InetSocketAddress(literal, point.port());
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(point.host()), point.port());
        } catch (UnknownHostException e) {
            throw BindFailure.of(point, e);
        }
    }

    /** Begins to receive; once. */
    public synchronized void receive() {
        if (receiving || closed) {
            return;
        }
        receiving = true;
        for (UdpListener listener : udp) {
            listener.receive();
        }
        for (TcpListener listener : tcp) {
            listener.receive();
        }
        if (link != null) {
            link.receive();
        }
    }

    /** The link to routers; null without any. */
    public @Nullable LinkPorts link() {
        return link;
    }

    /** The shards, by their index. */
    public List<Shard> shards() {
        return List.copyOf(shards);
    }

    /** What is bound, in the order of the configuration, with the ports that were chosen. */
    public List<ListeningPoint> listening() {
        return listeners.stream().map(Listener::point).toList();
    }

    /** The chosen port of the first point of a transport, or -1 when there is none. */
    public int port(Transport transport) {
        for (Listener listener : listeners) {
            if (listener.transport() == transport) {
                return listener.bound().getPort();
            }
        }
        return -1;
    }

    public NetworkCounters counters() {
        return counters;
    }

    /** What the kernel granted each datagram socket. */
    public List<ReceiveBuffer> receiveBuffers() {
        return List.copyOf(receiveBuffers);
    }

    /** What is not as configured, in sentences for people; empty as a rule. Already logged. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        ListeningPoint last = null;
        for (ReceiveBuffer buffer : receiveBuffers) {
            if (buffer.tooSmall() && !buffer.point().equals(last)) {
                warnings.add(buffer.warning());
                last = buffer.point();
            }
        }
        return warnings;
    }

    /** True when the sockets are read and written in batches by epoll. */
    public boolean epoll() {
        return loops.epoll();
    }

    /** Ends a connection whose peer is banned. */
    public void end(Hop banned) {
        streams.end(banned, CloseCause.BANNED);
    }

    /** Adds one who is told when connections end. */
    public void addConnectionListener(ConnectionListener listener) {
        streams.addListener(listener);
    }

    /** Accepts no more connections; everything else goes on. */
    public synchronized void stopAccepting() {
        for (TcpListener listener : tcp) {
            listener.close();
        }
    }

    /**
     * Sends what waits, closes all sockets, ends the threads. Returns when that is done, at most
     * after some seconds.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        stopAccepting();
        for (UdpListener listener : udp) {
            listener.close();
        }
        if (link != null) {
            link.close();
        }
        streams.close();
        questions.close();
        loops.close();
        if (loops.ended()) {
            streams.release();
        }
    }
}
