package io.carillon.server.config;

import io.carillon.net.websocket.WebSocketConfig;
import java.util.List;

/**
 * SIP over WebSocket (RFC 7118): the listening addresses {@code ws} and {@code wss}.
 *
 * @param path of the upgrade request
 * @param origins web pages that may connect
 * @param maxPings of one connection in a second
 * @param maxFragments of one connection in a second
 */
public record WebSocketSettings(
        @Setting(
                        value = "Path of the upgrade request; any other is answered with 404.",
                        standard = "/")
                String path,
        @Setting(
                        value =
                                "Web pages that may connect, as browsers name them in Origin"
                                        + " (https://phone.example.com). Others get 403; a client"
                                        + " without an Origin is no browser and passes.",
                        standardText = "every page",
                        common = true)
                List<String> origins,
        @Setting(
                        value =
                                "Pings of one connection that are answered within a second; one that"
                                        + " sends more is closed.",
                        standard = "20",
                        min = "1",
                        max = "1000",
                        metrics = "net.closed_ping_flood")
                int maxPings,
        @Setting(
                        value =
                                "Frames of one connection within a second that end no message; one that"
                                        + " sends more is closed.",
                        standard = "5000",
                        min = "16",
                        max = "100000",
                        metrics = "net.closed_fragment_flood")
                int maxFragments) {

    /** What has to hold. */
    public WebSocketSettings {
        var _ = new WebSocketConfig(path, origins, maxPings, maxFragments);
    }

    /** In the words of the module below. */
    public WebSocketConfig config() {
        return new WebSocketConfig(path, origins, maxPings, maxFragments);
    }
}
