package io.carillon.router;

import io.carillon.cluster.link.LinkCounter;
import io.carillon.cluster.link.LinkCounts;
import io.carillon.cluster.link.LinkEndpoint;
import io.carillon.cluster.link.LinkIdentity;
import io.carillon.cluster.link.LinkListener;
import io.carillon.cluster.link.LinkMessage;
import io.carillon.cluster.link.LinkPeer;
import io.carillon.cluster.link.LinkSecret;
import io.carillon.cluster.link.LinkStream;
import io.carillon.cluster.link.NodeHealth;
import io.carillon.cluster.link.Owners;
import io.carillon.cluster.link.PeerId;
import io.carillon.cluster.link.RouterBranch;
import io.carillon.net.Network;
import io.carillon.net.NetworkConfig;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.resolve.EgressConfig;
import io.carillon.net.shard.MessageIntake;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.event.ShardExecutor;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.shard.ShardWork;
import io.carillon.sip.stack.NoUser;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.token.Partitions;
import io.carillon.sip.token.RandomSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A router on real sockets: one event loop with a socket for each public address and one for the
 * link. It keeps nothing of a call: kill it, start it again, and calls go on.
 *
 * <p>Started and closed by one thread; counts, table and peers are read by any.
 */
public final class Router implements AutoCloseable {
    private static final long CLOSE_SECONDS = 5;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final RouterConfig config;
    private final RouterCounts counts = new RouterCounts();
    private final LinkCounts linkCounts = new LinkCounts();
    private final Network network;
    private final LinkEndpoint endpoint;
    private final LinkStream stream;
    private final Forwarder forwarder;
    private final RouterStreams streams;
    private final List<Forwarder.Front> fronts = new ArrayList<>();
    private final InetSocketAddress link;
    private final LivingNodes living;
    private @Nullable ShardLoop loop;
    private @Nullable Wire wire;
    private @Nullable RouterHttp http; // of who starts and closes it
    private volatile Owners owners = Owners.UNKNOWN;

    private Router(RouterConfig config, boolean tells) throws BindFailure {
        this.config = config;
        this.living = new LivingNodes(tells);
        List<ListeningPoint> points = new ArrayList<>(config.listen());
        points.add(
                new ListeningPoint(
                        Transport.UDP,
                        config.link().getAddress().getHostAddress(),
                        config.link().getPort()));
        network =
                Network.bindRouter(
                        network(points, config.streams()), config.streams().guard(), this::shard);
        List<ListeningPoint> bound = network.listening();
        List<LinkListener> listeners = new ArrayList<>();
        for (ListeningPoint point : bound.subList(0, bound.size() - 1)) {
            InetSocketAddress address = new InetSocketAddress(point.host(), point.port());
            listeners.add(new LinkListener(point.transport(), address));
            fronts.add(new Forwarder.Front(point.transport(), address, sentBy(point, address)));
        }
        link = new InetSocketAddress(config.link().getAddress(), bound.getLast().port());
        LinkIdentity identity =
                new LinkIdentity(
                        PeerId.router(config.number()),
                        config.secrets(),
                        link,
                        listeners,
                        TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
        endpoint = new LinkEndpoint(identity, linkCounts, this::toLink);
        stream = new LinkStream(0, endpoint, linkCounts, this::toLink);
        forwarder =
                new Forwarder(
                        new Forwarder.Parts(
                                endpoint,
                                stream,
                                new Partitions(
                                        config.cluster(), LinkSecret.tokenKeys(config.secrets())),
                                new RouterBranch(config.cluster(), config.secrets()),
                                new ToOutside(),
                                counts),
                        fronts);
        streams =
                new RouterStreams(identity.self(), loop(), wire(), network::end, forwarder, counts);
        network.addConnectionListener((peer, cause) -> streams.closed(peer, listener(peer)));
    }

    /**
     * Binds all addresses and begins to forward as soon as a node is there.
     *
     * @throws BindFailure when one cannot be bound, that for HTTP too; nothing stays bound then
     * @throws IllegalArgumentException when an address that is printed in Vias cannot be known
     */
    public static Router start(RouterConfig config) throws BindFailure {
        return start(config, true);
    }

    /** As {@link #start}, for a warm-up: nothing of it stands in the log. */
    public static Router startUnseen(RouterConfig config) throws BindFailure {
        return start(config, false);
    }

    private static Router start(RouterConfig config, boolean tells) throws BindFailure {
        for (ListeningPoint point : config.listen()) {
            sentBy(point, new InetSocketAddress(point.host(), point.port()));
        }
        Router router = new Router(config, tells);
        router.begin();
        InetSocketAddress pages = config.http();
        if (pages != null) {
            try {
                router.http = new RouterHttp(pages, new RouterPages(router));
            } catch (IOException e) {
                router.close();
                throw BindFailure.of(
                        new ListeningPoint(Transport.TCP, pages.getHostString(), pages.getPort()),
                        e);
            }
        }
        return router;
    }

    /**
     * Where a message may go was decided by the node that sends it; the addresses of links are
     * those of the configuration and of the table.
     */
    private static NetworkConfig network(
            List<ListeningPoint> points, RouterConfig.Streams streams) {
        return NetworkConfig.of(points)
                .withShards(1)
                .withStream(streams.limits())
                .withWebSocket(streams.webSocket())
                .withTls(streams.tls())
                .withEgress(
                        EgressConfig.defaults()
                                .withIcmp(true) // of the link: a node is not there
                                .withAllow(AddressRanges.of(List.of("0.0.0.0/0", "::/0"))));
    }

    private static String sentBy(ListeningPoint point, InetSocketAddress address) {
        String external = point.externalHost();
        if (external != null) {
            int port = point.externalPort() == 0 ? address.getPort() : point.externalPort();
            return HostPort.of(external, port).toString();
        }
        InetAddress host = address.getAddress();
        if (host == null || host.isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    "listen: "
                            + point
                            + " needs the name or address that others know it by: "
                            + point
                            + " as HOST");
        }
        return HostPort.of(host.getHostAddress(), address.getPort()).toString();
    }

