package io.carillon.web;

import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.jetty.JettyServerCustomizer;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Where the web server is Jetty: a connection keeps no cache of the headers it saw. With an event
 * stream for each user most connections are open and silent, and the cache weighs 100 KB on each.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JettyServerCustomizer.class)
class LeanJetty {
    @Bean
    WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> noHeaderCache() {
        return factory ->
                factory.addServerCustomizers(server -> {
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
