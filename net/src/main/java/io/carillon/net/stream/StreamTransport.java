package io.carillon.net.stream;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.guard.Guard;
import io.carillon.net.guard.SourceRefusal;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.shard.FailureReport;
import io.carillon.net.shard.ShardGroup;
import io.carillon.net.shard.ShardLoop;
import io.carillon.net.tls.TlsContexts;
import io.carillon.net.websocket.WebSocketConfig;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Pong;
import io.carillon.sip.hop.TlsPeer;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipMessage;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TCP, TLS, WS and WSS, both sides: accepts, opens, finds and ends connections. A connection lives
 * on the loop that accepted it, or whose shard first sent to its far end. Any thread.
 */
public final class StreamTransport implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StreamTransport.class);
    private static final long CLOSE_SECONDS = 5;

    /** Names of clients whose connection has ended. */
    private static final int MOST_NAMES = 16_384;

    private static final long LEAST_KEEP_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final StreamConfig limits;
    private final ShardGroup shards;
    private final ConnectionTable<StreamConnection> connections;
    private final WaitingBytes waiting;
    private final UnsentBytes unsent;
    private final StreamWindow[] windows;
    private final List<ConnectionListener> listeners = new CopyOnWriteArrayList<>();
    private final @Nullable TlsContexts tls;
    private final @Nullable Guard guard;
    private final NamedPeers<StreamConnection> names;
    private final RefusalLog refusals = new RefusalLog();
    private final Host host;

    /**
     * @param webSocket what is asked of WebSocket clients
     * @param tls makes the TLS end of connections; null: there are none with TLS
     * @param guard says who is listened to; null: everybody, and nothing is counted
     * @param shards the loops, on which connections live
     */
    public StreamTransport(
            StreamConfig limits,
            WebSocketConfig webSocket,
            @Nullable TlsContexts tls,
            @Nullable Guard guard,
            ShardGroup shards) {
        this.limits = limits;
        this.tls = tls;
        this.guard = guard;
        this.shards = shards;
        connections = new ConnectionTable<>(limits.maxConnections());
        long keepNanos =
                Math.max(
                        LEAST_KEEP_NANOS,
                        TimeUnit.MILLISECONDS.toNanos(limits.idleTimeoutMillis()));
        names =
                new NamedPeers<>(
                        number -> connections.get(number) != null,
                        new EndedPeerNames(MOST_NAMES, keepNanos, System::nanoTime));
        waiting =
                new WaitingBytes(
                        new OverfullRelief<>(
                                limits.unfinishedMessagesBytes(),
                                connections::all,
                                StreamConnection::unfinishedBytes,
                                CloseCause.BUFFERS_FULL));
        unsent =
                new UnsentBytes(
                        new OverfullRelief<>(
                                limits.unsentMessagesBytes(),
                                connections::all,
                                StreamConnection::unsentBytes,
                                CloseCause.WRITE_QUEUE_FULL));
        windows = new StreamWindow[shards.size()];
        for (int i = 0; i < windows.length; i++) {
            ShardLoop loop = shards.loop(i);
            windows[i] = new StreamWindow(loop::nowNanos, loop.delay()::atSocket);
        }
        host = new Host(webSocket);
    }

    /** Adds one who is told when connections end. */
    public void addListener(ConnectionListener listener) {
        listeners.add(listener);
    }

    /** What a listening socket does with an accepted channel; runs on the channel's loop. */
    ChannelHandler acceptor(ListeningPoint point) {
        return new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                EventLoop eventLoop = channel.eventLoop();
                accept(point, channel, shards.of(eventLoop));
            }
        };
    }

    private void accept(ListeningPoint point, Channel channel, ShardLoop loop) {
        InetSocketAddress remote = (InetSocketAddress) channel.remoteAddress();
        if (limits.proxies().isEmpty()) {
            accept(point, channel, loop, remote);
        } else if (limits.proxies().contains(remote.getAddress())) {
            ProxyHeader.await(
                    channel,
                    loop,
                    limits.handshakeWithinMillis(),
                    refusals,
                    source -> accept(point, channel, loop, source));
        } else {
            channel.pipeline().addLast(new ProxyHeaderOfStranger(loop, refusals));
            accept(point, channel, loop, remote);
        }
    }

    /**
     * @param remote who has connected; behind a proxy that says so, who has connected to that
     */
    private void accept(
            ListeningPoint point, Channel channel, ShardLoop loop, InetSocketAddress remote) {
        loop.begin();
        Hop from = Hop.to(point.transport(), remote);
        StreamConnection connection = StreamConnection.accepted(host, loop, from, point, channel);
        CloseCause refused = refusal(connection, loop);
        if (refused != null) {
            loop.tally().count(refused.counter());
            loop.watch("closing a connection that is refused", channel.close());
            return;
        }
        // RFC 3261 18: "When the connection is accepted by the transport layer, this index is set
        // to the source IP address, port number,
        // and transport." Who has connected by TLS has not proved that the address is his. RFC 5923
        // 9: "Unauthenticated connection reuse would present many opportunities for rampant abuse
        // and hijacking." See ConnectionTable#alias for those that have.
        if (point.transport() != Transport.TLS) {
            connections.claim(connection);
        }
        loop.tally().count(NetworkCounter.CONNECTIONS_ACCEPTED);
        connection.start();
    }

    /** Takes an accepted connection in; why not, or null. */
    private @Nullable CloseCause refusal(StreamConnection connection, ShardLoop loop) {
        InetAddress from = connection.remote().getAddress();
        SourceRefusal refused =
                guard == null ? null : guard.connectionRefusal(from, loop.nowNanos());
        if (refused != null) {
            return CloseCause.of(refused);
        }
        int most = limits.maxPerAddress();
        if (guard != null) {
            most = Math.min(most, guard.connectionsOf(from));
        }
        if (connections.add(connection, most, this::giveUp)) {
            return null;
        }
        if (guard != null) {
            guard.connectionRefused(from, loop.nowNanos());
        }
        return CloseCause.TOO_MANY;
    }

    /** Closes a connection whose place another one has taken. */
    private void giveUp(StreamConnection connection) {
        ShardLoop loop = connection.loop();
        loop.execute(() -> {
            if (guard != null) {
                guard.connectionGivenUp(connection.remote().getAddress(), loop.nowNanos());
            }
            connection.close(CloseCause.TOO_MANY);
        });
    }

    /**
     * Sends a message on the hop's connection, or on one to its far end, or on a new one.
     *
     * @param from the loop of the sending shard, on whose thread this is called
     * @param askers tells for whom a message is sent, by {@link io.carillon.sip.guard.SourceKey}; 0
     *     where it is for nobody. Asked where a connection has to be opened and the report does not
     *     know
     * @param report told when it cannot be sent, at once or as long as it waits in the queue
     */
    public void send(
            ShardLoop from,
            Hop to,
            SipMessage message,
            ToLongFunction<SipMessage> askers,
            @Nullable FailureReport report) {
        StreamConnection connection = find(to);
        if (connection == null && to.connection() == 0) {
            int known = report == null ? Sources.NOBODY : report.failure().countedAt();
            long asker = known == Sources.NOBODY ? askers.applyAsLong(message) : known;
            connection = open(from, to, asker);
        }
        if (connection != null) {
            connection.send(message, report);
            return;
        }
        from.tally().count(NetworkCounter.STREAM_SEND_FAILURES);
        if (report != null) {
            report.report(
                    to.connection() != 0
                            ? "the connection is closed"
                            : to.transport().secure() && tls == null
                                    ? "TLS is not configured"
                                    : "there are too many connections");
        }
    }

    /**
     * Sends an answer on the connection that its request came by; where that is gone it is lost.
     *
     * @param from the loop on whose thread this is called
     * @param message its bytes, which change when this has returned
     */
    public void answer(ShardLoop from, Hop to, byte[] message, int length) {
        StreamConnection connection = connections.get(to.connection());
        if (connection == null) {
            return;
        }
        if (connection.loop() == from) {
            connection.answer(message, length);
        } else {
            byte[] kept = Arrays.copyOf(message, length);
            connection.loop().execute(() -> connection.answer(kept, length));
        }
    }

    /** Is this very connection still there, with the same far end? */
    public boolean open(Hop flow) {
        StreamConnection connection = connections.get(flow.connection());
        return connection != null && connection.remote().equals(flow.remote());
    }

    /** Ends a connection that its far end has opened: who sends on it is not listened to. */
    public void end(Hop flow, CloseCause why) {
        StreamConnection connection = connections.get(flow.connection());
        if (connection != null && connection.accepted()) {
            connection.loop().execute(() -> connection.close(why));
        }
    }

    /** See {@link io.carillon.sip.hop.Wire#proved}. */
    public void proved(Hop from, long user) {
        StreamConnection connection = connections.get(from.connection());
        if (connection == null) {
            return;
        }
        connections.proved(connection, this::giveUp);
        names.proved(connection, user);
        if (connections.get(from.connection()) == null) {
            names.remove(connection); // it ended meanwhile, perhaps with a name it got just now
        }
    }

    /** See {@link io.carillon.sip.hop.Wire#isOf}. */
    public boolean isOf(Hop from, long user) {
        StreamConnection connection = connections.get(from.connection());
        return connection != null && NamedPeers.isOf(connection, user);
    }

    /** See {@link io.carillon.sip.hop.Wire#reachedBy}. */
    public void name(String name, Hop from) {
        StreamConnection connection = connections.get(from.connection());
        if (connection != null) {
            names.put(name.toLowerCase(Locale.ROOT), connection);
            if (connections.get(from.connection()) == null) {
                // It ended meanwhile, and nobody else would take the name away.
                names.remove(connection);
            }
        }
    }

    /** The way to a peer that is known by name only; null when it is not connected. */
    public @Nullable Hop named(String name) {
        StreamConnection connection = names.get(name.toLowerCase(Locale.ROOT));
        return connection == null ? null : connection.peer();
    }

    /** See {@link io.carillon.sip.hop.Wire#alias}. */
    public void alias(int port, Hop from) {
        StreamConnection connection = connections.get(from.connection());
        if (connection != null && from.beside() instanceof TlsPeer peer) {
            connections.alias(
                    connection, port < 0 ? Transport.TLS.defaultPort() : port, peer.identities());
        }
    }

    /** Do we show peers of TLS a certificate where they ask for one? */
    public boolean provesItself() {
        return tls != null && tls.provesItself();
    }

    /** Asks whether the connection of a flow is whole; see {@link StreamPing}. */
    public void ping(ShardLoop from, Hop flow, Pong result) {
        StreamConnection connection = find(flow);
        if (connection == null) {
            from.execute(result::failed);
        } else {
            connection.loop().execute(() -> connection.ping(new StreamPing(from, result)));
        }
    }

    private @Nullable StreamConnection find(Hop to) {
        if (to.connection() != 0) {
            StreamConnection same = connections.get(to.connection());
            if (same != null) {
                return same;
            }
            // Where a connection of a client was, another client's may be now. RFC 7118 5: "a
            // WebSocket server" cannot connect to its clients, and who accepts TLS connections
            // knows nothing of who listens at their far ends.
            StreamConnection other = connections.to(to);
            boolean anothers = other != null && other.accepted() && to.transport() != Transport.TCP;
            return anothers && to.domain() == null ? null : other;
        }
        return connections.to(to);
    }

    /** Opens a connection, unless another shard did so meanwhile. Null when there are too many. */
    private @Nullable StreamConnection open(ShardLoop loop, Hop to, long asker) {
        if (to.transport().secure() && tls == null) {
            return null;
        }
        StreamConnection connection = StreamConnection.opening(host, loop, to, asker);
        if (!connections.add(connection, Integer.MAX_VALUE, this::giveUp)) {
            loop.tally().count(NetworkCounter.NOT_OPENED_TOO_MANY);
            return null;
        }
        StreamConnection other = connections.claim(connection);
        if (other != null) {
            connections.remove(connection);
            return other;
        }
        connection.connect(shards.epoll());
        return connection;
    }

    /** Flushes and closes all connections; returns when that is done, at most after 5 s. */
    @Override
    public void close() {
        CountDownLatch done = new CountDownLatch(shards.size());
        for (StreamConnection connection : connections.all()) {
            connection.loop().execute(() -> connection.close(CloseCause.SHUTDOWN));
        }
        for (int i = 0; i < shards.size(); i++) {
            shards.loop(i).execute(done::countDown);
        }
        try {
            if (!done.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("connections were not closed in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Gives the read buffers back; after the loops have ended. */
    public void release() {
        for (StreamWindow window : windows) {
            window.release();
        }
    }

    /** What a connection asks and tells. */
    private final class Host implements StreamConnection.Host {
        private final ConnectionLayers.Rules layerRules;

        Host(WebSocketConfig webSocket) {
            layerRules =
                    new ConnectionLayers.Rules(
                            limits.handshakeWithinMillis(), webSocket, tls, refusals);
        }

        @Override
        public StreamConfig limits() {
            return limits;
        }

        @Override
        public @Nullable Guard guard() {
            return guard;
        }

        @Override
        public ConnectionLayers.Rules layerRules() {
            return layerRules;
        }

        @Override
        public RefusalLog refusals() {
            return refusals;
        }

        @Override
        public StreamWindow window(ShardLoop loop) {
            return windows[loop.index()];
        }

        @Override
        public WaitingBytes waiting() {
            return waiting;
        }

        @Override
        public UnsentBytes unsent() {
            return unsent;
        }

        @Override
        public void connected(StreamConnection connection) {
            connections.connected(connection);
        }

        @Override
        public void answered(StreamConnection connection) {
            connections.answered(connection);
        }

        @Override
        public void retire(StreamConnection connection) {
            connections.retire(connection);
        }

        @Override
        public void forget(StreamConnection connection) {
            connections.remove(connection);
            names.remove(connection);
        }

        @Override
        public void failWaiting(Hop lost, long lostNanos) {
            for (int i = 0; i < shards.size(); i++) {
                ShardLoop loop = shards.loop(i);
                loop.execute(() -> loop.shard().connectionLost(lost, lostNanos));
            }
        }

        @Override
        public void tellClosed(ShardLoop loop, Hop peer, CloseCause cause) {
            for (ConnectionListener listener : listeners) {
                loop.execute(() -> listener.closed(peer, cause));
            }
        }
    }
}
