package io.carillon.net.stream;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.shard.ShardLoop;
import io.carillon.net.tls.HandshakeFailure;
import io.carillon.net.tls.HandshakeOutcome;
import io.carillon.net.tls.TlsContexts;
import io.carillon.net.websocket.CloseCode;
import io.carillon.net.websocket.FrameReader;
import io.carillon.net.websocket.FrameWriter;
import io.carillon.net.websocket.HttpHead;
import io.carillon.net.websocket.OneMessage;
import io.carillon.net.websocket.Upgrade;
import io.carillon.net.websocket.WebSocketConfig;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.TlsPeer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.net.Inet6Address;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What stands between a connection's bytes and its SIP: TLS, WebSocket, or both. Plain TCP has
 * none.
 *
 * <p>Owner: the connection's loop.
 */
final class ConnectionLayers implements FrameReader.Sink {

    /** The connection that they are of. On its loop. */
    interface Owner extends TlsRecords.Account {
        ShardLoop loop();

        /** Transport and far end. */
        Hop peer();

        int maxMessageBytes();

        /** Do TLS and WebSocket begin? */
        boolean handshaking();

        /** All that has to precede SIP is over. */
        void ready();

        /** May SIP pass? */
        boolean open();

        /** A whole message came; the array is the owner's from now on. */
        void message(byte[] owned, int length);

        /** True when the connection was closed, because its source sends more than it may. */
        boolean overRate(long nowNanos);

        /** Writes bytes of a handshake at once. */
        void put(ByteBuf bytes);

        /** Writes the close frame of WebSocket. */
        void putClose(int code, String why, boolean masked);

        /** Answers a keep-alive: a single CRLF. */
        void pong();

        /** Answers a ping of WebSocket. */
        void pong(byte[] payload, boolean masked);

        /** It is ending by itself; for this reason. */
        void ends(CloseCause why);

        /** Ends it after what waits was sent. */
        void linger(CloseCause why);

        void close(CloseCause why);
    }

    /**
     * What is the same for all connections.
     *
     * @param handshakeMillis time for TLS and WebSocket together
     * @param webSocket what is asked of WebSocket clients
     * @param tls makes the TLS end of connections; null: there is none
     * @param refusals where failed handshakes are logged
     */
    record Rules(
            int handshakeMillis,
            WebSocketConfig webSocket,
            @Nullable TlsContexts tls,
            RefusalLog refusals) {}

    private enum Stage {
        TLS,
        UPGRADE,
        OVER
    }

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Owner connection;
    private final Rules rules;
    private final Hop hop;
    private final @Nullable ListeningPoint point;
    private @Nullable SslHandler tls;
    private final boolean webSocket;
    private final boolean server;
    private final WaitingMessages waiting = new WaitingMessages();

    private Stage stage;
    private long handshakeMillis;
    private long begunNanos;
    private HttpHead.@Nullable Reader head;
    private String key = "";
    private @Nullable FrameReader frames;
    private String failure = "the connection is closed";

    private long pingsSinceNanos;
    private int pings;
    private long fragmentsSinceNanos;
    private int fragments;
    private boolean closeSent;

    /**
     * @param hop transport, far end and its name
     * @param point that accepted the connection; null when we open it
     */
    ConnectionLayers(Owner connection, Rules rules, Hop hop, @Nullable ListeningPoint point) {
        this.connection = connection;
        this.rules = rules;
        this.hop = hop;
        this.handshakeMillis = rules.handshakeMillis();
        this.point = point;
        this.webSocket = hop.transport().webSocket();
        this.server = point != null;
        this.stage = hop.transport().secure() ? Stage.TLS : Stage.UPGRADE;
    }

    private static String hostHeader(Hop hop) {
        String domain = hop.domain();
        String host = domain == null ? hop.remoteHost() : domain;
        int zone = host.indexOf('%');
        String clean = zone < 0 ? host : host.substring(0, zone);
        String printed =
                domain == null && hop.remote().getAddress() instanceof Inet6Address
                        ? "[" + clean + "]"
                        : clean;
        int port = hop.remote().getPort();
        return port == hop.transport().defaultPort() ? printed : printed + ":" + port;
    }

