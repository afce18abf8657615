package io.carillon.sip.core;

import io.carillon.sip.admission.Capacity;
import io.carillon.sip.admission.MailboxLimits;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.flow.FlowTokens;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.hop.FailoverConfig;
import io.carillon.sip.hop.TrustBoundary;
import io.carillon.sip.observe.ErrorSink;
import io.carillon.sip.outbox.Edge;
import io.carillon.sip.overload.OverloadConfig;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.OwnMarks;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.transaction.TransactionTimers;
import org.jspecify.annotations.Nullable;

/** Settings of a shard; immutable, the same object may serve all shards. */
public final class StackConfig {
    /** All defaults. */
    public static final StackConfig DEFAULT = builder().build();

    private final TransactionTimers timers;
    private final Ringing ringing;
    private final long tickNanos;
    private final Capacity capacity;
    private final int udpLimit;
    private final FailoverConfig failover;
    private final boolean rport;
    private final OwnTokens tokens;
    private final OwnNames names;
    private final Compliance compliance;
    private final MessageLimits limits;
    private final ErrorSink errors;
    private final @Nullable PeerConduct conduct;
    private final @Nullable TrustBoundary boundary;
    private final MailboxLimits mailbox;
    private final int forks;
    private final FlowTokens flowTokens;
    private final @Nullable OwnMarks marks;
    private final Edge.@Nullable Source edge;
    private final OverloadConfig overload;

    /** How long INVITEs may ring, by who sent them: a proxy, a user agent of ours. */
    private record Ringing(long timerCNanos, long withinNanos) {}

