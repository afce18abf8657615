package io.carillon.cluster.link;

import io.carillon.sip.hop.Transport;
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
import java.util.function.Predicate;

/** Links in memory and virtual time: every frame that was sent can be sent again, or lost. */
final class LinkWorld {
    static final LinkSecret SECRET = secret(1);
    static final InetSocketAddress PHONE = address("192.0.2.77", 40_000);
    static final InetSocketAddress PUBLIC = address("198.51.100.1", 5060);

    /** A frame on its way. */
    record Sent(InetSocketAddress to, byte[] bytes) {}

    /** A message that arrived. */
    record Got(FrameKind kind, int partition, int peer, int hops, String text) {}

    long now = 1_000_000_000L;
    final List<Sent> all = new ArrayList<>();
    Predicate<Sent> lose = sent -> false;
    private final Deque<Sent> way = new ArrayDeque<>();
    private final Map<InetSocketAddress, Side> sides = new HashMap<>();

    static LinkSecret secret(int fill) {
        byte[] bytes = new byte[LinkSecret.LEAST_BYTES];
        Arrays.fill(bytes, (byte) fill);
        return LinkSecret.of(bytes);
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

    /** One process. */
    final class Side implements LinkStream.Taker {
        final LinkCounts counts = new LinkCounts();
        final LinkEndpoint endpoint;
        final LinkStream stream;
        final List<Got> got = new ArrayList<>();
        final List<Owners> tables = new ArrayList<>();
        LinkStream.Taker taker = this;

        Side(int id, long boot, List<LinkSecret> secrets) {
            this(id, boot, secrets, linkOf(id));
        }

        Side(int id, long boot, List<LinkSecret> secrets, InetSocketAddress address) {
            List<LinkListener> listeners =
                    PeerId.isRouter(id)
                            ? List.of(
                                    new LinkListener(Transport.UDP, publicOf(id)),
                                    new LinkListener(Transport.TCP, publicOf(id)))
                            : List.of();
            endpoint =
                    new LinkEndpoint(
                            new LinkIdentity(id, secrets, address, listeners, boot),
                            counts,
                            LinkWorld.this::transmit);
            stream = new LinkStream(0, endpoint, counts, LinkWorld.this::transmit);
            sides.put(address, this);
        }

        @Override
        public void message(FrameKind kind, LinkMessage message, long nowNanos) {
            got.add(
                    new Got(
                            kind,
                            message.partition(),
                            message.peer(),
                            message.hops(),
                            new String(message.copy(), StandardCharsets.ISO_8859_1)));
        }

        @Override
        public void table(Owners owners) {
            tables.add(owners);
        }

        void receive(byte[] bytes) {
            stream.received(bytes, bytes.length, now, taker);
        }

        boolean sends(FrameKind kind, int to, int partition, String text) {
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            LinkMessage message =
                    new LinkMessage()
                            .of(partition)
                            .by(endpoint.identity().self(), 0, Transport.UDP)
                            .between(PHONE, kind == FrameKind.OUT ? null : PUBLIC)
                            .message(bytes, 0, bytes.length);
            return stream.send(kind, to, message);
        }

        long count(LinkCounter counter) {
            return counts.get(counter);
        }
    }

    static InetSocketAddress publicOf(int router) {
        return address("198.51.100." + (1 + router - PeerId.FIRST_ROUTER), 5060);
    }

    Side side(int id, long boot) {
        return new Side(id, boot, List.of(SECRET));
    }

    private void transmit(byte[] frame, int length, InetSocketAddress to) {
        Sent sent = new Sent(to, Arrays.copyOf(frame, length));
        all.add(sent);
        way.add(sent);
    }

    /** Delivers all that is on its way, and what comes of it. */
    void run() {
        int most = 10_000;
        while (!way.isEmpty()) {
            if (most-- == 0) {
                throw new AssertionError("the link does not come to rest");
            }
            Sent sent = way.poll();
            Side side = sides.get(sent.to());
            if (side != null && !lose.test(sent)) {
                side.receive(sent.bytes().clone());
            }
        }
    }

    /** They know of each other, and say so until there is a session. */
    void introduce(Side... parties) {
        for (Side one : parties) {
            for (Side other : parties) {
                if (one != other) {
                    one.endpoint.know(
                            other.endpoint.identity().self(), other.endpoint.identity().address());
                }
            }
        }
        beat(parties);
    }

    void beat(Side... parties) {
        for (Side one : parties) {
            one.endpoint.beat();
        }
        run();
    }

    void pass(long nanos) {
        now += nanos;
    }

    /** Frames of a kind that were sent so far. */
    List<Sent> sent(FrameKind kind) {
        return all.stream().filter(each -> each.bytes()[FrameFormat.KIND] == kind.code()).toList();
    }
}
