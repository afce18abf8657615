package io.carillon.server;

import io.carillon.net.Network;
import io.carillon.net.guard.Guard;
import io.carillon.net.link.LinkPorts;
import io.carillon.net.listen.BindFailure;
import io.carillon.protection.Protection;
import io.carillon.server.apps.ApplicationStatus;
import io.carillon.server.apps.Registrations;
import io.carillon.server.cluster.ClusterCalls;
import io.carillon.server.cluster.ClusterSide;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.DrainSettings;
import io.carillon.server.data.Database;
import io.carillon.server.data.SqlUsers;
import io.carillon.server.health.HealthSource;
import io.carillon.server.identity.Identities;
import io.carillon.server.measure.HandshakeMeters;
import io.carillon.server.measure.ServerStatus;
import io.carillon.server.measure.SlowHandlers;
import io.carillon.server.routes.Routes;
import io.carillon.server.start.StartException;
import io.carillon.server.tls.TlsSide;
import io.carillon.servlet.ContainerStatus;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.config.EndPolicy;
import io.carillon.servlet.feature.compose.RouteReport;
import io.carillon.servlet.feature.http.WebSide;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.route.RouterException;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.LateStackUser;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.token.RandomSource;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Composes network, shards and container. Any thread, but opened and closed by one. */
final class CarillonSip implements SipSide, Routes {
    private static final Logger LOG = LoggerFactory.getLogger(CarillonSip.class);

    private final Network network;
    private final LiveSip live;
    private final SipContainer container;
    private final Database database;
    private final ApplicationThreads threads;
    private final SlowHandlers slow = new SlowHandlers();
    private final WorkFolder work;
    private final TlsSide tls;
    private final Tracing tracing;
    private final SipCounters counters;
    private final DeployedChecks checks;
    private final @Nullable ClusterCalls cluster;

    private CarillonSip(
            Network network,
            LiveSip live,
            SipContainer container,
            Database database,
            ApplicationThreads threads,
            WorkFolder work,
            TlsSide tls,
            Tracing tracing,
            @Nullable ClusterCalls cluster) {
        this.network = network;
        this.live = live;
        this.container = container;
        this.database = database;
        this.threads = threads;
        this.work = work;
        this.tls = tls;
        this.tracing = tracing;
        this.counters = new SipCounters(network, container, tls, tracing);
        this.checks = new DeployedChecks(work.path());
        this.cluster = cluster;
    }

    /**
     * Are the SIP ports to be had? They are bound and let go again.
     *
     * @throws StartException naming the one that is not
     */
    static void tryPorts(Configuration configuration) throws StartException {
        if (configuration.sip().listen().isEmpty()) {
            return; // all comes by the routers of a cluster
        }
        try {
            Network.tryPorts(SipTranslation.network(configuration));
        } catch (BindFailure e) {
            throw refused(e);
        } catch (IllegalArgumentException e) {
            throw unfit(e);
        }
    }

    private static StartException refused(BindFailure e) {
        return new StartException(
                "SIP " + e.getMessage() + "; choose another with --sip or sip.listen", e);
    }

    private static StartException unfit(IllegalArgumentException e) {
        return new StartException("the configuration does not fit together: " + e.getMessage(), e);
    }

