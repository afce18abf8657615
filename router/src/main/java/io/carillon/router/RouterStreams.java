package io.carillon.router;

import io.carillon.cluster.link.FlowAct;
import io.carillon.cluster.link.LinkMessage;
import io.carillon.cluster.link.TlsPeerBytes;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.TlsPeer;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.ViaRules;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.uri.SipUri;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections of clients that end here, as nodes use them: what they send on one, what they are
 * told of one. The connections themselves are the network's.
 *
 * <p>Owner: the router's loop. Holds of each open connection what TLS knows of its peer, and which
 * nodes have sent requests by it, until it ends.
 */
final class RouterStreams {
    private static final byte[] NOTHING = {};

    private static final LookupBudget NO_QUESTIONS =
            new LookupBudget() {
                @Override
                public int countedAt() {
                    return Sources.NOBODY;
                }

                @Override
                public boolean takeQuestion(int most) {
                    return false;
                }
            };

    private final Wire wire;
    private final Consumer<Hop> ending;
    private final Forwarder forwarder;
    private final RouterCounts counts;
    private final MessageParser parser;
    private final LinkMessage ended = new LinkMessage();
    private final int self;

    /** By the number of the connection; those that have TLS, or wait for an answer. */
    private final Map<Long, Client> clients = new HashMap<>();

    /** By far end: nodes that have sent requests there without naming a connection. */
    private final Map<Server, BitSet> servers = new HashMap<>();

    /**
     * A far end that requests go to.
     *
     * @param domain that its certificate names; null for none
     */
    private record Server(
            Transport transport, @Nullable InetSocketAddress remote, @Nullable String domain) {
        static Server of(Hop hop) {
            return new Server(hop.transport(), hop.remote(), hop.domain());
        }
    }

    /** An open connection. */
    private static final class Client {
        final byte[] beside;

        /** Nodes that have sent requests by it. */
        final BitSet nodes = new BitSet(0);

        boolean proved;

        Client(byte[] beside) {
            this.beside = beside;
        }
    }

    RouterStreams(
            int self,
            ShardLoop loop,
            Wire wire,
            Consumer<Hop> ending,
            Forwarder forwarder,
            RouterCounts counts) {
        this.ending = ending;
        this.self = self;
        this.wire = wire;
        this.forwarder = forwarder;
        this.counts = counts;
        StackConfig config = loop.shard().config();
        this.parser = new MessageParser(config.compliance(), config.limits());
    }

    /** A message came by a connection, at one of our public addresses. */
    void received(byte[] message, int length, Hop from, int listener, long nowNanos) {
        Client client = clients.get(from.connection());
        if (client == null && from.beside() instanceof TlsPeer peer) {
            client = new Client(TlsPeerBytes.of(peer));
            clients.put(from.connection(), client);
        }
        forwarder.received(
                message,
                length,
                from,
                listener,
                client == null ? NOTHING : client.beside,
                client != null && client.proved,
                nowNanos);
    }

    /** A connection has ended; nodes that have sent requests by it wait no longer. */
    void closed(Hop peer, int listener) {
        BitSet nodes = new BitSet();
        Client client = clients.remove(peer.connection());
        forwarder.delivery().ended(peer.connection());
        if (client != null) {
            nodes.or(client.nodes);
        }
        BitSet others = servers.remove(Server.of(peer));
        if (others != null) {
            nodes.or(others);
        }
        ended.of(0)
                .by(self, Math.max(0, listener), peer.transport())
                .on(peer.connection(), domain(peer))
                .between(peer.remote(), peer.local());
        nodes.stream()
                .forEach(node -> forwarder.delivery().say(node, 0, ended, FlowAct.CLOSED, NOTHING));
    }

    /** See {@link Forwarder.Outside#stream}. */
    boolean send(LinkMessage of, byte[] message, int length) {
        if (of.connection() == 0) {
            open(of, Arrays.copyOf(message, length));
            return true;
        }
        Hop flow = hop(of);
        if (!wire.alive(flow)) {
            if (length > 0 && message[0] == 'S' && bySentBy(flow, Arrays.copyOf(message, length))) {
                return true;
            }
            Hop again = flow.transport().webSocket() ? named(message, length) : null;
            if (again == null) {
                return false;
            }
            flow = again;
        }
        if (length > 0 && message[0] != 'S') {
            clients.computeIfAbsent(flow.connection(), number -> new Client(NOTHING))
                    .nodes
                    .set(of.peer());
        }
        wire.sendBytes(flow, message, length);
        return true;
    }

