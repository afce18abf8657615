package io.carillon.boot;

import io.carillon.net.Network;
import io.carillon.net.NetworkConfig;
import io.carillon.net.guard.Guard;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.listen.ReachableUris;
import io.carillon.net.resolve.EgressConfig;
import io.carillon.net.tls.CertificateStatus;
import io.carillon.net.tls.LiveTlsContexts;
import io.carillon.protection.Protection;
import io.carillon.servlet.ContainerStatus;
import io.carillon.servlet.HeapRoom;
import io.carillon.servlet.HeapTouch;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.config.EndPolicy;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.edge.EdgeConfig;
import io.carillon.sip.edge.InternalHosts;
import io.carillon.sip.edge.PeerTable;
import io.carillon.sip.flow.FlowTokens;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.outbox.Edge;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.LateStackUser;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.token.RandomSource;
import io.carillon.telemetry.Onlookers;
import io.carillon.telemetry.records.CallListener;
import io.carillon.telemetry.records.CallRecords;
import io.carillon.telemetry.records.RecordConfig;
import io.carillon.telemetry.records.RecordException;
import io.carillon.telemetry.spans.CallTraces;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Network, shards and container on the ports of the machine. */
final class NetworkRuntime implements SipRuntime {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkRuntime.class);
    private static final int RETRY_AFTER_SECONDS = 5;

    private static final long POLL_MILLIS = 100;
    private static final Duration ENDING = Duration.ofSeconds(2);

    /** What is agreed with peers is nothing here, but for their traces. */
    private static final Edge.Source NO_PEERS =
            new EdgeConfig(
                    PeerTable.builder().build(),
                    List.of(new byte[32]),
                    new InternalHosts(List.of(), List.of()),
                    Compliance.DEFAULT);

    private record Running(
            Network network,
            SipContainer container,
            LiveTlsContexts tls,
            @Nullable HeapRoom room,
            HeapTouch touch,
            @Nullable CallRecords records) {}

    private final CarillonProperties properties;
    private final ProtectionProperties limits;
    private final RecordProperties recorded;
    private final @Nullable CallTraces traces;
    private volatile @Nullable Running running;

    /**
     * @param recorded which calls have records, and where these go
     * @param traces of calls; null where nobody wants them
     */
    NetworkRuntime(
            CarillonProperties properties,
            ProtectionProperties limits,
            RecordProperties recorded,
            @Nullable CallTraces traces) {
        this.recorded = recorded;
        this.properties = properties;
        this.limits = limits;
        this.traces = traces;
    }

    @Override
    public void start(ApplicationDescription application) throws DeploymentException, IOException {
        LateStackUser user = new LateStackUser();
        List<ListeningPoint> points = points();
        LiveTlsContexts tls = TlsFiles.open(properties.tls(), points);
        Network network = null;
        SipContainer container = null;
        CallRecords records = null;
        boolean whole = false;
        try {
            Protection protection = protection();
            network = bind(protection.network(config(points)).withTls(tls), protection, user);
            container =
                    new SipContainer(
                            protection.container(
                                    ContainerConfig.defaults()
                                            .withListeningPoints(
                                                    ReachableUris.of(network.listening()))),
                            ApplicationThreads.virtual(),
                            SessionStores.inMemory());
            protection.limit(container);
            user.forwardTo(container);
            container.start(network.shards());
            records = records();
            follow(network, container, records);
            container.replace(application, null);
            network.receive();
            running =
                    new Running(
                            network,
                            container,
                            tls,
                            heapRoom(),
                            HeapTouch.start(properties.touchHeap(), () -> {}),
                            records);
            whole = true;
        } finally {
            if (!whole) {
                if (container != null) {
                    container.close();
                }
                if (records != null) {
                    records.close();
                }
                if (network != null) {
                    network.close();
                }
                tls.close();
            }
        }
        LOG.info("SIP application {} listens on {}", application.name(), listening());
        String open = openWebSocket(points, properties.ws());
        if (open != null) {
            LOG.warn(open);
        }
    }

    /** Of the calls, where a place for them is named; null where none is. */
    private @Nullable CallRecords records() {
        try {
            RecordConfig config = recorded.config();
            return config.configured()
                    ? CallRecords.open(
                            config,
                            recorded.spool(),
                            new CallRecords.Place(
                                    BootTraces.host(),
                                    System::nanoTime,
                                    System::currentTimeMillis,
                                    hop -> false,
                                    hop -> "",
                                    false),
                            CallListener.NONE)
                    : null;
        } catch (RecordException e) {
            throw new SipStartException(String.valueOf(e.getMessage()), e);
        }
    }

    private void follow(Network network, SipContainer container, @Nullable CallRecords records) {
        Onlookers onlookers = new Onlookers(network.shards(), container);
        if (records != null) {
            onlookers.add(Onlookers.Who.RECORDS, records.tap(), records.turnTap());
            container.settings().records(records::write);
        }
        CallTraces all = traces;
        if (all != null) {
            onlookers.add(Onlookers.Who.SPANS, all.tap(), all.turnTap());
            all.start();
        }
    }

    /**
     * What to say of WebSocket that every page may connect to, or null: RFC 6455 section 10.2, a
     * browser says whose page connects, and the server has to look.
     */
    static @Nullable String openWebSocket(
            List<ListeningPoint> points, CarillonProperties.Ws webSocket) {
        boolean listens =
                points.stream()
                        .map(ListeningPoint::transport)
                        .anyMatch(one -> one == Transport.WS || one == Transport.WSS);
        return listens && webSocket.origins().isEmpty()
                ? "WebSocket takes connections from the pages of every site, as"
                        + " carillon.ws.origins names none"
                : null;
    }

    private @Nullable HeapRoom heapRoom() {
        if (!properties.heapRoom()) {
            return null;
        }
        HeapRoom room = HeapRoom.start();
        if (!room.follows()) {
            LOG.warn(
                    "carillon.heap-room does nothing in this JVM: it needs -XX:+UseZGC and an"
                            + " -XX:SoftMaxHeapSize below the maximum");
        }
        return room;
    }

    private List<ListeningPoint> points() {
        List<ListeningPoint> points = new ArrayList<>();
        for (String text : properties.listen()) {
            try {
                points.add(ListenText.parse(text, properties.externalHost()));
            } catch (IllegalArgumentException e) {
                throw new SipStartException(String.valueOf(e.getMessage()), e);
            }
        }
        return points;
    }

    private NetworkConfig config(List<ListeningPoint> points) {
        NetworkConfig config =
                NetworkConfig.of(points)
                        .withDomains(properties.domains())
                        .withEgress(egress(properties.egressAllow()))
                        .withWebSocket(properties.ws().config());
        return properties.shards() > 0 ? config.withShards(properties.shards()) : config;
    }

    private static EgressConfig egress(List<String> allow) {
        try {
            return EgressConfig.defaults().withAllow(AddressRanges.of(allow));
        } catch (IllegalArgumentException e) {
            throw new SipStartException("carillon.egress-allow: " + e.getMessage(), e);
        }
    }

    /** The application has half of the heap for itself. */
    private static long heap() {
        return Runtime.getRuntime().maxMemory() / 2;
    }

    private Protection protection() {
        Protection protection;
        try {
            protection =
                    new Protection(
                            limits.limits(properties.maxSessions()),
                            heap(),
                            Protection.Others.NONE);
        } catch (IllegalArgumentException e) {
            throw new SipStartException("The carillon properties: " + e.getMessage(), e);
        }
        for (String tooMuch : protection.bounds().warnings()) {
            LOG.warn(
                    "Of half of the heap, which is the SIP side's (carillon.max-sessions): {}",
                    tooMuch);
        }
        return protection;
    }

    private Network bind(NetworkConfig config, Protection protection, LateStackUser user)
            throws IOException {
        Guard guard = protection.guard();
        StackConfig.Builder settings =
                protection
                        .stack(config.shards(), guard)
                        .flowTokens(
                                new FlowTokens(() ->
                                        TimeUnit.MILLISECONDS.toHours(System.currentTimeMillis())));
        CallTraces all = traces;
        if (all != null) {
            settings.edge(all.edge(NO_PEERS));
        }
        StackConfig stack = settings.build();
        try {
            return Network.bind(
                    config,
                    guard,
                    (index, executor, wire, startNanos) ->
                            Stack.shard(
                                    index,
                                    stack,
                                    executor,
                                    wire,
                                    user,
                                    RandomSource.secure(),
                                    startNanos));
        } catch (BindFailure e) {
            throw new IOException("SIP " + e.getMessage() + "; carillon.listen names the ports", e);
        }
    }

    @Override
    public List<String> listening() {
        Running now = running;
        if (now == null) {
            return List.of();
        }
        return now.network.listening().stream()
                .map(point -> point.toString().toLowerCase(Locale.ROOT))
                .toList();
    }

    @Override
    public Map<String, Instant> certificates() {
        Running now = running;
        Map<String, Instant> expiring = new TreeMap<>();
        if (now != null) {
            for (CertificateStatus one : now.tls.status().certificates()) {
                expiring.put(one.file().toString(), one.notAfter());
            }
        }
        return expiring;
    }

    @Override
    public int mostCalls() {
        Running now = running;
        return now == null ? Integer.MAX_VALUE : now.container.sessions().cap();
    }

    @Override
    public ContainerStatus status() {
        Running now = running;
        if (now == null) {
            throw new IllegalStateException("SIP is not started");
        }
        return now.container.status();
    }

    @Override
    public Map<String, Long> callRecords() {
        Running now = running;
        if (now == null || now.records == null) {
            return recorded.named() ? CallRecords.noCounters() : Map.of();
        }
        return now.records.counters();
    }

    @Override
    public void stop(Duration drain) {
        Running now = running;
        running = null;
        if (now == null) {
            return;
        }
        now.container.refuseNewCalls(true);
        for (Shard shard : now.network.shards()) {
            shard.refuseNew(503, RETRY_AFTER_SECONDS);
        }
        try {
            awaitCalls(now.container, drain);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // stop at once: the calls end now
        }
        now.container.close();
        if (now.records != null) {
            now.records.close();
        }
        now.network.close();
        if (traces != null) {
            traces.close();
        }
        now.tls.close();
        now.touch.close();
        if (now.room != null) {
            now.room.close();
        }
    }

    private static void awaitCalls(SipContainer container, Duration drain)
            throws InterruptedException {
        long deadline = System.nanoTime() + drain.toNanos();
        while (container.callsHeld() > 0 && System.nanoTime() - deadline < 0) {
            Thread.sleep(POLL_MILLIS);
        }
        if (container.callsHeld() > 0) {
            CountDownLatch told = new CountDownLatch(1);
            container.endCalls(EndPolicy.BYE, told::countDown);
            if (!told.await(ENDING.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("{} calls did not end within {}", container.callsHeld(), ENDING);
            }
        }
    }
}
