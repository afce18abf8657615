package io.carillon.net;

import io.carillon.net.resolve.DnsConfig;
import io.carillon.net.resolve.EgressConfig;
import io.carillon.net.tls.TlsContexts;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Everything a {@link Network} is told. Immutable; {@link #of} gives the defaults, the {@code with}
 * methods change one part.
 *
 * @param listen where SIP is received, at least one
 * @param shards number of event loops, each with its own shard; 1 to 256
 * @param nativeTransport use epoll where there is one; else the JDK's selector
 * @param domains host names that are ours besides the addresses of the listening points
 * @param udp datagram sockets
 * @param stream connections
 * @param webSocket what is asked of WebSocket clients
 * @param dns how names are looked up
 * @param egress where messages may go
 * @param tls makes the TLS end of connections; null: a TLS or WSS listening point is a {@link
 *     BindFailure} and no such connection can be opened
 */
public record NetworkConfig(
        List<ListeningPoint> listen,
        int shards,
        boolean nativeTransport,
        List<String> domains,
        Udp udp,
        Stream stream,
        WebSocket webSocket,
        DnsConfig dns,
        EgressConfig egress,
        @Nullable TlsContexts tls) {

    public NetworkConfig {
        listen = List.copyOf(listen);
        domains = List.copyOf(domains);
        if (listen.isEmpty()) {
            throw new IllegalArgumentException("at least one listening point is needed");
        }
        if (shards < 1 || shards > 256) {
            throw new IllegalArgumentException("shards: a number from 1 to 256, not " + shards);
        }
    }

    /** Defaults with one shard per processor, at most 8. */
    public static NetworkConfig of(List<ListeningPoint> listen) {
        int shards = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 8);
        return new NetworkConfig(
                listen,
                shards,
                true,
                List.of(),
                Udp.defaults(),
                Stream.defaults(),
                WebSocket.defaults(),
                DnsConfig.defaults(),
                EgressConfig.defaults(),
                null);
    }

    public NetworkConfig withShards(int number) {
        return new NetworkConfig(
                listen, number, nativeTransport, domains, udp, stream, webSocket, dns, egress, tls);
    }

    public NetworkConfig withNativeTransport(boolean on) {
        return new NetworkConfig(
                listen, shards, on, domains, udp, stream, webSocket, dns, egress, tls);
    }

    public NetworkConfig withDomains(List<String> names) {
        return new NetworkConfig(
                listen, shards, nativeTransport, names, udp, stream, webSocket, dns, egress, tls);
    }

    public NetworkConfig withUdp(Udp part) {
        return new NetworkConfig(
                listen,
                shards,
                nativeTransport,
                domains,
                part,
                stream,
                webSocket,
                dns,
                egress,
                tls);
    }

    public NetworkConfig withStream(Stream part) {
        return new NetworkConfig(
                listen, shards, nativeTransport, domains, udp, part, webSocket, dns, egress, tls);
    }

    public NetworkConfig withWebSocket(WebSocket part) {
        return new NetworkConfig(
                listen, shards, nativeTransport, domains, udp, stream, part, dns, egress, tls);
    }

    public NetworkConfig withDns(DnsConfig part) {
        return new NetworkConfig(
                listen,
                shards,
                nativeTransport,
                domains,
                udp,
                stream,
                webSocket,
                part,
                egress,
                tls);
    }

    public NetworkConfig withEgress(EgressConfig part) {
        return new NetworkConfig(
                listen, shards, nativeTransport, domains, udp, stream, webSocket, dns, part, tls);
    }

    public NetworkConfig withTls(@Nullable TlsContexts contexts) {
        return new NetworkConfig(
                listen,
                shards,
                nativeTransport,
                domains,
                udp,
                stream,
                webSocket,
                dns,
                egress,
                contexts);
    }

    /**
     * Datagram sockets.
     *
     * @param receiveBufferBytes SO_RCVBUF of each socket; at 26,000 messages/s the usual 208 KiB
     *     hold 4 ms
     * @param sendBufferBytes SO_SNDBUF of each socket
     * @param batch most datagrams that one system call receives; 1 to 64
     * @param maxUnsentBytes bytes that may wait in a socket's queue while the kernel takes no more;
     *     what comes then is dropped and counted, as on a lossy network
     * @param socketByCall whether the kernel is asked to put a datagram into the socket of the
     *     shard that its call lives on, where there are several
     */
    public record Udp(
            int receiveBufferBytes,
            int sendBufferBytes,
            int batch,
            int maxUnsentBytes,
            boolean socketByCall) {

        public Udp {
            positive("udp receive buffer", receiveBufferBytes);
            positive("udp send buffer", sendBufferBytes);
            positive("udp unsent bytes", maxUnsentBytes);
            if (batch < 1 || batch > 64) {
                throw new IllegalArgumentException("udp batch: 1 to 64, not " + batch);
            }
        }

        public static Udp defaults() {
            return new Udp(4 << 20, 4 << 20, 32, 1 << 20, true);
        }
    }

    /**
     * Connections.
     *
     * @param backlog connections that the kernel completes before we accept them
     * @param maxConnections connections in all
     * @param maxPerAddress connections with one remote address; by default as many as in all,
     *     because behind an address translator, a load balancer or on loopback thousands share one
     * @param connectTimeoutMillis time to open a connection
     * @param firstMessageTimeoutMillis time in which an accepted connection must have completed its
     *     first message
     * @param messageTimeoutMillis time from the first byte of a message to its last; bytes that
     *     trickle do not extend it
     * @param idleTimeoutMillis time without a byte in either direction after which a connection is
     *     closed; long, because a registered client is reached only by its connection (RFC 5626)
     * @param maxWaitingBytes bytes that may wait to be written on one connection, also before it is
     *     open; over it the message fails and the connection is closed
     * @param maxUnfinishedBytes bytes of messages whose rest has not come, of all connections
     * @param maxUnsentBytes bytes that may wait to be written on all connections together
     * @param handshakeTimeoutMillis time for TLS and WebSocket together to begin on a connection
     */
    public record Stream(
            int backlog,
            int maxConnections,
            int maxPerAddress,
            int connectTimeoutMillis,
            int firstMessageTimeoutMillis,
            int messageTimeoutMillis,
            int idleTimeoutMillis,
            int maxWaitingBytes,
            long maxUnfinishedBytes,
            long maxUnsentBytes,
            int handshakeTimeoutMillis) {

        public Stream {
            positive("backlog", backlog);
            positive("connections", maxConnections);
            positive("connections per address", maxPerAddress);
            positive("connect time-out", connectTimeoutMillis);
            positive("first message time-out", firstMessageTimeoutMillis);
            positive("message time-out", messageTimeoutMillis);
            positive("idle time-out", idleTimeoutMillis);
            positive("waiting bytes", maxWaitingBytes);
            if (maxUnfinishedBytes < 1) {
                throw new IllegalArgumentException("bytes of unfinished messages: above 0");
            }
            if (maxUnsentBytes < 1) {
                throw new IllegalArgumentException("unsent bytes: above 0");
            }
            positive("handshake time-out", handshakeTimeoutMillis);
        }

        public static Stream defaults() {
            return new Stream(
                    4096,
                    20_000,
                    20_000,
                    5_000,
                    20_000,
                    20_000,
                    7_200_000,
                    1 << 20,
                    64L << 20,
                    128L << 20,
                    10_000);
        }

        /** The same with other time-outs, in milliseconds. */
        public Stream withTimeouts(int connect, int firstMessage, int message, int idle) {
            return new Stream(
                    backlog,
                    maxConnections,
                    maxPerAddress,
                    connect,
                    firstMessage,
                    message,
                    idle,
                    maxWaitingBytes,
                    maxUnfinishedBytes,
                    maxUnsentBytes,
                    handshakeTimeoutMillis);
        }

        /** The same with other limits. */
        public Stream withLimits(int connections, int perAddress, int waitingBytes) {
            return new Stream(
                    backlog,
                    connections,
                    perAddress,
                    connectTimeoutMillis,
                    firstMessageTimeoutMillis,
                    messageTimeoutMillis,
                    idleTimeoutMillis,
                    waitingBytes,
                    maxUnfinishedBytes,
                    maxUnsentBytes,
                    handshakeTimeoutMillis);
        }

        /** The same with another time for handshakes, in milliseconds. */
        public Stream withHandshakeTimeout(int millis) {
            return new Stream(
                    backlog,
                    maxConnections,
                    maxPerAddress,
                    connectTimeoutMillis,
                    firstMessageTimeoutMillis,
                    messageTimeoutMillis,
                    idleTimeoutMillis,
                    maxWaitingBytes,
                    maxUnfinishedBytes,
                    maxUnsentBytes,
                    millis);
        }

        /** The same with another limit of unfinished messages. */
        public Stream withUnfinished(long bytes) {
            return new Stream(
                    backlog,
                    maxConnections,
                    maxPerAddress,
                    connectTimeoutMillis,
                    firstMessageTimeoutMillis,
                    messageTimeoutMillis,
                    idleTimeoutMillis,
                    maxWaitingBytes,
                    bytes,
                    maxUnsentBytes,
                    handshakeTimeoutMillis);
        }

        /** The same with another limit of what waits for slow readers. */
        public Stream withUnsent(long bytes) {
            return new Stream(
                    backlog,
                    maxConnections,
                    maxPerAddress,
                    connectTimeoutMillis,
                    firstMessageTimeoutMillis,
                    messageTimeoutMillis,
                    idleTimeoutMillis,
                    maxWaitingBytes,
                    maxUnfinishedBytes,
                    bytes,
                    handshakeTimeoutMillis);
        }
    }

    /**
     * What is asked of WebSocket clients (RFC 7118, RFC 6455). A path or an origin that cannot be
     * is an {@link IllegalArgumentException} that begins with its name.
     *
     * @param path the path of the upgrade request; others get 404
     * @param origins the Origins of web pages that may connect, as browsers send them ({@code
     *     https://phone.example.com}, kept in lower case); empty: all. A client that sends no
     *     Origin is no browser, and passes
     * @param maxPings pings of one connection answered within a second; over it the connection is
     *     closed
     * @param maxFragments frames of one connection within a second that end no message; over it the
     *     connection is closed
     */
    public record WebSocket(String path, List<String> origins, int maxPings, int maxFragments) {

        public WebSocket {
            positive("pings", maxPings);
            positive("fragments", maxFragments);
            if (!path.startsWith("/")) {
                throw new IllegalArgumentException("path has to begin with a slash");
            }
            for (String origin : origins) {
                if (!origin.contains("://") || origin.endsWith("/")) {
                    throw new IllegalArgumentException(
                            "origins: '"
                                    + origin
                                    + "' has to be a scheme and a host, as in"
                                    + " https://phone.example.com, without a path");
                }
            }
            origins = origins.stream().map(origin -> origin.toLowerCase(Locale.ROOT)).toList();
        }

        public static WebSocket defaults() {
            return new WebSocket("/", List.of(), 20, 5000);
        }
    }

    private static void positive(String what, int number) {
        if (number < 1) {
            throw new IllegalArgumentException(what + ": a number above 0, not " + number);
        }
    }
}
