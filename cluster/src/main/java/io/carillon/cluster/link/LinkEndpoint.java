package io.carillon.cluster.link;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * One process on the link: says HELLO, hears those of others, opens sessions with them.
 *
 * <p>A HELLO names the process that sends it (its <i>boot</i>) and repeats the boot of the receiver
 * that it last heard of. Only who repeats ours lives now: so a HELLO of an earlier time opens
 * nothing. The keys of a session come from both boots, so no frame of an earlier one is genuine. A
 * boot is the time of the start; a process whose clock went back learns from its peers' HELLOs what
 * they last took, and takes a later one.
 *
 * <p>Owner: one thread; {@link #peer}, {@link #peers} and {@link #routers} any.
 */
public final class LinkEndpoint {
    private final LinkIdentity identity;
    private final LinkCounts counts;
    private final LinkOutlet outlet;
    private final AtomicReferenceArray<@Nullable LinkPeer> peers =
            new AtomicReferenceArray<>(PeerId.END);

    /** By peer and secret; only those of numbers that a frame can have. */
    private final @Nullable LinkMac[][] helloKeys;

    private final @Nullable LinkMac[] ownHelloKeys = new @Nullable LinkMac[PeerId.END];
    private final FrameWriter writer = new FrameWriter();
    private volatile List<LinkPeer> routers = List.of();
    private long boot;
    private long hellos;
    private NodeHealth health = NodeHealth.STARTING;
    private long tableVersion;
    private NodeReport report = NodeReport.NONE;

    /**
     * @param counts of its thread
     */
    public LinkEndpoint(LinkIdentity identity, LinkCounts counts, LinkOutlet outlet) {
        this.identity = identity;
        this.counts = counts;
        this.outlet = outlet;
        this.boot = identity.boot();
        this.helloKeys = new @Nullable LinkMac[identity.secrets().size()][PeerId.END];
    }

    /** Who we are. */
    public LinkIdentity identity() {
        return identity;
    }

    /** A node or router that we know of; null for none. Any thread. */
    public @Nullable LinkPeer peer(int id) {
        return peers.get(id);
    }

    /** All that we know of. Any thread. */
    public List<LinkPeer> peers() {
        List<LinkPeer> all = new ArrayList<>();
        for (int i = 0; i < PeerId.END; i++) {
            LinkPeer peer = peers.get(i);
            if (peer != null) {
                all.add(peer);
            }
        }
        return all;
    }

    /** The routers that we know of, in the order of their numbers. Any thread. */
    public List<LinkPeer> routers() {
        return routers;
    }

    /** There is a node or router, which will be told that we are there. */
    public void know(int id, InetSocketAddress address) {
        if (id != identity.self() && address.getAddress() != null) {
            known(id, address);
        }
    }

    private LinkPeer known(int id, InetSocketAddress address) {
        LinkPeer peer = peers.get(id);
        if (peer == null) {
            peer = new LinkPeer(id, address);
            peers.set(id, peer);
            routers = peers().stream().filter(each -> PeerId.isRouter(each.id())).toList();
        } else if (peer.session() == null) {
            peer.moved(address);
        }
        return peer;
    }

    /** The host of that address says that nobody is there: see {@link LinkPeer#REFUSED_NANOS}. */
    public void refused(InetSocketAddress address) {
        for (LinkPeer peer : peers()) {
            if (peer.address().equals(address)) {
                peer.refused();
            }
        }
    }

    /** What the HELLOs say of us from now on. */
    public void say(NodeHealth how, long version) {
        health = how;
        tableVersion = version;
    }

    /** What the HELLOs say beside that from now on. */
    public void say(NodeReport more) {
        report = more;
    }

    /** Says HELLO to all; every {@link LinkPeer#BEAT_NANOS}, and when something has changed. */
    public void beat() {
        for (int i = 0; i < PeerId.END; i++) {
            LinkPeer peer = peers.get(i);
            if (peer != null) {
                hello(peer, peer.address());
            }
        }
    }

    private void hello(LinkPeer to, InetSocketAddress address) {
        writer.begin(FrameKind.HELLO, 0, identity.self(), to.id())
                .putLong(boot)
                .putLong(to.echo())
                .putByte(health.code())
                .putLong(tableVersion)
                .putAddress(identity.address())
                .putByte(identity.listeners().size());
        for (LinkListener each : identity.listeners()) {
            writer.putByte(LinkListener.code(each.transport())).putAddress(each.address());
        }
        report.write(writer);
        LinkMac key = ownHelloKeys[to.id()];
        if (key == null) {
            key = identity.secrets().getFirst().hello(identity.self(), to.id());
            ownHelloKeys[to.id()] = key;
        }
        int length = writer.end(0, ++hellos, key);
        counts.count(LinkCounter.HELLOS_OUT);
        outlet.transmit(writer.bytes(), length, address);
    }

    /**
     * Hears a HELLO.
     *
     * @return who said it; null when it was not genuine, or proves nothing yet
     */
    @Nullable LinkPeer heard(FrameReader frame, long nowNanos) {
        int sender = frame.sender();
        if (!PeerId.isNode(sender) && !PeerId.isRouter(sender)) {
            counts.count(LinkCounter.DROPPED_MALFORMED);
            return null;
        }
        LinkSecret secret = genuine(frame, sender);
        if (secret == null) {
            counts.count(LinkCounter.DROPPED_FORGED);
            return null;
        }
        long itsBoot = frame.readLong();
        long echo = frame.readLong();
        NodeHealth itsHealth = NodeHealth.of(frame.readByte());
        long version = frame.readLong();
        InetSocketAddress address = frame.readAddress();
        List<LinkListener> listeners = listeners(frame);
        NodeReport itsReport = NodeReport.read(frame);
        if (address == null || frame.bad()) {
            counts.count(LinkCounter.DROPPED_UNREADABLE);
            return null;
        }
        LinkPeer peer = known(sender, address);
        if (!follows(peer, itsBoot, frame.sequence())) {
            return null;
        }
        if (echo != boot) {
            unproved(peer, address, itsBoot, echo, nowNanos);
            return null;
        }
        counts.count(LinkCounter.FRAMES_IN);
        boolean opened = peer.session() == null || peer.boot() != itsBoot;
        peer.proved(itsBoot, frame.sequence());
        peer.moved(address);
        peer.said(itsHealth, version, listeners, nowNanos);
        peer.reported(itsReport);
        if (opened) {
            open(peer, secret, itsBoot);
            hello(peer, address);
        }
        return peer;
    }

    private List<LinkListener> listeners(FrameReader frame) {
        int count = frame.readByte();
        List<LinkListener> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int transport = frame.readByte();
            InetSocketAddress address = frame.readAddress();
            if (address == null) {
                break;
            }
            all.add(new LinkListener(LinkListener.transport(transport), address));
        }
        return all;
    }

    private @Nullable LinkSecret genuine(FrameReader frame, int sender) {
        for (int i = 0; i < helloKeys.length; i++) {
            LinkSecret secret = identity.secrets().get(i);
            LinkMac key = helloKeys[i][sender];
            if (key == null) {
                key = secret.hello(sender, identity.self());
                helloKeys[i][sender] = key;
            }
            if (frame.genuine(key)) {
                return secret;
            }
        }
        return null;
    }

    /** Is it of the last process that we know of, or of a later one, and later than its last? */
    private boolean follows(LinkPeer peer, long itsBoot, long count) {
        if (itsBoot < peer.boot()) {
            counts.count(LinkCounter.DROPPED_STALE);
            return false;
        }
        if (itsBoot == peer.boot() && count <= peer.count()) {
            counts.count(LinkCounter.DROPPED_REPLAYED);
            return false;
        }
        return true;
    }

    /**
     * It may be an old one: whoever sends it has to repeat our boot first. It is told which, where
     * it says it is; all else goes on as it was.
     */
    private void unproved(
            LinkPeer peer, InetSocketAddress address, long itsBoot, long echo, long nowNanos) {
        if (echo > boot) {
            // Our clock was ahead when we were there before.
            boot = echo + 1;
            for (LinkPeer each : peers()) {
                each.close();
            }
        }
        peer.heardOf(itsBoot);
        if (peer.mayAnswer(nowNanos)) {
            hello(peer, address);
        }
    }

    private void open(LinkPeer peer, LinkSecret secret, long itsBoot) {
        int self = identity.self();
        LinkSecret own = identity.secrets().getFirst();
        peer.open(
                new LinkSession(
                        own.session(self, peer.id(), boot, itsBoot),
                        secret.session(peer.id(), self, itsBoot, boot)));
        counts.count(LinkCounter.SESSIONS);
    }
}
