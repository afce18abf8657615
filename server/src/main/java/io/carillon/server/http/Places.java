package io.carillon.server.http;

import io.carillon.protection.http.ConnectionPlaces;
import io.carillon.protection.http.HeadDeadlines;
import io.carillon.server.config.HttpSettings;
import io.carillon.sip.hop.HostPort;
import java.net.InetSocketAddress;
import java.util.function.LongPredicate;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * Makes the places to listen of a server, each with threads and limits of its own. One thread.
 *
 * @param server that they belong to
 * @param settings with their limits
 * @param trusted sources that have no shares
 * @param counters of what is refused there
 */
record Places(Server server, HttpSettings settings, LongPredicate trusted, HttpCounters counters) {
    /**
     * For the connections of each place to listen, and for the pages of administration: nothing
     * there ever waits.
     */
    private static final int CONNECTION_THREADS = 8;

    /** Of connections between nodes; longer than that of those who open them. */
    private static final long OF_NODES_IDLE_MILLIS = 60_000;

    /** Of the connections of a place to listen that is full. */
    private static final long IDLE_WHEN_FULL_MILLIS = 5_000;

    /**
     * A place to listen.
     *
     * @param tls null: without
     * @param threads name of its threads
     */
    ServerConnector connector(HostPort at, @Nullable SSLContext tls, String threads) {
        QueuedThreadPool pool = new QueuedThreadPool(CONNECTION_THREADS, 2);
        pool.setName(threads);
        pool.setDaemon(true);
        ServerConnector connector =
                new ServerConnector(server, pool, null, null, 1, 1, protocols(tls));
        connector.setHost(at.bareHost());
        connector.setPort(at.port());
        connector.setIdleTimeout(settings.idleTimeout().toMillis());
        server.addConnector(connector);
        NetworkConnectionLimit limit =
                new NetworkConnectionLimit(settings.maxConnections(), connector) {
                    @Override
                    protected void limit() {
                        counters.timesFull().increment();
                        super.limit();
                    }
                };
        limit.setEndPointIdleTimeout(IDLE_WHEN_FULL_MILLIS);
        server.addBean(limit);
        connector.addBean(
                new ConnectionPlaces(settings.maxConnections(), trusted, counters.gaveWay()));
        connector.addBean(
                new HeadDeadlines(connector, settings.headWithin(), counters.slowHeads()));
        return connector;
    }

    /**
     * Where the other nodes of a cluster pass pages on: nobody else can connect.
     *
     * @param proof by which nodes prove themselves
     */
    ServerConnector ofNodes(InetSocketAddress at, SSLContext proof) {
        HostPort place = HostPort.of(at.getAddress().getHostAddress(), at.getPort());
        ServerConnector connector = connector(place, proof, "http-nodes");
        connector.setIdleTimeout(OF_NODES_IDLE_MILLIS);
        SslContextFactory.Server context =
                connector.getConnectionFactory(SslConnectionFactory.class).getSslContextFactory();
        context.setNeedClientAuth(true);
        context.setIncludeProtocols("TLSv1.3");
        HttpConfiguration http =
                connector.getConnectionFactory(HttpConnectionFactory.class).getHttpConfiguration();
        http.setRequestHeaderSize(2 * http.getRequestHeaderSize()); // what a node says comes on top
        http.getCustomizers().clear();
        http.addCustomizer(new OfNoVisitor());
        return connector;
    }

    /** The TLS of such a connection is the nodes' own: its certificate is not the visitor's. */
    private static final class OfNoVisitor extends SecureRequestCustomizer {
        OfNoVisitor() {
            super(false);
        }

        @Override
        public Request customize(Request request, HttpFields.Mutable responseHeaders) {
            return request;
        }
    }

    /** The same, where an address is given. */
    @Nullable ServerConnector ifGiven(
            @Nullable HostPort at, @Nullable SSLContext tls, String threads) {
        return at == null ? null : connector(at, tls, threads);
    }

    private static ConnectionFactory[] protocols(@Nullable SSLContext tls) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        // 100 KB on each connection that is kept, an event stream's too.
        http.setHeaderCacheSize(0);
        HttpConnectionFactory plain = new HttpConnectionFactory(http);
        if (tls == null) {
            return new ConnectionFactory[] {plain};
        }
        // Names are looked at by HostCheck and AdminHandler.
        http.addCustomizer(new SecureRequestCustomizer(false));
        SslContextFactory.Server context = new SslContextFactory.Server();
        context.setSslContext(tls);
        context.setIncludeProtocols("TLSv1.2", "TLSv1.3");
        return new ConnectionFactory[] {
            new SslConnectionFactory(context, plain.getProtocol()), plain
        };
    }
}
