package io.carillon.web;

import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
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
 * that does not read, then holds up nobody. There are no more of them than connections.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JettyServerCustomizer.class)
class LeanJetty {
    @Bean
    WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> leanJetty() {
        return factory ->
                factory.addServerCustomizers(server -> {
                    if (server.getThreadPool() instanceof QueuedThreadPool threads
                            && threads.getVirtualThreadsExecutor() == null) {
                        threads.setVirtualThreadsExecutor(
                                VirtualThreads.getNamedVirtualThreadsExecutor("page-"));
                    }
                    for (Connector connector : server.getConnectors()) {
                        for (ConnectionFactory protocol : connector.getConnectionFactories()) {
                            if (protocol instanceof HttpConfiguration.ConnectionFactory http) {
                                http.getHttpConfiguration().setHeaderCacheSize(0);
                            }
                        }
                    }
                });
    }
}
