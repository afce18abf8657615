package io.carillon.net.websocket;

import io.carillon.net.config.NumberChecks;
import java.util.List;
import java.util.Locale;

/**
 * What is asked of WebSocket clients (RFC 7118, RFC 6455). A path or an origin that cannot be is an
 * {@link IllegalArgumentException} that begins with its name.
 *
 * @param path the path of the upgrade request; others get 404
 * @param origins the Origins of web pages that may connect, as browsers send them ({@code
 *     https://phone.example.com}, kept in lower case); empty: all. A client that sends no Origin is
 *     no browser, and passes
 * @param maxPings pings of one connection answered within a second; over it the connection is
 *     closed
 * @param maxFragments frames of one connection within a second that end no message; over it the
 *     connection is closed
 */
public record WebSocketConfig(String path, List<String> origins, int maxPings, int maxFragments) {

    public WebSocketConfig {
        NumberChecks.positive("pings", maxPings);
        NumberChecks.positive("fragments", maxFragments);
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path has to begin with a slash");
        }
        for (String origin : origins) {
            if (!origin.contains("://") || origin.endsWith("/")) {
                throw new IllegalArgumentException(
                        "origins: '"
                                + origin
                                + "' has to be a scheme and a host, as in"
                                + " https://phone.example.com, without a path");
            }
        }
        origins = origins.stream().map(origin -> origin.toLowerCase(Locale.ROOT)).toList();
    }

    public static WebSocketConfig defaults() {
        return new WebSocketConfig("/", List.of(), 20, 5000);
    }
}
