package io.carillon.net.stream;

import io.carillon.net.CloseCause;
import io.carillon.net.NetworkConfig;
import io.carillon.net.NetworkCounter;
import io.carillon.net.Tally;
import io.carillon.net.guard.Guard;
import io.carillon.net.guard.SourceKey;
import io.carillon.net.shard.Batched;
import io.carillon.net.shard.FailureReport;
import io.carillon.net.shard.ReportingPromise;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.codec.StreamFramer;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.stack.Hop;
import io.carillon.sip.stack.Transport;
import io.carillon.sip.time.WheelTimer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection: framing in, a bounded queue out, one deadline.
 *
 * <p>Owner: the loop it lives on; {@link #send}, {@link #number}, {@link #remote} and {@link #loop}
 * may be called by any thread. Its one timer is a node of the shard's wheel, so ten thousand silent
 * connections cost nothing until their time has come.
 */
final class StreamConnection extends ChannelInboundHandlerAdapter
        implements StreamFramer.Sink, Batched {

    private enum State {
        CONNECTING,
        OPEN,
        /** Our last answer is on its way; what still comes is thrown away. */
        LINGERING,
        CLOSED
    }

    /** RFC 5626 4.4.1: the answer to a double CRLF is a single one. */
    private static final ByteBuf PONG =
            Unpooled.unreleasableBuffer(
                    Unpooled.directBuffer(2).writeByte('\r').writeByte('\n').asReadOnly());

    /** Time for a peer to read our last answer before the connection is closed under it. */
    private static final long LINGER_NANOS = 2_000_000_000L;

    /** Time in which the peer's machine must take what was sent: 64*T1, as Timer B and F. */
    private static final int UNACKNOWLEDGED_MILLIS = 32_000;

    private final StreamTransport transport;
    private final ShardLoop loop;
    private final Tally tally;
    private final InetSocketAddress remote;
    private final boolean accepted;
    private final long source;
    private final StreamFramer framer;
    private final Deadline deadline = new Deadline();

    /** Written once, before anybody else can find the connection. */
    private long number;

    private @Nullable Channel channel;
    private Hop hop;
    private State state;
    private @Nullable CloseCause cause;
    private boolean completedMessage;
    private boolean sentMessage;
    private boolean midMessage;
    private int unfinishedBytes;
    private long startedNanos;
    private long messageSinceNanos;
    private long activeNanos;
    private boolean unflushed;
    private long closedNanos;

    private StreamConnection(
            StreamTransport transport, ShardLoop loop, InetSocketAddress remote, boolean accepted) {
        this.transport = transport;
        this.loop = loop;
        this.tally = loop.tally();
        this.remote = remote;
        this.accepted = accepted;
        this.source = SourceKey.of(remote.getAddress());
        this.framer = new StreamFramer(loop.shard().config().limits());
        this.state = accepted ? State.OPEN : State.CONNECTING;
        this.hop = new Hop(Transport.TCP, null, remote, 0);
        this.startedNanos = loop.nowNanos();
        this.activeNanos = startedNanos;
    }

    static StreamConnection accepted(StreamTransport transport, ShardLoop loop, Channel channel) {
        StreamConnection connection =
                new StreamConnection(
                        transport, loop, (InetSocketAddress) channel.remoteAddress(), true);
        connection.channel = channel;
        return connection;
    }

    static StreamConnection opening(
            StreamTransport transport, ShardLoop loop, InetSocketAddress remote) {
        return new StreamConnection(transport, loop, remote, false);
    }

    ShardLoop loop() {
        return loop;
    }

    InetSocketAddress remote() {
        return remote;
    }

    long number() {
        return number;
    }

    void number(long given) {
        number = given;
        hop = new Hop(Transport.TCP, null, remote, given);
    }

    /** An accepted connection begins. */
    void start() {
        Channel open = channel();
        prepare(open);
        established(open);
    }

    private Channel channel() {
        Channel known = channel;
        if (known == null) {
            throw new IllegalStateException("no channel yet: " + remote);
        }
        return known;
    }

    private void prepare(Channel fresh) {
        fresh.config().setRecvByteBufAllocator(transport.window(loop));
        fresh.config().setOption(ChannelOption.TCP_NODELAY, true);
        fresh.config().setOption(ChannelOption.SO_KEEPALIVE, true);
        if (fresh instanceof EpollSocketChannel) {
            // Else a peer whose machine died holds what is sent to it for a quarter of an hour.
            fresh.config().setOption(EpollChannelOption.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLIS);
        }
        fresh.pipeline().addLast(this);
        fresh.closeFuture().addListener(f -> closed());
    }

    private void established(Channel open) {
        state = State.OPEN;
        hop = new Hop(Transport.TCP, (InetSocketAddress) open.localAddress(), remote, number);
        tally.add(NetworkCounter.CONNECTIONS_OPEN, 1);
        startedNanos = loop.nowNanos();
        activeNanos = startedNanos;
        deadline.arm();
    }

    /** Opens the connection; messages may be sent on it at once, they wait. */
    void connect(boolean epoll) {
        tally.add(NetworkCounter.CONNECTIONS_CONNECTING, 1);
        Channel fresh;
        try {
            SocketProtocolFamily family =
                    remote.getAddress() instanceof Inet6Address
                            ? SocketProtocolFamily.INET6
                            : SocketProtocolFamily.INET;
            fresh =
                    epoll
                            ? new EpollSocketChannel(family)
                            : new NioSocketChannel(SelectorProvider.provider(), family);
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
                        ChannelOption.CONNECT_TIMEOUT_MILLIS,
                        transport.limits().connectTimeoutMillis());
        prepare(fresh);
        loop.watch("registering a connection to " + remote, loop.eventLoop().register(fresh));
        fresh.connect(remote).addListener((ChannelFuture f) -> connected(f));
    }

    private void connected(ChannelFuture result) {
        loop.begin();
        Throwable failure = result.cause();
        if (state == State.CLOSED) {
            return;
        }
        if (failure != null) {
            close(
                    failure instanceof ConnectTimeoutException
                            ? CloseCause.CONNECT_TIMEOUT
                            : CloseCause.CONNECT_FAILED);
            return;
        }
        tally.add(NetworkCounter.CONNECTIONS_CONNECTING, -1);
        tally.count(NetworkCounter.CONNECTIONS_OPENED);
        established(result.channel());
        result.channel().flush();
    }

    /** Sends a message, from any thread. */
    void send(SipMessage message, @Nullable FailureReport report) {
        if (loop.inShard()) {
            write(message, report);
        } else {
            loop.execute(() -> write(message, report));
        }
    }

    private void write(SipMessage message, @Nullable FailureReport report) {
        Channel open = channel;
        ChannelOutboundBuffer queue = open == null ? null : open.unsafe().outboundBuffer();
        if (open == null || queue == null || state == State.CLOSED || state == State.LINGERING) {
            fail(report, "the connection is closed");
            return;
        }
        int length = message.length();
        if (queue.totalPendingWriteBytes() + length > transport.limits().maxWaitingBytes()) {
            fail(report, "too much waits to be sent to this peer");
            close(CloseCause.WRITE_QUEUE_FULL);
            return;
        }
        ByteBuf bytes = open.alloc().directBuffer(length, length);
        bytes.writeBytes(message.bytes(), 0, length);
        tally.count(NetworkCounter.STREAM_MESSAGES_OUT);
        sentMessage = true;
        write(
                open,
                bytes,
                new ReportingPromise(open, tally, NetworkCounter.STREAM_SEND_FAILURES, report));
    }

    private void write(Channel open, ByteBuf bytes, ReportingPromise promise) {
        tally.add(NetworkCounter.STREAM_BYTES_OUT, bytes.readableBytes());
        var _ = open.write(bytes, promise); // the promise itself reports
        loop.begin();
        activeNanos = loop.nowNanos();
        if (!unflushed) {
            unflushed = true;
            loop.flushLater(this);
        }
    }

    private void fail(@Nullable FailureReport report, String why) {
        tally.count(NetworkCounter.STREAM_SEND_FAILURES);
        if (report != null) {
            report.report(why);
        }
    }

    @Override
    public void flushBatch() {
        unflushed = false;
        if (state == State.OPEN || state == State.LINGERING) {
            // While it is being opened its messages wait; connected() flushes them.
            channel().flush();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf read = (ByteBuf) message;
        StreamWindow window = transport.window(loop);
        int length = read.readableBytes();
        read.readBytes(window.bytes(), 0, length);
        read.release();
        loop.beginRead();
        tally.add(NetworkCounter.STREAM_BYTES_IN, length);
        if (state != State.OPEN) {
            return;
        }
        activeNanos = loop.nowNanos();
        boolean inside = midMessage;
        midMessage = false;
        framer.feed(window.bytes(), 0, length, this);
        if (!accountUnfinished() || state != State.OPEN) {
            return;
        }
        // A message that ended in these bytes has set the mark to this moment: what is left began
        // now.
        boolean insideNow = framer.midMessage();
        if (insideNow && (!inside || midMessage)) {
            messageSinceNanos = activeNanos;
        }
        midMessage = insideNow;
        deadline.arm();
    }

    /** False when the connection was closed, because all together hold too much. */
    private boolean accountUnfinished() {
        int now = (int) framer.bytesBuffered();
        int before = unfinishedBytes;
        unfinishedBytes = now;
        if (now == before || transport.waiting().changed(before, now, tally)) {
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
        Guard guard = accepted ? loop.guard() : null;
        CloseCause refused = guard == null ? null : guard.refusal(source, activeNanos);
        if (refused != null) {
            close(refused);
            return;
        }
        completedMessage = true;
        midMessage = true;
        tally.count(NetworkCounter.STREAM_MESSAGES_IN);
        loop.deliver(owned, length, hop);
    }

    /**
     * RFC 5626 4.4.1: "If the server receives a double CRLF sequence between SIP messages, it MUST
     * immediately respond with a single CRLF".
     */
    @Override
    public void keepAlivePing() {
        tally.count(NetworkCounter.KEEPALIVES);
        Channel open = channel();
        ChannelOutboundBuffer queue = open.unsafe().outboundBuffer();
        if (state != State.OPEN || queue == null) {
            return;
        }
        if (queue.totalPendingWriteBytes() > transport.limits().maxWaitingBytes()) {
            close(CloseCause.WRITE_QUEUE_FULL);
            return;
        }
        write(
                open,
                PONG.duplicate(),
                new ReportingPromise(open, tally, NetworkCounter.STREAM_SEND_FAILURES, null));
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
    private void linger(CloseCause why) {
        if (state != State.OPEN) {
            return;
        }
        state = State.LINGERING;
        cause = why;
        transport.retire(this);
        Channel open = channel();
        open.writeAndFlush(Unpooled.EMPTY_BUFFER)
                .addListener(f -> {
                    if (state == State.LINGERING && open instanceof DuplexChannel duplex) {
                        duplex.shutdownOutput()
                                .addListener(shut -> {
                                    if (!shut.isSuccess()) {
                                        close(why);
                                    }
                                });
                    }
                });
        loop.shard().timers().schedule(deadline, loop.nowNanos() + LINGER_NANOS);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable failure) {
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
    void close(CloseCause why) {
        if (state == State.CLOSED) {
            return;
        }
        if (cause == null) {
            cause = why;
        }
        Channel known = channel;
        if (known != null) {
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
        State was = state;
        state = State.CLOSED;
        closedNanos = System.nanoTime();
        loop.shard().timers().cancel(deadline);
        transport.forget(this);
        transport.waiting().changed(unfinishedBytes, 0, tally);
        unfinishedBytes = 0;
        CloseCause why = causeOf();
        tally.count(why.counter());
        tally.add(
                was == State.CONNECTING
                        ? NetworkCounter.CONNECTIONS_CONNECTING
                        : NetworkCounter.CONNECTIONS_OPEN,
                -1);
    }

    private CloseCause causeOf() {
        CloseCause known = cause;
        return known == null ? CloseCause.PEER : known;
    }

    /** Comes after the waiting messages failed, and only for connections that had been open. */
    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (sentMessage) {
            transport.failWaiting(hop, closedNanos);
        }
        transport.tellClosed(loop, hop, causeOf());
    }

    /** The one timer: whichever limit is next. */
    private final class Deadline extends WheelTimer {

        /**
         * Sees to it that the timer fires no later than the next limit; a limit that moved away is
         * found when it fires.
         */
        void arm() {
            long next = next();
            if (!scheduled() || next - deadlineNanos() < 0) {
                loop.shard().timers().schedule(this, next);
            }
        }

        private long next() {
            NetworkConfig.Stream limits = transport.limits();
            long next = activeNanos + StreamTransport.nanos(limits.idleTimeoutMillis());
            if (waitsForFirst()) {
                next = Math.min(next, firstLimit(limits));
            }
            if (midMessage) {
                next = Math.min(next, messageLimit(limits));
            }
            return next;
        }

        private boolean waitsForFirst() {
            return accepted && !completedMessage;
        }

        private long firstLimit(NetworkConfig.Stream limits) {
            return startedNanos + StreamTransport.nanos(limits.firstMessageTimeoutMillis());
        }

        private long messageLimit(NetworkConfig.Stream limits) {
            return messageSinceNanos + StreamTransport.nanos(limits.messageTimeoutMillis());
        }

        @Override
        protected void fire(long nowNanos) {
            NetworkConfig.Stream limits = transport.limits();
            if (state == State.LINGERING) {
                close(CloseCause.MALFORMED);
            } else if (midMessage && messageLimit(limits) - nowNanos <= 0) {
                close(CloseCause.SLOW_MESSAGE);
            } else if (waitsForFirst() && firstLimit(limits) - nowNanos <= 0) {
                close(CloseCause.SILENT);
            } else if (next() - nowNanos <= 0) {
                close(CloseCause.IDLE);
            } else {
                loop.shard().timers().schedule(this, next());
            }
        }
    }
}