    /**
     * Puts TLS in front of the connection.
     *
     * @return false when there is no TLS to be had: the connection is closed
     */
    boolean install(Channel channel) {
        TlsContexts contexts = rules.tls();
        if (contexts == null || !hop.transport().secure()) {
            return true;
        }
        SslHandler ssl;
        try {
            ssl =
                    point != null
                            ? contexts.server(point, channel.alloc())
                            : contexts.client(hop.domain(), hop.remote(), channel.alloc());
        } catch (RuntimeException noTls) {
            failure = "TLS cannot begin";
            connection.loop().fault("TLS for a connection with " + hop, noTls);
            connection.close(CloseCause.TLS_FAILED);
            return false;
        }
        tls = ssl;
        // The connection has a timer of its own, which says which of the two took too long.
        handshakeMillis = Math.min(handshakeMillis, ssl.getHandshakeTimeoutMillis());
        ssl.setHandshakeTimeoutMillis(0);
        ssl.handshakeFuture().addListener(result -> tlsOver(result.cause()));
        channel.pipeline().addFirst(ssl);
        channel.pipeline().addFirst(new TlsRecords(connection));
        return true;
    }

    /** The socket is connected. */
    void connected() {
        begunNanos = System.nanoTime();
        if (tls == null) {
            beginUpgrade();
        }
    }

    /** Who the peer is by its certificate; null without TLS. */
    @Nullable TlsPeer peer() {
        TlsContexts contexts = rules.tls();
        return contexts == null || tls == null ? null : contexts.peer(tls, hop.remote());
    }

    private void tlsOver(@Nullable Throwable cause) {
        if (!connection.handshaking()) {
            return;
        }
        took(cause == null ? HandshakeOutcome.OK : HandshakeFailure.outcome(cause));
        if (cause != null) {
            String words = HandshakeFailure.reason(cause);
            failure = "TLS failed: " + words;
            if (!(cause instanceof ClosedChannelException)) {
                rules.refusals().failed(connection.peer(), "TLS: " + words);
            }
            // The handler sends its alert and closes.
            connection.ends(
                    cause instanceof ClosedChannelException
                            ? CloseCause.PEER
                            : CloseCause.TLS_FAILED);
        } else if (webSocket) {
            beginUpgrade();
        } else {
            over();
        }
    }

    /** By the machine's clock: the loop's is that of its last turn. */
    private void took(HandshakeOutcome outcome) {
        TlsContexts contexts = rules.tls();
        if (contexts != null) {
            contexts.took(point, outcome, System.nanoTime() - begunNanos);
        }
    }

    private void beginUpgrade() {
        stage = Stage.UPGRADE;
        head = new HttpHead.Reader();
        if (!server) {
            key = Upgrade.newKey();
            connection.put(Unpooled.wrappedBuffer(Upgrade.request(hostHeader(hop), "/", key)));
        }
    }

    private void over() {
        stage = Stage.OVER;
        head = null;
        connection.ready();
    }

    /** Bytes of a WebSocket connection; of one without WebSocket none come here. */
    void feed(byte[] b, int off, int len) {
        HttpHead.Reader reading = head;
        int taken = 0;
        if (reading != null) {
            taken = reading.feed(b, off, len);
            if (reading.failed()) {
                refused("no HTTP where a WebSocket upgrade was expected", CloseCause.MALFORMED);
                return;
            }
            if (!reading.whole()) {
                return;
            }
            upgrade(reading.head());
        }
        FrameReader reader = frames;
        if (reader != null && connection.open()) {
            reader.feed(b, off + taken, len - taken, this);
        }
    }

    private void upgrade(@Nullable HttpHead request) {
        if (server) {
            WebSocketConfig asked = rules.webSocket();
            Upgrade.Answer answer = Upgrade.answer(request, asked.path(), asked.origins());
            connection.put(Unpooled.wrappedBuffer(answer.bytes()));
            if (!answer.accepted()) {
                head = null;
                failure = "the WebSocket upgrade was refused";
                rules.refusals()
                        .failed(connection.peer(), "WebSocket upgrade refused, " + answer.why());
                connection.linger(CloseCause.UPGRADE_REFUSED);
                return;
            }
        } else {
            String fault = Upgrade.fault(request, key);
            if (fault != null) {
                refused(fault, CloseCause.UPGRADE_REFUSED);
                return;
            }
        }
        frames = new FrameReader(server, connection.maxMessageBytes());
        over();
    }

    private void refused(String why, CloseCause cause) {
        head = null;
        failure = why;
        rules.refusals().failed(connection.peer(), why);
        connection.close(cause);
    }

    boolean webSocket() {
        return webSocket;
    }

    @Nullable SslHandler tls() {
        return tls;
    }

    WaitingMessages waiting() {
        return waiting;
    }

    /** Why it never began, for those who waited. */
    String failure() {
        return failure;
    }

    /** Time for TLS and WebSocket together; the shorter of what the two are given. */
    long handshakeMillis() {
        return handshakeMillis;
    }

