package io.carillon.it.telemetry;

import io.carillon.lab.process.Json;
import io.carillon.lab.process.Pause;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Asks pages of programs on this machine. Any thread. */
final class WebPages {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private WebPages() {}

    /**
     * What a page says.
     *
     * @throws IOException when it says that something is wrong, or nothing
     */
    static String text(String url) throws IOException {
        try {
            HttpResponse<String> answer =
                    CLIENT.send(
                            HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT).build(),
                            HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException(url + " said " + answer.statusCode() + ": " + answer.body());
            }
            return answer.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    static JsonNode json(String url) throws IOException {
        return Json.LINES.readTree(text(url));
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Waits until it answers. */
    static void await(String url, long seconds) throws IOException {
        long deadline = System.nanoTime() + seconds * 1_000_000_000L;
        while (true) {
            try {
                text(url);
                return;
            } catch (IOException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
                Pause.millis(200);
            }
        }
    }
}
