package io.carillon.sip.edge;

import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.feedback.Feedback;
import io.carillon.sip.feedback.OcMode;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.outbox.Edge;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The switches of peers, at work on one shard. A message of a stranger costs one look into a table.
 *
 * <p>Owner: the shard's thread.
 */
final class CarrierEdge implements Edge {
    private static final int RECENT = 256;

    private final EdgeConfig config;
    private final Wire wire;
    private final MessageLimits limits;
    private final Consumer<Counter> counted;
    private final Crossing way;
    private final Concealment concealment;
    private final Revelation revelation;
    private final LineForms forms = new LineForms();
    private final MessageParser usual;
    private final MessageParser lenient;
    private final Map<Peer, MessageParser> parsers = new HashMap<>();

    /** The peers of addresses that were asked for lately; direct-mapped, so it cannot grow. */
    private final @Nullable InetAddress[] addresses = new @Nullable InetAddress[RECENT];

    private final @Nullable Peer[] known = new @Nullable Peer[RECENT];
    private final Feedback feedback;
    private PeerTable table;
    private boolean hides;
    private ParseResult.Rejected refusal = new ParseResult.Rejected(400, "", null);

    CarrierEdge(EdgeConfig config, Wire wire, MessageLimits limits, Consumer<Counter> counted) {
        this.config = config;
        this.wire = wire;
        this.limits = limits;
        this.counted = counted;
        way = new Crossing(wire, new Seal(config.secrets()), config.hosts());
        HiddenCallIds callIds = new HiddenCallIds(way);
        HiddenUris uris = new HiddenUris(way, callIds);
        HiddenRoutes routes = new HiddenRoutes(way, uris);
        concealment = new Concealment(way, callIds, uris, routes);
        revelation = new Revelation(way, callIds, uris, routes);
        usual = new MessageParser(config.compliance(), limits);
        lenient = new MessageParser(Compliance.LENIENT, limits);
        feedback = new Feedback(this::overload, config.neighbours());
        table = config.peers();
        hides = hides(table);
    }

    private static boolean hides(PeerTable peers) {
        return peers.all().stream().anyMatch(Peer::hidesTopology);
    }

    // Peers

    private @Nullable Peer peer(Hop hop) {
        Peer found = at(hop.remote().getAddress());
        return found == null && hop.remote().getAddress() != null && table.hasListeners()
                ? through(hop)
                : found;
    }

    /** Who has that address. */
    private @Nullable Peer at(@Nullable InetAddress address) {
        PeerTable now = config.peers();
        if (now != table) {
            table = now;
            hides = hides(now);
            parsers.clear();
            Arrays.fill(addresses, null);
        }
        if (address == null) {
            return null;
        }
        int slot = (address.hashCode() * 0x9E3779B9) >>> 24;
        if (!address.equals(addresses[slot])) {
            addresses[slot] = address;
            known[slot] = table.of(address);
        }
        return known[slot];
    }

    private @Nullable Peer through(Hop hop) {
        HostPort printed = wire.sentBy(hop.transport(), hop.local(), hop.remote());
        return table.through(printed.host(), printed.port());
    }

    @Override
    public @Nullable InetSocketAddress local(Hop to) {
        Peer peer = peer(to);
        return peer == null ? null : peer.local();
    }

    @Override
    public Feedback feedback() {
        return feedback;
    }

    /** By their addresses alone: anybody may come in through a listening point. */
    private OcMode overload(Hop hop) {
        Peer peer = hop.internal() ? null : at(hop.remote().getAddress());
        return peer == null ? OcMode.OFF : peer.overload();
    }

    // Inwards

    @Override
    public MessageParser parser(@Nullable Hop from) {
        if (from == null) {
            return lenient;
        }
        Peer peer = peer(from);
        return peer == null || (peer.tolerate().isEmpty() && peer.refuse().isEmpty())
                ? usual
                : parsers.computeIfAbsent(
                        peer, p -> new MessageParser(p.compliance(config.compliance()), limits));
    }

    @Override
    public @Nullable SipRequest arrived(SipRequest request, Hop from) {
        Peer peer = peer(from);
        if (!hides) {
            return request;
        }
        Peer hidden = peer != null && peer.hidesTopology() ? peer : null;
        way.on(peer == null ? Crossing.STRANGER : peer, from);
        SipRequest shown = revelation.shown(request, hidden);
        if (!revelation.forged()) {
            return shown;
        }
        counted.accept(Counter.EDGE_TOKENS_REFUSED);
        // RFC 3261 12.2.2: what names a dialog that nobody here knows gets 481. Why it is not known
        // is not told.
        boolean within = request.toTag() != null;
        refusal =
                new ParseResult.Rejected(
                        within ? 481 : 404,
                        within ? "Call/Transaction Does Not Exist" : "Not Found",
                        request);
        return null;
    }

    @Override
    public boolean aimed() {
        return hides && revelation.aimed();
    }

    @Override
    public ParseResult.Rejected refusal() {
        return refusal;
    }

    @Override
    public SipResponse arrived(SipResponse response, @Nullable SipRequest sent, Hop from) {
        Peer peer = peer(from);
        if (!hides || sent == null) {
            return response;
        }
        // One that comes from another address than its request went to has lost its Vias, too.
        boolean hidden =
                (peer != null && peer.hidesTopology())
                        || response.count(HeaderName.VIA) < sent.count(HeaderName.VIA);
        if (!hidden) {
            return response;
        }
        way.on(peer == null ? Crossing.STRANGER : peer, from);
        return revelation.shown(response, sent);
    }

    // Outwards

    @Override
    public @Nullable SipMessage leaves(SipMessage message, Hop to, boolean initial) {
        Peer peer = peer(to);
        if (peer == null || !(peer.hidesTopology() || peer.reforms())) {
            return hides && refers(message) && outside(to)
                    ? referring((SipRequest) message, peer == null ? Crossing.STRANGER : peer, to)
                    : message;
        }
        SipMessage leaving = message;
        if (peer.hidesTopology()) {
            way.on(peer, to);
            leaving = concealment.hidden(message, initial || Concealment.initial(message));
        }
        if (peer.reforms()) {
            leaving = forms.formed(leaving, peer);
        }
        counted.accept(Counter.EDGE_REWRITTEN);
        return leaving;
    }

    private static boolean refers(SipMessage message) {
        return message instanceof SipRequest && message.has(HeaderName.REFER_TO);
    }

    private boolean outside(Hop to) {
        InetAddress address = to.remote().getAddress();
        return address != null && !config.hosts().contains(address.getAddress());
    }

    /** A Refer-To may be what a peer brought as a token: it is shown to the inside alone. */
    private SipMessage referring(SipRequest request, Peer peer, Hop to) {
        way.on(peer, to);
        return concealment.referring(request);
    }
}
