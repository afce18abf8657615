package io.carillon.server.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the server tells one application.
 *
 * @param contextParams context parameters
 * @param httpPath where its pages are
 */
public record ApplicationSettings(
        @Setting(
                        value =
                                "Context parameters; they replace those of the application's sip.xml.",
                        common = true)
                Map<String, String> contextParams,
        @Setting(
                        value = "Path of its HTTP pages, beginning with a slash.",
                        standardText = "a slash and its name",
                        common = true)
                @Nullable String httpPath) {
    public ApplicationSettings {
        if (httpPath != null
                && (!httpPath.startsWith("/")
                        || (httpPath.length() > 1 && httpPath.endsWith("/")))) {
            throw new IllegalArgumentException(
                    "http-path begins with a slash and does not end with one: " + httpPath);
        }
    }
}
