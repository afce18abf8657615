package io.carillon.net.stream;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.shard.BatchedOutput;
import io.carillon.net.shard.FailureReport;
import io.carillon.net.shard.ReportingPromise;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.message.SipMessage;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What leaves on a connection: flushed once for each round of the loop, bounded for the connection
 * and for the slow readers of all connections together. A peer that lets too much wait loses its
 * connection.
 *
 * <p>Owner: the loop of the connection, with which it dies.
 */
final class SendQueue implements BatchedOutput {
    /** The connection that it is of. */
    interface Owner {
        ShardLoop loop();

        StreamConfig limits();

        /** What waits for slow readers on all connections. */
        UnsentBytes unsent();

        /** Something leaves. */
        void active();

        /** May bytes be put into the socket? */
        boolean flushable();

        void close(CloseCause why);
    }

    private static final String FULL = "too much waits to be sent to this peer";

    private final Owner connection;
    private final ShardLoop loop;
    private final LoopCounts tally;
    private final @Nullable ConnectionLayers layers;

    private @Nullable Channel unflushed;
    private boolean carriedMessage;

    /** Bytes that TLS has not yet put into the socket's queue. */
    private int unencrypted;

    /** Of what waits here, what is counted as waiting for a slow reader; others look at it. */
    private long unsent;

    SendQueue(Owner connection, @Nullable ConnectionLayers layers) {
        this.connection = connection;
        this.loop = connection.loop();
        this.tally = loop.tally();
        this.layers = layers;
    }

    /** Has a message been given to the socket? */
    boolean carriedMessage() {
        return carriedMessage;
    }

    /**
     * A message, as soon as TLS and WebSocket have begun. Counted like what waits for a slow
     * reader: a far end that never begins holds as much as one that does not read.
     */
    void await(WaitingMessages waiting, SipMessage message, @Nullable FailureReport report) {
        int bytes = waiting.bytes();
        if (bytes + message.length() > connection.limits().writeQueueBytes() || !mayWait(bytes)) {
            overflow(report);
        } else {
            waiting.add(message, report);
            count(waiting.bytes());
        }
    }

    void send(Channel open, byte[] message, int length, @Nullable FailureReport report) {
        ChannelOutboundBuffer queue = open.unsafe().outboundBuffer();
        if (queue == null) {
            fail(report, "the connection is closed");
            return;
        }
        long pending = queue.totalPendingWriteBytes() + unencrypted;
        if (pending + length > connection.limits().writeQueueBytes() || !mayWait(pending)) {
            overflow(report);
            return;
        }
        ByteBuf bytes;
        if (layers != null && layers.webSocket()) {
            bytes = layers.encode(open, message, length);
        } else {
            bytes = open.alloc().directBuffer(length, length);
            bytes.writeBytes(message, 0, length);
        }
        tally.count(NetworkCounter.STREAM_MESSAGES_OUT);
        carriedMessage = true;
        write(open, bytes, report);
    }

    /** A message that nobody minds when it is lost, as where the connection is not open. */
    void answer(@Nullable Channel open, byte[] message, int length) {
        if (open != null) {
            send(open, message, length, null);
        }
    }

    /** What is no message: a ping, or the answer to one. */
    void answer(@Nullable Channel open, ByteBuf bytes) {
        if (open == null) {
            bytes.release();
            return;
        }
        ChannelOutboundBuffer queue = open.unsafe().outboundBuffer();
        long pending = queue == null ? 0 : queue.totalPendingWriteBytes() + unencrypted;
        boolean full = pending > connection.limits().writeQueueBytes() || !mayWait(pending);
        if (queue == null || full) {
            bytes.release();
            if (full) {
                connection.close(CloseCause.WRITE_QUEUE_FULL);
            }
            return;
        }
        write(open, bytes, null);
    }

    private void write(Channel open, ByteBuf bytes, @Nullable FailureReport report) {
        if (layers != null && layers.tls() != null) {
            unencrypted += bytes.readableBytes();
        }
        tally.add(NetworkCounter.STREAM_BYTES_OUT, bytes.readableBytes());
        // The promise itself reports.
        var _ =
                open.write(
                        bytes,
                        new ReportingPromise(
                                open, tally, NetworkCounter.STREAM_SEND_FAILURES, report));
        connection.active();
        if (unflushed == null) {
            unflushed = open;
            loop.flushLater(this);
        }
    }

    private void overflow(@Nullable FailureReport report) {
        fail(report, FULL);
        connection.close(CloseCause.WRITE_QUEUE_FULL);
    }

    /** A message is lost. */
    void fail(@Nullable FailureReport report, String why) {
        tally.count(NetworkCounter.STREAM_SEND_FAILURES);
        if (report != null) {
            report.report(why);
        }
    }

    @Override
    public void flushBatch() {
        Channel open = unflushed;
        unflushed = null;
        unencrypted = 0;
        if (open != null && connection.flushable()) {
            open.flush();
            if (unsent > 0) {
                count(open);
            }
        }
    }

    /** Counts what waits now. */
    void count(Channel open) {
        ChannelOutboundBuffer queue = open.unsafe().outboundBuffer();
        if (queue != null) {
            count(queue.totalPendingWriteBytes());
        }
    }

    private void count(long pending) {
        long now = pending > UnsentBytes.LITTLE ? pending : 0;
        if (now != unsent) {
            connection.unsent().changed(unsent, now, tally);
            unsent = now;
        }
    }

    /** Counts what waits here; false when all connections together let too much wait. */
    private boolean mayWait(long pending) {
        count(pending);
        return unsent == 0 || connection.unsent().room();
    }

    /** What waits for a slow reader. Any thread; perhaps a little earlier. */
    long unsentBytes() {
        return unsent;
    }

    /** Nothing waits any more. */
    void closed() {
        count(0);
    }
}
