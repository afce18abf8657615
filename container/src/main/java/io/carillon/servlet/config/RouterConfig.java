package io.carillon.servlet.config;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which application router to take.
 *
 * @param file properties file of the default router; null: the system property {@code
 *     javax.servlet.sip.dar}, else the order of deployment
 * @param classPathFolder folder of jars and classes in which a provider is looked for, by its
 *     service file; null: none
 * @param properties what a provider's router is initialized with; empty: it is initialized without
 */
public record RouterConfig(
        @Nullable Path file, @Nullable Path classPathFolder, Map<String, String> properties) {
    /** Applications in the order of their deployment. */
    public static final RouterConfig DEPLOYMENT_ORDER = new RouterConfig(null, null);

    public RouterConfig {
        properties = Map.copyOf(properties);
    }

    /** Without properties. */
    public RouterConfig(@Nullable Path file, @Nullable Path classPathFolder) {
        this(file, classPathFolder, Map.of());
    }
}
