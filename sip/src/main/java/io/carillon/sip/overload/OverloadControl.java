package io.carillon.sip.overload;

import io.carillon.sip.admission.Admission;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.guard.PeerTerms;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.TrustBoundary;
import io.carillon.sip.message.Methods;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.token.ShardToken;
import io.carillon.sip.transaction.TransactionTable;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides for a shard what is worth being parsed while not everything can be served.
 *
 * <p>What was begun goes on, whatever waits. New work is let in by the queueing delay ({@link
 * AdmissionRate}), each source by its share ({@link SourceRate}), emergency calls and those who are
 * known before others. A repeat of what was let in is no new work; what was refused stays refused
 * ({@link RefusedRequests}).
 *
 * <p>Owner: the shard's thread, where a method does not say otherwise. Memory is fixed.
 */
public final class OverloadControl {
    /** Nothing is looked at before. */
    private static final long NEVER = Long.MAX_VALUE;

    /** Refusals for each second that are answered; what is refused beyond gets no answer. */
    static final int MOST_ANSWERS = 40_000;

    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(1) / MOST_ANSWERS;
    private static final long ANSWERS_AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Of what may come at once: what is kept for those who come first. */
    private static final double ROOM_FOR_EMERGENCY = -1;

    private static final double ROOM_FOR_KNOWN = 0;
    private static final double ROOM_FOR_FAIR = 0.25;
    private static final double ROOM_FOR_ALL = 0.5;

    /** Of what is let in: more emergency calls than that are as any other. */
    private static final double MOST_EMERGENCIES = 0.5;

    private static final double LEAST_EMERGENCIES = 20;

    private static final Admission UNANSWERED = new Admission.Dropped(Counter.SHED_UNANSWERED);
    private static final Admission ABSORBED = new Admission.Dropped(Counter.STATELESS_ACKS);

    private final OverloadConfig config;
    private final TransactionTable accepted;
    private final @Nullable PeerConduct conduct;
    private final @Nullable TrustBoundary boundary;
    private final int node;

    private final QueueingDelay delay = new QueueingDelay();
    private final SeenDelay seen = new SeenDelay();
    private final AdmissionRate rate;
    private final SourceRate sources;
    private final RefusedRequests refused = new RefusedRequests();
    private final MessageScan scan = new MessageScan();
    private final Refusal refusal;
    private final Admission[] refusals;
    private final LoadReport report = new LoadReport();

    private boolean watches;
    private long lookAtNanos;
    private long watchUntilNanos;
    private long answeredUntilNanos;
    private double emergencies;
    private long emergencyNanos;

    /** Of the request that was refused last. */
    private long hash;

    /**
     * @param accepted server transactions: what was let in
     * @param conduct who knows whom peers are; null: nobody does
     * @param boundary says which marks of emergency calls are believed; null: the conduct does
     * @param node number of this node
     * @param shard number of the shard
     * @param seed unpredictable
     * @param startNanos the time now, of the executor's clock
     */
    public OverloadControl(
            OverloadConfig config,
            TransactionTable accepted,
            @Nullable PeerConduct conduct,
            @Nullable TrustBoundary boundary,
            int node,
            int shard,
            long seed,
            long startNanos) {
        this.config = config;
        this.accepted = accepted;
        this.conduct = conduct;
        this.boundary = boundary;
        this.node = node;
        this.rate = new AdmissionRate(config.delayNanos(), startNanos);
        this.sources = new SourceRate(seed);
        this.refusal = new Refusal(node, shard);
        this.refusals = refusals(config.retryAfterSeconds());
        this.lookAtNanos = config.on() ? startNanos : NEVER;
        this.answeredUntilNanos = startNanos;
        this.watchUntilNanos = startNanos;
        this.emergencyNanos = startNanos;
    }

    /** By the Retry-After: made once, as a flood shall cost no more of them. */
    private static Admission[] refusals(int longest) {
        Admission[] all = new Admission[Math.min(longest, 60) + 1];
        for (int i = 0; i < all.length; i++) {
            int seconds = i == 0 ? 0 : Math.max(1, (int) ((long) longest * i / (all.length - 1)));
            all[i] = new Admission.Refused(Counter.SHED, 503, seconds);
        }
        return all;
    }

    /** Who sees messages wait tells it. Any thread. */
    public QueueingDelay delay() {
        return delay;
    }

    /** What was seen at the last look, a few times each second. Any thread. */
    public OverloadState state() {
        return report.state();
    }

    /** Does it have to be asked? One compare for each message, while nothing waits. */
    public boolean watches() {
        return watches;
    }

    /** Is new work limited now? */
    public boolean limits() {
        return rate.limiting();
    }

    /** New work was let in, and has begun a transaction. */
    public void began() {
        rate.began();
    }

    /** Time passes: looks what waits, when it is time to. */
    public void advance(long nowNanos) {
        if (nowNanos >= lookAtNanos) {
            look(nowNanos);
        }
    }

    private void look(long nowNanos) {
        seen.look(delay, nowNanos);
        Waiting where = seen.where();
        long longest = seen.nanos();
        boolean before = rate.limiting();
        rate.look(longest, nowNanos);
        boolean limits = rate.limiting();
        if (limits && !before) {
            sources.begin(rate.perSecond(), nowNanos);
        } else if (limits) {
            sources.look(rate.perSecond());
        }
        lookAtNanos =
                nowNanos + (limits ? AdmissionRate.CLOSE_LOOK_NANOS : AdmissionRate.LOOK_NANOS);
        watches = limits || nowNanos - watchUntilNanos < 0;
        report.look(rate, longest, where, nowNanos);
    }

