package io.carillon.server.http;

import io.carillon.net.address.HostNames;
import io.carillon.protection.http.DataRates;
import io.carillon.server.api.ApiHandler;
import io.carillon.server.config.HttpSettings;
import io.carillon.server.config.Secret;
import io.carillon.server.console.ConsoleHandler;
import io.carillon.server.health.Health;
import io.carillon.server.nodes.OtherPages;
import io.carillon.servlet.feature.http.FrontEnd;
import io.carillon.servlet.feature.http.WebSide;
import io.carillon.sip.hop.HostPort;
import io.carillon.telemetry.spans.CallTraces;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP side: the server's own pages, to this machine or to whoever brings the token; and the
 * web contexts of applications, to everybody.
 */
public final class AdminHttp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminHttp.class);

    /** Requests that wait for a thread of {@code http.max-threads}. */
    private static final int MOST_WAITING = 1_000;

    private final Server server;
    private final ServerConnector connector;
    private final AdminHandler admin;
    private final HostPort listening;
    private final @Nullable HostPort applications;
    private final @Nullable HostPort probes;
    private final JettyWebSide web;
    private final HttpCounters counters;
    private final @Nullable ApiHandler api;

    private AdminHttp(
            ServerConnector connector,
            AdminHandler admin,
            @Nullable HostPort applications,
            @Nullable HostPort probes,
            JettyWebSide web,
            HttpCounters counters,
            @Nullable ApiHandler api) {
        this.server = connector.getServer();
        this.connector = connector;
        this.admin = admin;
        this.listening = bound(connector);
        this.applications = applications;
        this.probes = probes;
        this.web = web;
        this.counters = counters;
        this.api = api;
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
        return start(settings, pages, paths, trusted, Map.of(), new Beside(null, null, null));
    }

    /**
     * What the HTTP side may have besides.
     *
     * @param tls for the places that are to have it; null: none is
     * @param api the operations of administration; null: there are none
     * @param others nodes of the cluster; null: the server is alone
     */
    public record Beside(
            @Nullable SSLContext tls, @Nullable ApiHandler api, @Nullable OtherPages others) {}

    /**
     * As the other.
     *
     * @param probes of health, by path
     */
    public static AdminHttp start(
            HttpSettings settings,
            Map<String, AdminPage> pages,
            Function<String, @Nullable String> paths,
            LongPredicate trusted,
            Map<String, Supplier<Health>> probes,
            Beside beside)
            throws IOException {
        SSLContext tls = beside.tls();
        OtherPages others = beside.others();
        HostPort wanted = settings.listen();
        boolean loopback = isLoopback(wanted.bareHost());
        if (!loopback && settings.token() == null) {
            throw new IOException(needsToken(wanted));
        }
        QueuedThreadPool threads = pages(settings);
        Server server = new Server(threads);
        HttpCounters counters = new HttpCounters();
        Places places = new Places(server, settings, trusted, counters);
        ServerConnector connector = places.connector(wanted, settings.tls() ? tls : null, "http");
        ServerConnector applications =
                places.ifGiven(
                        settings.applications(), settings.applicationsTls() ? tls : null, "http");
        ServerConnector health = places.ifGiven(settings.health(), null, "health-http");
        BetweenNodes nodes = BetweenNodes.of(others, places);
        Set<Connector> pagesAlone = BetweenNodes.arrivals(nodes, applications);
        ContextHandlerCollection contexts = new ContextHandlerCollection();
        OlderVersions older = new OlderVersions(contexts);
        AdminHandler admin = new AdminHandler(pages, read(settings.token()), loopback, pagesAlone);
        PageThreads work =
                new PageThreads(
                        new Handler.Sequence(known(settings, older, counters), admin),
                        shared(threads, settings, trusted),
                        counters.noThread(),
                        counters.noRoom());
        JettyWebSide web =
                new JettyWebSide(
                        server,
                        contexts,
                        older,
                        frontEnd(settings, applications == null ? connector : applications),
                        reserved(pages),
                        paths,
                        SessionIds.of(server, others));
        Handler here =
                new EarlyBodies(work, settings.maxRequest().bytes(), trusted, counters.noRoom());
        Handler all =
                new Handler.Sequence(
                        new HealthHandler(probes, pagesAlone, health),
                        first(beside.api(), admin, pagesAlone),
                        BetweenNodes.on(nodes, web, new HostNames(names(settings)), here),
                        here);
        server.setHandler(BetweenNodes.in(nodes, inTime(all, settings, counters)));
        begin(server, everywhere(settings, others));
        if (!loopback && !(settings.tls() && tls != null)) {
            LOG.warn("{}", openWithoutTls(wanted));
        }
        return new AdminHttp(
                connector, admin, place(applications), place(health), web, counters, beside.api());
    }

    /** The operations of administration; null: there are none. */
    public @Nullable ApiHandler api() {
        return api;
    }

    /** The server's own, before applications: none of them can be in the way. */
    private static Handler first(
            @Nullable ApiHandler api, AdminHandler admin, Set<Connector> notHere) {
        return api == null
                ? admin.first()
                : new Handler.Sequence(
                        new OwnPlace(api, notHere), new ConsoleHandler(notHere), admin.first());
    }

    /** Operations are not where applications have a place of their own. */
    private static final class OwnPlace extends Handler.Wrapper {
        private final Set<Connector> notHere;

        OwnPlace(Handler handler, Set<Connector> notHere) {
            super(handler);
            this.notHere = notHere;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws Exception {
            return !notHere.contains(request.getConnectionMetaData().getConnector())
                    && super.handle(request, response, callback);
        }
    }

    /** Does only this machine reach it? */
    public static boolean onLoopback(HttpSettings settings) throws IOException {
        return isLoopback(settings.listen().bareHost());
    }

    private static void begin(Server server, String everywhere) throws IOException {
        server.setStopTimeout(0);
        try {
            server.start();
        } catch (Exception e) { // Jetty declares no narrower one
            stop(server);
            throw refused(everywhere, reason(e), e);
        }
    }

    private static FrontEnd frontEnd(HttpSettings settings, ServerConnector pages) {
        HostPort shown = settings.publicAddress();
        return new FrontEnd(() -> String.valueOf(shown != null ? shown : bound(pages)));
    }

    private static Handler inTime(Handler handler, HttpSettings settings, HttpCounters counters) {
        return new DataRates(
                handler,
                settings.minDataRate(),
                settings.dataGrace(),
                counters.slowBodies(),
                counters.slowReaders());
    }

    private static QueuedThreadPool pages(HttpSettings settings) {
        QueuedThreadPool threads = new QueuedThreadPool(settings.maxThreads(), 2);
        threads.setName("http-pages");
        threads.setDaemon(true);
        return threads;
    }

    private static String needsToken(HostPort at) {
        return "HTTP on "
                + at
                + " can be reached from elsewhere: set http.token, or listen on 127.0.0.1"
                + " (http.applications may listen elsewhere)";
    }

    private static String openWithoutTls(HostPort at) {
        return "The pages of administration at "
                + at
                + " are open to the network without TLS: the token can be read on its way (http.tls)";
    }

    /** Pages of applications, by names that are ours and with bodies that are not too large. */
    private static Handler known(
            HttpSettings settings, OlderVersions contexts, HttpCounters counters) {
        SizeLimitHandler limited = new SizeLimitHandler(settings.maxRequest().bytes(), -1);
        limited.setHandler(new PageSpans(contexts));
        return new HostCheck(limited, new HostNames(names(settings)), counters.unknownHosts());
    }

    private static String everywhere(HttpSettings settings, @Nullable OtherPages others) {
        List<HostPort> all = new ArrayList<>(List.of(settings.listen()));
        Stream.of(settings.applications(), settings.health())
                .filter(Objects::nonNull)
                .forEach(all::add);
        String places = String.join(" and ", all.stream().map(HostPort::toString).toList());
        return others == null
                ? places
                : places + " and, for other nodes, " + others.address(others.self());
    }

    /**
     * Reads another token.
     *
     * @return makes it the one that is asked for, and is run once or not at all
     * @throws IOException when its file cannot be read, or a token is needed; the message says so
     */
    public Runnable token(@Nullable Secret next) throws IOException {
        if (next == null && !isLoopback(listening.bareHost())) {
            throw new IOException("is needed while http.listen can be reached from elsewhere");
        }
        String text = read(next);
        return () -> admin.token(text);
    }

    private static @Nullable String read(@Nullable Secret token) throws IOException {
        try {
            return token == null ? null : token.value();
        } catch (IOException e) {
            throw new IOException("http.token-file: " + e.getMessage(), e);
        }
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
        paths.add("/health");
        paths.add(ApiHandler.ROOT);
        paths.add(ConsoleHandler.ROOT);
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
        HostPort health = settings.health();
        if (health != null) {
            tryPort(health);
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

    private static @Nullable HostPort place(@Nullable ServerConnector connector) {
        return connector == null ? null : bound(connector);
    }

    /** Where it listens, with the real port. */
    private static HostPort bound(ServerConnector connector) {
        return HostPort.of(connector.getHost(), connector.getLocalPort());
    }

    /** Who serves the HTTP parts of applications. */
    public WebSide web() {
        return web;
    }

    /** Requests to applications are spans of the calls that they begin, from now on. */
    public void follow(CallTraces traces) {
        server.getDescendant(PageSpans.class).follow(traces);
    }

    /** The paths of applications that are served now. */
    public List<String> pages() {
        return web.pages();
    }

    /** The second place to listen, for applications alone; null when there is none. */
    public @Nullable HostPort applications() {
        return applications;
    }

    /** The place to listen for probes alone; null when there is none. */
    public @Nullable HostPort probes() {
        return probes;
    }

    /** Connections closed since a request's head took too long. */
    public long closedSlowHead() {
        return counters.slowHeads().sum();
    }

    /** HTTP sessions now. */
    public int sessions() {
        return web.sessions();
    }

    /** Times that a place to listen came to have as many connections as it may. */
    public long timesFull() {
        return counters.timesFull().sum();
    }

    /** Connections closed for others, since their source held most. */
    public long gaveWay() {
        return counters.gaveWay().sum();
    }

    /** Requests given up since their body came too slowly. */
    public long slowBodies() {
        return counters.slowBodies().sum();
    }

    /** Connections closed since their reader took a response too slowly. */
    public long slowReaders() {
        return counters.slowReaders().sum();
    }

    /** Requests for pages of applications refused as there was no thread for them. */
    public long noThread() {
        return counters.noThread().sum();
    }

    /** Bodies given up since too many were coming, and their source held most. */
    public long noRoom() {
        return counters.noRoom().sum();
    }

    /** As metrics name what was passed on between this node and the others; null: no HTTP yet. */
    public static Map<String, Long> passedPages(@Nullable AdminHttp of) {
        HttpCounters.Passed passed = of == null ? new HttpCounters.Passed() : of.counters.passed();
        return Map.of(
                "http.passed_on", passed.on().sum(),
                "http.passed_in", passed.in().sum(),
                "http.passed_failed", passed.failed().sum(),
                "http.passed_unserved", passed.unserved().sum(),
                "http.passed_refused", passed.refused().sum());
    }

    /** Requests for pages of applications refused as they were to a name that is not ours. */
    public long unknownHosts() {
        return counters.unknownHosts().sum();
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
