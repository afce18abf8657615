package io.carillon.net;

import io.carillon.net.link.LinkConfig;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.resolve.DnsConfig;
import io.carillon.net.resolve.EgressConfig;
import io.carillon.net.stream.StreamConfig;
import io.carillon.net.tls.TlsContexts;
import io.carillon.net.udp.UdpConfig;
import io.carillon.net.websocket.WebSocketConfig;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything a {@link Network} is told. Immutable; {@link #of} gives the defaults, the {@code with}
 * methods change one part.
 *
 * @param listen where SIP is received, at least one; none is needed with routers before it
 * @param shards number of event loops, each with its own shard; 1 to 256
 * @param nativeTransport use epoll where there is one; else the JDK's selector
 * @param shareThreads may event loops that have little to do share a thread, where there is epoll?
 * @param domains host names that are ours besides the addresses of the listening points
 * @param udp datagram sockets
 * @param stream connections
 * @param webSocket what is asked of WebSocket clients
 * @param dns how names are looked up
 * @param egress where messages may go
 * @param tls makes the TLS end of connections; null: a TLS or WSS listening point is a {@link
 *     BindFailure} and no such connection can be opened
 * @param link of a node with routers before it; null: a server that is reached without any
 */
public record NetworkConfig(
        List<ListeningPoint> listen,
        int shards,
        boolean nativeTransport,
        boolean shareThreads,
        List<String> domains,
        UdpConfig udp,
        StreamConfig stream,
        WebSocketConfig webSocket,
        DnsConfig dns,
        EgressConfig egress,
        @Nullable TlsContexts tls,
        @Nullable LinkConfig link) {

    public NetworkConfig {
        listen = List.copyOf(listen);
        domains = List.copyOf(domains);
        if (listen.isEmpty() && link == null) {
            throw new IllegalArgumentException("at least one listening point is needed");
        }
        if (shards < 1 || shards > 256) {
            throw new IllegalArgumentException("shards: a number from 1 to 256, not " + shards);
        }
    }

    /** Defaults with one shard per processor, at most 8. */
    public static NetworkConfig of(List<ListeningPoint> listen) {
        return of(listen, null);
    }

    /**
     * As the other, of a node that has routers before it.
     *
     * @param listen where it is reached without them; may be empty
     */
    public static NetworkConfig of(List<ListeningPoint> listen, @Nullable LinkConfig link) {
        int shards = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 8);
        return new NetworkConfig(
                listen,
                shards,
                true,
                false,
                List.of(),
                UdpConfig.defaults(),
                StreamConfig.defaults(),
                WebSocketConfig.defaults(),
                DnsConfig.defaults(),
                EgressConfig.defaults(),
                null,
                link);
    }

    public NetworkConfig withShards(int number) {
        return with(copy -> copy.shards = number);
    }

    public NetworkConfig withNativeTransport(boolean on) {
        return with(copy -> copy.nativeTransport = on);
    }

    public NetworkConfig withSharedThreads(boolean on) {
        return with(copy -> copy.shareThreads = on);
    }

    public NetworkConfig withDomains(List<String> names) {
        return with(copy -> copy.domains = names);
    }

    public NetworkConfig withUdp(UdpConfig part) {
        return with(copy -> copy.udp = part);
    }

    public NetworkConfig withStream(StreamConfig part) {
        return with(copy -> copy.stream = part);
    }

    public NetworkConfig withWebSocket(WebSocketConfig part) {
        return with(copy -> copy.webSocket = part);
    }

    public NetworkConfig withDns(DnsConfig part) {
        return with(copy -> copy.dns = part);
    }

    public NetworkConfig withEgress(EgressConfig part) {
        return with(copy -> copy.egress = part);
    }

    public NetworkConfig withTls(@Nullable TlsContexts contexts) {
        return with(copy -> copy.tls = contexts);
    }

    public NetworkConfig withLink(@Nullable LinkConfig part) {
        return with(copy -> copy.link = part);
    }

    private NetworkConfig with(Consumer<CopyBuilder> change) {
        CopyBuilder copy = new CopyBuilder(this);
        change.accept(copy);
        return copy.made();
    }

    /** The components while some are changed (docs/decisions/0020-copies-of-records.md). */
    private static final class CopyBuilder {
        List<ListeningPoint> listen;
        int shards;
        boolean nativeTransport;
        boolean shareThreads;
        List<String> domains;
        UdpConfig udp;
        StreamConfig stream;
        WebSocketConfig webSocket;
        DnsConfig dns;
        EgressConfig egress;
        @Nullable TlsContexts tls;
        @Nullable LinkConfig link;

        CopyBuilder(NetworkConfig of) {
            listen = of.listen;
            shards = of.shards;
            nativeTransport = of.nativeTransport;
            shareThreads = of.shareThreads;
            domains = of.domains;
            udp = of.udp;
            stream = of.stream;
            webSocket = of.webSocket;
            dns = of.dns;
            egress = of.egress;
            tls = of.tls;
            link = of.link;
        }

        NetworkConfig made() {
            return new NetworkConfig(
                    listen,
                    shards,
                    nativeTransport,
                    shareThreads,
                    domains,
                    udp,
                    stream,
                    webSocket,
                    dns,
                    egress,
                    tls,
                    link);
        }
    }
}