    /** What it is closed with when the handshakes take too long. */
    CloseCause timeout() {
        failure =
                stage == Stage.TLS
                        ? "the TLS handshake took too long"
                        : "the WebSocket upgrade took too long";
        rules.refusals().failed(connection.peer(), failure);
        if (stage == Stage.TLS) {
            took(HandshakeOutcome.TIMEOUT);
        }
        return stage == Stage.TLS ? CloseCause.TLS_TIMEOUT : CloseCause.UPGRADE_TIMEOUT;
    }

    /** Bytes held of a message, or of an upgrade, that is not whole. */
    int bytesBuffered() {
        FrameReader reader = frames;
        HttpHead.Reader reading = head;
        return reader != null
                ? reader.bytesBuffered()
                : reading == null ? 0 : reading.bytesBuffered();
    }

    /** Is a message, or a head, half here? */
    boolean midMessage() {
        FrameReader reader = frames;
        return reader != null && reader.midMessage();
    }

    /** The bytes of a message as they leave. */
    ByteBuf encode(Channel channel, byte[] bytes, int length) {
        return FrameWriter.message(channel.alloc(), bytes, length, !server);
    }

    /** The last frame, when there are frames; null when there is none to send. */
    @Nullable ByteBuf farewell(Channel channel, CloseCause why) {
        if (frames == null || closeSent) {
            return null;
        }
        closeSent = true;
        int code =
                switch (why) {
                    case SHUTDOWN, IDLE, SILENT, UNANSWERED -> CloseCode.GOING_AWAY;
                    case MALFORMED -> CloseCode.PROTOCOL_ERROR;
                    case PEER -> CloseCode.NORMAL;
                    default -> CloseCode.POLICY;
                };
        return FrameWriter.close(channel.alloc(), code, "", !server);
    }

    @Override
    public void message(byte[] owned, int length) {
        switch (OneMessage.of(owned, length)) {
            case SIP -> connection.message(owned, length);
            case PING -> {
                if (pingAllowed()) {
                    connection.pong();
                }
            }
            case NOTHING -> pingAllowed();
            case MORE_THAN_ONE ->
                    broken(CloseCode.INVALID_DATA, "more than one SIP message in one of WebSocket");
        }
    }

    /**
     * A part of a message costs us what a message costs the peer, and an empty one nearly nothing:
     * so each counts as a message of its source, and those of a connection are bounded for
     * themselves, since a trusted source may be a proxy with all the phones of the world behind it.
     */
    @Override
    public void fragment() {
        if (!connection.open()) {
            return;
        }
        long now = connection.loop().nowNanos();
        if (now - fragmentsSinceNanos >= SECOND_NANOS || fragments == 0) {
            fragmentsSinceNanos = now;
            fragments = 0;
        }
        if (++fragments > rules.webSocket().maxFragments()) {
            leave(CloseCode.POLICY, "too many fragments", CloseCause.FRAGMENT_FLOOD);
        } else if (connection.overRate(now)) {
            stopReading();
        }
    }

    private void stopReading() {
        FrameReader reader = frames;
        if (reader != null) {
            reader.end();
        }
    }

    @Override
    public void ping(byte[] payload) {
        if (pingAllowed()) {
            connection.pong(payload, !server);
        }
    }

    @Override
    public void pong() {
        pingAllowed();
    }

    /** Counts what carries nothing; over the limit the connection is closed. */
    private boolean pingAllowed() {
        if (!connection.open()) {
            return false;
        }
        long now = connection.loop().nowNanos();
        if (now - pingsSinceNanos >= SECOND_NANOS || pings == 0) {
            pingsSinceNanos = now;
            pings = 0;
        }
        connection.loop().tally().count(NetworkCounter.KEEPALIVES);
        if (++pings > rules.webSocket().maxPings()) {
            leave(CloseCode.POLICY, "too many pings", CloseCause.PING_FLOOD);
            return false;
        }
        if (connection.overRate(now)) {
            stopReading();
            return false;
        }
        return true;
    }

    // RFC 6455 5.5.1: "If an endpoint receives a Close frame and did not previously send a Close
    // frame, the endpoint MUST send a Close frame in response. (When sending a Close frame in
    // response, the endpoint typically echos the status code it received.)"
    @Override
    public void closed(int code) {
        leave(code, "", CloseCause.PEER);
    }

    @Override
    public void broken(int code, String why) {
        leave(code, why, CloseCause.MALFORMED);
    }

    private void leave(int code, String why, CloseCause cause) {
        stopReading();
        if (!closeSent && connection.open()) {
            closeSent = true;
            connection.putClose(code, why, !server);
        }
        connection.linger(cause);
    }
}
