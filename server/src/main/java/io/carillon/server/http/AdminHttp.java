package io.carillon.server.http;

import io.carillon.server.config.HostPort;
import io.carillon.server.config.HttpSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.function.Supplier;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Serves pages of text over HTTP: to this machine, or to whoever brings the token. */
public final class AdminHttp implements AutoCloseable {
    private final Server server;
    private final HostPort listening;

    private AdminHttp(Server server, HostPort listening) {
        this.server = server;
        this.listening = listening;
    }

    /**
     * Listens.
     *
     * @param settings where, and the token
     * @param pages by path
     * @throws IOException when the address is taken or not ours, or a token is missing; the message
     *     is for the user
     */
    public static AdminHttp start(HttpSettings settings, Map<String, Page> pages)
            throws IOException {
        HostPort wanted = settings.listen();
        boolean loopback = isLoopback(wanted.host());
        if (!loopback && settings.token() == null) {
            throw new IOException(
                    "HTTP on "
                            + wanted
                            + " can be reached from elsewhere: set http.token, or listen on 127.0.0.1");
        }
        QueuedThreadPool threads = new QueuedThreadPool(8, 2);
        threads.setName("http");
        threads.setDaemon(true);
        Server server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        ServerConnector connector =
                new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(wanted.host());
        connector.setPort(wanted.port());
        connector.setIdleTimeout(30_000);
        server.addConnector(connector);
        server.setHandler(new AdminHandler(pages, settings.token(), loopback));
        server.setStopTimeout(0);
        try {
            server.start();
        } catch (Exception e) { // Jetty declares no narrower one
            stop(server);
            throw new IOException(
                    "HTTP cannot listen on "
                            + wanted
                            + " ("
                            + reason(e)
                            + "); choose another with --http HOST:PORT",
                    e);
        }
        return new AdminHttp(server, new HostPort(wanted.host(), connector.getLocalPort()));
    }

    /** Where it listens; the port is the real one. */
    public HostPort listening() {
        return listening;
    }

    private static boolean isLoopback(String host) throws IOException {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new IOException("HTTP cannot listen on " + host + ": no such host", e);
        }
    }

    private static String reason(Exception e) {
        Throwable cause = e.getCause();
        String text = cause == null ? e.getMessage() : cause.getMessage();
        return text == null ? e.getClass().getSimpleName() : text;
    }

    private static void stop(Server server) {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("HTTP does not stop", e);
        }
    }

    @Override
    public void close() {
        stop(server);
    }

    /**
     * What a path shows.
     *
     * @param contentType of the text
     * @param text made for each request, on a thread of the HTTP side
     */
    public record Page(String contentType, Supplier<String> text) {}
}
