package io.carillon.router;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.LongFunction;

/**
 * {@code /metrics} and {@code /status} of a router, over HTTP, for those who run it: one request at
 * a time, on a thread of its own. Made and closed by one thread.
 */
public final class RouterHttp implements AutoCloseable {
    private static final int WAITING = 16;

    private final HttpServer server;

    /**
     * Binds and answers.
     *
     * @throws IOException when the address cannot be bound
     */
    public RouterHttp(InetSocketAddress address, RouterPages pages) throws IOException {
        server = HttpServer.create(address, WAITING);
        server.createContext("/metrics", each -> answer(each, "/metrics", pages::metrics));
        server.createContext("/status", each -> answer(each, "/status", pages::status));
        server.start();
    }

    private static void answer(HttpExchange exchange, String path, LongFunction<String> page)
            throws IOException {
        try (exchange) {
            boolean known = exchange.getRequestURI().getPath().equals(path);
            if (!known || !exchange.getRequestMethod().equals("GET")) {
                exchange.sendResponseHeaders(known ? 405 : 404, -1);
                return;
            }
            byte[] text = page.apply(System.nanoTime()).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            exchange.sendResponseHeaders(200, text.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(text);
            }
        }
    }

    /** Where it listens, with the port that was chosen. */
    public InetSocketAddress local() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
