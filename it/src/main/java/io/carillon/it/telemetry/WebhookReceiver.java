package io.carillon.it.telemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.carillon.lab.process.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Who takes call records by a webhook, and at times does not. Any thread. */
final class WebhookReceiver implements AutoCloseable {
    private static final String SIGNATURE = "t=";

    private final HttpServer server;
    private final String key;
    private final Set<String> finals = ConcurrentHashMap.newKeySet();
    private final LongAdder refused = new LongAdder();
    private final LongAdder forged = new LongAdder();
    private volatile boolean away;

    private WebhookReceiver(HttpServer server, String key) {
        this.server = server;
        this.key = key;
    }

    static WebhookReceiver start(String key) throws IOException {
        HttpServer http =
                HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 16);
        WebhookReceiver receiver = new WebhookReceiver(http, key);
        http.createContext("/", receiver::take);
        http.start();
        return receiver;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/records";
    }

    /** From now on it answers 503, or again takes what comes. */
    void away(boolean now) {
        away = now;
    }

    /** Ids of final records that came with the right signature. */
    Set<String> finals() {
        return finals;
    }

    long refused() {
        return refused.sum();
    }

    long forged() {
        return forged.sum();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (away) {
                refused.increment();
                exchange.sendResponseHeaders(503, -1);
            } else if (!signed(exchange.getRequestHeaders().getFirst("Carillon-Signature"), body)) {
                forged.increment();
                exchange.sendResponseHeaders(401, -1);
            } else {
                for (JsonNode record : Json.LINES.readTree(body)) {
                    if (record.path("record").asString().equals("final")) {
                        finals.add(record.path("id").asString());
                    }
                }
                exchange.sendResponseHeaders(204, -1);
            }
        }
    }

    private boolean signed(@Nullable String header, byte[] body) throws IOException {
        if (header == null || !header.startsWith(SIGNATURE) || header.indexOf(',') < 0) {
            return false;
        }
        String seconds = header.substring(SIGNATURE.length(), header.indexOf(','));
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            mac.update((seconds + ".").getBytes(StandardCharsets.UTF_8));
            return header.endsWith("v1=" + HexFormat.of().formatHex(mac.doFinal(body)));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