    private StackConfig(Builder b) {
        timers = b.timers;
        ringing = new Ringing(b.timerCNanos, b.ringingWithinNanos);
        tickNanos = b.tickNanos;
        capacity =
                new Capacity(
                        b.maxTransactions,
                        b.requestHeapBytes,
                        b.sources,
                        b.sharePerSource,
                        b.retryAfterSeconds);
        udpLimit = b.udpLimit;
        failover = b.failover;
        rport = b.rport;
        tokens = b.cluster == null ? OwnTokens.ofNode(b.nodeId) : OwnTokens.ofCluster(b.cluster);
        names = new OwnNames(b.serverHeader, b.userAgentHeader);
        compliance = b.compliance;
        limits = b.limits;
        errors = b.errors;
        conduct = b.conduct;
        boundary = b.boundary;
        mailbox = b.mailbox;
        forks = b.forks;
        FlowTokens given = b.flowTokens;
        flowTokens = given == null ? new FlowTokens() : given;
        marks = b.cluster == null ? b.marks : OwnMarks.ofCluster(b.cluster);
        edge = b.edge;
        overload = b.overload;
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Timers of RFC 3261 section 17; {@link TransactionTimers#tryingNanos} 0 sends every 100 at
     * once.
     */
    public TransactionTimers timers() {
        return timers;
    }

    /** Timer C of proxies (RFC 3261 section 16.6 item 11), more than 3 minutes. */
    public long timerCNanos() {
        return ringing.timerCNanos;
    }

    /**
     * How long after its last provisional response an INVITE of a user agent of ours is cancelled.
     */
    public long ringingWithinNanos() {
        return ringing.withinNanos;
    }

    /** Width of a slot of the timer wheel. */
    public long tickNanos() {
        return tickNanos;
    }

    /**
     * Server and client transactions, lingering ones included, above which new initial requests get
     * 503; at a quarter more every request gets it. What layers above want to send fails likewise
     * ({@code Failure.FULL}).
     */
    public int maxTransactions() {
        return capacity.maxTransactions();
    }

    /**
     * Bytes of received requests that wait for their final response, or for the ACK to their 2xx,
     * above which new initial requests get 503; other kinds of requests have more room ({@code
     * Room}). Messages that wait for a {@code Mailbox} may hold half as many beside them.
     */
    public long requestHeapBytes() {
        return capacity.requestHeapBytes();
    }

    /** Where each source is counted, and who is not. */
    public Sources sources() {
        return capacity.sources();
    }

    /**
     * Percent of {@link #maxTransactions}, of {@link #requestHeapBytes} and of what may wait that
     * one source may hold while more than half of it is taken; 100 for no limit.
     */
    public int sharePerSource() {
        return capacity.sharePerSource();
    }

    /** What may wait for one mailbox. */
    public MailboxLimits mailbox() {
        return mailbox;
    }

    /** All of these limits, and what a peer is told who meets one. */
    public Capacity capacity() {
        return capacity;
    }

    /** Retry-After of a 503 for a full table. */
    public int retryAfterSeconds() {
        return capacity.retryAfterSeconds();
    }

    /**
     * Requests longer than this many bytes leave by TCP instead of UDP where the wire has it (RFC
     * 3261 section 18.1.1).
     */
    public int udpLimit() {
        return udpLimit;
    }

    /** How a request goes from one server of its target to the next. */
    public FailoverConfig failover() {
        return failover;
    }

    /** Whether our Via asks for rport (RFC 3581). */
    public boolean rport() {
        return rport;
    }

    /** Which tokens are our own, and where they lead. */
    public OwnTokens tokens() {
        return tokens;
    }

    /** Server header of the responses that the stack makes itself, or null. */
    public @Nullable String serverHeader() {
        return names.server();
    }

    /** User-Agent header for layers above that make requests, or null. */
    public @Nullable String userAgentHeader() {
        return names.userAgent();
    }

    public Compliance compliance() {
        return compliance;
    }

    public MessageLimits limits() {
        return limits;
    }

    /** Where exceptions of layers above go. */
    public ErrorSink errors() {
        return errors;
    }

    /** What stands between us and peers that are not trusted; null: nothing. */
    public @Nullable TrustBoundary boundary() {
        return boundary;
    }

    /** Who learns how peers behave; null: nobody. */
    public @Nullable PeerConduct conduct() {
        return conduct;
    }

    /**
     * Forks that are taken of one request, told apart by their To tags: each costs a dialog, and a
     * peer can make up as many as it likes. Of a request of ours what comes of a further one is
     * dropped. Of one that a proxy has forwarded the first tag of each target counts for nothing;
     * what rings beyond is dropped, and a 2xx goes upstream without a dialog here.
     */
    public int forks() {
        return forks;
    }

    /** How flows stand in the routes of ours (RFC 5626). */
    public FlowTokens flowTokens() {
        return flowTokens;
    }

    /** The key by which branches and routes of ours are known; null: each shard has its own. */
    public @Nullable OwnMarks marks() {
        return marks;
    }

    /** What is done to messages where they come and leave; null for nothing. */
    public Edge.@Nullable Source edge() {
        return edge;
    }

    /** When new work is shed. */
    public OverloadConfig overload() {
        return overload;
    }

    /** How the stack names itself; null: it does not. */
    private record OwnNames(@Nullable String server, @Nullable String userAgent) {}

    /** Collects settings. */
    public static final class Builder {
        private TransactionTimers timers = TransactionTimers.DEFAULT;
        private long timerCNanos = 181_000_000_000L;
        private long ringingWithinNanos = 900_000_000_000L;
        private long tickNanos = 10_000_000L;
        private int maxTransactions = 500_000;
        private long requestHeapBytes = Runtime.getRuntime().maxMemory() / 4;
        private Sources sources = Sources.EXEMPT;
        private int sharePerSource = 100;
        private int retryAfterSeconds = 5;
        private int udpLimit = 1300;
        private FailoverConfig failover = FailoverConfig.DEFAULT;
        private boolean rport = true;
        private int nodeId;
        private @Nullable ClusterPlace cluster;
        private @Nullable String serverHeader;
        private @Nullable String userAgentHeader;
        private Compliance compliance = Compliance.DEFAULT;
        private MessageLimits limits = MessageLimits.DEFAULT;
        private ErrorSink errors = ErrorSink.LOGGER;
        private @Nullable PeerConduct conduct;
        private @Nullable TrustBoundary boundary;
        private MailboxLimits mailbox = MailboxLimits.DEFAULT;
        private int forks = 64;
        private @Nullable FlowTokens flowTokens;
        private @Nullable OwnMarks marks;
        private Edge.@Nullable Source edge;
        private OverloadConfig overload = OverloadConfig.OFF;

        private Builder() {}

        public Builder timers(TransactionTimers value) {
            timers = value;
            return this;
        }

        public Builder timerCNanos(long value) {
            timerCNanos = value;
            return this;
        }

        public Builder ringingWithinNanos(long value) {
            ringingWithinNanos = value;
            return this;
        }

        public Builder tickNanos(long value) {
            tickNanos = value;
            return this;
        }

        public Builder maxTransactions(int value) {
            maxTransactions = value;
            return this;
        }

        public Builder requestHeapBytes(long value) {
            requestHeapBytes = value;
            return this;
        }

        /** Without it no source has a limit of its own. */
        public Builder shares(Sources of, int percentPerSource) {
            sources = of;
            sharePerSource = percentPerSource;
            return this;
        }

        public Builder retryAfterSeconds(int value) {
            retryAfterSeconds = value;
            return this;
        }

        public Builder udpLimit(int value) {
            udpLimit = value;
            return this;
        }

        public Builder failover(FailoverConfig value) {
            failover = value;
            return this;
        }

        public Builder rport(boolean value) {
            rport = value;
            return this;
        }

        /** Mixed into tokens: those of a node with another number are not taken for our own. */
        public Builder nodeId(int value) {
            nodeId = value;
            return this;
        }

        /**
         * Makes it a node of a cluster: its number, its keys and its partitions take the place of
         * {@link #nodeId}, {@link #marks} and shards in what it gives to the network.
         */
        public Builder cluster(@Nullable ClusterPlace value) {
            cluster = value;
            return this;
        }

        public Builder serverHeader(@Nullable String value) {
            serverHeader = value;
            return this;
        }

        public Builder userAgentHeader(@Nullable String value) {
            userAgentHeader = value;
            return this;
        }

        public Builder compliance(Compliance value) {
            compliance = value;
            return this;
        }

        public Builder limits(MessageLimits value) {
            limits = value;
            return this;
        }

        public Builder errors(ErrorSink value) {
            errors = value;
            return this;
        }

        public Builder boundary(@Nullable TrustBoundary value) {
            boundary = value;
            return this;
        }

        public Builder conduct(@Nullable PeerConduct value) {
            conduct = value;
            return this;
        }

        public Builder mailbox(MailboxLimits value) {
            mailbox = value;
            return this;
        }

        public Builder forks(int value) {
            forks = value;
            return this;
        }

        /** Without it: under a key of its own. */
        public Builder flowTokens(FlowTokens value) {
            flowTokens = value;
            return this;
        }

        /** Without it: each shard draws a key of its own. */
        public Builder marks(OwnMarks value) {
            marks = value;
            return this;
        }

        public Builder overload(OverloadConfig value) {
            overload = value;
            return this;
        }

        public Builder edge(Edge.@Nullable Source value) {
            edge = value;
            return this;
        }

        public StackConfig build() {
            if (requestHeapBytes < 1) {
                throw new IllegalArgumentException(
                        "requestHeapBytes must be positive: " + requestHeapBytes);
            }
            if (sharePerSource < 1 || sharePerSource > 100) {
                throw new IllegalArgumentException(
                        "a share is 1 to 100 percent: " + sharePerSource);
            }
            if (forks < 1) {
                throw new IllegalArgumentException("forks must be positive: " + forks);
            }
            if (maxTransactions < 1
                    || tickNanos < 1
                    || timerCNanos < 1
                    || ringingWithinNanos < 1
                    || retryAfterSeconds < 0) {
                throw new IllegalArgumentException("caps, ticks and timers must be positive");
            }
            return new StackConfig(this);
        }
    }
}
