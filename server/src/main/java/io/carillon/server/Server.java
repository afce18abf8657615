package io.carillon.server;

import io.carillon.server.api.ApiHandler;
import io.carillon.server.apps.DeployFolder;
import io.carillon.server.cluster.ClusterSide;
import io.carillon.server.cluster.OwnPlace;
import io.carillon.server.config.ApplicationSettings;
import io.carillon.server.config.ClusterSettings;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationSource;
import io.carillon.server.config.ListenAddress;
import io.carillon.server.config.ReadConfiguration;
import io.carillon.server.control.ControlSocket;
import io.carillon.server.data.Database;
import io.carillon.server.data.SqlUsers;
import io.carillon.server.guard.LimitWatch;
import io.carillon.server.http.AdminHttp;
import io.carillon.server.reload.Reloading;
import io.carillon.server.reload.RunningConfiguration;
import io.carillon.server.routes.RouterWatch;
import io.carillon.server.service.ServiceManager;
import io.carillon.server.start.StartException;
import io.carillon.server.tls.TlsSide;
import io.carillon.servlet.app.ContextParams;
import io.carillon.sip.hop.HostPort;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server: the place that composes. Made by {@link #start}. Any thread. */
public final class Server implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    /** A node leaves within a minute. */
    static final Duration HAND_OVER = Duration.ofMinutes(1);

    private final Reloading reloading;
    private final SipSide sip;
    private final StatusBoard board;
    private final AdminHttp http;
    private final ControlSocket control;
    private final @Nullable FolderWatch watch;
    private final RouterWatch routerWatch;
    private final boolean examples;
    private final @Nullable ClusterSide member;

    private Server(
            Reloading reloading,
            SipSide sip,
            StatusBoard board,
            AdminHttp http,
            ControlSocket control,
            @Nullable FolderWatch watch,
            RouterWatch routerWatch,
            boolean examples,
            @Nullable ClusterSide member) {
        this.reloading = reloading;
        this.sip = sip;
        this.board = board;
        this.http = http;
        this.control = control;
        this.watch = watch;
        this.routerWatch = routerWatch;
        this.examples = examples;
        this.member = member;
    }

    /**
     * Binds every port, deploys, and lets calls in; without a warm-up.
     *
     * @param arguments archives and folders; empty: the example applications
     * @throws StartException with a sentence for the user; nothing is left open
     */
    public static Server start(Configuration configuration, List<Path> arguments, HomeFolder home)
            throws StartException {
        return start(configuration, arguments, home, () -> {});
    }

    /** As the other, with a configuration that was read from nowhere and stays as it is. */
    public static Server start(
            Configuration configuration, List<Path> arguments, HomeFolder home, Runnable warmUp)
            throws StartException {
        ReadConfiguration made = ReadConfiguration.made(configuration);
        return start(made, () -> made, arguments, home, warmUp);
    }

    /**
     * The same after a warm-up, which runs before any port is bound for good: what came meanwhile
     * would be answered late, and had been repeated.
     *
     * @param read what to start with
     * @param source where it is read again
     */
    public static Server start(
            ReadConfiguration read,
            ConfigurationSource source,
            List<Path> arguments,
            HomeFolder home,
            Runnable warmUp)
            throws StartException {
        Configuration configuration = read.configuration();
        LogLevels.apply(configuration.log());
        read.warnings().forEach(LOG::warn);
        boolean examples = arguments.isEmpty() && configuration.deploy().folder() == null;
        List<Path> archives = examples ? examples(home) : Archives.of(arguments);
        UnaryOperator<Configuration> completed =
                one ->
                        examples && one.router() == null
                                ? one.withRouter(home.examplesRouter())
                                : one;
        RunningConfiguration running =
                new RunningConfiguration(
                        read.with(completed.apply(configuration)),
                        () -> {
                            ReadConfiguration again = source.read();
                            return again.with(completed.apply(again.configuration()));
                        });
        return start(running, archives, home, warmUp, examples);
    }

    private static Server start(
            RunningConfiguration running,
            List<Path> archives,
            HomeFolder home,
            Runnable warmUp,
            boolean examples)
            throws StartException {
        Configuration complete = running.current().configuration();
        Path watched = complete.deploy().folder();
        MachineNeeds.warn(complete);
        tryPorts(complete);
        TlsSide tls = TlsSide.open(complete.tls(), SipTranslation.listeningPoints(complete));
        warmUp.run();
        Database database = new Database(complete.database(), home.data(complete.cluster()));
        SqlUsers users = new SqlUsers(database);
        ClusterSide member = join(complete.cluster(), home, tls);
        CarillonSip sip;
        try {
            database.closeToOthers();
            sip = CarillonSip.open(complete, home, database, users, tls, member);
        } catch (StartException e) {
            leave(member);
            tls.close();
            throw e;
        } catch (SQLException e) {
            leave(member);
            tls.close();
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
        StatusBoard board =
                new StatusBoard(
                        sip, new LimitWatch(ProtectionLimits.of(complete, sip::lastOverShare)));
        AdminHttp http = null;
        Reloading reloading;
        ControlSocket control = null;
        DeployFolder folder = null;
        try {
            http = Administration.http(complete, board, tls, sip, database, member);
            reloading = new Reloading(running, LiveParts.of(sip, http));
            sip.web(http.web());
            control =
                    new Administration(reloading, home, board, sip, users, tls, member, http)
                            .listenForCommands(database);
            deploy(sip, archives);
            warnOfWhatNobodyUses(complete, sip.applications());
            if (watched != null) {
                folder = folderIn(watched, sip);
                folder.begin();
            }
            sip.routedButNotDeployed().forEach(LOG::warn);
            warnOfOpenWebSocket(complete);
        } catch (StartException e) {
            if (control != null) {
                control.close();
            }
            if (http != null) {
                http.close();
            }
            board.close();
            sip.close();
            leave(member);
            throw e;
        }
        sip.receive();
        board.state("running");
        board.start(complete.start().touchHeap(), WorkFolder.ofThisProcess(home.work()));
        JvmThreads.giveWay(complete.start());
        FolderWatch watch = folder == null ? null : FolderWatch.start(folder);
        RouterWatch routerWatch = RouterWatch.start(sip);
        return new Server(
                reloading, sip, board, http, control, watch, routerWatch, examples, member);
    }

    /** Null where no cluster is configured. */
    private static @Nullable ClusterSide join(
            ClusterSettings settings, HomeFolder home, TlsSide tls) throws StartException {
        if (!settings.configured()) {
            return null;
        }
        try {
            return ClusterSide.open(settings, OwnPlace.folder(home.clusters(), settings));
        } catch (StartException e) {
            tls.close();
            throw e;
        }
    }

    private static void leave(@Nullable ClusterSide member) {
        if (member != null) {
            member.close();
        }
    }

    /** A port that is taken is told before the warm-up, not after it. */
    private static void tryPorts(Configuration configuration) throws StartException {
        CarillonSip.tryPorts(configuration);
        try {
            AdminHttp.tryPorts(configuration.http());
        } catch (IOException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static DeployFolder folderIn(Path path, SipSide sip) throws StartException {
        if (!DeployFolder.usable(path)) {
            throw new StartException(path + ": the deploy folder is no folder that can be read");
        }
        return new DeployFolder(path, sip, FolderWatch.deploying());
    }

    /** Deploys what can be deployed. With nothing left to run, the start failed. */
    private static void deploy(SipSide sip, List<Path> archives) throws StartException {
        List<String> failures = sip.deploy(archives);
        if (!failures.isEmpty() && failures.size() == archives.size()) {
            throw new StartException(String.join("\n", failures));
        }
        for (String failure : failures) {
            LOG.error("Not deployed: {}", failure);
        }
    }

    private static void warnOfOpenWebSocket(Configuration configuration) {
        String open = openWebSocket(configuration);
        if (open != null) {
            LOG.warn(open);
        }
    }

    /**
     * What to say of WebSocket that every page may connect to, or null. RFC 6455 section 10.2: a
     * browser says whose page connects, and the server has to look.
     */
    static @Nullable String openWebSocket(Configuration configuration) {
        boolean webSocket =
                configuration.sip().listen().stream()
                        .map(ListenAddress::transport)
                        .anyMatch(one ->
                                one == ListenAddress.Transport.WS
                                        || one == ListenAddress.Transport.WSS);
        return webSocket && configuration.ws().origins().isEmpty()
                ? "WebSocket takes connections from the pages of every site, as ws.origins names"
                        + " none (docs/guides/transports.md)"
                : null;
    }

    /** A name that is mistyped would pass in silence, and so would an application without calls. */
    private static void warnOfWhatNobodyUses(Configuration configuration, List<String> names) {
        for (Map.Entry<String, ApplicationSettings> given :
                configuration.applications().entrySet()) {
            String name = given.getKey();
            boolean meant =
                    names.contains(name)
                            || given.getValue().contextParams().keySet().stream()
                                    .anyMatch(key ->
                                            names.stream()
                                                    .anyMatch(one ->
                                                            ContextParams.meant(name, key, one)));
            if (!meant) {
                LOG.warn(
                        "Parameters are given for application {}, which is not deployed; there are {}",
                        name,
                        String.join(", ", names));
            }
        }
        if (configuration.router() == null
                && configuration.routerProvider().folder() == null
                && names.size() > 1) {
            LOG.warn(
                    "Without a router file {} gets every request from the network, and {} none"
                            + " (--router FILE, docs/guides/deploying.md)",
                    names.getFirst(),
                    String.join(", ", names.subList(1, names.size())));
        }
    }

    /** The line that says that the server is up. */
    public String readyLine() {
        double seconds = ManagementFactory.getRuntimeMXBean().getUptime() / 1000.0;
        return "READY in "
                + String.format(Locale.ROOT, "%.2f", seconds)
                + " s: SIP "
                + String.join(", ", sip.listening())
                + "; HTTP "
                + http.listening()
                + "; applications "
                + String.join(", ", sip.applications());
    }

    /**
     * Behind the READY line: from now on each archive that is deployed, or was, is looked at as
     * {@code ./carillon check} does, and its errors are a warning. Returns at once.
     */
    public void checkDeployed() {
        sip.checkDeployed();
    }

    private static List<Path> examples(HomeFolder home) throws StartException {
        try {
            return home.examples();
        } catch (IOException e) {
            throw new StartException(
                    "the examples cannot be found (" + e.getMessage() + "); name an archive", e);
        }
    }

    /** Lines that say where to call and where to look. */
    public String hints() {
        String call = "";
        if (examples && !sip.udpAddresses().isEmpty()) {
            String address =
                    sip.listening()
                            .getFirst()
                            .substring("udp:".length())
                            .replace("0.0.0.0", "ADDRESS");
            call =
                    "Call:  sipp "
                            + address
                            + " -sn uac -s uas -r 100 -m 1000   or dial sip:uas@"
                            + address
                            + " with a softphone\n";
        }
        return call
                + pages()
                + firstStep()
                + "Look:  ./carillon status   or "
                + scheme(configuration().http().tls())
                + http.listening()
                + "/status and /metrics";
    }

    private String firstStep() {
        ApiHandler api = http.api();
        return api == null ? "" : api.firstStep();
    }

    private static String scheme(boolean secure) {
        return secure ? "https://" : "http://";
    }

    private String pages() {
        HostPort elsewhere = http.applications();
        HostPort at = elsewhere == null ? http.listening() : elsewhere;
        StringBuilder lines = new StringBuilder();
        for (String path : http.pages()) {
            boolean secure =
                    elsewhere == null
                            ? configuration().http().tls()
                            : configuration().http().applicationsTls();
            lines.append("Page:  ").append(scheme(secure)).append(at).append(path);
            lines.append(path.endsWith("/") ? "\n" : "/\n");
        }
        return lines.toString();
    }

    /** From now on SIGTERM drains, and ends the process with exit code 0; SIGHUP reloads. */
    public void endWithProcess() {
        TerminalClosed.outlive(reloading::reloadBySignal);
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("shutdown").unstarted(this::endProcess));
    }

    /**
     * The process's shutdown hook. Ends the process by itself: else the signal would be its exit
     * code.
     */
    private void endProcess() {
        int exit = 0;
        StopDeadline.arm(configuration());
        ServiceManager.ofProcess().stopping(StopDeadline.limit(configuration()));
        try {
            close();
            LOG.info("Stopped");
        } catch (RuntimeException e) {
            LOG.error("The server did not stop cleanly", e);
            exit = 1;
        }
        LogLevels.flush();
        Runtime.getRuntime().halt(exit);
    }

    private Configuration configuration() {
        return reloading.running().current().configuration();
    }

    /** Drains as configured, then closes everything. */
    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
        routerWatch.close();
        board.state("draining");
        try {
            if (!handedOver()) {
                new Drain(sip, configuration().drain(), Drain.Waiting.real()).run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.warn("Stopping without a drain: interrupted");
        }
        board.state("stopping");
        board.close();
        sip.close();
        http.close();
        control.close();
        leave(member);
    }

    /** In a cluster calls go on at other nodes; false where there is none, or nobody took them. */
    private boolean handedOver() throws InterruptedException {
        ClusterSide own = member;
        if (own == null) {
            return false;
        }
        LOG.info("Stopping: {} calls go to other nodes", sip.callsHeld());
        return own.leave(HAND_OVER.toSeconds());
    }
}
