package io.carillon.server.config;

import org.jspecify.annotations.Nullable;

/**
 * The HTTP side.
 *
 * @param listen where
 * @param token asked for
 */
public record HttpSettings(
        @Setting(value = "Where to listen for HTTP.", standard = "127.0.0.1:8080") HostPort listen,
        @Setting(
                        value =
                                "Bearer token that every HTTP request has to bring. Needed as soon as listen is not a"
                                        + " loopback address.",
                        standardText = "none on loopback")
                @Nullable String token) {}
