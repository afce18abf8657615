package io.carillon.net.link;

import io.carillon.cluster.link.FlowAct;
import io.carillon.cluster.link.FlowNumber;
import io.carillon.cluster.link.LinkCounter;
import io.carillon.cluster.link.LinkCounts;
import io.carillon.cluster.link.LinkEndpoint;
import io.carillon.cluster.link.LinkMessage;
import io.carillon.cluster.link.LinkStream;
import io.carillon.cluster.link.NodeLink;
import io.carillon.cluster.link.PeerId;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.guard.Guard;
import io.carillon.net.guard.SourceRefusal;
import io.carillon.net.shard.ShardLoop;
import io.carillon.net.udp.QuotedRequest;
import io.carillon.net.udp.UdpSocket;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.token.Partitions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The link on one event loop. Messages of routers go to the loop's shard as if they had come from
 * where they came to the router; what the shard sends that way goes to a router.
 *
 * <p>Owner: the loop.
 */
public final class LinkPort implements NodeLink.Stack {
    /** How often parked messages are looked at while there are some. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Of frames that came to other loops. */
    private static final long MOST_WAITING_BYTES = 4L << 20;

    /** Of the array and the task. */
    private static final int FRAME_OVERHEAD_BYTES = 64;

    private final ShardLoop loop;
    private final Partitions partitions;
    private final LinkConfig.Control control;
    private final @Nullable Guard guard;
    private final LinkCounts counts;
    private final NodeLink link;
    private final UdpSocket socket;
    private final Front front;
    private final LinkedHops hops = new LinkedHops();
    private boolean looking;

    /** Of frames that other loops have received for this one. Any thread. */
    private final AtomicLong waitingBytes = new AtomicLong();

    LinkPort(
            ShardLoop loop,
            LinkConfig config,
            @Nullable Guard guard,
            UdpSocket socket,
            LinkEndpoint endpoint,
            LinkCounts counts,
            Front front) {
        this.loop = loop;
        this.partitions = config.partitions();
        this.control = config.control();
        this.guard = guard;
        this.counts = counts;
        this.socket = socket;
        this.front = front;
        this.link =
                new NodeLink(
                        endpoint,
                        new LinkStream(loop.index(), endpoint, counts, this::transmit),
                        counts,
                        config.ownership(),
                        config.table(),
                        this,
                        config.parkedBytes());
    }

    /**
     * What all ports of a node share.
     *
     * @param addresses of the cluster
     * @param lost told of connections that ended at a router
     */
    record Front(Map<Transport, InetSocketAddress> addresses, Consumer<Hop> lost) {}

    void transmit(byte[] frame, int length, InetSocketAddress to) {
        socket.send(frame, length, to, null);
    }

    /**
     * Takes a frame that came to another loop, on that one: what is genuine comes to its own as a
     * rule, and whoever reaches the port may send the rest.
     *
     * @param other of the loop that received it
     */
    void hand(byte[] datagram, int length, LinkPort other) {
        int weight = length + FRAME_OVERHEAD_BYTES;
        if (waitingBytes.addAndGet(weight) > MOST_WAITING_BYTES) {
            waitingBytes.addAndGet(-weight);
            other.counts.count(LinkCounter.DROPPED_CROWDED);
            return;
        }
        loop.execute(() -> {
            waitingBytes.addAndGet(-weight);
            received(datagram, length);
        });
    }

    void received(byte[] datagram, int length) {
        loop.begin();
        link.received(datagram, length, loop.nowNanos());
        look();
    }

    /** The table has changed. Of the first loop: tells the routers. */
    void changed(boolean first) {
        loop.begin();
        if (first) {
            link.changed(loop.nowNanos());
        } else {
            link.advance(loop.nowNanos());
        }
    }

    private void look() {
        if (!looking && link.waits()) {
            looking = true;
            var _ = loop.schedule(this::lookNow, LOOK_NANOS);
        }
    }

    private void lookNow() {
        looking = false;
        loop.begin();
        link.advance(loop.nowNanos());
        look();
    }

    @Override
    public boolean admits(LinkMessage message, long nowNanos) {
        Guard watch = guard;
        return watch == null
                || (PeerId.isNode(message.peer()) && isOurs(message.transport(), message.remote()))
                || admits(watch, message, SourceKey.of(message.remote().getAddress()), nowNanos);
    }

    private boolean admits(Guard watch, LinkMessage message, long source, long nowNanos) {
        if (!message.transport().reliable()) {
            return watch.admitsDatagram(source, nowNanos, loop.tally(), loop.sheds());
        }
        SourceRefusal refused = watch.refusal(source, message.proved(), nowNanos, loop.sheds());
        if (refused != null) {
            // Its router ends the connection.
            loop.tally()
                    .count(
                            refused == SourceRefusal.BANNED
                                    ? NetworkCounter.CLOSED_BANNED
                                    : NetworkCounter.CLOSED_TOO_FAST);
        }
        return refused == null;
    }

