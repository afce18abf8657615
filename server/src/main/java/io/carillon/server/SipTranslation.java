package io.carillon.server;

import io.carillon.net.NetworkConfig;
import io.carillon.net.guard.Guard;
import io.carillon.net.link.LinkConfig;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.listen.ReachableUris;
import io.carillon.net.udp.UdpConfig;
import io.carillon.protection.Protection;
import io.carillon.server.cluster.ClusterSide;
import io.carillon.server.config.ApplicationSettings;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.IdentitySettings;
import io.carillon.server.config.ListenAddress;
import io.carillon.server.config.SipSettings;
import io.carillon.server.config.VerifySettings;
import io.carillon.servlet.HeapBounds;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.config.RouterConfig;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.edge.Seal;
import io.carillon.sip.flow.FlowTokens;
import io.carillon.sip.guard.PeerTerms;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.TrustBoundary;
import io.carillon.sip.privacy.TrustDomain;
import io.carillon.sip.transaction.TransactionTimers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The server's configuration in the words of the modules below. */
final class SipTranslation {
    private static final long TRYING_DELAY_NANOS = Duration.ofMillis(200).toNanos();

    // What the caches of the server alone weigh for each entry, measured or counted.
    private static final int HTTP_SESSION_BYTES = 1024;
    private static final int HTTP_SESSIONS = 100_000;
    private static final int NAME_BYTES = 600;
    private static final int PASSPORT_BYTES = 150;
    private static final int CERTIFICATE_BYTES = 4096;

    private SipTranslation() {}

    /** What protects this process. */
    static Protection protection(Configuration configuration) {
        return protection(configuration, Runtime.getRuntime().maxMemory());
    }

    /**
     * As {@link #protection(Configuration)}.
     *
     * @param heap bytes
     */
    static Protection protection(Configuration configuration, long heap) {
        return protection(configuration, heap, PeerTerms.Table.NOBODY);
    }

    /** As {@link #protection(Configuration)}, with the terms of peers. */
    static Protection protection(Configuration configuration, PeerTerms.Table peers) {
        return protection(configuration, Runtime.getRuntime().maxMemory(), peers);
    }

    private static Protection protection(
            Configuration configuration, long heap, PeerTerms.Table peers) {
        VerifySettings verify = configuration.identity().verify();
        long fixed =
                (long) configuration.dns().cacheEntries() * NAME_BYTES
                        + (verify.mode() == VerifySettings.Mode.OFF
                                ? 0
                                : (long) verify.remembered() * PASSPORT_BYTES
                                        + 2L * verify.certificates() * CERTIFICATE_BYTES);
        return new Protection(
                ProtectionTranslation.limits(configuration),
                heap,
                new Protection.Others(fixed, (long) HTTP_SESSIONS * HTTP_SESSION_BYTES),
                peers);
    }

    /** How this process's heap is divided among the bounds. */
    static HeapBounds bounds(Configuration configuration) {
        return protection(configuration).bounds();
    }

    static StackConfig stack(
            Configuration configuration,
            Protection protection,
            Guard guard,
            @Nullable Peering peering,
            SpanSide spans,
            @Nullable ClusterSide member) {
        SipSettings sip = configuration.sip();
        long trying = sip.trying() == SipSettings.Trying.IMMEDIATE ? 0 : TRYING_DELAY_NANOS;
        StackConfig.Builder stack =
                protection
                        .stack(shards(sip), guard)
                        .timers(
                                TransactionTimers.of(
                                        sip.t1().toNanos(),
                                        sip.t2().toNanos(),
                                        sip.t4().toNanos(),
                                        trying))
                        .timerCNanos(sip.timerC().toNanos())
                        .flowTokens(new FlowTokens(SipTranslation::hours))
                        .serverHeader(configuration.guard().serverHeader())
                        .failover(SendingTranslation.failover(configuration.dns()))
                        .udpLimit(configuration.egress().udpLimit())
                        .errors(new LoggedErrors())
                        .boundary(boundary(configuration.identity()));
        if (peering != null) {
            stack.edge(spans.edge(peering.edge()))
                    // What our tags and branches hold for ourselves is read with the key alone.
                    .nodeId(Seal.number(peering.secret()))
                    .flowTokens(
                            new FlowTokens(
                                    Seal.derived(peering.secret(), "flows", 51),
                                    SipTranslation::hours));
        }
        if (member != null) {
            stack.cluster(member.place(shards(sip)))
                    .flowTokens(member.flows(SipTranslation::hours));
        }
        return stack.build();
    }

