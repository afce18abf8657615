package io.carillon.net.stream;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.guard.Guard;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.shard.FailureReport;
import io.carillon.net.shard.ReportingPromise;
import io.carillon.net.shard.ShardLoop;
import io.carillon.net.websocket.FrameWriter;
import io.carillon.sip.codec.StreamFramer;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One connection of TCP, TLS, WS or WSS: framing in, one deadline. What TLS and WebSocket add is in
 * its {@link ConnectionLayers}; plain TCP has none. What leaves goes through its {@link SendQueue}.
 *
 * <p>Owner: the loop it lives on; {@link #send}, {@link #number}, {@link #remote} and {@link #loop}
 * may be called by any thread. Its one timer is a node of the shard's wheel, so ten thousand silent
 * connections cost nothing until their time has come.
 */
final class StreamConnection extends ChannelInboundHandlerAdapter
        implements StreamFramer.Sink,
                ConnectionTable.Entry,
                OverfullRelief.Holder,
                ConnectionDeadline.Timed,
                SendQueue.Owner,
                ConnectionLayers.Owner,
                StreamPing.Flow,
                NamedPeers.Peer {

    /** All connections, and what is the same for them. Any thread. */
    interface Host {
        StreamConfig limits();

        /** Who is listened to; null: everybody. */
        @Nullable Guard guard();

        ConnectionLayers.Rules layerRules();

        RefusalLog refusals();

        /** The room that a loop reads into. */
        StreamWindow window(ShardLoop loop);

        /** Bytes of unfinished messages on all connections. */
        WaitingBytes waiting();

        /** Bytes that wait for slow readers on all connections. */
        UnsentBytes unsent();

        /** One of ours is connected, all that precedes SIP included. */
        void connected(StreamConnection connection);

        /** The first message came on one of ours. */
        void answered(StreamConnection connection);

        /** It is about to end: new messages to its far end open another one. */
        void retire(StreamConnection connection);

        /** It ended: nobody finds it any more. */
        void forget(StreamConnection connection);

        /** Requests of any shard that wait for an answer on it have failed. */
        void failWaiting(Hop lost, long lostNanos);

        /** It had been open and ended, and its waiting messages have failed. */
        void tellClosed(ShardLoop loop, Hop peer, CloseCause cause);
    }

    private enum State {
        CONNECTING,
        /** TLS and WebSocket begin; SIP waits. */
        HANDSHAKING,
        OPEN,
        /** Our last answer is on its way; what still comes is thrown away. */
        LINGERING,
        CLOSED
    }

    /** RFC 5626 4.4.1: the answer to a double CRLF is a single one. */
    private static final ByteBuf PONG =
            Unpooled.unreleasableBuffer(
                    Unpooled.directBuffer(2).writeByte('\r').writeByte('\n').asReadOnly());

    private static final byte[] CRLF = {'\r', '\n'};
    private static final byte[] PING = {'\r', '\n', '\r', '\n'};

    private final Host host;
    private final ShardLoop loop;
    private final LoopCounts tally;
    private final InetSocketAddress remote;
    private final SourceGate far;
    private final long asker;
    private final StreamFramer framer;
    private final @Nullable ConnectionLayers layers;
    private final ConnectionDeadline deadline;
    private final SendQueue sending;

    /** Written once, before anybody else can find the connection. */
    private long number;

    private final NamedPeers.@Nullable Called called;

    /** See {@link ConnectionTable#alias}; null for nearly all. */
    private volatile @Nullable List<ConnectionTable.Proved> aliases;

    private @Nullable Channel channel;
    private volatile Hop hop;
    private State state;
    private @Nullable CloseCause cause;

    /** Others look at it, and may see an older one: it decides who gives way, nothing else. */
    private int unfinishedBytes;

    private final long bornNanos;
    private volatile boolean proved;
    private volatile boolean givesWay;
    private int recordBytes;
    private boolean established;

    /** Why it could not be connected, in words. */
    private @Nullable String failed;

    /** Ours that waits for its answer. */
    private @Nullable StreamPing ping;

    private long closedNanos;

    /**
     * @param to transport, far end, and for TLS the name that it has to prove
     * @param point that accepted it; null for one of ours
     * @param asker whose request opens it; 0 for nobody's
     */
    private StreamConnection(
            Host host, ShardLoop loop, Hop to, @Nullable ListeningPoint point, long asker) {
        this.asker = asker;
        this.host = host;
        this.loop = loop;
        this.tally = loop.tally();
        this.remote = to.remote();
        boolean accepted = point != null;
        this.far = new SourceGate(loop, host.guard(), remote.getAddress(), accepted);
        this.framer = new StreamFramer(loop.shard().config().limits());
        this.state = accepted ? State.OPEN : State.CONNECTING;
        this.hop = to;
        this.called = accepted && to.transport().webSocket() ? new NamedPeers.Called() : null;
        this.layers =
                to.transport() == Transport.TCP
                        ? null
                        : new ConnectionLayers(this, host.layerRules(), to, point);
        this.bornNanos = loop.nowNanos();
        this.deadline = new ConnectionDeadline(this, accepted, bornNanos);
        this.sending = new SendQueue(this, layers);
    }

    static StreamConnection accepted(
            Host host, ShardLoop loop, Hop from, ListeningPoint point, Channel channel) {
        StreamConnection connection = new StreamConnection(host, loop, from, point, 0);
        connection.channel = channel;
        return connection;
    }

    /**
     * @param asker by a number of his, whose request opens it; 0 for nobody's
     */
    static StreamConnection opening(Host host, ShardLoop loop, Hop to, long asker) {
        return new StreamConnection(host, loop, to, null, asker);
    }

    @Override
    public ShardLoop loop() {
        return loop;
    }

    @Override
    public InetSocketAddress remote() {
        return remote;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public long source() {
        return far.source();
    }

    /** A place of {@link io.carillon.sip.guard.Sources} or a {@link SourceKey}; 0 for nobody. */
    @Override
    public long asker() {
        return asker;
    }

    @Override
    public boolean spared() {
        return far.spared();
    }

    @Override
    public long bornNanos() {
        return bornNanos;
    }

    /** Has it carried what strangers do not have? Any thread. */
    @Override
    public boolean proved() {
        return proved;
    }

    /** For {@link ConnectionTable} alone. */
    @Override
    public void prove() {
        proved = true;
    }

    /** Of messages that are not whole. Any thread; perhaps a little earlier. */
    int unfinishedBytes() {
        return unfinishedBytes;
    }

    /** What waits for a peer that reads slowly. Any thread; perhaps a little earlier. */
    long unsentBytes() {
        return sending.unsentBytes();
    }

    /** It is to be closed for others; for {@link OverfullRelief} alone. */
    @Override
    public void giveWay() {
        givesWay = true;
    }

    @Override
    public boolean givesWay() {
        return givesWay;
    }

    /**
     * When something last came or left. Any thread; it may be a little older, which changes no more
     * than who gives way.
     */
    @Override
    public long activeNanos() {
        return deadline.activeNanos();
    }

    @Override
    public void number(long given) {
        number = given;
        hop = new Hop(hop.transport(), null, remote, given, null, hop.domain());
    }

    /** See {@link NamedPeers}; any thread. */
    @Override
    public NamedPeers.@Nullable Called called() {
        return called;
    }

    @Override
    public boolean accepted() {
        return far.accepted();
    }

    @Override
    public @Nullable List<ConnectionTable.Proved> aliases() {
        return aliases;
    }

    @Override
    public void aliases(List<ConnectionTable.Proved> given) {
        aliases = given;
    }

    /** Transport and far end. */
    @Override
    public Hop peer() {
        return hop;
    }

    /** An accepted connection begins. */
    void start() {
        Channel open = channel();
        prepare(open);
        ConnectionLayers own = layers;
        if (own == null) {
            established(open);
        } else {
            tally.add(NetworkCounter.CONNECTIONS_CONNECTING, 1);
            if (own.install(open)) {
                handshake(own);
            }
        }
    }

    private void handshake(ConnectionLayers own) {
        state = State.HANDSHAKING;
        deadline.handshakeBegins();
        own.connected();
    }

    private Channel channel() {
        Channel known = channel;
        if (known == null) {
            throw new IllegalStateException("no channel yet: " + remote);
        }
        return known;
    }

    private void prepare(Channel fresh) {
        ClientChannels.set(fresh, host.window(loop));
        fresh.pipeline().addLast(this);
        fresh.closeFuture().addListener(f -> closed());
    }

    private void established(Channel open) {
        state = State.OPEN;
        established = true;
        hop =
                new Hop(
                        hop.transport(),
                        (InetSocketAddress) open.localAddress(),
                        remote,
                        number,
                        layers == null ? null : layers.peer(),
                        hop.domain());
        tally.add(NetworkCounter.CONNECTIONS_OPEN, 1);
        deadline.opened();
    }

    /** Opens the connection; messages may be sent on it at once, they wait. */
    void connect(boolean epoll) {
        tally.add(NetworkCounter.CONNECTIONS_CONNECTING, 1);
        Channel fresh;
        try {
            fresh = ClientChannels.fresh(epoll, remote);
        } catch (RuntimeException noSocket) {
            // Out of file descriptors, most likely: what is sent on this connection fails by its
            // closed state.
            loop.fault("no socket for a connection to " + remote, noSocket);
            cause = CloseCause.CONNECT_FAILED;
            closed();
            return;
        }
        channel = fresh;
        fresh.config()
                .setOption(
                        ChannelOption.CONNECT_TIMEOUT_MILLIS, host.limits().connectTimeoutMillis());
        prepare(fresh);
        loop.watch("registering a connection to " + remote, loop.eventLoop().register(fresh));
        if (layers != null && !layers.install(fresh)) {
            return;
        }
        fresh.connect(remote).addListener((ChannelFuture f) -> connected(f));
    }

    private void connected(ChannelFuture result) {
        loop.begin();
        Throwable failure = result.cause();
        if (state == State.CLOSED) {
            return;
        }
        if (failure != null) {
            failed = ReportingPromise.words(failure);
            close(
                    failure instanceof ConnectTimeoutException
                            ? CloseCause.CONNECT_TIMEOUT
                            : CloseCause.CONNECT_FAILED);
            return;
        }
        ConnectionLayers own = layers;
        if (own == null) {
            ready();
        } else {
            handshake(own);
        }
    }

    /** All that has to precede SIP is over. */
    @Override
    public void ready() {
        Channel open = channel();
        if (layers != null || !accepted()) {
            tally.add(NetworkCounter.CONNECTIONS_CONNECTING, -1);
        }
        if (!accepted()) {
            tally.count(NetworkCounter.CONNECTIONS_OPENED);
            host.connected(this);
        }
        established(open);
        if (layers != null) {
            WaitingMessages.Waiting next;
            while (state == State.OPEN && (next = layers.waiting().poll()) != null) {
                sending.send(open, next.message(), next.message().length, next.report());
            }
        }
        open.flush();
    }

    @Override
    public StreamConfig limits() {
        return host.limits();
    }

    @Override
    public UnsentBytes unsent() {
        return host.unsent();
    }

    /** For TLS and WebSocket to begin; 0 without them. */
    @Override
    public long handshakeMillis() {
        return layers == null ? 0 : layers.handshakeMillis();
    }

    /** They took too long. */
    @Override
    public void handshakeTimedOut() {
        if (layers != null) {
            close(layers.timeout());
        }
    }

    @Override
    public boolean lingering() {
        return state == State.LINGERING;
    }

    /** True while TLS and WebSocket begin. */
    @Override
    public boolean handshaking() {
        return state == State.HANDSHAKING;
    }

    /** True when SIP may pass. */
    @Override
    public boolean open() {
        return state == State.OPEN;
    }

    @Override
    public int maxMessageBytes() {
        return loop.shard().config().limits().maxMessageBytes();
    }

    /** Writes bytes of a handshake at once. */
    @Override
    public void put(ByteBuf bytes) {
        tally.add(NetworkCounter.STREAM_BYTES_OUT, bytes.readableBytes());
        // A failure is the connection's, which learns of it otherwise.
        var _ = channel().writeAndFlush(bytes, channel().voidPromise());
    }

    /** It is ending by itself; for this reason. */
    @Override
    public void ends(CloseCause why) {
        if (cause == null) {
            cause = why;
        }
    }

    /** Sends a message, from any thread. */
    void send(SipMessage message, @Nullable FailureReport report) {
        if (loop.inShard()) {
            write(message, report);
        } else {
            loop.execute(() -> write(message, report));
        }
    }

    void answer(byte[] message, int length) {
        sending.answer(open() ? channel : null, message, length);
    }

    private void write(SipMessage message, @Nullable FailureReport report) {
        if (layers != null && (state == State.CONNECTING || state == State.HANDSHAKING)) {
            sending.await(layers.waiting(), message, report);
        } else if (channel == null || state == State.CLOSED || state == State.LINGERING) {
            sending.fail(report, "the connection is closed");
        } else {
            sending.send(channel, message.bytes(), message.length(), report);
        }
    }

    /** Something leaves. */
    @Override
    public void active() {
        loop.begin();
        deadline.sent(loop.nowNanos());
    }

    /** May bytes be put into the socket? Before, what was written waits for {@link #ready}. */
    @Override
    public boolean flushable() {
        return state == State.OPEN || state == State.LINGERING;
    }

    /** The peer reads again, or no more. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        sending.count(channel());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf read = (ByteBuf) message;
        loop.beginRead();
        StreamWindow window = host.window(loop);
        try {
            // Once, but for what TLS has put together.
            do {
                int length = Math.min(read.readableBytes(), StreamWindow.BYTES);
                read.readBytes(window.bytes(), 0, length);
                tally.add(NetworkCounter.STREAM_BYTES_IN, length);
                take(window.bytes(), length);
            } while (read.isReadable());
        } finally {
            read.release();
        }
    }

    private void take(byte[] bytes, int length) {
        if (state != State.OPEN && state != State.HANDSHAKING) {
            return;
        }
        boolean inside = deadline.bytesCame(loop.nowNanos());
        ConnectionLayers frames = layers != null && layers.webSocket() ? layers : null;
        if (frames != null) {
            frames.feed(bytes, 0, length);
        } else {
            framer.feed(bytes, 0, length, this);
        }
        held(frames, inside);
    }

    /**
     * What TLS keeps of a record whose rest has not come: held and in time like the rest of a
     * message, of which nothing is seen until the record is whole. On each read of the socket.
     *
     * @param small records among what was read that are too small for a SIP message: empty ones,
     *     key updates, alerts. Each costs the work of a record, and counts as a message
     */
    @Override
    public void recordHeld(int bytes, int small) {
        if (small > 0) {
            loop.beginRead();
        }
        for (int i = 0; i < small; i++) {
            if ((state != State.OPEN && state != State.HANDSHAKING) || overRate(loop.nowNanos())) {
                return;
            }
        }
        if (bytes == recordBytes || (state != State.OPEN && state != State.HANDSHAKING)) {
            return;
        }
        loop.beginRead();
        recordBytes = bytes;
        deadline.active(loop.nowNanos());
        held(layers != null && layers.webSocket() ? layers : null, deadline.midMessage());
    }

    /** Counts what is unfinished now, and from when its time runs. */
    private void held(@Nullable ConnectionLayers frames, boolean inside) {
        if (!accountUnfinished(frames) || state != State.OPEN) {
            return;
        }
        boolean insideNow =
                recordBytes > 0 || (frames != null ? frames.midMessage() : framer.midMessage());
        deadline.bytesTaken(inside, insideNow);
    }

    /** False when the connection was closed, because all together hold too much. */
    private boolean accountUnfinished(@Nullable ConnectionLayers frames) {
        int now =
                recordBytes
                        + (frames != null ? frames.bytesBuffered() : (int) framer.bytesBuffered());
        int before = unfinishedBytes;
        unfinishedBytes = now;
        if (now == before || host.waiting().changed(before, now, tally)) {
            return true;
        }
        close(CloseCause.BUFFERS_FULL);
        return false;
    }

    @Override
    public void message(byte[] owned, int length) {
        if (state != State.OPEN) {
            return;
        }
        if (overRate(deadline.activeNanos())) {
            return;
        }
        if (deadline.messageEnded() && !accepted()) {
            host.answered(this);
        }
        tally.count(NetworkCounter.STREAM_MESSAGES_IN);
        loop.deliver(owned, length, hop);
    }

    /** True when the connection was closed, because its source may not send this. */
    @Override
    public boolean overRate(long nowNanos) {
        CloseCause refused = far.refusal(channel(), proved, nowNanos);
        if (refused != null) {
            close(refused);
        }
        return refused != null;
    }

    /**
     * RFC 5626 4.4.1: "If the server receives a double CRLF sequence between SIP messages, it MUST
     * immediately respond with a single CRLF".
     */
    @Override
    public void keepAlivePing() {
        tally.count(NetworkCounter.KEEPALIVES);
        // A ping costs an answer, as a message does.
        if (state != State.OPEN || overRate(deadline.activeNanos())) {
            return;
        }
        pong();
    }

    @Override
    public void strayLineBreaks() {
        if (state == State.OPEN) {
            var _ = overRate(deadline.activeNanos());
        }
    }

    /** A single CRLF, in a frame where there are frames. */
    @Override
    public void pong() {
        ConnectionLayers own = layers;
        answer(
                own != null && own.webSocket()
                        ? own.encode(channel(), CRLF, CRLF.length)
                        : PONG.duplicate());
    }

    /** Sends a double CRLF; one that waits for its answer does for both. */
    @Override
    public void ping(StreamPing asked) {
        ConnectionLayers own = layers;
        if (state != State.OPEN) {
            asked.ended(false);
        } else if (own != null && own.webSocket()) {
            // RFC 7118 6: who answers in which way is not said; that it can be sent has to do.
            answer(own.encode(channel(), PING, PING.length));
            asked.ended(true);
        } else {
            StreamPing before = ping;
            if (before != null) {
                before.ended(true);
            }
            ping = asked;
            answer(channel().alloc().directBuffer(PING.length).writeBytes(PING));
            asked.sent(this);
        }
    }

    @Override
    public void lineBreak() {
        ended(true);
    }

    private void ended(boolean whole) {
        StreamPing waiting = ping;
        ping = null;
        if (waiting != null) {
            waiting.ended(whole);
        }
    }

    /** Its 10 s are over. */
    @Override
    public void noPong() {
        ended(false);
        close(CloseCause.NO_PONG);
    }

    /** Answers a ping of WebSocket. */
    @Override
    public void pong(byte[] payload, boolean masked) {
        answer(FrameWriter.pong(channel().alloc(), payload, masked));
    }

    private void answer(ByteBuf bytes) {
        sending.answer(open() ? channel : null, bytes);
    }

    @Override
    public void malformed(int status, String reason, byte[] head) {
        if (state != State.OPEN) {
            return;
        }
        loop.rejected(status, reason, head, hop);
        linger(CloseCause.MALFORMED);
    }

    /**
     * Ends the connection after what waits was sent: closes our side, then reads on for a moment,
     * as closing with unread bytes would reset the connection and take our answer away from the
     * peer.
     */
    @Override
    public void linger(CloseCause why) {
        if (state != State.OPEN && state != State.HANDSHAKING) {
            return;
        }
        Channel open = channel();
        sayFarewell(open, why);
        state = State.LINGERING;
        cause = why;
        host.retire(this);
        SslHandler tls = layers == null ? null : layers.tls();
        ChannelFuture written = open.writeAndFlush(Unpooled.EMPTY_BUFFER);
        if (tls != null) {
            // Its farewell has to leave before our side is shut.
            written = tls.closeOutbound();
        }
        written.addListener(f -> {
            if (state == State.LINGERING && open instanceof DuplexChannel duplex) {
                duplex.shutdownOutput()
                        .addListener(shut -> {
                            if (!shut.isSuccess()) {
                                close(why);
                            }
                        });
            }
        });
        deadline.linger();
    }

    private void sayFarewell(Channel open, CloseCause why) {
        ByteBuf last = layers == null ? null : layers.farewell(open, why);
        if (last != null) {
            put(last);
        }
    }

    /** Writes the close frame of WebSocket. */
    @Override
    public void putClose(int code, String why, boolean masked) {
        put(FrameWriter.close(channel().alloc(), code, why, masked));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable failure) {
        Throwable inner = failure instanceof DecoderException ? failure.getCause() : failure;
        if (inner instanceof SSLException) {
            // Of a handshake, TLS itself has told and closes; later it is as fatal.
            if (state == State.HANDSHAKING) {
                ends(CloseCause.TLS_FAILED);
            } else {
                host.refusals().failed(hop, "TLS: " + inner.getMessage());
                close(CloseCause.TLS_FAILED);
            }
            return;
        }
        if (failure instanceof IOException) {
            String text = String.valueOf(failure.getMessage());
            boolean byPeer = text.contains("reset") || text.contains("Broken pipe");
            close(byPeer ? CloseCause.PEER : CloseCause.ERROR);
            return;
        }
        loop.fault("connection " + hop, failure);
        close(CloseCause.ERROR);
    }

    /** Closes; what waits fails. On the loop. */
    @Override
    public void close(CloseCause why) {
        if (state == State.CLOSED) {
            return;
        }
        if (cause == null) {
            cause = why;
        }
        Channel known = channel;
        if (known != null) {
            if (state == State.OPEN && known.isActive()) {
                sayFarewell(known, why);
            }
            if (why == CloseCause.SHUTDOWN) {
                known.flush();
            }
            loop.watch("closing a connection", known.close());
        }
    }

    /** The channel is closed, whoever closed it. */
    private void closed() {
        if (state == State.CLOSED) {
            return;
        }
        loop.begin();
        state = State.CLOSED;
        closedNanos = System.nanoTime();
        loop.shard().timers().cancel(deadline);
        ended(false);
        host.forget(this);
        host.waiting().changed(unfinishedBytes, 0, tally);
        unfinishedBytes = 0;
        sending.closed();
        CloseCause why = causeOf();
        tally.count(why.counter());
        tally.add(
                established
                        ? NetworkCounter.CONNECTIONS_OPEN
                        : NetworkCounter.CONNECTIONS_CONNECTING,
                -1);
        if (layers != null) {
            failWaiting(layers);
        }
    }

    private void failWaiting(ConnectionLayers own) {
        String known = failed;
        String why = known == null ? own.failure() : known;
        WaitingMessages.Waiting next;
        while ((next = own.waiting().poll()) != null) {
            sending.fail(next.report(), why);
        }
    }

    private CloseCause causeOf() {
        CloseCause known = cause;
        return known == null ? CloseCause.PEER : known;
    }

    /** Comes after the waiting messages failed, and only for connections that had been open. */
    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (sending.carriedMessage()) {
            host.failWaiting(hop, closedNanos);
        }
        if (established) {
            host.tellClosed(loop, hop, causeOf());
        }
    }
}