    @Override
    public void deliver(LinkMessage message, long nowNanos) {
        byte[] bytes = message.copy();
        Hop from = hops.of(message);
        if (from.beside() == null
                && PeerId.isRouter(message.router())
                && isHostOfOurs(message.remote().getAddress())) {
            // What we send to ourselves passes no router.
            from = from.beside(Hop.FROM_OUTSIDE);
        }
        loop.deliver(bytes, bytes.length, message.partition(), from);
    }

    /** From there others send too, and a datagram of anybody may say that it comes from there. */
    private boolean isHostOfOurs(InetAddress address) {
        if (address.isLoopbackAddress() || link.routers().isHost(address)) {
            return true;
        }
        for (InetSocketAddress own : front.addresses().values()) {
            if (address.equals(own.getAddress())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void control(int node, byte[] content, long nowNanos) {
        control.told(node, content);
    }

    void tell(int node, byte[] content) {
        loop.begin();
        var _ = link.tell(node, content); // as good as lost, if it cannot be reached
    }

    /** Does a message by that transport, from that address of ours, leave by a router? */
    public boolean takes(Transport transport, @Nullable InetSocketAddress local) {
        return local == null
                ? front.addresses().containsKey(transport)
                : link.routers().isListener(transport, local);
    }

    /** Does a message for that hop leave by a router? */
    public boolean takes(Hop to) {
        return to.connection() == 0
                ? takes(to.transport(), to.local())
                : FlowNumber.isOne(to.connection());
    }

    /**
     * Sends a message by a router.
     *
     * @return false when no router lives that could send it
     */
    public boolean send(Hop to, SipMessage message) {
        int partition = -1;
        if (message instanceof SipRequest request) {
            partition = partitions.in(request.topVia().branch());
        }
        return send(to, message.bytes(), message.length(), partition);
    }

    /** As the other, of a response that was made from bytes. */
    public boolean send(Hop to, byte[] message, int length) {
        return send(to, message, length, -1);
    }

    private boolean send(Hop to, byte[] message, int length, int known) {
        int partition = known >= 0 ? known : partitions.of(message, length);
        if (to.connection() == 0 && isOurs(to.transport(), to.remote())) {
            inward(Arrays.copyOf(message, length), to);
            return true;
        }
        boolean sent = link.send(message, length, to, partition, loop.nowNanos());
        look();
        return sent;
    }

    private boolean isOurs(Transport transport, InetSocketAddress address) {
        return address.equals(front.addresses().get(transport))
                || link.routers().isRouter(transport, address);
    }

    /** What is sent to ourselves comes in behind what is at work. */
    private void inward(byte[] message, Hop to) {
        int partition = partitions.of(message, message.length);
        loop.execute(() -> {
            link.inward(message, to.transport(), to.remote(), partition, loop.nowNanos());
            look();
        });
    }

    /**
     * Gives a request that came by a router to the owner of that partition, behind what is at work.
     *
     * @return false when it came by none, or that one has gone
     */
    public boolean handOn(byte[] request, Hop from, int partition) {
        if (!link.routers().isWayOf(from, loop.nowNanos())) {
            return false;
        }
        loop.execute(() -> {
            link.handOn(request, from, partition, loop.nowNanos());
            look();
        });
        return true;
    }

    // Connections that end at routers

    /** Does the router live that has the connection of this flow? Whether it has it, it says. */
    public boolean alive(Hop flow) {
        return link.routers().alive(flow.connection(), loop.nowNanos());
    }

    /** Tells the router that has the connection something of it; see {@link FlowAct}. */
    public void say(FlowAct what, Hop flow, long number, String text) {
        // As good as lost where the router is dead, and its connections with it.
        var _ =
                link.say(
                        what,
                        flow,
                        number,
                        text.getBytes(StandardCharsets.US_ASCII),
                        loop.nowNanos());
    }

    /** Asks the routers who is reached by that name; tells the hop, or null. */
    public void find(String name, Consumer<@Nullable Hop> found) {
        link.find(
                name.getBytes(StandardCharsets.US_ASCII),
                answer -> found.accept(answer == null ? null : hops.of(answer)),
                loop.nowNanos());
        look();
    }

    @Override
    public void flow(LinkMessage said, long nowNanos) {
        switch (said.act()) {
            case CLOSED -> front.lost().accept(lost(said));
            case FAILED -> {
                QuotedRequest request = QuotedRequest.of(said.copy());
                if (request != null) {
                    var _ = loop.unreachable(request.method(), request.branch(), null);
                }
            }
            default -> {}
        }
    }

    /** The connection that has ended; one to a server says by which name it was opened. */
    private static Hop lost(LinkMessage said) {
        Hop lost =
                new Hop(
                        said.transport(),
                        said.local(),
                        said.remote(),
                        FlowNumber.of(said.router(), said.connection()));
        byte[] domain = said.beside();
        return domain.length == 0
                ? lost
                : lost.withDomain(new String(domain, StandardCharsets.US_ASCII));
    }

    long count(LinkCounter counter) {
        return counts.get(counter);
    }
}
