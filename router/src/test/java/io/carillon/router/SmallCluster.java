package io.carillon.router;

import io.carillon.net.guard.Guard;
import io.carillon.net.guard.GuardConfig;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.stream.StreamConfig;
import io.carillon.net.websocket.WebSocketConfig;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.RandomSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** One node of the real stack, and routers of UDP and TCP before it, on loopback. */
final class SmallCluster implements AutoCloseable {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    final StackNode node;
    final List<Router> routers = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();

    SmallCluster(StreamConfig limits, int routersBefore) throws IOException, BindFailure {
        this(limits, routersBefore, null);
    }

    /**
     * @param guard of the node
     */
    SmallCluster(StreamConfig limits, int routersBefore, @Nullable Guard guard)
            throws IOException, BindFailure {
        for (int i = 0; i < routersBefore; i++) {
            ports.add(FreePort.next());
        }
        HostPort cluster = new HostPort("127.0.0.1", FreePort.next());
        node =
                new StackNode(
                        1,
                        cluster,
                        Map.of(Transport.TCP, new HostPort("127.0.0.1", tcp(0))),
                        1,
                        guard);
        for (int i = 0; i < routersBefore; i++) {
            int udp = i == 0 ? cluster.port() : FreePort.next();
            routers.add(Router.start(config(i, udp, limits)));
        }
        node.table(1, 1, 2, Map.of(1, node.link().local()));
        Awaitility.await()
                .until(() ->
                        routers.stream().allMatch(each -> each.owners().version() == 1)
                                && node.link().peers().size() == routersBefore
                                && node.link().peers().stream()
                                        .allMatch(each -> each.alive(System.nanoTime())));
    }

    /** A guard that bans who was malformed so often, and limits nobody's rate. */
    static Guard bansAfter(int failures) {
        long hour = TimeUnit.HOURS.toNanos(1);
        return new Guard(
                new GuardConfig(
                        AddressRanges.NONE,
                        GuardConfig.Rate.OFF,
                        GuardConfig.Rate.OFF,
                        GuardConfig.Rate.OFF,
                        0,
                        new GuardConfig.BanRule(failures, hour, hour, hour),
                        List.of()),
                RandomSource.secure()::nextLong,
                System.nanoTime());
    }

    private RouterConfig config(int number, int udp, StreamConfig limits) {
        return new RouterConfig(
                number,
                List.of(
                        new ListeningPoint(Transport.UDP, "127.0.0.1", udp),
                        new ListeningPoint(Transport.TCP, "127.0.0.1", tcp(number))),
                new InetSocketAddress(LOOPBACK, 0),
                Map.of(1, node.link().local()),
                RouterWorld.CLUSTER,
                RouterWorld.secrets(),
                null,
                new RouterConfig.Streams(limits, WebSocketConfig.defaults(), null, null));
    }

    Router router() {
        return routers.getFirst();
    }

    /** The port of TCP of a router. */
    int tcp(int router) {
        return ports.get(router);
    }

    StreamPhone phone() throws IOException {
        return StreamPhone.connect(tcp(0));
    }

    @Override
    public void close() {
        routers.forEach(Router::close);
        node.close();
    }
}
