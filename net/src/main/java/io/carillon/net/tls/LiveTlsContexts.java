package io.carillon.net.tls;

import io.carillon.net.listen.ListeningPoint;
import io.carillon.sip.hop.TlsPeer;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS out of files that may change while it is in use: new handshakes take the newest certificates
 * that are whole, connections go on with those they began with.
 *
 * <p>{@link #server} and {@link #client} from any loop; {@link #look} from the thread of {@link
 * #watch}; the rest from any thread.
 */
public final class LiveTlsContexts implements TlsContexts, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LiveTlsContexts.class);

    /** Long enough for every thread that took the old generation to have begun with it. */
    private static final Duration RETIRED_FOR = Duration.ofMinutes(1);

    private static final Duration TICKET_KEY_LIFE = Duration.ofHours(2);
    static final int WAITING_TASKS = 10_000;

    private volatile TlsConfig config;
    private final TlsProvider provider;
    private final InstantSource clock;
    private final HandshakeCounts counts = new HandshakeCounts();
    private final ExpiryWatch expiry = new ExpiryWatch();
    private final @Nullable ThreadPoolExecutor pool;
    private final Executor tasks;
    private final Queue<Retired> retired = new ArrayDeque<>();
    private volatile @Nullable TlsMaterial current;
    private volatile HandshakeTimes times = HandshakeTimes.NONE;
    private volatile Instant loaded = Instant.EPOCH;
    private volatile long reloads;
    private volatile long reloadFailures;
    private volatile @Nullable String lastFailure;
    private FileStamps used;
    private @Nullable FileStamps seen;
    private Instant ticketKeysTurned;
    private boolean closed;
    private final CountDownLatch ended = new CountDownLatch(1);

    private record Retired(TlsMaterial material, Instant since) {}

    private LiveTlsContexts(TlsConfig config, TlsProvider provider, InstantSource clock) {
        this.config = config;
        this.provider = provider;
        this.clock = clock;
        this.pool = provider == TlsProvider.JDK ? pool() : null;
        this.tasks = pool == null ? Runnable::run : pool;
        this.used = FileStamps.of(files());
        this.ticketKeysTurned = clock.instant();
    }

    /**
     * Reads and checks all files.
     *
     * @throws TlsFault naming the setting and what is allowed
     */
    public static LiveTlsContexts open(TlsConfig config) throws TlsFault {
        return open(config, TlsProvider.best(), InstantSource.system());
    }

    /** The same with another provider, or another clock for the dates of our certificates. */
    public static LiveTlsContexts open(TlsConfig config, TlsProvider provider, InstantSource clock)
            throws TlsFault {
        LiveTlsContexts live = new LiveTlsContexts(config, provider, clock);
        live.use(TlsMaterial.read(config, provider, clock.instant()));
        return live;
    }

    /**
     * For a server without certificates: nothing is read before the first connection that needs it,
     * as the provider alone takes some hundred milliseconds.
     */
    public static LiveTlsContexts whenNeeded(TlsConfig config) {
        return new LiveTlsContexts(config, TlsProvider.best(), InstantSource.system());
    }

    /**
     * The JDK hands out what takes milliseconds, signing and verifying. BoringSSL does it within
     * the handshake, on the loop: with tasks of its own, Netty loses the alerts that tell the peer
     * why it was refused.
     */
    static ThreadPoolExecutor pool() {
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        ThreadPoolExecutor made =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        10,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(WAITING_TASKS),
                        Thread.ofPlatform().daemon().name("tls-", 0).factory());
        made.allowCoreThreadTimeOut(true);
        return made;
    }

    // ---- handshakes ----

    @Override
    public SslHandler server(ListeningPoint point, ByteBufAllocator alloc) {
        ClientCertificates asked = asked(point);
        SslContext context = current().server(asked);
        if (context == null) {
            throw new IllegalStateException("no certificate for the listener " + point);
        }
        return watched(context.newHandler(alloc, tasks), true);
    }

    private ClientCertificates asked(ListeningPoint point) {
        ClientCertificates own = config.clientCertificatesAt().get(listener(point));
        return own == null ? config.clientCertificates() : own;
    }

    /** How a listener is called in the configuration. */
    public static String listener(ListeningPoint point) {
        String text = point.toString();
        int blank = text.indexOf(' ');
        return blank < 0 ? text : text.substring(0, blank);
    }

    @Override
    public SslHandler client(
            @Nullable String domain, InetSocketAddress remote, ByteBufAllocator alloc) {
        InetAddress address = remote.getAddress();
        String wanted = domain != null ? domain : address.getHostAddress();
        SslContext context = current().client(address.isLoopbackAddress());
        SslHandler handler = context.newHandler(alloc, wanted, remote.getPort(), tasks);
        return watched(handler, false);
    }

    private SslHandler watched(SslHandler handler, boolean server) {
        handler.setHandshakeTimeoutMillis(config.handshakeWithin().toMillis());
        // A peer that is gone does not keep the connection for its close_notify.
        handler.setCloseNotifyFlushTimeoutMillis(1000);
        handler.setCloseNotifyReadTimeoutMillis(0);
        handler.handshakeFuture()
                .addListener(result -> {
                    Throwable failure = result.cause();
                    if (failure == null) {
                        counts.count(server, HandshakeOutcome.OK);
                        return;
                    }
                    counts.count(server, HandshakeFailure.outcome(failure));
                });
        return handler;
    }

    /** Who hears from now on how long handshakes take. */
    public void times(HandshakeTimes hears) {
        times = hears;
    }

    @Override
    public void took(@Nullable ListeningPoint point, HandshakeOutcome outcome, long nanos) {
        times.took(point == null ? "" : listener(point), outcome, nanos);
    }

    @Override
    public TlsPeer peer(SslHandler handler, InetSocketAddress remote) {
        boolean believed =
                handler.engine().getUseClientMode()
                        && config.verify() == Verify.NONE
                        && remote.getAddress().isLoopbackAddress();
        return HandshakeFailure.peerOf(handler, !believed);
    }

    @Override
    public boolean provesItself() {
        return !config.certificates().isEmpty();
    }

    /**
     * A context of the JDK with our certificates, those of each moment, for a server of HTTP.
     *
     * @throws TlsFault where there is no certificate
     */
    public SSLContext https() throws TlsFault {
        if (config.certificates().isEmpty()) {
            throw new TlsFault("certificates", "names none, and HTTP over TLS needs one");
        }
        HttpsKeys keys = new HttpsKeys(() -> current().credentials());
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {keys}, null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK can do no TLS", e);
        }
    }

    private TlsMaterial current() {
        TlsMaterial known = current;
        return known != null ? known : readLate();
    }

    private synchronized TlsMaterial readLate() {
        TlsMaterial known = current;
        if (known != null) {
            return known;
        }
        try {
            TlsMaterial read = TlsMaterial.read(config, provider, clock.instant());
            use(read);
            return read;
        } catch (TlsFault e) {
            throw new IllegalStateException("tls." + e.key() + ": " + e.getMessage(), e);
        }
    }

    // ---- files ----

    private Set<Path> files() {
        Set<Path> all = new LinkedHashSet<>();
        for (CertificateSource source : config.certificates()) {
            all.add(source.certificate());
            addTo(all, source.key());
            addTo(all, source.keyPasswordFile());
        }
        addTo(all, config.trust());
        addTo(all, config.clientTrust());
        return all;
    }

    private static void addTo(Set<Path> all, @Nullable Path file) {
        if (file != null) {
            all.add(file);
        }
    }

    private synchronized void use(TlsMaterial fresh) {
        TlsMaterial before = current;
        if (before != null) {
            retired.add(new Retired(before, clock.instant()));
        }
        current = fresh;
        loaded = clock.instant();
        ticketKeysTurned = loaded;
        lastFailure = null;
        fresh.warnings().forEach(LOG::warn);
    }

    /**
     * Reads all files now. When they are no good the old ones stay in use.
     *
     * @throws TlsFault naming the setting and what is allowed
     */
    public synchronized void reload() throws TlsFault {
        FileStamps now = FileStamps.of(files());
        try {
            use(TlsMaterial.read(config, provider, clock.instant()));
            reloads++;
            LOG.info("TLS: the certificates were read anew");
        } catch (TlsFault e) {
            reloadFailures++;
            lastFailure = "tls." + e.key() + ": " + e.getMessage();
            throw e;
        } finally {
            used = now;
            seen = null;
        }
    }

    /**
     * Reads what another configuration names.
     *
     * @return makes it the one that is used, and is run once or not at all
     * @throws TlsFault naming the setting and what is allowed; nothing has changed then
     */
    public Runnable prepare(TlsConfig next) throws TlsFault {
        boolean read = current != null || !next.certificates().isEmpty();
        TlsMaterial fresh = read ? TlsMaterial.read(next, provider, clock.instant()) : null;
        return () -> change(next, fresh);
    }

    private synchronized void change(TlsConfig next, @Nullable TlsMaterial fresh) {
        config = next;
        used = FileStamps.of(files());
        seen = null;
        if (fresh != null) {
            use(fresh);
            reloads++;
        }
    }

    /** Begins to {@link #look} once a second, on a daemon thread that ends with this. */
    public void watch() {
        Thread.ofPlatform().daemon().name("tls-files").start(this::lookUntilClosed);
    }

    private void lookUntilClosed() {
        try {
            while (!ended.await(1, TimeUnit.SECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Once a second: looks whether a file was changed, and reads them all when one was and has
     * stayed so since the last look (certificate and key are never written at the same moment);
     * warns of certificates that expire; tidies up. Never throws.
     */
    public synchronized void look() {
        if (closed || current == null) {
            return;
        }
        FileStamps now = FileStamps.of(files());
        if (now.equals(used)) {
            seen = null;
        } else if (now.equals(seen)) {
            reloadChanged();
        } else {
            seen = now;
        }
        tidy(clock.instant());
    }

    private void reloadChanged() {
        try {
            reload();
        } catch (TlsFault e) {
            LOG.error(
                    "The new TLS files are wrong; the old certificates stay in use: tls.{}: {}",
                    e.key(),
                    e.getMessage());
        }
    }

    private void tidy(Instant now) {
        expiry.look(certificates(), now).forEach(LOG::warn);
        TlsMaterial known = current;
        if (known != null && !now.isBefore(ticketKeysTurned.plus(TICKET_KEY_LIFE))) {
            ticketKeysTurned = now;
            known.turnTicketKeys();
        }
        Retired oldest = retired.peek();
        while (oldest != null && now.isAfter(oldest.since().plus(RETIRED_FOR))) {
            retired.remove();
            oldest.material().release();
            oldest = retired.peek();
        }
    }

    // ---- seeing ----

    /**
     * Is a certificate of ours made out to what others call us? RFC 5922 7.5: "the proxy MUST
     * insert into the Record-Route header a URI that corresponds to an identity for which the proxy
     * has a certificate".
     *
     * @param host a name, or an address in digits
     */
    private boolean madeOutTo(String host) {
        TlsMaterial known = current;
        return known != null
                && known.credentials().stream()
                        .map(Credential::certificate)
                        .anyMatch(one ->
                                PeerIdentities.matches(PeerIdentities.domains(one), host)
                                        || PeerIdentities.matches(
                                                PeerIdentities.addresses(one), host));
    }

    /**
     * A warning for each listener with TLS that peers are told to come back to by a name which none
     * of our certificates has.
     */
    public List<String> unproven(List<ListeningPoint> points) {
        List<String> warnings = new ArrayList<>();
        for (ListeningPoint point : points) {
            String external = point.externalHost();
            String host = external == null ? point.host() : external;
            boolean unnamed = host.equals("0.0.0.0") || host.equals("::");
            if (point.transport().secure() && (unnamed || !madeOutTo(host))) {
                warnings.add(
                        listener(point)
                                + ": Contact and Record-Route will name "
                                + (unnamed ? "an address" : host)
                                + ", and no certificate is made out to it: peers that check refuse"
                                + " to come back");
            }
        }
        return warnings;
    }

    /** What it does now. */
    public TlsStatus status() {
        return new TlsStatus(
                provider.text(),
                certificates(),
                loaded,
                reloads,
                reloadFailures,
                lastFailure,
                counts());
    }

    /** Handshakes and reloads, by name. */
    public Map<String, Long> counts() {
        Map<String, Long> all = counts.snapshot();
        all.put("reloads", reloads);
        all.put("reload_failures", reloadFailures);
        return all;
    }

    /** Handshakes that ended so. */
    public long handshakes(boolean server, HandshakeOutcome outcome) {
        return counts.get(server, outcome);
    }

    private List<CertificateStatus> certificates() {
        TlsMaterial known = current;
        List<CertificateStatus> all = new ArrayList<>();
        for (Credential one : known == null ? List.<Credential>of() : known.credentials()) {
            all.add(
                    new CertificateStatus(
                            shownFor(one),
                            CertificateText.of(one.certificate().getSubjectX500Principal()),
                            CertificateText.of(one.certificate().getIssuerX500Principal()),
                            keyType(one),
                            one.certificate().getNotBefore().toInstant(),
                            one.certificate().getNotAfter().toInstant(),
                            one.source().certificate(),
                            all.isEmpty()));
        }
        return List.copyOf(all);
    }

    /** One for an address has no name that a client could ask for. */
    private static List<String> shownFor(Credential one) {
        return one.names().isEmpty() ? PeerIdentities.addresses(one.certificate()) : one.names();
    }

    private static String keyType(Credential one) {
        int bits =
                switch (one.key()) {
                    case RSAKey rsa -> rsa.getModulus().bitLength();
                    case ECKey ec -> ec.getParams().getCurve().getField().getFieldSize();
                    default -> 0;
                };
        return one.keyType() + " " + bits;
    }

    /** Ends; connections that are still open keep what they need. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        ended.countDown();
        if (pool != null) {
            pool.shutdown();
        }
        retired.forEach(one -> one.material().release());
        retired.clear();
        TlsMaterial last = current;
        if (last != null) {
            last.release();
        }
    }
}
