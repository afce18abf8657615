package io.carillon.protection;

import io.carillon.net.NetworkConfig;
import io.carillon.net.guard.Guard;
import io.carillon.net.stream.StreamConfig;
import io.carillon.servlet.HeapBounds;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.PeerTerms;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.overload.OverloadConfig;
import io.carillon.sip.token.OwnMarks;
import io.carillon.sip.token.RandomSource;
import java.time.Duration;

/**
 * {@link Protections} in a heap: gives each limit to the part that keeps it. Whoever composes a
 * server takes its stack, network and container by these methods, so that it lacks none. Immutable,
 * but for who is trusted.
 */
public final class Protection {
    // What tables weigh for each entry, measured or counted.
    private static final int CONNECTION_BYTES = 3072;
    private static final int NONCE_BYTES = 200;
    private static final int USER_BYTES = 500;

    /** Late 2xx, bans, addresses seen lately, and what else has a bound that is no setting. */
    private static final long SMALL_TABLES = 8L << 20;

    /** A heap has room for connections in a sixteenth of it. */
    private static final int PART_OF_CONNECTIONS = 16;

    /** One for all accounts of sources, of this process. */
    private static final long SEED = RandomSource.secure().nextLong();

    private final Protections limits;
    private final int connections;
    private final long unfinished;
    private final HeapBounds bounds;

    /** As many application sessions as the heap has room for. */
    private final int sessionsByHeap;

    private final Sources sources;

    /** Who has no share; a reload names others. */
    private volatile AddressRanges trusted;

    private final PeerTerms.Table peers;

    /**
     * What the composer has in the same heap beside network, stack and container.
     *
     * @param fixedBytes of tables that do not depend on the heap
     * @param cacheBytes of caches that can be smaller
     */
    public record Others(long fixedBytes, long cacheBytes) {
        public static final Others NONE = new Others(0, 0);
    }

    /**
     * @param heap bytes that are divided
     */
    public Protection(Protections limits, long heap, Others others) {
        this(limits, heap, others, PeerTerms.Table.NOBODY);
    }

    /**
     * As {@link #Protection(Protections, long, Others)}.
     *
     * @param peers who has a larger share, or is told something else
     */
    public Protection(Protections limits, long heap, Others others, PeerTerms.Table peers) {
        this.limits = limits;
        this.peers = peers;
        connections =
                (int)
                        Math.min(
                                limits.connections().maxConnections(),
                                heap / PART_OF_CONNECTIONS / CONNECTION_BYTES);
        unfinished = HeapBounds.unfinished(heap, limits.connections().unfinishedMessages());
        bounds = HeapBounds.of(heap, demand(others, limits.sessions().max()));
        sessionsByHeap = HeapBounds.of(heap, demand(others, 0)).sessions();
        trusted = limits.guard().trusted();
        sources = new Sources(source -> trusted.containsSource(source), SEED, peers);
    }

    private HeapBounds.Demand demand(Others others, int maxSessions) {
        Protections.Users users = limits.users();
        return new HeapBounds.Demand(
                limits.requests().requestHeap(),
                limits.sessions().addressHeap(),
                maxSessions,
                limits.requests().maxTransactions(),
                SMALL_TABLES
                        + (long) connections * CONNECTION_BYTES
                        + 2 * unfinished
                        + others.fixedBytes(),
                (long) users.nonces() * NONCE_BYTES
                        + users.usersRemembered() / 5L * 6 * USER_BYTES
                        + others.cacheBytes());
    }

    /** How the heap is divided. */
    public HeapBounds bounds() {
        return bounds;
    }

    /** Bytes of unfinished messages that all connections may hold. */
    public long unfinished() {
        return unfinished;
    }

    /** A guard whose time begins now. */
    public Guard guard() {
        return new Guard(limits.guard(), RandomSource.secure()::nextLong, System.nanoTime());
    }