    /** The shard lends its timers and sees no message. */
    private Shard shard(int index, ShardExecutor executor, Wire output, long startNanos) {
        loop = (ShardLoop) executor;
        wire = output;
        return Stack.shard(
                index,
                StackConfig.builder().limits(config.streams().messages()).build(),
                executor,
                output,
                new NoUser(),
                RandomSource.secure(),
                startNanos);
    }

    private ShardLoop loop() {
        ShardLoop own = loop;
        if (own == null) {
            throw new IllegalStateException("the network made no loop");
        }
        return own;
    }

    private void begin() {
        knowNodes();
        endpoint.say(NodeHealth.READY, 0);
        loop().intake(new Intake());
        network.receive();
        loop().execute(this::beat);
        if (config.listen().stream().anyMatch(point -> point.transport().reliable())) {
            loop().execute(this::look);
        }
    }

    /** Looks after what came by connections and was not taken. */
    private void look() {
        loop().begin();
        try {
            forwarder.delivery().advance(loop().nowNanos());
        } finally {
            var _ = loop().schedule(this::look, LOOK_NANOS);
        }
    }

    /** Those that no table has named yet; their names may be known now, or of another address. */
    private void knowNodes() {
        for (Map.Entry<Integer, InetSocketAddress> node : config.nodes().get().entrySet()) {
            endpoint.know(node.getKey(), node.getValue());
        }
    }

    private void beat() {
        loop().begin();
        try {
            knowNodes();
            endpoint.beat();
            owners = forwarder.owners();
            living.look(nodes(), loop().nowNanos());
        } finally {
            var _ = loop().schedule(this::beat, LinkPeer.BEAT_NANOS);
        }
    }

    /** Takes what comes to its sockets; on the loop. */
    private final class Intake implements MessageIntake {
        @Override
        public void received(byte[] message, int length, Hop from, long nowNanos) {
            if (link.equals(from.local())) {
                stream.received(message, length, nowNanos, forwarder);
                return;
            }
            int listener = listener(from);
            if (!lets(message, length, from, nowNanos)) {
                counts.count(RouterCounter.SHED);
            } else if (from.transport().reliable()) {
                // Of a server that we have connected to: as if it came to the first of that
                // transport.
                streams.received(message, length, from, Math.max(0, listener), nowNanos);
            } else if (listener >= 0) {
                forwarder.received(message, length, from.remote(), listener, nowNanos);
            }
        }

