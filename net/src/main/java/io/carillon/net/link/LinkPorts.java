package io.carillon.net.link;

import io.carillon.cluster.link.FlowNumber;
import io.carillon.cluster.link.LinkCounter;
import io.carillon.cluster.link.LinkCounts;
import io.carillon.cluster.link.LinkEndpoint;
import io.carillon.cluster.link.LinkIdentity;
import io.carillon.cluster.link.LinkPeer;
import io.carillon.cluster.link.LinkStream;
import io.carillon.cluster.link.NodeHealth;
import io.carillon.cluster.link.NodeReport;
import io.carillon.cluster.link.Owners;
import io.carillon.cluster.link.PeerId;
import io.carillon.net.guard.Guard;
import io.carillon.net.keepalive.StunPings;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.Listener;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.listen.ReceiveBuffer;
import io.carillon.net.shard.ShardGroup;
import io.carillon.net.shard.ShardLoop;
import io.carillon.net.udp.DatagramScreening;
import io.carillon.net.udp.DatagramTaker;
import io.carillon.net.udp.UdpConfig;
import io.carillon.net.udp.UdpListener;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The link of a node: a port of UDP with a socket for each event loop, which the kernel chooses by
 * the frame's partition; and who is at the other ends. Beats on the first loop.
 *
 * <p>Made and closed by the network's thread; {@link #changed}, {@link #say} and all questions any
 * thread.
 */
public final class LinkPorts implements DatagramTaker, AutoCloseable {
    private static final long CLOSE_SECONDS = 1;

    private final ShardGroup loops;
    private final UdpListener sockets;
    private final LinkEndpoint endpoint;
    private final HostPort clusterAddress;
    private final Map<Transport, HostPort> streams;
    private final Map<Transport, InetSocketAddress> cluster = new EnumMap<>(Transport.class);
    private final Supplier<Owners> table;
    private final List<LinkPort> ports = new ArrayList<>();
    private final Map<Integer, Long> living = new HashMap<>(); // of the first loop
    private volatile NodeHealth health = NodeHealth.STARTING;
    private volatile NodeReport report = NodeReport.NONE;

