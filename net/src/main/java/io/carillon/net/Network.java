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
import io.carillon.net.resolve.EgressConfig;
import io.carillon.net.resolve.EgressFilter;
import io.carillon.net.resolve.LocalAddresses;
import io.carillon.net.resolve.TargetResolver;
import io.carillon.net.shard.ShardFactory;
import io.carillon.net.shard.ShardGroup;
import io.carillon.net.shard.ShardLoop;
import io.carillon.net.stream.CloseCause;
import io.carillon.net.stream.ConnectionListener;
import io.carillon.net.stream.StreamTransport;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
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

    private static final int LOOPS_SECONDS = 10;

    private final NetworkConfig config;
    private final ShardGroup loops;
    private final DatagramScreening reception;
    private final StreamTransport streams;
    private final DnsQuestions questions;
    private final NetworkCounters counters;
    private final List<Shard> shards = new ArrayList<>();
    private final List<NetworkWire> wires = new ArrayList<>();
    private final List<BoundPoint> points = new CopyOnWriteArrayList<>();
    private final List<ReceiveBuffer> receiveBuffers = new CopyOnWriteArrayList<>();
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
        loops =
                new ShardGroup(
                        config.shards(),
                        config.nativeTransport(),
                        config.shareThreads(),
                        tallies,
                        now);
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
        for (ListeningPoint point : config.listen()) {
            points.add(BoundPoint.bind(point, loops, config, reception, streams));
        }
        for (BoundPoint point : points) {
            receiveBuffers.addAll(point.receiveBuffers());
        }
        LinkConfig linked = config.link();
        if (linked != null) {
            bind(linked);
        }
        Reach reach = reach(points, config.domains(), config.egress());
        for (NetworkWire wire : wires) {
            reach.give(wire, link);
        }
        for (String warning : warnings()) {
            LOG.warn("{}", warning);
        }
    }

    /**
     * What wires know of the points.
     *
     * @param addresses that are ours
     * @param filter where nothing is sent
     * @param udp by the listener's index; null for those of another transport
     */
    private record Reach(
            LocalAddresses addresses, EgressFilter filter, List<@Nullable UdpListener> udp) {
        void give(NetworkWire wire, @Nullable LinkPorts link) {
            wire.bound(addresses, filter, udp, link);
        }
    }

    private Reach reach(List<BoundPoint> all, List<String> domains, EgressConfig egress) {
        List<Listener> reached = new ArrayList<>();
        List<@Nullable UdpListener> byIndex = new ArrayList<>();
        for (BoundPoint point : all) {
            reached.add(point.listener(reached.size()));
            byIndex.add(point.udp());
        }
        LinkPorts ports = link;
        if (ports != null) {
            for (Listener each : ports.listeners(reached.size())) {
                reached.add(each);
                byIndex.add(null);
            }
        }
        LocalAddresses addresses = new LocalAddresses(reached, domains);
        return new Reach(addresses, new EgressFilter(egress, addresses), byIndex);
    }

    /**
     * Makes ready to listen elsewhere: what is new is bound, and receives nothing yet. One change
     * at a time.
     *
     * @param listen all points from then on; those that are bound already stay as they are
     * @param domains names that are ours from then on
     * @param egress where messages may go from then on
     * @throws BindFailure when one cannot be bound; nothing has changed then
     */
    public synchronized NetworkChange prepare(
            List<ListeningPoint> listen, List<String> domains, EgressConfig egress)
            throws BindFailure {
        List<BoundPoint> kept = new ArrayList<>();
        List<BoundPoint> fresh = new ArrayList<>();
        List<BoundPoint> all = new ArrayList<>();
        try {
            for (ListeningPoint point : listen) {
                BoundPoint known = known(point);
                if (known != null) {
                    kept.add(known);
                    all.add(known);
                } else {
                    BoundPoint made = BoundPoint.bind(point, loops, config, reception, streams);
                    fresh.add(made);
                    all.add(made);
                }
            }
            List<BoundPoint> gone = new ArrayList<>(points);
            gone.removeAll(kept);
            Reach reach = reach(all, domains, egress);
            return new NetworkChange(() -> apply(all, fresh, gone, reach), () -> close(fresh));
        } catch (BindFailure | RuntimeException e) {
            close(fresh);
            throw e;
        }
    }

    private @Nullable BoundPoint known(ListeningPoint asked) {
        for (BoundPoint point : points) {
            if (point.asked().equals(asked)) {
                return point;
            }
        }
        return null;
    }

    private static void close(List<BoundPoint> points) {
        points.forEach(BoundPoint::close);
    }

    private synchronized void apply(
            List<BoundPoint> all, List<BoundPoint> fresh, List<BoundPoint> gone, Reach reach) {
        if (closed) {
            close(fresh);
            return;
        }
        CountDownLatch given = new CountDownLatch(wires.size());
        for (int i = 0; i < wires.size(); i++) {
            NetworkWire wire = wires.get(i);
            loops.loop(i)
                    .execute(() -> {
                        reach.give(wire, link);
                        given.countDown();
                    });
        }
        points.clear();
        points.addAll(all);
        receiveBuffers.removeIf(
                one -> gone.stream().anyMatch(point -> point.receiveBuffers().contains(one)));
        for (BoundPoint point : fresh) {
            receiveBuffers.addAll(point.receiveBuffers());
        }
        awaitLoops(given);
        for (BoundPoint point : receiving ? fresh : List.<BoundPoint>of()) {
            point.receive();
        }
        close(gone);
    }

    /** A loop that is stuck has the old points for as long as it is. */
    private static void awaitLoops(CountDownLatch given) {
        try {
            if (!given.await(LOOPS_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("An event loop is busy, and has not heard yet of other listening points");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private LinkPorts bind(LinkConfig linked) throws BindFailure {
        LinkPorts ports =
                LinkPorts.bind(linked, loops, config.udp(), reception.guard(), reception.pings());
        link = ports;
        receiveBuffers.addAll(ports.receiveBuffers());
        return ports;
    }

    static InetSocketAddress address(ListeningPoint point) throws BindFailure {
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
        for (BoundPoint point : points) {
            point.receive();
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
        return points.stream().map(BoundPoint::point).toList();
    }

    /** The chosen port of the first point of a transport, or -1 when there is none. */
    public int port(Transport transport) {
        for (BoundPoint point : points) {
            if (point.point().transport() == transport) {
                return point.point().port();
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
        for (BoundPoint point : points) {
            point.stopAccepting();
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
        close(points);
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
