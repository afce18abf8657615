package io.carillon.net;

import io.carillon.cluster.link.FlowAct;
import io.carillon.cluster.link.FlowNumber;
import io.carillon.net.address.HostLiteral;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.keepalive.StunPings;
import io.carillon.net.link.LinkPort;
import io.carillon.net.link.LinkPorts;
import io.carillon.net.listen.Listener;
import io.carillon.net.resolve.EgressFilter;
import io.carillon.net.resolve.EgressGate;
import io.carillon.net.resolve.EgressReason;
import io.carillon.net.resolve.LocalAddresses;
import io.carillon.net.resolve.OutboundPaths;
import io.carillon.net.resolve.SentBy;
import io.carillon.net.resolve.TargetResolver;
import io.carillon.net.shard.FailureReport;
import io.carillon.net.shard.ShardLoop;
import io.carillon.net.stream.StreamTransport;
import io.carillon.net.udp.UdpListener;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.Pong;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The output of one shard. Owner: its loop. */
final class NetworkWire implements Wire {

    private final ShardLoop loop;
    private final StreamTransport streams;
    private final StunPings pings;
    private final TargetResolver resolver;
    private final boolean secure;
    private @Nullable Bound bound;

    /**
     * What is known once the sockets are bound.
     *
     * @param udp by the listener's index; null for those of another transport
     * @param link to routers; null without any
     * @param front what is printed where messages go by routers; null without any
     */
    private record Bound(
            LocalAddresses addresses,
            SentBy sentBy,
            OutboundPaths ways,
            EgressGate gate,
            List<@Nullable UdpListener> udp,
            @Nullable LinkPort link,
            @Nullable LinkPorts front) {}

    NetworkWire(
            ShardLoop loop,
            StreamTransport streams,
            StunPings pings,
            TargetResolver resolver,
            boolean secure) {
        this.secure = secure;
        this.loop = loop;
        this.streams = streams;
        this.pings = pings;
        this.resolver = resolver;
    }

    /** Called once, before anything is received. */
    void bound(
            LocalAddresses addresses,
            EgressFilter filter,
            List<@Nullable UdpListener> udp,
            @Nullable LinkPorts link) {
        bound =
                new Bound(
                        addresses,
                        new SentBy(addresses, loop),
                        new OutboundPaths(addresses, filter, this::sends),
                        new EgressGate(filter, loop.tally()),
                        udp,
                        link == null ? null : link.of(loop),
                        link);
    }

    private Bound bound() {
        Bound known = bound;
        if (known == null) {
            throw new IllegalStateException("the network has not been started");
        }
        return known;
    }

    @Override
    public void send(Hop to, SipMessage message, @Nullable SendFailure onFailure) {
        loop.begin();
        FailureReport report = onFailure == null ? null : new FailureReport(loop, to, onFailure);
        if (to.connection() == 0 && closed(to, message, report)) {
            return;
        }
        LinkPort link = bound().link();
        if (link != null && link.takes(to)) {
            if (!link.send(to, message)) {
                noWay(report, "no router lives that could send it");
            }
            return;
        }
        switch (to.transport()) {
            case UDP -> sendDatagram(to, message, report);
            case TCP, TLS, WS, WSS -> streams.send(loop, to, message, this::asker, report);
        }
    }

    @Override
    public void sendBytes(Hop to, byte[] message, int length) {
        loop.begin();
        InetSocketAddress remote = to.remote();
        LinkPort link = bound().link();
        if (link != null && link.takes(to)) {
            if (to.connection() != 0 || bound().gate().refusal(remote, true) == null) {
                var _ = link.send(to, message, length); // lost, as without a way
            }
        } else if (to.transport() != Transport.UDP) {
            streams.answer(loop, to, message, length);
        } else if (bound().gate().refusal(remote, true) == null) {
            UdpListener udp = listenerFor(to);
            if (udp != null) {
                udp.socketOf(loop).send(message, length, remote, null);
            }
        }
    }

    /**
     * Who sent us the request that this one is a copy of: below our own Via stands his, with the
     * address that it came from (RFC 3261 18.2.1).
     */
    private long asker(SipMessage message) {
        if (!(message instanceof SipRequest)) {
            return 0;
        }
        List<Via> vias = message.vias();
        for (int i = 1; i < vias.size(); i++) {
            Via via = vias.get(i);
            if (!bound().addresses().isLocal(via.host(), via.port())) {
                String received = via.received();
                InetAddress from = HostLiteral.parse(received == null ? via.host() : received);
                return from == null ? 0 : SourceKey.of(from);
            }
        }
        return 0;
    }

    /** Nothing that a stranger wrote makes us send where we may not. */
    private boolean closed(Hop to, SipMessage message, @Nullable FailureReport report) {
        InetSocketAddress remote = to.remote();
        if (remote.getAddress() == null) {
            noWay(report, "the address of " + remote.getHostString() + " is not known");
            return true;
        }
        EgressReason reason = bound().gate().refusal(remote, message instanceof SipResponse);
        if (reason == null) {
            return false;
        }
        if (report != null) {
            report.report("nothing is sent to " + reason.text());
        }
        return true;
    }

