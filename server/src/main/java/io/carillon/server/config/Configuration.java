package io.carillon.server.config;

import io.carillon.sip.hop.HostPort;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration of a server. Immutable.
 *
 * @param sip see {@link SipSettings}
 * @param cluster see {@link ClusterSettings}
 * @param tcp see {@link TcpSettings}
 * @param ws see {@link WebSocketSettings}
 * @param tls see {@link TlsSettings}
 * @param dns see {@link DnsSettings}
 * @param egress see {@link EgressSettings}
 * @param http see {@link HttpSettings}
 * @param router the router's file
 * @param routerProvider see {@link RouterProviderSettings}
 * @param noApplication the answer where no application is chosen
 * @param applications by name
 * @param deploy see {@link DeploySettings}
 * @param database see {@link DatabaseSettings}
 * @param security see {@link SecuritySettings}
 * @param guard see {@link GuardSettings}
 * @param sessions see {@link SessionSettings}
 * @param overload see {@link OverloadSettings}
 * @param sessionTimers see {@link SessionTimerSettings}
 * @param identity see {@link IdentitySettings}
 * @param start see {@link StartSettings}
 * @param drain see {@link DrainSettings}
 * @param control see {@link ControlSettings}
 * @param admin see {@link AdminSettings}
 * @param peers what is agreed with single peers
 * @param topologyHiding see {@link HidingSettings}
 * @param proxyProtocol see {@link ProxyProtocolSettings}
 * @param trace see {@link TraceSettings}
 * @param cdr see {@link CdrSettings}
 * @param metrics see {@link MetricsSettings}
 * @param telemetry see {@link TelemetrySettings}
 * @param log see {@link LogSettings}
 */
