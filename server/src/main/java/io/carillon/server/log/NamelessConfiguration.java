package io.carillon.server.log;

import java.util.concurrent.ConcurrentMap;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.xml.XmlConfiguration;
import org.apache.logging.log4j.core.config.xml.XmlConfigurationFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads the configuration of the log without the name of this machine, which no line has. Log4j
 * would look it up at each start: where it cannot be resolved it prints a stack trace, and a name
 * server that does not answer holds the start up. Log4j makes it; stateless.
 */
public final class NamelessConfiguration extends XmlConfigurationFactory {
    static final String HOST_NAME = "hostName";

    /** Named in log4j2.component.properties. */
    public NamelessConfiguration() {}

    @Override
    public Configuration getConfiguration(
            @Nullable LoggerContext context, ConfigurationSource source) {
        XmlConfiguration configuration = new XmlConfiguration(context, source);
        ConcurrentMap<String, String> properties =
                configuration.getComponent(Configuration.CONTEXT_PROPERTIES);
        // What is there is not looked up.
        properties.put(HOST_NAME, "localhost");
        return configuration;
    }
}