    /**
     * May this message be served? Asked before it is parsed, while {@link #watches}.
     *
     * @param message its bytes, of which {@code length} count
     * @param from where it came from
     * @param nowNanos the time, of the executor's clock
     */
    public Admission decide(byte[] message, int length, Hop from, long nowNanos) {
        scan.read(message, length);
        if (scan.underWay()) {
            return stateless() ? ABSORBED : Admission.ACCEPTED;
        }
        InetAddress address = from.remote().getAddress();
        if (address == null) {
            return Admission.ACCEPTED; // nobody whom the network knows
        }
        long source = SourceKey.of(address);
        boolean identified = scan.identified();
        if (identified) {
            hash =
                    TransactionTable.received(
                            message,
                            scan.topVia(),
                            scan.methodHash(),
                            scan.callId().from(),
                            scan.callId().to(),
                            scan.cseqNumber(),
                            source);
            // A repeat of what was let in: its transaction answers it.
            if (accepted.holds(
                    hash, message, scan.topVia().branchStart(), scan.topVia().branchEnd())) {
                return Admission.ACCEPTED;
            }
            if (!from.reliable() && refused.contains(hash, nowNanos)) {
                return refused(address, from, nowNanos);
            }
        }
        if (!rate.limiting()) {
            return Admission.ACCEPTED;
        }
        PeerTerms terms = config.peers().of(source);
        if (admits(kind(from, nowNanos), source, terms.weight(), nowNanos)) {
            return Admission.ACCEPTED;
        }
        rate.refused(nowNanos);
        report.shed();
        if (!identified) {
            // It may be a repeat of what was let in. Without an answer no harm is done: it is sent
            // again.
            return UNANSWERED;
        }
        if (!from.reliable()) {
            refused.add(hash, nowNanos);
            watchUntilNanos = nowNanos + RefusedRequests.KEPT_NANOS;
        }
        return refused(address, from, nowNanos);
    }

    /** RFC 3261 8.2.7: "A stateless UAS MUST ignore ACK requests." */
    private boolean stateless() {
        return scan.request()
                && scan.is(Methods.ACK)
                && !scan.toTag().empty()
                && ShardToken.isStateless(
                        node, scan.bytes(), scan.toTag().from(), scan.toTag().to());
    }

    /** Does the operator vouch for that peer? */
    private boolean vouched(Hop from) {
        return conduct != null && conduct.trusts(from);
    }

    // What it is worth

    private MessageKind kind(Hop from, long nowNanos) {
        if (EmergencyMarks.of(scan, boundary == null ? vouched(from) : boundary.trusts(from))) {
            return MessageKind.EMERGENCY;
        }
        boolean goesOn =
                scan.is(Methods.REGISTER) || scan.is(Methods.OPTIONS) || scan.credentials();
        return goesOn && conduct != null && conduct.provenLately(from, nowNanos)
                ? MessageKind.REFRESH
                : MessageKind.NEW;
    }

    private boolean admits(MessageKind kind, long source, int weight, long nowNanos) {
        double room = rate.room(nowNanos);
        boolean taken =
                switch (kind) {
                    case UNDER_WAY -> true;
                    case EMERGENCY -> emergency(nowNanos) && room > ROOM_FOR_EMERGENCY;
                    case REFRESH -> room > ROOM_FOR_KNOWN;
                    case NEW -> false;
                };
        if (!taken) {
            boolean fair = sources.fair(source, weight, nowNanos);
            taken = room > (fair ? ROOM_FOR_FAIR : ROOM_FOR_ALL);
            sources.decided(fair, taken);
        }
        if (taken) {
            rate.take();
        }
        return taken;
    }

    /** They come before all others, but cannot take all: who calls himself one may lie. */
    private boolean emergency(long nowNanos) {
        double most = Math.max(LEAST_EMERGENCIES, MOST_EMERGENCIES * rate.limit());
        double more = Math.max(0, nowNanos - emergencyNanos) * 1e-9 * most;
        emergencyNanos = nowNanos;
        emergencies = Math.min(most / 10, emergencies + more);
        if (emergencies < 1) {
            return false;
        }
        emergencies--;
        return true;
    }

    // The answer

    private Admission refused(InetAddress address, Hop from, long nowNanos) {
        if (answeredUntilNanos - nowNanos > ANSWERS_AHEAD_NANOS) {
            return UNANSWERED;
        }
        answeredUntilNanos = Math.max(answeredUntilNanos, nowNanos) + ANSWER_NANOS;
        PeerTerms terms = config.peers().of(SourceKey.of(address));
        if (terms.refusal() != 503) {
            return new Admission.Refused(Counter.SHED, terms.refusal(), 0);
        }
        // RFC 3261 21.5.4: a client "SHOULD attempt to forward the request to an alternate server
        // [and] SHOULD NOT forward any other requests to that server for the duration specified in
        // the Retry-After header field": a proxy that is told so sends nothing at all.
        boolean phone = refusals.length > 1 && !terms.ofPeer() && scan.ofPhone() && !vouched(from);
        int spread = phone ? 1 + (int) Long.remainderUnsigned(hash >>> 8, refusals.length - 1) : 0;
        return refusals[spread];
    }

    /**
     * Makes the answer to the request that was decided about last.
     *
     * @return false when there can be none
     */
    boolean answer(Admission.Refused how, Hop from) {
        return refusal.make(scan, from, how.status(), how.retryAfterSeconds(), hash);
    }

    /** The bytes of the answer. */
    byte[] answerBytes() {
        return refusal.bytes();
    }

    int answerLength() {
        return refusal.length();
    }

    /** Where the answer goes. */
    Hop answerWay(Hop from) {
        return refusal.way(scan, from);
    }

    /** Nothing more is asked about the message. */
    void forget() {
        scan.forget();
    }
}
