package io.carillon.router;

import io.carillon.cluster.link.FlowAct;
import io.carillon.cluster.link.FrameKind;
import io.carillon.cluster.link.LinkCounts;
import io.carillon.cluster.link.LinkEndpoint;
import io.carillon.cluster.link.LinkIdentity;
import io.carillon.cluster.link.LinkListener;
import io.carillon.cluster.link.LinkMessage;
import io.carillon.cluster.link.LinkPeer;
import io.carillon.cluster.link.LinkSecret;
import io.carillon.cluster.link.LinkStream;
import io.carillon.cluster.link.NodeHealth;
import io.carillon.cluster.link.Owners;
import io.carillon.cluster.link.PeerId;
import io.carillon.cluster.link.RouterBranch;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.OwnMarks;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.Partitions;
import io.carillon.sip.token.RandomSource;
import io.carillon.sip.token.Tokens;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A router and its nodes in memory and virtual time: bytes in, bytes out. */
final class RouterWorld {
    static final int CLUSTER = 5;
    static final ClusterKeys KEYS = LinkSecret.tokenKeys(secrets());
    static final Tokens TOKENS = tokens();
    static final InetSocketAddress PUBLIC = address("198.51.100.1", 5060);
    static final InetSocketAddress PHONE = address("192.0.2.77", 40_000);
    static final InetSocketAddress CALLEE = address("203.0.113.9", 5062);
    private static final int ROUTER = PeerId.router(0);

    /** A message that left, to a node or to the outside. */
    record Out(InetSocketAddress to, String text) {}

    /** A message that a node got. */
    record In(
            int node,
            int partition,
            InetSocketAddress from,
            @Nullable InetSocketAddress local,
            String text) {}

    private record Frame(InetSocketAddress to, byte[] bytes) {}

    long now = 1_000_000_000L;
    final RouterCounts counts = new RouterCounts();
    final Forwarder forwarder;
    final List<Out> outside = new ArrayList<>();
    final List<In> in = new ArrayList<>();
    final Map<Integer, Node> nodes = new HashMap<>();
    private final LinkEndpoint endpoint;
    private final LinkStream stream;
    private final Deque<Frame> way = new ArrayDeque<>();
    private long version;

    /** The link's end of a node. */
    final class Node implements LinkStream.Taker {
        final int number;
        final LinkEndpoint link;
        final LinkStream frames;

        Node(int number) {
            this.number = number;
            LinkCounts linkCounts = new LinkCounts();
            link =
                    new LinkEndpoint(
                            new LinkIdentity(
                                    number, secrets(), linkOf(number), List.of(), 200 + number),
                            linkCounts,
                            RouterWorld.this::transmit);
            frames = new LinkStream(0, link, linkCounts, RouterWorld.this::transmit);
            link.say(NodeHealth.READY, 0);
            nodes.put(number, this);
        }

        @Override
        public void message(FrameKind kind, LinkMessage message, long nowNanos) {
            in.add(
                    new In(
                            number,
                            message.partition(),
                            message.remote(),
                            message.local(),
                            text(message.copy())));
        }

        /** Sends by the router, as the node's wire does. */
        void sends(int partition, InetSocketAddress to, String text) {
            byte[] bytes = bytes(text);
            frames.send(
                    FrameKind.OUT,
                    ROUTER,
                    new LinkMessage()
                            .of(partition)
                            .by(ROUTER, 0, Transport.UDP)
                            .between(to, null)
                            .message(bytes, 0, bytes.length));
            run();
        }

        /** It does not listen to that source. */
        void unheard(InetSocketAddress source) {
            frames.send(
                    FrameKind.FLOW,
                    ROUTER,
                    new LinkMessage()
                            .of(0)
                            .by(ROUTER, 0, Transport.UDP)
                            .says(FlowAct.UNHEARD)
                            .between(source, null)
                            .message(new byte[0], 0, 0));
            run();
        }

        void tells(Owners owners) {
            frames.send(ROUTER, owners);
            run();
        }
    }

