package io.carillon.net.keepalive;

import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.hop.Pong;
import io.carillon.sip.time.WheelTimer;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Our own Binding requests that wait for their answers (RFC 5626 section 4.4.2). One for all loops,
 * as an answer may come by the socket of another one. Any thread.
 */
public final class StunPings {
    /** RFC 5389 7.2.1: "RTO [...] SHOULD be greater than 500 ms"; it doubles. */
    private static final long RTO_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int MOST_SENT = 7;

    /** RFC 5389 7.2.1: how long the last request is waited for. */
    private static final int LAST_WAIT_RTOS = 16;

    private final Map<ByteBuffer, Waiting> waiting = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();

    /** Sends a request over a flow, on the loop's thread, until it is answered or given up. */
    public void ping(ShardLoop loop, StunSocket socket, InetSocketAddress remote, Pong result) {
        byte[] id = new byte[Stun.ID_BYTES];
        random.nextBytes(id);
        Waiting one = new Waiting(loop, socket, remote, id, result);
        waiting.put(ByteBuffer.wrap(id), one);
        one.send();
    }

    /** How many wait. */
    public int size() {
        return waiting.size();
    }

    void answered(byte[] answer, InetSocketAddress source) {
        ByteBuffer id = ByteBuffer.wrap(Stun.id(answer));
        Waiting one = waiting.get(id);
        // Only who was asked may answer; 96 bits of chance are hard to guess besides.
        if (one != null && one.remote.equals(source) && waiting.remove(id, one)) {
            InetSocketAddress mapped = Stun.mapped(answer);
            one.loop.execute(() -> one.ended(mapped));
        }
    }

    /** Of its loop's thread. */
    private final class Waiting extends WheelTimer {
        private final ShardLoop loop;
        private final StunSocket socket;
        private final InetSocketAddress remote;
        private final byte[] id;
        private final Pong result;
        private int sent;

        Waiting(
                ShardLoop loop,
                StunSocket socket,
                InetSocketAddress remote,
                byte[] id,
                Pong result) {
            this.loop = loop;
            this.socket = socket;
            this.remote = remote;
            this.id = id;
            this.result = result;
        }

        void send() {
            socket.send(Stun.request(id), remote);
            long wait = sent == MOST_SENT - 1 ? LAST_WAIT_RTOS * RTO_NANOS : RTO_NANOS << sent;
            sent++;
            loop.shard().timers().schedule(this, loop.nowNanos() + wait);
        }

        @Override
        protected void fire(long nowNanos) {
            if (sent < MOST_SENT) {
                send();
            } else if (waiting.remove(ByteBuffer.wrap(id), this)) {
                result.failed();
            }
        }

        void ended(@Nullable InetSocketAddress mapped) {
            loop.shard().timers().cancel(this);
            if (mapped == null) {
                // RFC 5626 4.4.2: "If a STUN Binding Error Response is received [...] the UA
                // considers the flow failed."
                result.failed();
            } else {
                result.answered(mapped);
            }
        }
    }
}