    @Override
    public void ping(Hop flow, Pong result) {
        loop.begin();
        UdpListener udp = flow.transport() == Transport.UDP ? listenerFor(flow) : null;
        if (udp != null) {
            pings.ping(loop, udp.socketOf(loop), flow.remote(), result);
        } else if (flow.transport().reliable()) {
            streams.ping(loop, flow, result);
        } else {
            loop.execute(result::failed);
        }
    }

    private @Nullable UdpListener listenerFor(Hop to) {
        Bound known = bound();
        InetSocketAddress remote = to.remote();
        Listener listener =
                remote.getAddress() == null
                        ? null
                        : known.addresses().pick(Transport.UDP, to.local(), remote.getAddress());
        return listener == null ? null : known.udp().get(listener.index());
    }

    private void sendDatagram(Hop to, SipMessage message, @Nullable FailureReport report) {
        InetSocketAddress remote = to.remote();
        UdpListener udp = listenerFor(to);
        if (udp == null) {
            noWay(report, "no UDP socket reaches " + to.remoteHost());
            return;
        }
        udp.socketOf(loop).send(message, remote, report);
    }

    private void noWay(@Nullable FailureReport report, String why) {
        loop.tally().count(NetworkCounter.NO_ROUTE);
        if (report != null) {
            report.report(why);
        }
    }

    @Override
    public HostPort sentBy(
            Transport transport, @Nullable InetSocketAddress local, InetSocketAddress remote) {
        Bound known = bound();
        LinkPort link = known.link();
        LinkPorts front = known.front();
        return link != null && front != null && link.takes(transport, local)
                ? front.address(transport)
                : known.sentBy().of(transport, local, remote);
    }

    @Override
    public Transport reachable(Transport transport, InetSocketAddress remote) {
        LocalAddresses addresses = bound().addresses();
        return addresses.listensOn(transport)
                ? transport
                : addresses.any(remote.getAddress()).transport();
    }

    @Override
    public void resolve(
            Uri target,
            @Nullable Transport preferred,
            LookupBudget budget,
            Consumer<List<Hop>> result) {
        loop.begin();
        if (target instanceof SipUri uri && uri.host().endsWith(".invalid")) {
            Hop named = streams.named(uri.host());
            LinkPort link = bound().link();
            if (named == null && link != null) {
                link.find(
                        uri.host().toLowerCase(Locale.ROOT),
                        found -> result.accept(found == null ? List.of() : List.of(found)));
            } else {
                result.accept(named == null ? List.of() : List.of(named));
            }
            return;
        }
        resolver.resolve(target, preferred, budget, loop, bound().ways(), result);
    }

    @Override
    public boolean handOn(byte[] request, Hop from, int partition) {
        LinkPort link = bound().link();
        return link != null && link.handOn(request, from, partition);
    }

    @Override
    public void reachedBy(String name, Hop from) {
        LinkPort link = flowLink(from);
        if (link != null) {
            link.say(FlowAct.NAMED, from, 0, name.toLowerCase(Locale.ROOT));
        } else {
            streams.name(name, from);
        }
    }

    /** The link when the hop is a connection that ends at a router; null for every other. */
    private @Nullable LinkPort flowLink(Hop hop) {
        return FlowNumber.isOne(hop.connection()) ? bound().link() : null;
    }

    @Override
    public boolean reaches(String name) {
        return streams.named(name) != null;
    }

    @Override
    public void proved(Hop from, long user) {
        if (FlowNumber.isOne(from.connection())) {
            // By which thread this is called is left open.
            loop.execute(() -> {
                LinkPort link = flowLink(from);
                if (link != null) {
                    link.say(FlowAct.PROVED, from, user, "");
                }
            });
        } else if (from.connection() > 0) {
            streams.proved(from, user);
        }
    }

    @Override
    public boolean isOf(Hop from, long user) {
        return from.connection() > 0 && streams.isOf(from, user);
    }

    @Override
    public void alias(int port, Hop from) {
        streams.alias(port, from);
    }

    @Override
    public boolean offersAlias(Hop to) {
        LinkPort link = bound().link();
        return to.connection() == 0
                && (link == null || !link.takes(to))
                && streams.provesItself()
                && bound().addresses().listensOn(Transport.TLS);
    }

    @Override
    public boolean isLocal(String host, int port) {
        return bound().addresses().isLocal(host, port);
    }

    @Override
    public boolean isOwnHost(String host) {
        return bound().addresses().isOwnHost(host);
    }

    @Override
    public boolean mayPass(Origin origin, InetSocketAddress remote) {
        EgressReason reason = bound().ways().filter().refusal(origin, remote);
        if (reason == null) {
            return true;
        }
        EgressFilter.refused(reason, remote, loop.tally());
        return false;
    }

    /** RFC 5626: of a connection, whether it is the one that it was; of datagrams nobody knows. */
    @Override
    public boolean alive(Hop flow) {
        LinkPort link = flowLink(flow);
        return !flow.transport().reliable()
                || (link == null ? streams.open(flow) : link.alive(flow));
    }

    @Override
    public boolean sends(Transport transport) {
        LinkPorts front = bound().front();
        return secure
                || !transport.secure()
                || (front != null && front.transports().contains(transport));
    }
}
