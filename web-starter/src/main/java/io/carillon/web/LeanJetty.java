package io.carillon.web;

import io.carillon.boot.ProtectionProperties;
import io.carillon.protection.http.ConnectionPlaces;
import io.carillon.protection.http.DataRates;
import io.carillon.protection.http.HeadDeadlines;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.jetty.JettyServerCustomizer;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Where the web server is Jetty: a connection keeps no cache of the headers it saw. With an event
 * stream for each user most connections are open and silent, and the cache weighs 100 KB on each.
 *
 * <p>Requests run on virtual threads: one that waits for a body that does not come, or for a reader
 * that does not read, then holds up nobody. There are no more of them than connections, and no more
 * connections than the heap has room for; the source that holds most gives way to others. Heads,
 * bodies and readers that are too slow are given up.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JettyServerCustomizer.class)
@EnableConfigurationProperties(HttpProperties.class)
class LeanJetty {
    /** A connection with a request that waits for its body: 34 kB were measured. */
    private static final int CONNECTION_BYTES = 40_000;

    /** So much of the heap is for connections where the owner sets no number. */
    private static final int PART_OF_CONNECTIONS = 8;

    private static final int MOST_CONNECTIONS = 10_000;

    /** Of a connection on which nothing moves, once there are as many as there may be. */
    private static final int IDLE_WHEN_FULL_MILLIS = 5_000;

    @Bean
    WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> leanJetty(
            ProtectionProperties protection,
            HttpProperties limits,
            @Value("${server.jetty.max-connections:-1}") int maxConnections) {
        LongPredicate trusted = protection.trustedSources();
        return factory ->
                factory.addServerCustomizers(server -> {
                    threads(server);
                    connections(server, maxConnections, limits, trusted);
                    rates(server, limits);
                });
    }

    private static void threads(Server server) {
        if (server.getThreadPool() instanceof QueuedThreadPool threads
                && threads.getVirtualThreadsExecutor() == null) {
            threads.setVirtualThreadsExecutor(
                    VirtualThreads.getNamedVirtualThreadsExecutor("page-"));
        }
    }

    private static void connections(
            Server server, int configured, HttpProperties limits, LongPredicate trusted) {
        int most = configured > 0 ? configured : roomFor(Runtime.getRuntime().maxMemory());
        if (configured <= 0) {
            NetworkConnectionLimit limit = new NetworkConnectionLimit(most, server.getConnectors());
            limit.setEndPointIdleTimeout(IDLE_WHEN_FULL_MILLIS);
            server.addBean(limit);
        }
        for (Connector connector : server.getConnectors()) {
            for (ConnectionFactory protocol : connector.getConnectionFactories()) {
                if (protocol instanceof HttpConfiguration.ConnectionFactory http) {
                    http.getHttpConfiguration().setHeaderCacheSize(0);
                }
            }
            if (connector instanceof ServerConnector listening) {
                listening.addBean(new ConnectionPlaces(most, trusted, new LongAdder()));
                listening.addBean(
                        new HeadDeadlines(listening, limits.headWithin(), new LongAdder()));
            }
        }
    }

    /** Connections that a heap of so many bytes has room for. */
    static int roomFor(long heap) {
        return (int) Math.min(MOST_CONNECTIONS, heap / PART_OF_CONNECTIONS / CONNECTION_BYTES);
    }

    private static void rates(Server server, HttpProperties limits) {
        server.setHandler(
                new DataRates(
                        server.getHandler(),
                        limits.minDataRate(),
                        limits.dataGrace(),
                        new LongAdder(),
                        new LongAdder()));
    }
}