    /** From now on these sources have no shares. */
    public void trust(AddressRanges ranges) {
        trusted = ranges;
    }

    /**
     * A stack with its limits, for more settings.
     *
     * @param shards that share them
     */
    public StackConfig.Builder stack(int shards, Guard guard) {
        Protections.Requests requests = limits.requests();
        return StackConfig.builder()
                .maxTransactions(Math.toIntExact(Math.ceilDiv(bounds.transactions(), shards)))
                .requestHeapBytes(bounds.requestHeapBytes() / shards)
                .shares(sources, requests.sharePerSource())
                .ringingWithinNanos(requests.ringingWithin().toNanos())
                .limits(requests.limits())
                .forks(requests.forks())
                .mailbox(limits.sessions().mailbox())
                .conduct(guard)
                .overload(overload())
                .marks(new OwnMarks(RandomSource.secure()));
    }

    private OverloadConfig overload() {
        Protections.Overload set = limits.overload();
        return new OverloadConfig(
                set.shed(),
                set.shed() ? set.delay().toNanos() : OverloadConfig.OFF.delayNanos(),
                Math.toIntExact(set.retryAfter().toSeconds()),
                peers);
    }

    /** The same network with its limits. */
    public NetworkConfig network(NetworkConfig network) {
        Protections.Connections kept = limits.connections();
        StreamConfig stream =
                network.stream()
                        .withTimeouts(
                                millis(kept.connectTimeout()),
                                millis(kept.firstMessageWithin()),
                                millis(kept.messageWithin()),
                                millis(kept.idleTimeout()))
                        .withLimits(connections, connections, kept.writeQueue())
                        .withHandshakeTimeout(millis(kept.handshakeWithin()))
                        .withUnfinished(unfinished)
                        .withUnsent(kept.unsentMessages());
        return network.withStream(stream);
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }

    /** The same container with its limits; {@link #limit} has the others. */
    public ContainerConfig container(ContainerConfig container) {
        return container.withMaxSessions(bounds.sessions());
    }

    /** Gives a container its limits, before it is started. */
    public void limit(SipContainer container) {
        Protections.Sessions sessions = limits.sessions();
        SessionShares shares =
                new SessionShares(
                        bounds.sessions(),
                        sessions.sharePerSource(),
                        sessions.shareOfPages(),
                        sources);
        container.sessions().shares(shares);
        container.keptAddresses().most(bounds.addressHeapBytes(), shares);
        container.rooms().maxOfOne(sessions.maxOfOne());
        container
                .rooms()
                .maxSubscriptions(Math.min(sessions.maxSubscriptions(), bounds.sessions()));
        Protections.Users users = limits.users();
        container
                .security()
                .bounds(
                        bounds.ofCache(users.nonces()),
                        bounds.ofCache(users.usersRemembered()),
                        users.lookups());
        Protections.Overload overload = limits.overload();
        container
                .features()
                .handlerLoads()
                .settings(
                        overload.shed(),
                        overload.delay().toNanos(),
                        overload.handlerDelay().toNanos());
        container.settings().applicationLog(limits.applicationLog());
    }

    /**
     * Limits that change while calls go on. What is more than a new one lives on.
     *
     * @param maxSessions application sessions; 0: as many as the heap has room for
     * @param maxOfOne SIP sessions of one application session
     * @param maxSubscriptions of applications
     * @param handlerDelay from when on an application is late
     */
    public void change(
            SipContainer container,
            int maxSessions,
            int maxOfOne,
            int maxSubscriptions,
            Duration handlerDelay) {
        int sessions = maxSessions == 0 ? sessionsByHeap : maxSessions;
        container.sessions().resize(sessions);
        container.rooms().resize(Math.min(maxSubscriptions, sessions), maxOfOne);
        Protections.Overload overload = limits.overload();
        container
                .features()
                .handlerLoads()
                .settings(overload.shed(), overload.delay().toNanos(), handlerDelay.toNanos());
    }
}
