package io.carillon.server.cluster;

import io.carillon.net.Network;
import io.carillon.net.NetworkConfig;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.router.Router;
import io.carillon.router.RouterConfig;
import io.carillon.server.config.ClusterSettings;
import io.carillon.server.config.ListenAddress;
import io.carillon.server.start.StartException;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A router of the cluster that a configuration names. Stateless. */
public final class FrontRouter {
    private FrontRouter() {}

    /**
     * What is this router's own.
     *
     * @param link which of {@code cluster.routers} it is; null: the only one
     * @param listen where SIP is received by a transport, where that is not the cluster's address
     * @param http where {@code /metrics} and {@code /status} are answered; null: nowhere
     */
    public record Own(
            @Nullable HostPort link, List<ListenAddress> listen, @Nullable HostPort http) {
        public Own {
            listen = List.copyOf(listen);
        }
    }

    /**
     * Where it listens, under the names that others know.
     *
     * @throws StartException when the host of one is not known
     */
    public static List<ListeningPoint> points(ClusterSettings settings, Own own)
            throws StartException {
        HostPort address = Objects.requireNonNull(settings.address(), "address");
        List<ListeningPoint> points = new ArrayList<>();
        points.add(point(Transport.UDP, address, address, own));
        for (ListenAddress each : settings.streams()) {
            points.add(
                    point(
                            FrontAddresses.transport(each),
                            each.address(),
                            FrontAddresses.printed(each),
                            own));
        }
        for (ListenAddress each : own.listen()) {
            if (points.stream()
                    .noneMatch(point -> point.transport() == FrontAddresses.transport(each))) {
                throw new StartException(
                        "--listen "
                                + each
                                + ": cluster.streams does not name this transport, so no phone would"
                                + " know of it");
            }
        }
        return points;
    }

    private static ListeningPoint point(
            Transport transport, HostPort bound, HostPort printed, Own own) throws StartException {
        HostPort at = bound;
        for (ListenAddress each : own.listen()) {
            at = FrontAddresses.transport(each) == transport ? each.address() : at;
        }
        try {
            return new ListeningPoint(
                    transport,
                    InetAddress.getByName(at.bareHost()).getHostAddress(),
                    port(transport, at),
                    printed.bareHost(),
                    port(transport, printed));
        } catch (UnknownHostException e) {
            throw new StartException("the host of " + at + " is not known", e);
        }
    }

    /**
     * Starts it.
     *
     * @param points see {@link #points}
     * @param streams limits of connections, and their TLS
     * @param warmUp is done when nothing is known that would keep it from starting
     * @throws StartException in a sentence
     */
    public static Router start(
            ClusterSettings settings,
            Own own,
            List<ListeningPoint> points,
            RouterConfig.Streams streams,
            Runnable warmUp)
            throws StartException {
        ClusterKeyFile keys =
                ClusterKeyFile.read(Objects.requireNonNull(settings.keyFile(), "key-file"));
        List<HostPort> routers = settings.routers();
        HostPort link = own.link();
        HostPort self = link == null && routers.size() == 1 ? routers.getFirst() : link;
        if (self == null || !routers.contains(self)) {
            throw new StartException(
                    "cluster.routers: "
                            + routers
                            + "; say with --link which of them this router is");
        }
        String name = Objects.requireNonNull(settings.name(), "name");
        HostPort http = own.http();
        // Looked up as long as the process lives, as the router runs until then.
        MemberNames names = MemberNames.ofOthers(settings);
        try {
            Network.tryPorts(NetworkConfig.of(points));
            warmUp.run();
            return Router.start(
                    new RouterConfig(
                            routers.indexOf(self),
                            points,
                            OwnPlace.address("cluster.routers", self),
                            () -> names.get().links(),
                            ClusterKeyFile.number(name),
                            keys.links(name),
                            http == null
                                    ? null
                                    : new InetSocketAddress(http.bareHost(), http.port()),
                            streams));
        } catch (BindFailure e) {
            throw new StartException(e.getMessage() + "; choose another address with --listen", e);
        } catch (IllegalArgumentException e) {
            throw new StartException("the router cannot start: " + e.getMessage(), e);
        }
    }

    private static int port(Transport transport, HostPort of) {
        return of.port() < 0 ? transport.defaultPort() : of.port();
    }
}
