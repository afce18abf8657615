package io.carillon.net.keepalive;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.shard.ShardLoop;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * STUN on one UDP socket of SIP (RFC 5626 section 8): Binding requests are answered, answers given
 * to who waits for them. What comes faster than it may is dropped and counted, and an answer is at
 * most a few words longer than its request, so that nobody gains by sending requests in another's
 * name.
 *
 * <p>Owner: the socket's loop.
 */
public final class StunPort {
    /** Answers in a second at most: flows of 100,000 phones that ask every 24 s. */
    private static final int ANSWERS_PER_SECOND = 5_000;

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ShardLoop loop;
    private final StunPings pings;
    private long windowNanos;
    private int answered;

    /**
     * @param loop of the socket
     * @param pings requests of ours that wait, of all loops together
     */
    public StunPort(ShardLoop loop, StunPings pings) {
        this.loop = loop;
        this.pings = pings;
        this.windowNanos = loop.nowNanos();
    }

    /** Takes a datagram that {@link Stun#is} STUN. */
    public void received(byte[] datagram, InetSocketAddress source, StunSocket socket) {
        if (!Stun.wellFormed(datagram)) {
            loop.tally().count(NetworkCounter.STUN_DROPPED);
        } else if (Stun.isRequest(datagram)) {
            answer(datagram, source, socket);
        } else if (Stun.isAnswer(datagram)) {
            pings.answered(datagram, source);
        } else {
            // An indication: it keeps the address translation open, and wants no answer.
            loop.tally().count(NetworkCounter.KEEPALIVES);
        }
    }

    private void answer(byte[] request, InetSocketAddress source, StunSocket socket) {
        long now = loop.nowNanos();
        if (now - windowNanos >= SECOND_NANOS) {
            windowNanos = now;
            answered = 0;
        }
        if (++answered > ANSWERS_PER_SECOND) {
            loop.tally().count(NetworkCounter.STUN_DROPPED);
            return;
        }
        loop.tally().count(NetworkCounter.STUN_REQUESTS);
        socket.send(Stun.answer(request, source), source);
    }
}
