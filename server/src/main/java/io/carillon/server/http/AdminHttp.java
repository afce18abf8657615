package io.carillon.server.http;

import io.carillon.net.address.HostNames;
import io.carillon.protection.http.ConnectionPlaces;
import io.carillon.protection.http.DataRates;
import io.carillon.protection.http.HeadDeadlines;
import io.carillon.server.config.HttpSettings;
import io.carillon.servlet.feature.http.FrontEnd;
import io.carillon.servlet.feature.http.WebSide;
import io.carillon.sip.hop.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongPredicate;
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
    /** Requests that wait for a thread of {@code http.max-threads}. */
    private static final int MOST_WAITING = 1_000;

    /**
     * For the connections of each place to listen, and for the pages of administration: nothing
     * there ever waits.
     */
    private static final int CONNECTION_THREADS = 8;

    /** Of the connections of a place to listen that is full. */
    private static final long IDLE_WHEN_FULL_MILLIS = 5_000;

    private final Server server;
    private final ServerConnector connector;
    private final HostPort listening;
    private final @Nullable HostPort applications;
    private final JettyWebSide web;
    private final Counters counters;

    /** What strangers were refused. Any thread. */
    private record Counters(
            LongAdder slowHeads,
            LongAdder timesFull,
            LongAdder gaveWay,
            LongAdder slowBodies,
            LongAdder slowReaders,
            LongAdder noThread,
            LongAdder noRoom,
            LongAdder unknownHosts) {
        Counters() {
            this(
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder());
        }
    }

    private AdminHttp(
            ServerConnector connector,
            @Nullable HostPort applications,
            JettyWebSide web,
            Counters counters) {
        this.server = connector.getServer();
        this.connector = connector;
        this.listening = bound(connector);
        this.applications = applications;
        this.web = web;
        this.counters = counters;
    }

    /**
     * Listens.
     *
     * @param settings where, and the token
     * @param pages by path; that of "/" gives way to an application with that path
     * @param paths the configured path of an application, by its name
     * @param trusted sources by their {@link io.carillon.sip.guard.SourceKey}, which have no shares
     * @throws IOException when the address is taken or not ours, or a token is missing; the message
     *     is for the user
     */
    public static AdminHttp start(
            HttpSettings settings,
            Map<String, AdminPage> pages,
            Function<String, @Nullable String> paths,
            LongPredicate trusted)
            throws IOException {
        HostPort wanted = settings.listen();
        boolean loopback = isLoopback(wanted.bareHost());
        if (!loopback && settings.token() == null) {
            throw new IOException(
                    "HTTP on "
                            + wanted
                            + " can be reached from elsewhere: set http.token, or listen on 127.0.0.1"
                            + " (http.applications may listen elsewhere)");
        }
        QueuedThreadPool threads = new QueuedThreadPool(settings.maxThreads(), 2);
        threads.setName("http-pages");
        threads.setDaemon(true);
        Server server = new Server(threads);
        Counters counters = new Counters();
        ServerConnector connector = connector(server, settings, wanted, trusted, counters);
        ServerConnector applications =
                settings.applications() == null
                        ? null
                        : connector(server, settings, settings.applications(), trusted, counters);
        ContextHandlerCollection contexts = new ContextHandlerCollection();
        SizeLimitHandler limited = new SizeLimitHandler(settings.maxRequest().bytes(), -1);
        OlderVersions older = new OlderVersions(contexts);
        limited.setHandler(older);
        AdminHandler admin = new AdminHandler(pages, settings.token(), loopback, applications);
        HostCheck known =
                new HostCheck(limited, new HostNames(names(settings)), counters.unknownHosts);
        server.setHandler(
                new DataRates(
                        new Handler.Sequence(
                                admin.first(),
                                new EarlyBodies(
                                        new PageThreads(
                                                new Handler.Sequence(known, admin),
                                                shared(threads, settings, trusted),
                                                counters.noThread,
                                                counters.noRoom),
                                        settings.maxRequest().bytes(),
                                        trusted,
                                        counters.noRoom)),
                        settings.minDataRate(),
                        settings.dataGrace(),
                        counters.slowBodies,
                        counters.slowReaders));
        server.setStopTimeout(0);
        HostPort shown = settings.publicAddress();
        FrontEnd frontEnd =
                new FrontEnd(() -> {
                    HostPort at = applications == null ? bound(connector) : bound(applications);
                    return String.valueOf(shown != null ? shown : at);
                });
        JettyWebSide web =
                new JettyWebSide(server, contexts, older, frontEnd, reserved(pages), paths);
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
                connector, applications == null ? null : bound(applications), web, counters);
    }

    private static SharedThreads shared(
            QueuedThreadPool threads, HttpSettings settings, LongPredicate trusted) {
        return new SharedThreads(
                threads, settings.maxThreads(), MOST_WAITING, trusted, System::nanoTime);
    }

    /** Paths that no application may have. */
    private static Set<String> reserved(Map<String, AdminPage> pages) {
        Set<String> paths = new HashSet<>(pages.keySet());
        paths.remove(AdminHandler.FRONT);
        return paths;
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
            socket.bind(new InetSocketAddress(at.bareHost(), at.port()));
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
            LongPredicate trusted,
            Counters counters) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        // 100 KB on each connection that is kept, an event stream's too.
        http.setHeaderCacheSize(0);
        QueuedThreadPool threads = new QueuedThreadPool(CONNECTION_THREADS, 2);
        threads.setName("http");
        threads.setDaemon(true);
        ServerConnector connector =
                new ServerConnector(
                        server, threads, null, null, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(at.bareHost());
        connector.setPort(at.port());
        connector.setIdleTimeout(settings.idleTimeout().toMillis());
        server.addConnector(connector);
        NetworkConnectionLimit limit =
                new NetworkConnectionLimit(settings.maxConnections(), connector) {
                    @Override
                    protected void limit() {
                        counters.timesFull.increment();
                        super.limit();
                    }
                };
        limit.setEndPointIdleTimeout(IDLE_WHEN_FULL_MILLIS);
        server.addBean(limit);
        connector.addBean(
                new ConnectionPlaces(settings.maxConnections(), trusted, counters.gaveWay));
        connector.addBean(new HeadDeadlines(connector, settings.headWithin(), counters.slowHeads));
        return connector;
    }

    /** By which visitors may ask: those that listen or are shown, and those configured. */
    private static List<String> names(HttpSettings settings) {
        List<String> names = new ArrayList<>(settings.hosts());
        names.add(settings.listen().bareHost());
        HostPort applications = settings.applications();
        if (applications != null) {
            names.add(applications.bareHost());
        }
        HostPort shown = settings.publicAddress();
        if (shown != null) {
            names.add(shown.bareHost());
        }
        return names;
    }

    /** Where it listens, with the real port. */
    private static HostPort bound(ServerConnector connector) {
        return HostPort.of(connector.getHost(), connector.getLocalPort());
    }

    /** Who serves the HTTP parts of applications. */
    public WebSide web() {
        return web;
    }

    /** The paths of applications that are served now. */
    public List<String> pages() {
        return web.pages();
    }

    /** The second place to listen, for applications alone; null when there is none. */
    public @Nullable HostPort applications() {
        return applications;
    }

    /** Connections closed since a request's head took too long. */
    public long closedSlowHead() {
        return counters.slowHeads.sum();
    }

    /** HTTP sessions now. */
    public int sessions() {
        return web.sessions();
    }

    /** Times that a place to listen came to have as many connections as it may. */
    public long timesFull() {
        return counters.timesFull.sum();
    }

    /** Connections closed for others, since their source held most. */
    public long gaveWay() {
        return counters.gaveWay.sum();
    }

    /** Requests given up since their body came too slowly. */
    public long slowBodies() {
        return counters.slowBodies.sum();
    }

    /** Connections closed since their reader took a response too slowly. */
    public long slowReaders() {
        return counters.slowReaders.sum();
    }

    /** Requests for pages of applications refused as there was no thread for them. */
    public long noThread() {
        return counters.noThread.sum();
    }

    /** Bodies given up since too many were coming, and their source held most. */
    public long noRoom() {
        return counters.noRoom.sum();
    }

    /** Requests for pages of applications refused as they were to a name that is not ours. */
    public long unknownHosts() {
        return counters.unknownHosts.sum();
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
}
