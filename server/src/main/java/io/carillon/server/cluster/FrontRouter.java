package io.carillon.server.cluster;

import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.router.Router;
import io.carillon.router.RouterConfig;
import io.carillon.server.config.ClusterSettings;
import io.carillon.server.start.StartException;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A router of the cluster that a configuration names. Stateless. */
public final class FrontRouter {
    private FrontRouter() {}

    /**
     * Starts it.
     *
     * @param link which of {@code cluster.routers} it is; null: the only one
     * @param listen where SIP is received; null: at {@code cluster.address}
     * @throws StartException in a sentence
     */
    public static Router start(
            ClusterSettings settings, @Nullable HostPort link, @Nullable HostPort listen)
            throws StartException {
        ClusterKeyFile keys =
                ClusterKeyFile.read(Objects.requireNonNull(settings.keyFile(), "key-file"));
        List<HostPort> routers = settings.routers();
        HostPort own = link == null && routers.size() == 1 ? routers.getFirst() : link;
        if (own == null || !routers.contains(own)) {
            throw new StartException(
                    "cluster.routers: "
                            + routers
                            + "; say with --link which of them this router is");
        }
        HostPort address = Objects.requireNonNull(settings.address(), "address");
        String name = Objects.requireNonNull(settings.name(), "name");
        HostPort at = listen == null ? address : listen;
        try {
            InetAddress bound = InetAddress.getByName(at.bareHost());
            return Router.start(
                    new RouterConfig(
                            routers.indexOf(own),
                            List.of(
                                    new ListeningPoint(
                                            Transport.UDP,
                                            bound.getHostAddress(),
                                            port(at),
                                            address.bareHost(),
                                            port(address))),
                            new InetSocketAddress(own.bareHost(), own.port()),
                            ClusterMembers.of(settings).links(),
                            ClusterKeyFile.number(name),
                            keys.links(),
                            null));
        } catch (UnknownHostException e) {
            throw new StartException("the host of " + at + " is not known", e);
        } catch (BindFailure e) {
            throw new StartException(
                    e.getMessage() + "; choose another address with --listen", e);
        } catch (IllegalArgumentException e) {
            throw new StartException("the router cannot start: " + e.getMessage(), e);
        }
    }

    private static int port(HostPort of) {
        return of.port() < 0 ? Transport.UDP.defaultPort() : of.port();
    }
}