    /**
     * Binds the SIP ports and makes shards and container; nothing is received before {@link
     * #receive}.
     *
     * @param home where archives are unpacked, and records wait
     * @param database given to applications, and closed with this
     * @param store users of the applications' gates
     * @param tls certificates; closed with this
     * @param member of a cluster; null: a server that is alone
     * @throws StartException naming the port that cannot be bound, or the setting that cannot be
     */
    static CarillonSip open(
            Configuration configuration,
            HomeFolder home,
            Database database,
            SqlUsers store,
            TlsSide tls,
            @Nullable ClusterSide member)
            throws StartException {
        Protection protection;
        Guard guard;
        Identities identities;
        StackConfig stack;
        @Nullable Peering peering;
        SpanSide spans;
        LateStackUser users = new LateStackUser();
        Network network;
        try {
            identities = Identities.open(configuration.identity());
            peering = Peering.of(configuration);
            spans = SpanSide.of(configuration, peering);
            protection = SipTranslation.protection(configuration, Peering.terms(peering));
            guard = protection.guard();
            stack = SipTranslation.stack(configuration, protection, guard, peering, spans, member);
            network =
                    Network.bind(
                            SipTranslation.network(
                                            configuration, member == null ? null : member.link())
                                    .withTls(tls.contexts()),
                            guard,
                            (index, executor, wire, startNanos) ->
                                    Stack.shard(
                                            index,
                                            stack,
                                            executor,
                                            wire,
                                            users,
                                            RandomSource.secure(),
                                            startNanos));
        } catch (BindFailure e) {
            throw refused(e);
        } catch (IllegalArgumentException e) {
            throw unfit(e);
        }
        WorkFolder work;
        try {
            work = WorkFolder.open(home.work());
        } catch (StartException e) {
            network.close();
            throw e;
        }
        ApplicationThreads threads = ApplicationThreads.virtual();
        ClusterCalls calls = member == null ? null : ClusterCalls.of(member, Version.current());
        SipContainer container =
                new SipContainer(
                        SipTranslation.container(
                                configuration, ContainerTerms.reachable(network), work.path()),
                        threads,
                        calls == null ? SessionStores.inMemory() : calls.protection());
        String bridged = container.bridges();
        if (!bridged.isEmpty()) {
            LOG.info("The bridge for applications of {} is installed", bridged);
        }
        protection.limit(container);
        ContainerTerms.apply(container, configuration, store, identities, database);
        users.forwardTo(container);
        if (calls != null) {
            calls.takeOver(container, network);
        }
        container.start(network.shards());
        Tracing tracing;
        try {
            tracing =
                    Tracing.of(
                            configuration,
                            home.callRecords(configuration.cluster()),
                            network,
                            container,
                            spans,
                            calls);
        } catch (StartException e) {
            network.close();
            threads.close();
            work.close();
            throw e;
        }
        tls.times(new HandshakeMeters(tracing.registry()));
        return new CarillonSip(
                network,
                new LiveSip(network, container, guard, protection, peering, tls, configuration),
                container,
                database,
                threads,
                work,
                tls,
                tracing,
                calls);
    }

    /** Traces, and the commands about calls. */
    Tracing tracing() {
        return tracing;
    }

    /** Given to applications. */
    Database database() {
        return database;
    }

    /** What changes while it runs. */
    LiveSip live() {
        return live;
    }

    @Override
    public void web(WebSide side) {
        container.web(side);
    }

    @Override
    public RouteReport route(SipRequest request) {
        return container.route(request);
    }

    @Override
    public boolean reloadRouter(boolean always) {
        return container.reloadRouter(always);
    }

    @Override
    public List<String> routedButNotDeployed() {
        return container.routedButNotDeployed();
    }

    @Override
    public List<String> deploy(List<Path> archives) throws StartException {
        List<String> failures = new ArrayList<>();
        for (Path archive : archives) {
            try {
                container.deploy(archive);
                checks.deployed(archive);
            } catch (DeploymentException e) {
                failures.add(String.valueOf(e.getMessage()));
            } catch (RouterException e) {
                throw new StartException(String.valueOf(e.getMessage()), e);
            }
        }
        return failures;
    }

    @Override
    public ApplicationStatus deploy(Path archive) throws DeploymentException {
        return checked(archive, container.redeploy(archive, live.retireLimit()));
    }

    @Override
    public ApplicationStatus replace(Path archive) throws DeploymentException {
        return checked(archive, container.replace(archive, live.retireLimit()));
    }

    private ApplicationStatus checked(Path archive, Application deployed) {
        checks.deployed(archive);
        return status(deployed);
    }

    @Override
    public void checkDeployed() {
        checks.begin();
    }

    @Override
    public boolean undeploy(String name, boolean now) {
        return container.retire(name, now ? Duration.ZERO : live.retireLimit());
    }

    /** Who is registered, as applications say. */
    Registrations registrations() {
        return Registrations.of(container::applications);
    }

    @Override
    public List<ApplicationStatus> versions() {
        List<ApplicationStatus> all = new ArrayList<>();
        container.applications().forEach(application -> all.add(status(application)));
        container.retiring().forEach(application -> all.add(status(application)));
        return all;
    }

