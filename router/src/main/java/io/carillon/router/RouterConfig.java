package io.carillon.router;

import io.carillon.cluster.link.LinkSecret;
import io.carillon.cluster.link.PeerId;
import io.carillon.net.guard.Guard;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.stream.StreamConfig;
import io.carillon.net.tls.TlsContexts;
import io.carillon.net.websocket.WebSocketConfig;
import io.carillon.sip.codec.MessageLimits;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a router is told. Immutable.
 *
 * @param number of this router, 0 to 255, another one for each router of the cluster
 * @param listen where SIP is received; what stands behind {@code as} is what others call it
 * @param link the address at which nodes reach this router, with its port; 0 lets the system choose
 * @param nodes some nodes by their number and the address of their link, as far as it is known now:
 *     asked with each beat, so it may not block; the table names the others
 * @param cluster the cluster's number
 * @param secrets the cluster's keys: ours, and the one before it while they change
 * @param http where {@code /metrics} and {@code /status} are answered; null: nowhere
 * @param streams limits of connections, and their TLS
 */
public record RouterConfig(
        int number,
        List<ListeningPoint> listen,
        InetSocketAddress link,
        Supplier<Map<Integer, InetSocketAddress>> nodes,
        int cluster,
        List<LinkSecret> secrets,
        @Nullable InetSocketAddress http,
        Streams streams) {

    /**
     * Of connections that end at the router.
     *
     * @param limits what each, and all of them, may hold
     * @param webSocket what is asked of WebSocket clients
     * @param tls makes the TLS end; null: there are none with TLS
     * @param guard says from whom connections and their messages are taken; null: from everybody
     * @param messages how large a message may be that comes by a connection, or leaves by one
     */
    public record Streams(
            StreamConfig limits,
            WebSocketConfig webSocket,
            @Nullable TlsContexts tls,
            @Nullable Guard guard,
            MessageLimits messages) {
        /** With the standard limits of messages. */
        public Streams(
                StreamConfig limits,
                WebSocketConfig webSocket,
                @Nullable TlsContexts tls,
                @Nullable Guard guard) {
            this(limits, webSocket, tls, guard, MessageLimits.DEFAULT);
        }

        /** With the standard limits, without TLS. */
        public static Streams standard() {
            return new Streams(StreamConfig.defaults(), WebSocketConfig.defaults(), null, null);
        }
    }

    /** With the standard limits of connections, without TLS. */
    public RouterConfig(
            int number,
            List<ListeningPoint> listen,
            InetSocketAddress link,
            Map<Integer, InetSocketAddress> nodes,
            int cluster,
            List<LinkSecret> secrets,
            @Nullable InetSocketAddress http) {
        this(number, listen, link, nodes, cluster, secrets, http, Streams.standard());
    }

    /** With nodes whose addresses stay. */
    public RouterConfig(
            int number,
            List<ListeningPoint> listen,
            InetSocketAddress link,
            Map<Integer, InetSocketAddress> nodes,
            int cluster,
            List<LinkSecret> secrets,
            @Nullable InetSocketAddress http,
            Streams streams) {
        this(number, listen, link, fixed(nodes), cluster, secrets, http, streams);
    }

    private static Supplier<Map<Integer, InetSocketAddress>> fixed(
            Map<Integer, InetSocketAddress> nodes) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("nodes: at least one NUMBER@HOST:PORT is needed");
        }
        Map<Integer, InetSocketAddress> copy = Map.copyOf(nodes);
        return () -> copy;
    }

    public RouterConfig {
        listen = List.copyOf(listen);
        secrets = List.copyOf(secrets);
        PeerId.router(number); // checks it
        if (listen.isEmpty()) {
            throw new IllegalArgumentException("listen: at least one udp:HOST:PORT is needed");
        }
        for (ListeningPoint point : listen) {
            if (point.transport().secure() && streams.tls() == null) {
                throw new IllegalArgumentException(
                        "listen: " + point + " needs a certificate (tls.certificates)");
            }
        }
        if (link.getAddress() == null || link.getAddress().isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    "link: an address of this machine that the nodes can reach, not " + link);
        }
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("key-file: the cluster's key is needed");
        }
    }
}
