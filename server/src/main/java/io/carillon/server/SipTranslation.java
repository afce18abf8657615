package io.carillon.server;

import io.carillon.net.NetworkConfig;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.listen.ReachableUris;
import io.carillon.net.stream.StreamConfig;
import io.carillon.net.udp.UdpConfig;
import io.carillon.server.config.ApplicationSettings;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.IdentitySettings;
import io.carillon.server.config.ListenAddress;
import io.carillon.server.config.SecuritySettings;
import io.carillon.server.config.SessionSettings;
import io.carillon.server.config.SipSettings;
import io.carillon.server.config.TcpSettings;
import io.carillon.server.config.VerifySettings;
import io.carillon.servlet.HeapBounds;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.config.RouterConfig;
import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.admission.MailboxLimits;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.edge.Seal;
import io.carillon.sip.flow.FlowTokens;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.TrustBoundary;
import io.carillon.sip.privacy.TrustDomain;
import io.carillon.sip.token.OwnMarks;
import io.carillon.sip.token.RandomSource;
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

    // What caches and tables weigh for each entry, measured or counted.
    private static final int CONNECTION_BYTES = 3072;
    private static final int NONCE_BYTES = 200;
    private static final int USER_BYTES = 500;
    private static final int HTTP_SESSION_BYTES = 1024;
    private static final int HTTP_SESSIONS = 100_000;
    private static final int NAME_BYTES = 600;
    private static final int PASSPORT_BYTES = 150;
    private static final int CERTIFICATE_BYTES = 4096;

    /** Late 2xx, bans, addresses seen lately, and what else has a bound that is no setting. */
    private static final long SMALL_TABLES = 8L << 20;

    /** A heap has room for connections in a sixteenth of it. */
    private static final int PART_OF_CONNECTIONS = 16;

    /** One for all accounts of sources, of this process. */
    private static final long SEED = RandomSource.secure().nextLong();

    private SipTranslation() {}

    /** How this process's heap is divided among the bounds. */
    static HeapBounds bounds(Configuration configuration) {
        return bounds(configuration, Runtime.getRuntime().maxMemory());
    }

    /**
     * As {@link #bounds(Configuration)}.
     *
     * @param heap bytes
     */
    static HeapBounds bounds(Configuration configuration, long heap) {
        SecuritySettings security = configuration.security();
        VerifySettings verify = configuration.identity().verify();
        long fixed =
                SMALL_TABLES
                        + (long) connections(configuration, heap) * CONNECTION_BYTES
                        + 2 * unfinished(configuration, heap)
                        + (long) configuration.dns().cacheEntries() * NAME_BYTES
                        + (verify.mode() == VerifySettings.Mode.OFF
                                ? 0
                                : (long) verify.remembered() * PASSPORT_BYTES
                                        + 2L * verify.certificates() * CERTIFICATE_BYTES);
        long caches =
                (long) security.nonces() * NONCE_BYTES
                        + security.usersRemembered() / 5L * 6 * USER_BYTES
                        + (long) HTTP_SESSIONS * HTTP_SESSION_BYTES;
        return HeapBounds.of(
                heap,
                new HeapBounds.Demand(
                        configuration.sip().requestHeap(),
                        configuration.sessions().addressHeap(),
                        configuration.sessions().max(),
                        configuration.sip().maxTransactions(),
                        fixed,
                        caches));
    }

    /** As configured, and no more than a part of the heap holds. */
    private static int connections(Configuration configuration, long heap) {
        long room = heap / PART_OF_CONNECTIONS / CONNECTION_BYTES;
        return (int) Math.min(configuration.tcp().maxConnections(), room);
    }

    /**
     * Bytes of unfinished messages: as configured, and no more than a part of the heap.
     *
     * @param heap bytes
     */
    static long unfinished(Configuration configuration, long heap) {
        return HeapBounds.unfinished(heap, configuration.guard().unfinishedMessages().bytes());
    }

    /** Which part of the application sessions each source may hold. */
    static SessionShares shares(Configuration configuration) {
        SessionSettings sessions = configuration.sessions();
        return new SessionShares(
                bounds(configuration).sessions(),
                sessions.sharePerSource(),
                sessions.shareOfPages(),
                sources(configuration));
    }

    /** Where each source is counted, the same in the stack and in the container. */
    private static Sources sources(Configuration configuration) {
        return new Sources(AddressRanges.of(configuration.guard().trusted())::containsSource, SEED);
    }

    static StackConfig stack(
            Configuration configuration, PeerConduct conduct, @Nullable Peering peering) {
        SipSettings sip = configuration.sip();
        HeapBounds bounds = bounds(configuration);
        long trying = sip.trying() == SipSettings.Trying.IMMEDIATE ? 0 : TRYING_DELAY_NANOS;
        int maxMessage = sip.maxMessage().intBytes();
        StackConfig.Builder stack =
                StackConfig.builder()
                        .timers(
                                TransactionTimers.of(
                                        sip.t1().toNanos(),
                                        sip.t2().toNanos(),
                                        sip.t4().toNanos(),
                                        trying))
                        .timerCNanos(sip.timerC().toNanos())
                        .ringingWithinNanos(sip.ringingWithin().toNanos())
                        .maxTransactions(
                                Math.toIntExact(Math.ceilDiv(bounds.transactions(), shards(sip))))
                        .requestHeapBytes(bounds.requestHeapBytes() / shards(sip))
                        .shares(sources(configuration), sip.sharePerSource())
                        .mailbox(
                                new MailboxLimits(
                                        configuration.sessions().waitingMessages(),
                                        configuration.sessions().waitingBytes().intBytes()))
                        .limits(
                                new MessageLimits(
                                        maxMessage,
                                        maxMessage,
                                        sip.maxHeaders(),
                                        sip.maxHeader().intBytes()))
                        .conduct(conduct)
                        .marks(new OwnMarks(RandomSource.secure()))
                        .flowTokens(new FlowTokens(SipTranslation::hours))
                        .forks(configuration.guard().forks())
                        .serverHeader(configuration.guard().serverHeader())
                        .failover(SendingTranslation.failover(configuration.dns()))
                        .udpLimit(configuration.egress().udpLimit())
                        .errors(new LoggedErrors())
                        .boundary(boundary(configuration.identity()));
        if (peering != null) {
            stack.edge(peering.edge())
                    // What our tags and branches hold for ourselves is read with the key alone.
                    .nodeId(Seal.number(peering.secret()))
                    .flowTokens(
                            new FlowTokens(
                                    Seal.derived(peering.secret(), "flows", 51),
                                    SipTranslation::hours));
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
        NetworkConfig standard = NetworkConfig.of(points);
        UdpConfig udp =
                new UdpConfig(
                        sip.receiveBuffer().intBytes(),
                        sip.sendBuffer().intBytes(),
                        standard.udp().batch(),
                        standard.udp().maxUnsentBytes(),
                        sip.socketByCall());
        TcpSettings tcp = configuration.tcp();
        long heap = Runtime.getRuntime().maxMemory();
        int connections = connections(configuration, heap);
        StreamConfig stream =
                standard.stream()
                        .withTimeouts(
                                millis(tcp.connectTimeout()),
                                millis(tcp.firstMessageWithin()),
                                millis(tcp.messageWithin()),
                                millis(tcp.idleTimeout()))
                        .withLimits(connections, connections, tcp.writeQueue().intBytes())
                        .withHandshakeTimeout(millis(configuration.tls().handshakeWithin()))
                        .withUnfinished(unfinished(configuration, heap))
                        .withUnsent(configuration.guard().unsentMessages().bytes());
        return standard.withShards(shards(sip))
                .withDomains(sip.domains())
                .withUdp(udp)
                .withStream(stream)
                .withDns(SendingTranslation.dns(configuration.dns()))
                .withEgress(SendingTranslation.egress(configuration.egress()))
                .withWebSocket(configuration.ws().config());
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
        return ContainerConfig.defaults()
                .withMaxSessions(bounds(configuration).sessions())
                .withNoApplicationStatus(configuration.noApplication().status())
                .withContextParams(parameters)
                .withRouter(router)
                .withListeningPoints(ReachableUris.of(bound))
                .withWorkFolder(work);
    }

    static int shards(SipSettings sip) {
        return sip.shards() > 0 ? sip.shards() : Runtime.getRuntime().availableProcessors();
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