    RouterWorld() {
        LinkCounts linkCounts = new LinkCounts();
        endpoint =
                new LinkEndpoint(
                        new LinkIdentity(
                                ROUTER,
                                secrets(),
                                linkOf(ROUTER),
                                List.of(new LinkListener(Transport.UDP, PUBLIC)),
                                100),
                        linkCounts,
                        this::transmit);
        stream = new LinkStream(0, endpoint, linkCounts, this::transmit);
        forwarder =
                new Forwarder(
                        new Forwarder.Parts(
                                endpoint,
                                stream,
                                new Partitions(CLUSTER, KEYS),
                                new RouterBranch(CLUSTER, secrets()),
                                (listener, bytes, length, to) ->
                                        outside.add(
                                                new Out(to, text(Arrays.copyOf(bytes, length)))),
                                counts),
                        List.of(
                                new Forwarder.Front(
                                        Transport.UDP, PUBLIC, "cluster.example.com:5060")));
        endpoint.say(NodeHealth.READY, 0);
    }

    private static Tokens tokens() {
        ClusterPlace place = new ClusterPlace(CLUSTER, KEYS, Ownership.ALONE, 1, () -> 0);
        return new Tokens(
                OwnTokens.ofCluster(place),
                0,
                () -> true,
                RandomSource.seeded(1),
                OwnMarks.ofCluster(place));
    }

    static List<LinkSecret> secrets() {
        byte[] key = new byte[LinkSecret.LEAST_BYTES];
        Arrays.fill(key, (byte) 9);
        return List.of(LinkSecret.of(key));
    }

    static InetSocketAddress address(String host, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(host, e);
        }
    }

    static InetSocketAddress linkOf(int id) {
        return address("10.0.0." + (1 + id % 200), 7000 + id);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private void transmit(byte[] frame, int length, InetSocketAddress to) {
        way.add(new Frame(to, Arrays.copyOf(frame, length)));
    }

    /** Delivers all frames. */
    void run() {
        while (!way.isEmpty()) {
            Frame frame = way.poll();
            if (frame.to().equals(linkOf(ROUTER))) {
                stream.received(frame.bytes(), frame.bytes().length, now, forwarder);
            }
            for (Node node : nodes.values()) {
                if (frame.to().equals(linkOf(node.number))) {
                    node.frames.received(frame.bytes(), frame.bytes().length, now, node);
                }
            }
        }
    }

    /** Says HELLO for the router and these nodes. */
    void beat(int... alive) {
        endpoint.beat();
        for (int number : alive) {
            nodes.get(number).link.beat();
        }
        run();
    }

    /** Nodes that the router knows of, all of them alive. */
    void nodes(int... numbers) {
        for (int number : numbers) {
            Node node = new Node(number);
            endpoint.know(number, linkOf(number));
            node.link.know(ROUTER, linkOf(ROUTER));
        }
        beat(numbers);
    }

    /** Only these are alive from now on. */
    void onlyAlive(int... numbers) {
        Map<Integer, Node> all = Map.copyOf(nodes);
        for (int number : all.keySet()) {
            if (Arrays.stream(numbers).noneMatch(each -> each == number)) {
                nodes.remove(number);
            }
        }
        now += LinkPeer.SILENT_NANOS;
        beat(numbers);
    }

    /**
     * A table in which partition p belongs to the node at p modulo these, the next is behind it.
     */
    void spread(int... numbers) {
        int[] owners = new int[1024];
        int[] next = new int[1024];
        for (int i = 0; i < 1024; i++) {
            owners[i] = numbers[i % numbers.length];
            next[i] = numbers[(i + 1) % numbers.length];
        }
        nodes.values().iterator().next().tells(Owners.of(++version, owners, next, Map.of()));
    }

    void fromOutside(InetSocketAddress from, String text) {
        byte[] bytes = bytes(text);
        forwarder.received(bytes, bytes.length, from, 0, now);
        run();
    }

    @Nullable LinkPeer peer(int node) {
        return endpoint.peer(node);
    }

    In lastIn() {
        return in.getLast();
    }

    Out lastOut() {
        return outside.getLast();
    }

    long count(RouterCounter counter) {
        return counts.get(counter);
    }
}