    /**
     * RFC 3261 18.2.2: "If that connection is no longer open, the server SHOULD open a connection
     * to the IP address in the "received" parameter [...] using the port in the "sent-by" value".
     * The node does not know that it has ended.
     */
    private boolean bySentBy(Hop gone, byte[] response) {
        SipMessage whole = gone.transport().webSocket() ? null : parsed(response);
        if (whole == null) {
            return false;
        }
        Via top = whole.topVia();
        Hop other = ViaRules.reconnect(top.port(), ViaRules.responseHop(top, gone));
        if (other == null) {
            return false;
        }
        wire.send(other, whole, (to, cause) -> counts.count(RouterCounter.STREAMS_FAILED));
        return true;
    }

    private static byte[] domain(Hop peer) {
        String domain = peer.domain();
        return domain == null ? NOTHING : domain.getBytes(StandardCharsets.US_ASCII);
    }

    private static Hop hop(LinkMessage of) {
        byte[] domain = of.connection() == 0 ? of.beside() : NOTHING;
        Hop hop = new Hop(of.transport(), null, of.remote(), of.connection());
        return domain.length == 0
                ? hop
                : hop.withDomain(new String(domain, StandardCharsets.US_ASCII));
    }

    /** To a server: by a connection that is there, or one that is opened. */
    private void open(LinkMessage of, byte[] message) {
        SipMessage whole = parsed(message);
        int node = of.peer();
        boolean request = message.length > 0 && message[0] != 'S';
        byte[] head = request ? StreamDelivery.head(of) : NOTHING;
        if (whole == null) {
            counts.count(RouterCounter.DROPPED_UNREADABLE);
            if (head.length > 0) {
                // It is larger than messages may be here: who sent it would wait for 32 s.
                forwarder.delivery().failed(node, failed(of), head);
            }
            return;
        }
        servers.computeIfAbsent(Server.of(hop(of)), server -> new BitSet()).set(node);
        LinkMessage failed = failed(of);
        wire.send(
                hop(of),
                whole,
                (to, cause) -> {
                    counts.count(RouterCounter.STREAMS_FAILED);
                    servers.remove(Server.of(to));
                    if (head.length > 0) {
                        forwarder.delivery().failed(node, failed, head);
                    }
                });
    }

    private LinkMessage failed(LinkMessage of) {
        return new LinkMessage()
                .of(of.partition())
                .by(self, of.listener(), of.transport())
                .between(of.remote(), null);
    }

    private @Nullable SipMessage parsed(byte[] message) {
        return parser.parseFramed(message, message.length) instanceof ParseResult.Parsed whole
                ? whole.message()
                : null;
    }

    /** RFC 7118 B.1: a client in a browser that connects again keeps its name. */
    private @Nullable Hop named(byte[] message, int length) {
        return parsed(Arrays.copyOf(message, length)) instanceof SipRequest request
                        && request.requestUri() instanceof SipUri uri
                        && ViaRules.nowhere(uri.host())
                ? named(uri.host())
                : null;
    }

    private @Nullable Hop named(String name) {
        Hop[] found = new Hop[1];
        SipUri uri = SipUri.of(null, name, -1);
        wire.resolve(
                uri,
                null,
                NO_QUESTIONS,
                hops -> found[0] = hops.isEmpty() ? null : hops.getFirst());
        return found[0];
    }

    /** See {@link Forwarder.Outside#flow}. */
    void flow(LinkMessage said) {
        Hop flow = hop(said);
        switch (said.act()) {
            case FIND -> find(said);
            case NAMED -> wire.reachedBy(text(said), flow);
            case ACCEPTED -> forwarder.delivery().acknowledged(said);
            case REFUSED -> {
                forwarder.delivery().acknowledged(said);
                counts.count(RouterCounter.CONNECTIONS_REFUSED);
                ending.accept(flow);
            }
            case PROVED -> {
                if (wire.alive(flow)) {
                    clients.computeIfAbsent(said.connection(), number -> new Client(NOTHING))
                                    .proved =
                            true;
                    wire.proved(flow, said.number());
                }
            }
            default -> {}
        }
    }

    private static String text(LinkMessage said) {
        return new String(said.copy(), StandardCharsets.US_ASCII);
    }

    private void find(LinkMessage question) {
        Hop found = named(text(question));
        LinkMessage answer = new LinkMessage().of(question.partition());
        if (found == null) {
            answer.by(self, 0, question.transport())
                    .on(0, NOTHING)
                    .between(question.remote(), null);
        } else {
            Client client = clients.get(found.connection());
            answer.by(self, 0, found.transport())
                    .on(found.connection(), client == null ? NOTHING : client.beside)
                    .between(found.remote(), found.local());
        }
        answer.numbered(question.number());
        forwarder
                .delivery()
                .say(question.peer(), question.stream(), answer, FlowAct.FOUND, NOTHING);
    }
}
