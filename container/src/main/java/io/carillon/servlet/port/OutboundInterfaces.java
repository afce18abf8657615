package io.carillon.servlet.port;

import io.carillon.servlet.header.AddressFactory;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.shard.OutgoingRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipURI;
import org.jspecify.annotations.Nullable;

/**
 * The listening points as applications see them: their outbound interfaces (SIP Servlet 1.1, {@code
 * setOutboundInterface}). Any thread.
 */
public final class OutboundInterfaces {
    /** Stands for a way to ourselves where no listening point is known. */
    private static final InetSocketAddress SOMEWHERE =
            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 5060);

    private volatile Points now;

    /**
     * What is configured at one time.
     *
     * @param points all of them
     * @param first null when there is none, or it is no address in digits
     * @param firstTransport of that point
     */
    private record Points(
            List<SipURI> points, @Nullable InetSocketAddress first, Transport firstTransport) {}

    public OutboundInterfaces(List<String> configured) {
        now = read(configured);
    }

    /** From now on there are these; what chose another one before keeps it. */
    public void change(List<String> configured) {
        now = read(configured);
    }

    private static Points read(List<String> configured) {
        List<SipURI> points = new ArrayList<>();
        for (String text : configured) {
            try {
                points.add((SipURI) AddressFactory.createURI(text));
            } catch (ServletParseException | ClassCastException e) {
                throw new IllegalArgumentException(
                        "listening point '" + text + "' is no SIP URI", e);
            }
        }
        InetSocketAddress first = address(points);
        return new Points(
                List.copyOf(points),
                first,
                first == null ? Transport.UDP : transportOf(points, first));
    }

    /** All of them. */
    public List<SipURI> listeningPoints() {
        return now.points();
    }

    /**
     * What a hop between two applications of ours prints in Via, Contact and Record-Route: the
     * interface that the session's application has chosen, else the first listening point; each
     * with its own transport. RFC 3261 18.1.1: the sent-by and the transport of a Via belong
     * together.
     *
     * @param outbound what its application has chosen; null: nothing
     * @param outboundTransport what it has chosen beside
     * @param remote where it would lead; null: that interface stands for it
     */
    public Hop like(
            @Nullable InetSocketAddress outbound,
            @Nullable Transport outboundTransport,
            @Nullable InetSocketAddress remote) {
        InetSocketAddress chosen = outbound;
        Transport transport = outboundTransport;
        if (chosen == null) {
            chosen = now.first();
            transport = now.firstTransport();
        } else if (transport == null) {
            transport = transportOf(chosen);
        }
        InetSocketAddress to = remote != null ? remote : chosen != null ? chosen : SOMEWHERE;
        return new Hop(transport, chosen, to, 0);
    }

    /**
     * Where a request of a dialog, or one that begins it, came into this server, also where
     * applications of ours have passed it on. Null where one of them has made it, or nobody knows.
     */
    public static @Nullable Hop cameIn(Hop source) {
        if (!source.internal()) {
            return source;
        }
        if (source.beside() instanceof Passage passage) {
            return passage.initialHop();
        }
        // What a proxy of ours passes on in a dialog has the hop that it came by.
        return source.remote().equals(source.local()) || source.remote().equals(SOMEWHERE)
                ? null
                : new Hop(source.transport(), source.local(), source.remote(), 0);
    }

    /** Protocol and sent-by of a Via of the now.first() one (RFC 3261 20.42); null without any. */
    public @Nullable String via() {
        if (now.points().isEmpty()) {
            return null;
        }
        SipURI point = now.points().getFirst();
        String transport = point.getTransportParam();
        return "SIP/2.0/"
                + (transport == null ? "UDP" : transport.toUpperCase(Locale.ROOT))
                + ' '
                + point.getHost()
                + (point.getPort() < 0 ? "" : ":" + point.getPort());
    }

    private static @Nullable InetSocketAddress address(List<SipURI> points) {
        if (points.isEmpty()) {
            return null;
        }
        String host = points.getFirst().getHost();
        int port = points.getFirst().getPort();
        try {
            InetAddress address =
                    InetAddress.ofLiteral(
                            host.startsWith("[") ? host.substring(1, host.length() - 1) : host);
            return new InetSocketAddress(address, port < 0 ? 5060 : port);
        } catch (IllegalArgumentException name) {
            return null;
        }
    }

    /** The port is advice (SIP Servlet 1.1, setOutboundInterface); the address has to be ours. */
    public void check(InetSocketAddress address) {
        if (address == null) {
            throw new NullPointerException("address");
        }
        if (address.getAddress() == null || point(address) == null) {
            throw new IllegalArgumentException(address + " is not among the outbound interfaces");
        }
    }

    private @Nullable SipURI point(InetSocketAddress address) {
        return point(now.points(), address);
    }

    /** The listening point with that address and port, or else one with that address. */
    private static @Nullable SipURI point(List<SipURI> points, InetSocketAddress address) {
        String host = host(address.getAddress());
        SipURI found = null;
        for (SipURI point : points) {
            if (point.getHost().equals(host)) {
                if (point.getPort() == address.getPort()) {
                    return point;
                }
                found = found == null ? point : found;
            }
        }
        return found;
    }

    public InetSocketAddress on(InetAddress address) {
        if (address == null) {
            throw new NullPointerException("address");
        }
        for (SipURI point : now.points()) {
            if (point.getHost().equals(host(address))) {
                return new InetSocketAddress(address, point.getPort());
            }
        }
        throw new IllegalArgumentException(address + " is not among the outbound interfaces");
    }

    /** As a URI has it: without the zone that an address of an interface comes with. */
    private static String host(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        String digits = zone < 0 ? text : text.substring(0, zone);
        return digits.indexOf(':') >= 0 ? '[' + digits + ']' : digits;
    }

    /** The transport of the chosen interface, for targets that leave it open. */
    public Transport transportOf(InetSocketAddress chosen) {
        return transportOf(now.points(), chosen);
    }

    private static Transport transportOf(List<SipURI> points, InetSocketAddress chosen) {
        SipURI point = point(points, chosen);
        String named = point == null ? null : point.getTransportParam();
        Transport transport = named == null ? null : Transport.of(named);
        return transport == null ? Transport.UDP : transport;
    }

    /** The request leaves by the session's interface, where its application has chosen one. */
    public void choose(
            OutgoingRequest out,
            @Nullable InetSocketAddress chosen,
            @Nullable Transport transport) {
        if (chosen != null) {
            out.local(chosen).preferred(transport != null ? transport : transportOf(chosen));
        }
    }
}
