package io.carillon.net.loop;

import io.carillon.net.shard.ShardFactory;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.token.OwnTokens;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A network in memory and in real time: servers and scripted peers of a test meet on it without a
 * port. (For virtual time and thousands of seeds there is the test kit's.) Every end has an address
 * of its own; datagrams may be lost, doubled, delayed and overtaken as the {@link LoopLink} says; a
 * stream is a connection that opens by itself, loses nothing, and fails where nobody has the
 * address.
 *
 * <p>Any thread.
 */
public final class LoopNetwork implements AutoCloseable {

    private static final long LEAST_REORDER_NANOS = 5_000_000L;

    private final ConcurrentHashMap<InetSocketAddress, End> ends = new ConcurrentHashMap<>();
    private final SplittableRandom random;
    private volatile LoopLink link;

    /** Takes what is sent to one address. */
    private interface End {
        void take(byte[] message, Hop from, long delayNanos);

        void close();
    }

    /**
     * @param link how good it is
     * @param seed of the decisions about loss and the like; threads race for them, so it does not
     *     make a run the same as another
     */
    public LoopNetwork(LoopLink link, long seed) {
        this.link = link;
        this.random = new SplittableRandom(seed);
    }

    /** Changes the quality for what is sent from now on. */
    public void link(LoopLink changed) {
        link = changed;
    }

    /**
     * Adds a server.
     *
     * @param address its only address, not used by another end
     * @return its shards
     */
    public List<Shard> join(InetSocketAddress address, int shards, ShardFactory factory) {
        List<LoopShard> loops = new ArrayList<>();
        List<Shard> made = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < shards; i++) {
            LoopShard loop = new LoopShard("carillon-loop-" + address.getPort() + "-" + i);
            Shard shard = factory.create(i, loop, new LoopWire(this::send, loop, address), start);
            loop.own(shard);
            loops.add(loop);
            made.add(shard);
        }
        OwnTokens own = made.getFirst().config().tokens();
        add(
                address,
                new End() {
                    @Override
                    public void take(byte[] message, Hop from, long delayNanos) {
                        int home = own.shardOf(message, message.length, shards);
                        LoopShard loop = loops.get(home);
                        loop.later(() -> loop.receive(message, from), delayNanos);
                    }

                    @Override
                    public void close() {
                        loops.forEach(LoopShard::close);
                    }
                });
        return made;
    }

    /** Adds a plain end, for scripted peers. */
    public void attach(InetSocketAddress address, LoopReceiver receiver) {
        LoopShard loop = new LoopShard("carillon-loop-" + address.getPort());
        add(
                address,
                new End() {
                    @Override
                    public void take(byte[] message, Hop from, long delayNanos) {
                        loop.later(() -> receiver.received(message, from), delayNanos);
                    }

                    @Override
                    public void close() {
                        loop.close();
                    }
                });
    }

    private void add(InetSocketAddress address, End end) {
        if (ends.putIfAbsent(address, end) != null) {
            end.close();
            throw new IllegalArgumentException("the address is taken: " + address);
        }
    }

    /** Takes an end off: what is sent to it now is lost, its threads end. */
    public void leave(InetSocketAddress address) {
        End end = ends.remove(address);
        if (end != null) {
            end.close();
        }
    }

    /**
     * Sends bytes from one address to another.
     *
     * @return false when it is known that they cannot arrive: a stream to nobody
     */
    public boolean send(
            Transport transport, InetSocketAddress from, InetSocketAddress to, byte[] message) {
        @Nullable End end = ends.get(to);
        LoopLink now = link;
        Hop hop = new Hop(transport, to, from, 0);
        if (transport.reliable()) {
            if (end != null) {
                end.take(message, hop, now.delay().toNanos());
            }
            return end != null;
        }
        if (end == null || chance(now.loss())) {
            return true;
        }
        end.take(message, hop, delay(now));
        if (chance(now.duplication())) {
            end.take(message.clone(), hop, delay(now));
        }
        return true;
    }

    private long delay(LoopLink now) {
        long delay = now.delay().toNanos();
        return chance(now.reordering()) ? delay + Math.max(delay, LEAST_REORDER_NANOS) : delay;
    }

    private boolean chance(double part) {
        if (part == 0) {
            return false;
        }
        synchronized (random) {
            return random.nextDouble() < part;
        }
    }

    @Override
    public void close() {
        for (InetSocketAddress address : ends.keySet()) {
            leave(address);
        }
    }
}
