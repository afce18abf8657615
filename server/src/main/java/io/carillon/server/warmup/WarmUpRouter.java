package io.carillon.server.warmup;

import io.carillon.cluster.link.LinkSecret;
import io.carillon.cluster.link.Owners;
import io.carillon.cluster.link.PeerId;
import io.carillon.net.Network;
import io.carillon.net.NetworkConfig;
import io.carillon.net.link.LinkConfig;
import io.carillon.net.link.LinkPorts;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.router.Router;
import io.carillon.router.RouterConfig;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.Partitions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A router and one node of it, both of their own, on loopback ports that the system chooses: calls
 * by UDP from outside to outside, and requests by TCP. A cold router of 20,000 messages/s lets them
 * wait for half a second, which is when phones send again.
 */
final class WarmUpRouter {
    private static final int NODE = 0;
    private static final int CLUSTER = 0;

    /**
     * It stands in Contact and Record-Route, and the node knows it for its own: nothing is sent
     * there (RFC 863: a port where everything is discarded).
     */
    private static final HostPort ADDRESS = new HostPort("127.0.0.1", 9);

    private static final long MEET_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<LinkSecret> secrets;
    private volatile Owners table = Owners.UNKNOWN;

    private WarmUpRouter() {
        byte[] key = new byte[LinkSecret.LEAST_BYTES];
        new SecureRandom().nextBytes(key);
        secrets = List.of(LinkSecret.of(key));
    }

    /**
     * Makes calls, then sends requests.
     *
     * @return how many of both ended well
     */
    static int run(int calls, int requests, long deadlineNanos)
            throws DeploymentException, IOException {
        return new WarmUpRouter().through(calls, requests, deadlineNanos);
    }

    private int through(int calls, int requests, long deadlineNanos)
            throws DeploymentException, IOException {
        ClusterKeys keys = LinkSecret.tokenKeys(secrets);
        ClusterPlace place = new ClusterPlace(CLUSTER, keys, Ownership.ALONE, 1, System::nanoTime);
        LinkConfig link =
                new LinkConfig(
                        NODE,
                        loopback(),
                        ADDRESS,
                        Map.of(Transport.TCP, ADDRESS),
                        secrets,
                        Ownership.ALONE,
                        () -> table,
                        new Partitions(CLUSTER, keys),
                        LinkConfig.Control.NONE,
                        LinkConfig.PARKED_BYTES,
                        List.of());
        return WarmUpServer.run(
                SessionStores.inMemory(),
                StackConfig.builder().cluster(place).build(),
                ExecutionMode.NON_BLOCKING,
                NetworkConfig.of(List.of(), link),
                container -> network -> routed(network, calls, requests, deadlineNanos));
    }

    private int routed(Network network, int calls, int requests, long deadlineNanos)
            throws IOException {
        LinkPorts link = Objects.requireNonNull(network.link(), "link");
        RouterConfig config =
                new RouterConfig(
                        0,
                        List.of(
                                new ListeningPoint(Transport.UDP, "127.0.0.1", 0),
                                new ListeningPoint(Transport.TCP, "127.0.0.1", 0)),
                        loopback(),
                        Map.of(NODE, link.local()),
                        CLUSTER,
                        secrets,
                        null);
        try (Router router = Router.startUnseen(config)) {
            tellTable(link);
            meet(router, link, deadlineNanos);
            long half = System.nanoTime() + (deadlineNanos - System.nanoTime()) / 2;
            int ended = WarmUpServer.at(port(router, Transport.UDP), peer -> peer.run(calls, half));
            int port = port(router, Transport.TCP);
            return ended + WarmUpRequests.send(port, requests, deadlineNanos);
        }
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private void tellTable(LinkPorts link) {
        int[] owners = new int[Ownership.PARTITIONS];
        int[] next = new int[Ownership.PARTITIONS];
        Arrays.fill(owners, NODE);
        Arrays.fill(next, PeerId.NONE);
        table = Owners.of(1, owners, next, Map.of(NODE, link.local()));
        link.changed();
    }

    private static void meet(Router router, LinkPorts link, long deadlineNanos) throws IOException {
        long now = System.nanoTime();
        long end = now + Math.min(MEET_NANOS, deadlineNanos - now);
        while (router.owners().version() == 0
                || link.peers().stream().noneMatch(peer -> peer.alive(System.nanoTime()))) {
            if (System.nanoTime() - end > 0) {
                throw new IOException("router and node did not meet");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private static int port(Router router, Transport transport) {
        return router.listening().stream()
                .filter(each -> each.transport() == transport)
                .mapToInt(each -> each.address().getPort())
                .findFirst()
                .orElseThrow();
    }
}