        private boolean lets(byte[] message, int length, Hop from, long nowNanos) {
            Shard shard = loop().shard();
            InetAddress address = from.remote().getAddress();
            boolean repeat =
                    ShardWork.sheds(shard)
                            && !from.transport().reliable()
                            && address != null
                            && forwarder.repeats(message, length, address, nowNanos);
            return repeat || ShardWork.lets(shard, message, length, from, nowNanos);
        }

        @Override
        public boolean unreachable(InetSocketAddress remote, long nowNanos) {
            return forwarder.admission().unreachable(remote, nowNanos);
        }
    }

    private int listener(Hop from) {
        int found = -1;
        InetSocketAddress local = from.local();
        for (int i = 0; i < fronts.size(); i++) {
            Forwarder.Front front = fronts.get(i);
            if (front.transport() == from.transport()) {
                if (front.address().equals(local)) {
                    return i;
                }
                boolean port = local != null && local.getPort() == front.address().getPort();
                found = found < 0 || port ? i : found;
            }
        }
        return found;
    }

    private void toLink(byte[] frame, int length, InetSocketAddress to) {
        send(new Hop(Transport.UDP, link, to, 0), frame, length);
    }

    /** What leaves for phones and peers. */
    private final class ToOutside implements Forwarder.Outside {
        @Override
        public void send(int listener, byte[] message, int length, InetSocketAddress to) {
            Router.this.send(
                    new Hop(Transport.UDP, fronts.get(listener).address(), to, 0), message, length);
        }

        @Override
        public boolean stream(LinkMessage of, byte[] message, int length) {
            return streams.send(of, message, length);
        }

        @Override
        public void flow(LinkMessage said) {
            streams.flow(said);
        }
    }

    private void send(Hop to, byte[] bytes, int length) {
        wire().sendBytes(to, bytes, length);
    }

    private Wire wire() {
        Wire output = wire;
        if (output == null) {
            throw new IllegalStateException("the network made no loop");
        }
        return output;
    }

    /** Where SIP is received, with the ports that were chosen. */
    public List<LinkListener> listening() {
        return fronts.stream()
                .map(each -> new LinkListener(each.transport(), each.address()))
                .toList();
    }

    /** The address of the link, with the port that was chosen. */
    public InetSocketAddress link() {
        return link;
    }

    /** Where its pages are, with the port that was chosen; null: nowhere. */
    public @Nullable InetSocketAddress pages() {
        return http == null ? null : http.local();
    }

    /** What it has forwarded and dropped. */
    public RouterCounts counts() {
        return counts;
    }

    /** Frames of the link. */
    public long count(LinkCounter counter) {
        return linkCounts.get(counter);
    }

    /** What its sockets have counted. */
    public long count(NetworkCounter counter) {
        return network.counters().get(counter);
    }

    /** The table of owners that it goes by; a beat old at most. */
    public Owners owners() {
        return owners;
    }

    /** Nodes that it knows of, and how they are. */
    public List<LinkPeer> nodes() {
        return endpoint.peers().stream().filter(each -> PeerId.isNode(each.id())).toList();
    }

    /** How it is, in a word or two. */
    public String word(LinkPeer node, long nowNanos) {
        return forwarder.admission().watch().word(node, nowNanos);
    }

    /** Does it get new calls? */
    public boolean takesNew(LinkPeer node, long nowNanos) {
        return node.alive(nowNanos)
                && (node.health() == NodeHealth.READY || node.health() == NodeHealth.OVERLOADED)
                && !forwarder.admission().watch().isUnreachable(node.id(), nowNanos)
                && !forwarder.admission().watch().outlier(node.id(), nowNanos);
    }

    /** Requests that it was given since it was heard last. */
    public int unanswered(LinkPeer node) {
        return forwarder.admission().watch().unanswered(node.id());
    }

    /** Does this router have too much to do itself? */
    public boolean sheds() {
        return loop().shard().overload().state().shedding();
    }

    /** What is not as configured, in sentences for people; empty as a rule. */
    public List<String> warnings() {
        return network.warnings();
    }

    /** Tells the nodes that it goes, and closes its sockets. */
    @Override
    public void close() {
        RouterHttp pages = http;
        if (pages != null) {
            pages.close();
        }
        CompletableFuture<Void> told = new CompletableFuture<>();
        loop().execute(() -> {
            loop().begin();
            endpoint.say(NodeHealth.GONE, 0);
            endpoint.beat();
            told.complete(null);
        });
        told.completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS).join();
        network.close();
    }
}