public record Configuration(
        @Setting("The SIP side: where to listen, timers, limits.") SipSettings sip,
        @Setting("Nodes that go on with each other's calls (docs/guides/clustering.md).")
                ClusterSettings cluster,
        @Setting("Connections that carry SIP.") TcpSettings tcp,
        @Setting("Who may connect by WebSocket, and how.") WebSocketSettings ws,
        @Setting("Certificates, and whom we believe (docs/guides/tls.md).") TlsSettings tls,
        @Setting("Finding servers by name, and going from one to the next (docs/guides/dns.md).")
                DnsSettings dns,
        @Setting("Where messages may go (docs/guides/dns.md).") EgressSettings egress,
        @Setting("The HTTP side: metrics, status, and the pages of applications.")
                HttpSettings http,
        @Setting(
                        value =
                                "File of the application router: which application gets a call (the property"
                                        + " format of the default application router).",
                        standardText =
                                "one archive gets everything; the shipped file for the examples",
                        common = true)
                @Nullable Path router,
        @Setting(
                        value =
                                "Status of the answer to a request that the router gives to no"
                                        + " application, from 400 to 699; or `route-on`.",
                        more =
                                "With `route-on` the server sends the request on by its Route or"
                                        + " Request-URI, where that leads elsewhere.",
                        standard = "404",
                        common = true)
                NoApplication noApplication,
        @Setting("An application router of your own.") RouterProviderSettings routerProvider,
        @Setting("What the server tells an application, by the application's name.")
                Map<String, ApplicationSettings> applications,
        @Setting("Deploying into the running server.") DeploySettings deploy,
        @Setting("Where users and applications keep their data.") DatabaseSettings database,
        @Setting("How callers are asked who they are.") SecuritySettings security,
        @Setting(
                        "What keeps strangers from taking the server: rates, connections, bans"
                                + " (docs/guides/security.md).")
                GuardSettings guard,
        @Setting("What is agreed with a peer, by the name you give it (docs/guides/carrier.md).")
                Map<String, PeerSettings> peers,
        @Setting("What peers with hide-topology must not see, and how it is hidden.")
                HidingSettings topologyHiding,
        @Setting("Balancers before the server that say whom they connect (docs/guides/router.md).")
                ProxyProtocolSettings proxyProtocol,
        @Setting("Calls and the applications that handle them.") SessionSettings sessions,
        @Setting(
                        "New work that is refused while not everything can be served"
                                + " (docs/guides/overload.md).")
                OverloadSettings overload,
        @Setting("Session timers (RFC 4028): the end of calls that nobody refreshes.")
                SessionTimerSettings sessionTimers,
        @Setting("Who a caller is, and who may know it.") IdentitySettings identity,
        @Setting("How the server starts.") StartSettings start,
        @Setting("How the server stops.") DrainSettings drain,
        @Setting("How commands reach the running server.") ControlSettings control,
        @Setting("Administration by HTTP (docs/guides/administration.md).") AdminSettings admin,
        @Setting("Seeing single calls: traces, and a collector.") TraceSettings trace,
        @Setting("Call detail records (docs/guides/cdr.md).") CdrSettings cdr,
        @Setting("What /metrics has beyond counters (docs/guides/metrics.md).")
                MetricsSettings metrics,
        @Setting("What others see of calls (docs/guides/telemetry.md).")
                TelemetrySettings telemetry,
        @Setting("The server's log, on standard error.") LogSettings log) {

    /** What has to hold between sections. */
    public Configuration {
        if (sip.listen().isEmpty() && !cluster.configured()) {
            throw new IllegalArgumentException(
                    "sip.listen has to name at least one address; a node of a cluster may have none");
        }
    }

    /** This, listening for SIP elsewhere. */
    public Configuration withSipListen(List<ListenAddress> listen) {
        return with(copy -> copy.sip = sip.withListen(listen));
    }

    /** This, listening for HTTP elsewhere. */
    public Configuration withHttpListen(HostPort listen) {
        return with(copy -> copy.http = http.withListen(listen));
    }

    /** This, as a node of a cluster. */
    public Configuration withCluster(ClusterSettings settings) {
        return with(copy -> copy.cluster = settings);
    }

    /** This, with another router file. */
    public Configuration withRouter(Path file) {
        return with(copy -> copy.router = file);
    }

    /** This, with one more context parameter of an application; replaces one of that name. */
    public Configuration withParameter(String application, String name, String value) {
        Map<String, String> parameters = new LinkedHashMap<>();
        ApplicationSettings before = applications.get(application);
        if (before != null) {
            parameters.putAll(before.contextParams());
        }
        parameters.put(name, value);
        Map<String, ApplicationSettings> all = new LinkedHashMap<>(applications);
        all.put(
                application,
                new ApplicationSettings(parameters, before == null ? null : before.httpPath()));
        return with(copy -> copy.applications = all);
    }

    /** This, with a folder that is watched. */
    public Configuration withDeployFolder(Path folder) {
        DeploySettings watched =
                new DeploySettings(
                        folder, deploy.retireLimit(), deploy.initWithin(), deploy.destroyWithin());
        return with(copy -> copy.deploy = watched);
    }

    private Configuration with(Consumer<CopyBuilder> change) {
        CopyBuilder copy = new CopyBuilder(this);
        change.accept(copy);
        return copy.made();
    }

    /** The components while some are changed (docs/decisions/0020-copies-of-records.md). */
    private static final class CopyBuilder {
        SipSettings sip;
        ClusterSettings cluster;
        TcpSettings tcp;
        WebSocketSettings ws;
        TlsSettings tls;
        DnsSettings dns;
        EgressSettings egress;
        HttpSettings http;
        @Nullable Path router;
        NoApplication noApplication;
        RouterProviderSettings routerProvider;
        Map<String, ApplicationSettings> applications;
        DeploySettings deploy;
        DatabaseSettings database;
        SecuritySettings security;
        GuardSettings guard;
        Map<String, PeerSettings> peers;
        HidingSettings topologyHiding;
        ProxyProtocolSettings proxyProtocol;
        SessionSettings sessions;
        OverloadSettings overload;
        SessionTimerSettings sessionTimers;
        IdentitySettings identity;
        StartSettings start;
        DrainSettings drain;
        ControlSettings control;
        AdminSettings admin;
        TraceSettings trace;
        CdrSettings cdr;
        MetricsSettings metrics;
        TelemetrySettings telemetry;
        LogSettings log;

        CopyBuilder(Configuration of) {
            sip = of.sip;
            cluster = of.cluster;
            tcp = of.tcp;
            ws = of.ws;
            tls = of.tls;
            dns = of.dns;
            egress = of.egress;
            http = of.http;
            router = of.router;
            noApplication = of.noApplication;
            routerProvider = of.routerProvider;
            applications = of.applications;
            deploy = of.deploy;
            database = of.database;
            security = of.security;
            guard = of.guard;
            peers = of.peers;
            topologyHiding = of.topologyHiding;
            proxyProtocol = of.proxyProtocol;
            sessions = of.sessions;
            overload = of.overload;
            sessionTimers = of.sessionTimers;
            identity = of.identity;
            start = of.start;
            drain = of.drain;
            control = of.control;
            admin = of.admin;
            trace = of.trace;
            cdr = of.cdr;
            metrics = of.metrics;
            telemetry = of.telemetry;
            log = of.log;
        }

        Configuration made() {
            return new Configuration(
                    sip,
                    cluster,
                    tcp,
                    ws,
                    tls,
                    dns,
                    egress,
                    http,
                    router,
                    noApplication,
                    routerProvider,
                    applications,
                    deploy,
                    database,
                    security,
                    guard,
                    peers,
                    topologyHiding,
                    proxyProtocol,
                    sessions,
                    overload,
                    sessionTimers,
                    identity,
                    start,
                    drain,
                    control,
                    admin,
                    trace,
                    cdr,
                    metrics,
                    telemetry,
                    log);
        }
    }
}
