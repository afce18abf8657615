package io.carillon.sip.overload;

import io.carillon.sip.admission.Admission;
import io.carillon.sip.guard.PeerTerms;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.Methods;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.token.OwnTokens;
import java.net.InetAddress;
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

    /** Of what may come at once: what is kept for those who come first. */
    private static final double ROOM_FOR_EMERGENCY = -1;

    private static final double ROOM_FOR_KNOWN = 0;
    private static final double ROOM_FOR_FAIR = 0.25;
    private static final double ROOM_FOR_ALL = 0.5;

    private static final Admission ABSORBED = new Admission.Dropped(Counter.STATELESS_ACKS);

    private final OverloadConfig config;
    private final Vouchers vouchers;
    private final OwnTokens tokens;

    private final SeenDelay seen = new SeenDelay();
    private final AdmissionRate rate;
    private final SourceRate sources;
    private final EmergencyRate emergencies;
    private final MessageScan scan = new MessageScan();
    private final KnownRequests known;
    private final Answers answers;
    private final Refusal refusal;
    private final LoadReport report = new LoadReport();

    private boolean watches;
    private long lookAtNanos;

    /**
     * @param known what was decided before
     * @param vouchers who is known
     * @param tokens which are ours
     * @param shard number of the shard
     * @param seed unpredictable
     * @param startNanos the time now, of the executor's clock
     */
    public OverloadControl(
            OverloadConfig config,
            KnownRequests known,
            Vouchers vouchers,
            OwnTokens tokens,
            int shard,
            long seed,
            long startNanos) {
        this.config = config;
        this.known = known;
        this.vouchers = vouchers;
        this.tokens = tokens;
        this.rate = new AdmissionRate(config.delayNanos(), startNanos);
        this.sources = new SourceRate(seed);
        this.emergencies = new EmergencyRate(SourceKey.mix(seed), startNanos);
        this.answers = new Answers(config.retryAfterSeconds(), startNanos);
        this.refusal = new Refusal(tokens, shard);
        this.lookAtNanos = config.on() ? startNanos : NEVER;
    }

    /** Who sees messages wait tells it. Any thread. */
    public QueueingDelay delay() {
        return seen.told();
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
        seen.look(nowNanos);
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
        watches = limits || known.remembers(nowNanos);
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
            // A repeat of what was let in: its transaction answers it.
            if (known.accepted(scan, source)) {
                return Admission.ACCEPTED;
            }
            if (known.refused(from, nowNanos)) {
                return refused(config.peers().of(source), from, nowNanos);
            }
        }
        if (!rate.limiting()) {
            return Admission.ACCEPTED;
        }
        vouchers.newWork(from, nowNanos);
        PeerTerms peer = config.peers().of(source);
        int weight = peer.weight();
        if (admits(kind(from, nowNanos), vouchers.believed(from), source, weight, nowNanos)) {
            return Admission.ACCEPTED;
        }
        rate.refused(nowNanos);
        report.shed();
        if (!identified) {
            // It may be a repeat of what was let in. Without an answer no harm is done: it is sent
            // again.
            return Answers.NONE;
        }
        known.refuse(from, nowNanos);
        return refused(peer, from, nowNanos);
    }

    /**
     * May a message overtake new work that came before it? What is under way may, as it is served
     * in any case; but a CANCEL comes behind its request. Makes no decision.
     *
     * @param message its bytes, of which {@code length} count
     */
    public boolean overtakes(byte[] message, int length) {
        scan.readWhetherUnderWay(message, length);
        boolean overtakes = scan.underWay() && !scan.is(Methods.CANCEL);
        scan.forget();
        return overtakes;
    }

    /** RFC 3261 8.2.7: "A stateless UAS MUST ignore ACK requests." */
    private boolean stateless() {
        return scan.request()
                && scan.is(Methods.ACK)
                && !scan.toTag().empty()
                && tokens.isStateless(scan.bytes(), scan.toTag().from(), scan.toTag().to());
    }

    // What it is worth

    private MessageKind kind(Hop from, long nowNanos) {
        if (EmergencyMarks.of(scan, vouchers.believed(from))) {
            return MessageKind.EMERGENCY;
        }
        boolean goesOn =
                scan.is(Methods.REGISTER) || scan.is(Methods.OPTIONS) || scan.credentials();
        return goesOn && vouchers.proven(from, nowNanos) ? MessageKind.REFRESH : MessageKind.NEW;
    }

    private boolean admits(
            MessageKind kind, boolean believed, long source, int weight, long nowNanos) {
        double room = rate.room(nowNanos);
        boolean taken =
                switch (kind) {
                    case UNDER_WAY -> true;
                    case EMERGENCY ->
                            room > ROOM_FOR_EMERGENCY
                                    && emergencies.take(rate.limit(), believed, source, nowNanos);
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

    // The answer

    private Admission refused(PeerTerms peer, Hop from, long nowNanos) {
        boolean phone = scan.ofPhone() && !scan.topVia().oc() && !vouchers.vouched(from);
        return answers.to(peer, phone, known.hash(), nowNanos);
    }

    /**
     * Makes the answer to the request that was decided about last.
     *
     * @param oc what stands for parameters of RFC 7339 in its top Via; null: as they are
     * @return false when there can be none
     */
    boolean answer(Admission.Refused how, Hop from, @Nullable String oc) {
        return refusal.make(scan, from, how.status(), how.retryAfterSeconds(), known.hash(), oc);
    }

    /** The top Via of the request that was refused last, where it offers overload control. */
    @Nullable Via offer() {
        return scan.topVia().oc() ? Via.scanned(scan.topVia(), scan.bytes(), false) : null;
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
