package io.carillon.server.http;

import io.carillon.server.config.HostPort;
import io.carillon.server.config.HttpSettings;
import io.carillon.servlet.http.FrontEnd;
import io.carillon.servlet.http.WebSide;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP side: the server's own pages, to this machine or to whoever brings the token; and the
 * web contexts of applications, to everybody.
 */
public final class AdminHttp implements AutoCloseable {
    /** Bytes per second, since a body that trickles holds the thread that waits for it. */
    private static final long SLOWEST_BODY = 256;

    /** Of the connections of a place to listen that is full. */
    private static final long IDLE_WHEN_FULL_MILLIS = 5_000;

    private final Server server;
    private final ServerConnector connector;
    private final HostPort listening;
    private final @Nullable HostPort applications;
    private final JettyWebSide web;
    private final LongAdder closedSlowHead;
    private final LongAdder timesFull;

    private AdminHttp(
            ServerConnector connector,
            @Nullable HostPort applications,
            JettyWebSide web,
            LongAdder closedSlowHead,
            LongAdder timesFull) {
        this.server = connector.getServer();
        this.connector = connector;
        this.listening = bound(connector);
        this.applications = applications;
        this.web = web;
        this.closedSlowHead = closedSlowHead;
        this.timesFull = timesFull;
    }

    /**
     * Listens.
     *
     * @param settings where, and the token
     * @param pages by path
     * @param paths the configured path of an application, by its name
     * @throws IOException when the address is taken or not ours, or a token is missing; the message
     *     is for the user
     */
    public static AdminHttp start(
            HttpSettings settings,
            Map<String, Page> pages,
            Function<String, @Nullable String> paths)
            throws IOException {
        HostPort wanted = settings.listen();
        boolean loopback = isLoopback(wanted.host());
        if (!loopback && settings.token() == null) {
            throw new IOException(
                    "HTTP on "
                            + wanted
                            + " can be reached from elsewhere: set http.token, or listen on 127.0.0.1"
                            + " (http.applications may listen elsewhere)");
        }
        QueuedThreadPool threads = new QueuedThreadPool(settings.maxThreads(), 2);
        threads.setName("http");
        threads.setDaemon(true);
        Server server = new Server(threads);
        LongAdder slow = new LongAdder();
        LongAdder full = new LongAdder();
        ServerConnector connector = connector(server, settings, wanted, slow, full);
        ServerConnector applications =
                settings.applications() == null
                        ? null
                        : connector(server, settings, settings.applications(), slow, full);
        ContextHandlerCollection contexts = new ContextHandlerCollection();
        SizeLimitHandler limited = new SizeLimitHandler(settings.maxRequest().bytes(), -1);
        OlderVersions older = new OlderVersions(contexts);
        limited.setHandler(older);
        server.setHandler(
                new Handler.Sequence(
                        limited,
                        new AdminHandler(pages, settings.token(), loopback, applications)));
        server.setStopTimeout(0);
        HostPort shown = settings.publicAddress();
        FrontEnd frontEnd =
                new FrontEnd(() -> {
                    HostPort at = applications == null ? bound(connector) : bound(applications);
                    return String.valueOf(shown != null ? shown : at);
                });
        JettyWebSide web =
                new JettyWebSide(server, contexts, older, frontEnd, pages.keySet(), paths);
        try {
            server.start();
        } catch (Exception e) { // Jetty declares no narrower one
            stop(server);
            String where =
                    settings.applications() == null
                            ? wanted.toString()
                            : wanted + " and " + settings.applications();
            throw refused(where, reason(e), e);
        }
        return new AdminHttp(
                connector, applications == null ? null : bound(applications), web, slow, full);
    }

    /**
     * Are the HTTP ports to be had? They are bound and let go again.
     *
     * @throws IOException naming the one that is not
     */
    public static void tryPorts(HttpSettings settings) throws IOException {
        tryPort(settings.listen());
        HostPort applications = settings.applications();
        if (applications != null) {
            tryPort(applications);
        }
    }

    private static void tryPort(HostPort at) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true); // as Jetty does
            socket.bind(new InetSocketAddress(at.host(), at.port()));
        } catch (IOException e) {
            throw refused(at.toString(), String.valueOf(e.getMessage()), e);
        }
    }

    private static IOException refused(String where, String why, Exception cause) {
        return new IOException(
                "HTTP cannot listen on "
                        + where
                        + " ("
                        + why
                        + "); choose another with --http HOST:PORT",
                cause);
    }

    private static ServerConnector connector(
            Server server,
            HttpSettings settings,
            HostPort at,
            LongAdder closedSlowHead,
            LongAdder timesFull) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        // 100 KB on each connection that is kept, an event stream's too.
        http.setHeaderCacheSize(0);
        http.setMinRequestDataRate(SLOWEST_BODY);
        ServerConnector connector =
                new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(at.host());
        connector.setPort(at.port());
        connector.setIdleTimeout(settings.idleTimeout().toMillis());
        server.addConnector(connector);
        NetworkConnectionLimit limit =
                new NetworkConnectionLimit(settings.maxConnections(), connector) {
                    @Override
                    protected void limit() {
                        timesFull.increment();
                        super.limit();
                    }
                };
        limit.setEndPointIdleTimeout(IDLE_WHEN_FULL_MILLIS);
        server.addBean(limit);
        connector.addBean(new HeadDeadlines(connector, settings.headWithin(), closedSlowHead));
        return connector;
    }

    /** Where it listens, with the real port. */
    private static HostPort bound(ServerConnector connector) {
        return new HostPort(connector.getHost(), connector.getLocalPort());
    }

    /** Who serves the HTTP parts of applications. */
    public WebSide web() {
        return web;
    }

    /** The paths of applications that are served now. */
    public List<String> contexts() {
        return web.serving();
    }

    /** The second place to listen, for applications alone; null when there is none. */
    public @Nullable HostPort applications() {
        return applications;
    }

    /** Connections closed since a request's head took too long. */
    public long closedSlowHead() {
        return closedSlowHead.sum();
    }

    /** HTTP sessions now. */
    public int sessions() {
        return web.sessions();
    }

    /** Times that a place to listen came to have as many connections as it may. */
    public long timesFull() {
        return timesFull.sum();
    }

    /** False while it has as many connections as it may. */
    boolean accepting() {
        return connector.isAccepting();
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
