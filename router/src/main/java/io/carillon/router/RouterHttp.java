package io.carillon.router;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongFunction;

/**
 * {@code /metrics} and {@code /status} of a router, over HTTP, for those who run it. Each request
 * has a virtual thread, so that who sends half of one keeps nobody out; it has ten seconds, and
 * there are {@value #MOST} connections at most. Made and closed by one thread.
 */
public final class RouterHttp implements AutoCloseable {
    private static final int WAITING = 16;

    private static final int MOST = 100;

    static {
        // Of the JDK's server, which is told them in no other way, before its first use.
        limit("sun.net.httpserver.maxReqTime", 10);
        limit("sun.net.httpserver.maxRspTime", 10);
        limit("jdk.httpserver.maxConnections", MOST);
    }

    private final HttpServer server;
    private final ExecutorService threads;

    /**
     * Binds and answers.
     *
     * @throws IOException when the address cannot be bound
     */
    public RouterHttp(InetSocketAddress address, RouterPages pages) throws IOException {
        server = HttpServer.create(address, WAITING);
        threads = Executors.newVirtualThreadPerTaskExecutor();
        server.setExecutor(threads);
        server.createContext("/metrics", each -> answer(each, "/metrics", pages::metrics));
        server.createContext("/status", each -> answer(each, "/status", pages::status));
        server.start();
    }

    private static void limit(String property, int otherwise) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(otherwise));
        }
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
        threads.shutdownNow();
    }
}
