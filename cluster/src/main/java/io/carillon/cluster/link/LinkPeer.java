package io.carillon.cluster.link;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The other end of a link: a node or a router, and what it said of itself last. Written by the
 * thread of {@link LinkEndpoint}, read by any.
 */
public final class LinkPeer {
    /** How often each side says that it is there. */
    public static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Who was silent for so long is taken for dead. */
    public static final long SILENT_NANOS = TimeUnit.MILLISECONDS.toNanos(1000);

    /**
     * Connections of who was silent for so long have ended: longer than it takes until others are
     * preferred, as nothing else can go on with them, and what stood still for a moment still has
     * them.
     */
    public static final long CONNECTIONS_NANOS = TimeUnit.MILLISECONDS.toNanos(2000);

    /**
     * Whose host says that nobody is at its port, and who was silent for so long, is dead. A living
     * one says HELLO meanwhile, whatever somebody makes up.
     */
    public static final long REFUSED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final int id;
    private volatile InetSocketAddress address;
    private volatile @Nullable LinkSession session;
    private volatile NodeHealth health = NodeHealth.STARTING;
    private volatile long heardNanos;
    private volatile boolean refused;
    private volatile long tableVersion;
    private volatile List<LinkListener> listeners = List.of();
    private volatile NodeReport report = NodeReport.NONE;

    // Of the endpoint's thread.
    private long boot;
    private long count;
    private long echo;
    private long answeredNanos;

    LinkPeer(int id, InetSocketAddress address) {
        this.id = id;
        this.address = address;
    }

    /** See {@link PeerId}. */
    public int id() {
        return id;
    }

    /** Where its frames go. */
    public InetSocketAddress address() {
        return address;
    }

    /** What it said last. */
    public NodeHealth health() {
        return health;
    }

    /** Of a router: where it listens for SIP. */
    public List<LinkListener> listeners() {
        return listeners;
    }

    /** What it said beside its health. */
    public NodeReport report() {
        return report;
    }

    /** The version of the table that it knows. */
    public long tableVersion() {
        return tableVersion;
    }

    /** When it was heard last; 0 for never. */
    public long heardNanos() {
        return heardNanos;
    }

    /** Can frames be sent to it, and will somebody read them? */
    public boolean alive(long nowNanos) {
        return heardWithin(SILENT_NANOS, nowNanos);
    }

    /** Of a router: may it still have its connections, although it is silent? */
    public boolean keepsConnections(long nowNanos) {
        return heardWithin(CONNECTIONS_NANOS, nowNanos);
    }

    private boolean heardWithin(long nanos, long nowNanos) {
        return session != null
                && health != NodeHealth.GONE
                && nowNanos - heardNanos < (refused ? REFUSED_NANOS : nanos);
    }

    @Nullable LinkSession session() {
        return session;
    }

    // The endpoint's thread

    void moved(InetSocketAddress to) {
        if (!to.equals(address)) {
            address = to;
        }
    }

    void said(NodeHealth said, long version, List<LinkListener> where, long nowNanos) {
        health = said;
        tableVersion = version;
        if (!where.equals(listeners)) {
            listeners = where;
        }
        heardNanos = nowNanos;
        refused = false;
    }

    /** Its host says that nobody is there. */
    void refused() {
        refused = true;
    }

    void reported(NodeReport said) {
        if (!said.equals(report)) {
            report = said;
        }
    }

    void open(LinkSession opened) {
        session = opened;
    }

    void close() {
        session = null;
        boot = 0;
        count = 0;
    }

    /** When its process began, as it was proved; 0 for not yet. */
    public long boot() {
        return boot;
    }

    /** The number of its last HELLO. */
    long count() {
        return count;
    }

    void proved(long ofProcess, long number) {
        boot = ofProcess;
        count = number;
        echo = ofProcess;
    }

    /** What it is told that we have heard of. */
    long echo() {
        return echo;
    }

    void heardOf(long ofProcess) {
        echo = ofProcess;
    }

    /** May it get another answer now? */
    boolean mayAnswer(long nowNanos) {
        if (answeredNanos != 0 && nowNanos - answeredNanos < BEAT_NANOS / 10) {
            return false;
        }
        answeredNanos = nowNanos;
        return true;
    }
}