    private LinkPorts(
            LinkConfig config, ShardGroup loops, UdpConfig udp, @Nullable Guard guard, StunPings no)
            throws BindFailure {
        this.loops = loops;
        this.clusterAddress = config.clusterAddress();
        this.streams = config.streams();
        cluster.put(Transport.UDP, resolved(Transport.UDP, clusterAddress));
        for (Map.Entry<Transport, HostPort> each : streams.entrySet()) {
            cluster.put(each.getKey(), resolved(each.getKey(), each.getValue()));
        }
        this.table = config.table();
        ListeningPoint point =
                new ListeningPoint(
                        Transport.UDP,
                        config.listen().getAddress().getHostAddress(),
                        config.listen().getPort());
        sockets =
                UdpListener.bind(
                        point,
                        config.listen(),
                        loops,
                        udp,
                        true,
                        new DatagramScreening(null, no, this));
        LinkCounts first = new LinkCounts();
        endpoint =
                new LinkEndpoint(
                        new LinkIdentity(
                                config.node(),
                                config.secrets(),
                                sockets.local(),
                                List.of(),
                                TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis())),
                        first,
                        this::hello);
        // One that knows an older address of this node would wait for it there.
        for (int i = 0; i < config.routers().size(); i++) {
            endpoint.know(PeerId.router(i), config.routers().get(i));
        }
        for (int i = 0; i < loops.size(); i++) {
            ShardLoop loop = loops.loop(i);
            ports.add(
                    new LinkPort(
                            loop,
                            config,
                            guard,
                            sockets.socketOf(loop),
                            endpoint,
                            i == 0 ? first : new LinkCounts(),
                            new LinkPort.Front(cluster, this::connectionLost)));
        }
    }

    /**
     * Binds the link's port; nothing is received or said before {@link #receive}.
     *
     * @param guard says which sources outside are listened to; null: everybody
     * @throws BindFailure when the port cannot be bound, or the cluster's host is not known
     */
    public static LinkPorts bind(
            LinkConfig config, ShardGroup loops, UdpConfig udp, @Nullable Guard guard, StunPings no)
            throws BindFailure {
        return new LinkPorts(config, loops, udp, guard, no);
    }

    /**
     * The cluster's addresses as ones that we listen on: messages come to them, by routers.
     *
     * @param index the place of the first among the listeners
     */
    public List<Listener> listeners(int index) {
        List<Listener> all = new ArrayList<>();
        for (Map.Entry<Transport, InetSocketAddress> each : cluster.entrySet()) {
            String host = address(each.getKey()).bareHost();
            int port = each.getValue().getPort();
            all.add(
                    new Listener(
                            index + all.size(),
                            new ListeningPoint(each.getKey(), host, port, host, port),
                            each.getValue()));
        }
        return all;
    }

    private static InetSocketAddress resolved(Transport transport, HostPort address)
            throws BindFailure {
        String host = address.bareHost();
        int port = address.port() < 0 ? transport.defaultPort() : address.port();
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw BindFailure.of(new ListeningPoint(transport, host, port), e);
        }
    }

    /** By which transports the routers are reached. */
    public Set<Transport> transports() {
        return Collections.unmodifiableSet(cluster.keySet());
    }

    /** What Via, Contact and Record-Route print for one of them. */
    public HostPort address(Transport transport) {
        return streams.getOrDefault(transport, clusterAddress);
    }

    /** Requests of any loop that wait for an answer on a connection of a router have failed. */
    private void connectionLost(Hop lost) {
        long now = System.nanoTime();
        for (int i = 0; i < ports.size(); i++) {
            ShardLoop loop = loops.loop(i);
            loop.execute(() -> loop.shard().connectionLost(lost, now));
        }
    }

    /** The link on that loop. */
    public LinkPort of(ShardLoop loop) {
        return ports.get(loop.index());
    }

    /** Begins to receive, and to say that we are there. */
    public void receive() {
        sockets.receive();
        loops.loop(0).execute(this::beat);
    }

    private void hello(byte[] frame, int length, InetSocketAddress to) {
        ports.getFirst().transmit(frame, length, to);
    }

    private void beat() {
        ShardLoop loop = loops.loop(0);
        loop.begin();
        sayNow();
        lookAtRouters(loop.nowNanos());
        var _ = loop.schedule(this::beat, LinkPeer.BEAT_NANOS);
    }

    /** The connections of a router that has died have ended. */
    private void lookAtRouters(long nowNanos) {
        for (LinkPeer router : endpoint.routers()) {
            // One that was started again has none of the connections of the process before.
            Long boot = router.keepsConnections(nowNanos) ? router.boot() : null;
            Long before = boot == null ? living.remove(router.id()) : living.put(router.id(), boot);
            if (before != null && !before.equals(boot)) {
                connectionLost(
                        new Hop(
                                Transport.TCP,
                                null,
                                router.address(),
                                FlowNumber.allOf(router.id())));
            }
        }
    }

    private void sayNow() {
        Owners known = table.get();
        for (Map.Entry<Integer, InetSocketAddress> node : known.addresses().entrySet()) {
            endpoint.know(node.getKey(), node.getValue());
        }
        endpoint.say(health, known.version());
        endpoint.say(report);
        endpoint.beat();
    }

    /** Where frames are read: each of a partition by the same loop, what concerns all by one. */
    @Override
    public void received(ShardLoop loop, byte[] datagram, int length) {
        int home =
                LinkStream.forFirst(datagram, length)
                        ? 0
                        : LinkStream.partition(datagram, length) % ports.size();
        LinkPort port = ports.get(home);
        if (home == loop.index()) {
            port.received(datagram, length);
        } else {
            port.hand(datagram, length, ports.get(loop.index()));
        }
    }

    @Override
    public void unreachable(InetSocketAddress remote) {
        loops.loop(0).execute(() -> endpoint.refused(remote));
    }

    /** From now on this node says that it is so; routers and nodes hear of it at once. */
    public void say(NodeHealth how) {
        health = how;
        loops.loop(0).execute(this::sayNow);
    }

    /** From now on it says this too; heard with the next beat. */
    public void say(NodeReport more) {
        report = more;
    }

    /**
     * Tells another node something beside SIP. It may be lost. Any thread.
     *
     * @param content {@link LinkStream#MOST_CONTROL_BYTES} at most; not changed afterwards
     */
    public void tell(int node, byte[] content) {
        loops.loop(0).execute(() -> ports.getFirst().tell(node, content));
    }

    /** The table has changed: routers are told, parked messages may have an owner. */
    public void changed() {
        for (int i = 0; i < ports.size(); i++) {
            LinkPort port = ports.get(i);
            boolean first = i == 0;
            loops.loop(i).execute(() -> port.changed(first));
        }
    }

    /** The bound address, with the port that was chosen. */
    public InetSocketAddress local() {
        return sockets.local();
    }

    /** What the kernel granted each of its sockets. */
    public List<ReceiveBuffer> receiveBuffers() {
        return sockets.receiveBuffers();
    }

    /** Routers and nodes that we know of, and how they are. */
    public List<LinkPeer> peers() {
        return endpoint.peers();
    }

    /** The sum over all loops. */
    public long count(LinkCounter counter) {
        long sum = 0;
        for (LinkPort port : ports) {
            sum += port.count(counter);
        }
        return sum;
    }

    /** Says that we go, and closes the port. */
    @Override
    public void close() {
        CompletableFuture<Void> said = new CompletableFuture<>();
        health = NodeHealth.GONE;
        loops.loop(0)
                .execute(() -> {
                    sayNow();
                    said.complete(null);
                });
        said.completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS).join();
        sockets.close();
    }
}