    private static ApplicationStatus status(Application application) {
        return new ApplicationStatus(
                application.name(),
                application.version(),
                application.state().name().toLowerCase(Locale.ROOT),
                application.holds().calls(),
                application.archive());
    }

    @Override
    public void receive() {
        tls.start();
        network.receive();
        if (cluster != null) {
            cluster.begin();
        }
    }

    @Override
    public List<String> listening() {
        List<String> all =
                new ArrayList<>(network.listening().stream().map(Object::toString).toList());
        LinkPorts routers = network.link();
        if (routers != null) {
            for (Transport each : routers.transports()) {
                all.add(each.parameter() + ":" + routers.address(each) + " by routers");
            }
        }
        return all;
    }

    @Override
    public List<InetSocketAddress> udpAddresses() {
        return network.listening().stream()
                .filter(point -> point.transport() == Transport.UDP)
                .map(point -> new InetSocketAddress(point.host(), point.port()))
                .toList();
    }

    @Override
    public List<String> applications() {
        return container.applications().stream().map(application -> application.name()).toList();
    }

    @Override
    public void refuseNewCalls() {
        container.refuseNewCalls(true);
        for (Shard shard : network.shards()) {
            shard.refuseNew(503, shard.config().capacity().retryAfterSeconds());
        }
    }

    @Override
    public void endCalls(DrainSettings.EndCalls policy, Runnable done) {
        container.endCalls(
                policy == DrainSettings.EndCalls.BYE ? EndPolicy.BYE : EndPolicy.LEAVE, done);
    }

    @Override
    public long callsHeld() {
        return container.callsHeld();
    }

    @Override
    public long openTransactions() {
        long open = 0;
        for (Shard shard : network.shards()) {
            open += shard.transactionCount() - shard.lingeringCount();
        }
        return open;
    }

    @Override
    public long callsStarted() {
        return container.counters().calls.sum();
    }

    /** Whose call or page was refused last as he held his share of the sessions; or empty. */
    String lastOverShare() {
        return container.sessions().shares().lastRefused();
    }

    @Override
    public Figures figures() {
        ContainerStatus status = container.status();
        Map<String, Long> byState = new TreeMap<>();
        byState.put("early", status.early());
        byState.put("confirmed", status.confirmed());
        byState.put("terminated", status.terminated());
        return new Figures(
                status.callsHeld(),
                byState,
                status.callsStarted(),
                counters.messages(),
                transactions(),
                status.callsHeld(),
                counters.connections(),
                slowHandlers(),
                countersAndBans());
    }

    private long transactions() {
        long all = 0;
        for (Shard shard : network.shards()) {
            all += shard.transactionCount();
        }
        return all;
    }

    @Override
    public List<ServerStatus.SlowHandler> slowHandlers() {
        return slow.of(threads.runningLongerThan(live.slowNanos()), System.nanoTime());
    }

    @Override
    public Map<String, Long> counters() {
        Map<String, Long> all = counters.all();
        all.putAll(database.counters());
        if (cluster != null) {
            all.putAll(cluster.counters());
        }
        return all;
    }

    @Override
    public ServerStatus.Overload overload() {
        long now = System.nanoTime();
        return OverloadFigures.of(
                network.shards().stream().map(shard -> shard.overload().state()).toList(),
                container.features().handlerLoads().seen(now),
                now,
                Instant.now());
    }

    private Map<String, Long> countersAndBans() {
        Map<String, Long> all = counters();
        all.put("net.bans", (long) live.guard().banned(System.nanoTime()).size());
        all.put("net.bans_made", live.guard().bansMade());
        return all;
    }

    @Override
    public HealthSource health() {
        return new SipHealth(network, database);
    }

    @Override
    public @Nullable String databaseFailure() {
        return database.failure();
    }

    @Override
    public ServerStatus.@Nullable Tls tls() {
        return tls.status();
    }

    @Override
    public void close() {
        network.stopAccepting();
        checks.close();
        container.close();
        tracing.close();
        network.close();
        tls.close();
        live.close();
        threads.close();
        database.close();
        work.close();
    }
}