    private static long hours() {
        return TimeUnit.MILLISECONDS.toHours(System.currentTimeMillis());
    }

    private static @Nullable TrustBoundary boundary(IdentitySettings identity) {
        return identity.boundary()
                ? new TrustDomain(
                        identity.trusted(), identity.foreign() == IdentitySettings.Foreign.KEEP)
                : null;
    }

    static NetworkConfig network(Configuration configuration) {
        return network(configuration, null);
    }

    /** Where to listen for SIP; none where it comes by a cluster's routers alone. */
    static List<ListeningPoint> listeningPoints(Configuration configuration) {
        SipSettings sip = configuration.sip();
        List<ListeningPoint> points = new ArrayList<>();
        for (ListenAddress listen : sip.listen()) {
            String external = listen.externalHost();
            points.add(
                    new ListeningPoint(
                            transport(listen.transport()),
                            listen.address().bareHost(),
                            listen.address().port(),
                            external == null ? sip.externalHost() : external,
                            listen.externalPort()));
        }
        return List.copyOf(points);
    }

    /**
     * As {@link #network(Configuration)}.
     *
     * @param link to routers; null without a cluster
     */
    static NetworkConfig network(Configuration configuration, @Nullable LinkConfig link) {
        SipSettings sip = configuration.sip();
        NetworkConfig standard = NetworkConfig.of(listeningPoints(configuration), link);
        UdpConfig udp =
                new UdpConfig(
                        sip.receiveBuffer().intBytes(),
                        sip.sendBuffer().intBytes(),
                        standard.udp().batch(),
                        standard.udp().maxUnsentBytes(),
                        sip.socketByCall());
        return protection(configuration)
                .network(
                        standard.withShards(shards(sip))
                                .withSharedThreads(sip.shareThreads())
                                .withStream(standard.stream().withProxies(proxies(configuration)))
                                .withDomains(sip.domains())
                                .withUdp(udp)
                                .withDns(SendingTranslation.dns(configuration.dns()))
                                .withEgress(SendingTranslation.egress(configuration.egress()))
                                .withWebSocket(configuration.ws().config()));
    }

    /** Balancers that say by the PROXY protocol whom they connect. */
    static AddressRanges proxies(Configuration configuration) {
        return AddressRanges.of(configuration.proxyProtocol().trusted());
    }

    private static Transport transport(ListenAddress.Transport transport) {
        return switch (transport) {
            case UDP -> Transport.UDP;
            case TCP -> Transport.TCP;
            case TLS -> Transport.TLS;
            case WS -> Transport.WS;
            case WSS -> Transport.WSS;
        };
    }

    static ContainerConfig container(
            Configuration configuration, List<ListeningPoint> bound, Path work) {
        Map<String, Map<String, String>> parameters = new HashMap<>();
        configuration
                .applications()
                .forEach((String name, ApplicationSettings settings) ->
                        parameters.put(name, settings.contextParams()));
        RouterConfig router =
                new RouterConfig(
                        configuration.router(),
                        configuration.routerProvider().folder(),
                        configuration.routerProvider().properties());
        return protection(configuration)
                .container(ContainerConfig.defaults())
                .withNoApplicationStatus(configuration.noApplication().status())
                .withContextParams(parameters)
                .withRouter(router)
                .withListeningPoints(ReachableUris.of(bound))
                .withWorkFolder(work);
    }

    static int shards(SipSettings sip) {
        return sip.shards() > 0 ? sip.shards() : Runtime.getRuntime().availableProcessors();
    }
}
