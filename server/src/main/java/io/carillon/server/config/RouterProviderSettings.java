package io.carillon.server.config;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An application router of somebody else's.
 *
 * @param folder its classes
 * @param properties what it is initialized with
 */
public record RouterProviderSettings(
        @Setting(
                        value =
                                "Folder of classes and jars whose service file"
                                        + " (javax.servlet.sip.ar.spi) names an application"
                                        + " router's provider; this router is asked in place of"
                                        + " the router file.",
                        standardText = "none")
                @Nullable Path folder,
        @Setting("Properties that the provider's router is initialized with.")
                Map<String, String> properties) {}
