package io.carillon.lab.load;

import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.header.AddressScan;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.time.WheelTimer;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The load without I/O: input is a message or the time, output goes to a {@link LoadWire}. Both
 * sides of all calls live here, in one thread; what a leg is waiting for is known from the token in
 * the message, so nothing is looked up but an INVITE of a call that is new to the callee.
 *
 * <p>Owner: the thread that calls {@link #receive} and {@link #wake}.
 */
final class LoadEngine {
    /** Timers of a call are due within this of their time. */
    private static final long TICK_NANOS = 1_000_000L;

    /** Calls per second that a stop ends at least. */
    private static final double LEAST_END_RATE = 500;

    private final CallPlan plan;
    private final LoadAddresses places;
    private final LoadWire wire;
    private final Arrivals arrivals;
    private final long warmNanos;
    private final LoadStats stats;
    private final TimerWheel wheel;
    private final MessageParser parser =
            new MessageParser(Compliance.LENIENT, MessageLimits.DEFAULT);
    private final LegTokens tokens;
    private final ByteWriter out = new ByteWriter(2048);
    private final ByteWriter scratch = new ByteWriter(2048);
    private final AddressScan scan = new AddressScan();
    private final RememberedHops ways;
    private final CallerTexts callerTexts;
    private final CalleeTexts calleeTexts;
    private final RegisterTexts registerTexts;
    private final LegPool<CallerLeg> callers;
    private final LegPool<RegisterLeg> registers;
    private final LegPool<VisitLeg> visits;
    private final LegPool<SubscriptionLeg> subscriptions;
    private final Redials redials;
    private Trigger trigger = Trigger.NONE;
    private long now;
    private final LegPool<CalleeLeg> callees;
    private final InviteTable invites = new InviteTable();
    private final SplittableRandom random;
    private boolean stopping;
    private int nextUser;
    private long earliestNanos = Arrivals.NEVER;

    /**
     * @param warmNanos length of the warm-up, from the first call
     * @param seed of the tokens
     */
    LoadEngine(
            CallPlan plan,
            LoadAddresses places,
            Arrivals arrivals,
            long warmNanos,
            LoadWire wire,
            long seed) {
        this.plan = plan;
        this.places = places;
        this.arrivals = arrivals;
        this.warmNanos = arrivals.startNanos() + warmNanos;
        this.wire = wire;
        stats = new LoadStats(plan.lateNanos());
        wheel = new TimerWheel(TICK_NANOS, arrivals.startNanos());
        tokens = new LegTokens(seed);
        ways = new RememberedHops(places.callerToServer());
        callerTexts = new CallerTexts(out, tokens, places, plan);
        calleeTexts = new CalleeTexts(out, tokens, places);
        registerTexts = new RegisterTexts(out, tokens, places, plan);
        random = new SplittableRandom(seed);
        registers = new LegPool<>(index -> new RegisterLeg(index, this));
        visits = new LegPool<>(index -> new VisitLeg(index, this));
        subscriptions = new LegPool<>(index -> new SubscriptionLeg(index, this));
        redials = new Redials(this, plan.habits());
        callers = new LegPool<>(index -> new CallerLeg(index, this));
        callees = new LegPool<>(index -> new CalleeLeg(index, this));
    }

    /** Gives the users a page; before the first {@link #wake}. */
    void trigger(Trigger page) {
        trigger = page;
    }

    // Input

    /** Time passed: begins the calls that are due and fires timers. */
    void wake(long now) {
        this.now = now;
        earliestNanos = Arrivals.NEVER;
        wheel.advance(now);
        while (arrivals.nextNanos() <= now) {
            long due = arrivals.nextNanos();
            if (!stats.isWarm() && due >= warmNanos) {
                stats.warm();
            }
            arrivals.take();
            if (stats.held() >= plan.maxHeld()) {
                stats.failedBeside(stats.isWarm(), FailureCauses.MAX_HELD);
            } else {
                begin(due, now);
            }
        }
    }

    private void begin(long due, long now) {
        if (plan.workload() == Workload.REGISTER) {
            RegisteredUser user = plan.users().get(nextUser);
            nextUser = (nextUser + 1) % plan.users().size();
            registers.take().begin(user, due, now);
        } else if (plan.workload() == Workload.WEB_VOICE_MAIL) {
            // Half of the users hang up the phone, half click on the page.
            visits.take().begin(due, now, (nextUser++ & 1) == 1);
        } else {
            dial(due, now, false);
        }
    }

    /** A caller calls, for the second time when {@code again}. */
    void dial(long due, long now, boolean again) {
        callers.take().begin(due, now, again);
    }

    /** No further call is due, no refused caller's either. */
    boolean ended() {
        return arrivals.ended() && redials.waiting() == 0;
    }

    /**
     * When {@link #wake} has to be called at the latest; {@link Arrivals#NEVER} when nothing waits.
     */
    long nextWakeNanos() {
        long timer = wheel.nextDeadlineNanos();
        return Math.min(timer == TimerWheel.NEVER ? Arrivals.NEVER : timer, arrivals.nextNanos());
    }

    /**
     * The earliest timer set since the last {@link #wake}: a sleep until later must be cut short.
     */
    long earliestSetNanos() {
        return earliestNanos;
    }

    /**
     * A message came.
     *
     * @param owned given away
     */
    void receive(byte[] owned, int length, Hop from, long now) {
        this.now = now;
        ParseResult result =
                from.transport().reliable()
                        ? parser.parseFramed(owned, length)
                        : parser.parseDatagram(owned, length);
        if (result instanceof ParseResult.Parsed parsed) {
            switch (parsed.message()) {
                case SipResponse response -> response(response, from, now);
                case SipRequest request -> request(request, from, now);
            }
        } else {
            stats.unexpected();
        }
    }

    private void response(SipResponse response, Hop from, long now) {
        byte[] b = response.bytes();
        int via = response.find(HeaderName.VIA, 0);
        int end = response.valueEnd(via);
        int branch = LegTokens.branch(b, response.valueStart(via), end);
        long token = branch < 0 ? LegTokens.NONE : tokens.read(b, branch, end);
        if (token == LegTokens.NONE) {
            stats.unexpected();
            return;
        }
        Leg leg = find(token);
        int kind = branch + LegTokens.LENGTH;
        if (leg == null || kind >= end) {
            // An answer to a call that is long over: it was sent again.
            stats.receivedAgain();
        } else {
            leg.response(response, (char) b[kind], from, now);
        }
    }

    private @Nullable Leg find(long token) {
        return switch (LegTokens.side(token)) {
            case 'c' -> callers.find(token);
            case 's' -> callees.find(token);
            case 'r' -> registers.find(token);
            case 'n' -> subscriptions.find(token);
            default -> null;
        };
    }

    private void request(SipRequest request, Hop from, long now) {
        byte[] b = request.bytes();
        int to = request.find(HeaderName.TO, 0);
        int tag = LegTokens.tag(b, request.valueStart(to), request.valueEnd(to));
        if (tag < 0) {
            initial(request, from, now);
            return;
        }
        long token = tokens.read(b, tag, request.valueEnd(to));
        Leg leg = token == LegTokens.NONE ? null : find(token);
        if (leg != null) {
            leg.request(request, from, now);
        } else if (token == LegTokens.NONE) {
            stats.unexpected();
            refuse(request, from, 481, "Call Does Not Exist");
        } else {
            stats.receivedAgain();
            // The call is over and was answered: so is what comes again.
            refuse(request, from, 200, "OK");
        }
    }

    private void refuse(SipRequest request, Hop from, int status, String reason) {
        if (!request.method().equals("ACK")) {
            answer(from, request, status, reason);
        }
    }

    private void initial(SipRequest request, Hop from, long now) {
        byte[] b = request.bytes();
        int via = request.find(HeaderName.VIA, 0);
        long key = InviteTable.hash(b, request.valueStart(via), request.valueEnd(via));
        CalleeLeg known = invites.get(key);
        switch (request.method()) {
            case "INVITE" -> {
                if (known != null) {
                    known.invitedAgain();
                    return;
                }
                VisitLeg visit = visit(request);
                if (visit == null && plan.workload() == Workload.WEB_VOICE_MAIL) {
                    stats.unexpected();
                    answer(from, request, 404, "Not Found");
                    return;
                }
                CalleeLeg leg = callees.take();
                invites.put(key, leg);
                if (visit != null) {
                    visit.called(who(request), leg);
                }
                leg.invited(request, key, visit, from, now);
            }
            case "SUBSCRIBE" -> subscribe(request, from, now);
            case "CANCEL" -> {
                if (known != null) {
                    known.cancelled(request, from, now);
                } else {
                    refuse(request, from, 481, "Call Does Not Exist");
                }
            }
            case "OPTIONS" -> answer(from, request, 200, "OK");
            default -> {
                stats.unexpected();
                refuse(request, from, 501, "Not Implemented");
            }
        }
    }

    private void subscribe(SipRequest request, Hop from, long now) {
        VisitLeg visit = visit(request);
        if (visit == null) {
            stats.unexpected();
            answer(from, request, 404, "Not Found");
        } else if (visit.takesSubscription()) {
            visit.subscribed(request, from, now);
        } else {
            visit.subscribedAgain(request, from);
        }
    }

    /** Offset of the user part of the Request-URI. */
    private static int user(SipRequest request) {
        byte[] b = request.bytes();
        int p = request.method().length() + 1;
        while (b[p] != ':' && b[p] != '\r') {
            p++;
        }
        return p + 1;
    }

    private static char who(SipRequest request) {
        return (char) request.bytes()[user(request)];
    }

    /** The visit whose token stands in the Request-URI, or null. */
    private @Nullable VisitLeg visit(SipRequest request) {
        int at = user(request) + 1;
        long token = tokens.read(request.bytes(), at, request.length());
        return token != LegTokens.NONE && LegTokens.side(token) == 'v' ? visits.find(token) : null;
    }

    /**
     * No further calls; those that are up are ended, not faster than twice as many a second as were
     * begun.
     */
    void stop(long now) {
        if (stopping) {
            return;
        }
        stopping = true;
        double rate = Math.max(LEAST_END_RATE, 2 * arrivals.rateAt(now));
        arrivals.stop();
        long[] ended = {0};
        Consumer<Leg> end =
                leg -> {
                    if (leg.stop(now + (long) (ended[0] * 1e9 / rate))) {
                        ended[0]++;
                    }
                };
        callers.forEachUsed(end::accept);
        visits.forEachUsed(end::accept);
    }

    // For the legs

    CallPlan plan() {
        return plan;
    }

    LoadAddresses places() {
        return places;
    }

    LoadStats stats() {
        return stats;
    }

    Arrivals arrivals() {
        return arrivals;
    }

    boolean stopping() {
        return stopping;
    }

    boolean reliable() {
        return places.transport().reliable();
    }

    /** For any message that is being printed. */
    ByteWriter scratch() {
        return scratch;
    }

    AddressScan scan() {
        return scan;
    }

    RememberedHops ways() {
        return ways;
    }

    CallerTexts callerTexts() {
        return callerTexts;
    }

    CalleeTexts calleeTexts() {
        return calleeTexts;
    }

    RegisterTexts registerTexts() {
        return registerTexts;
    }

    LegPool<VisitLeg> visits() {
        return visits;
    }

    LegPool<SubscriptionLeg> subscriptions() {
        return subscriptions;
    }

    Trigger trigger() {
        return trigger;
    }

    /** The time of the event at work. */
    long now() {
        return now;
    }

    ByteWriter out() {
        return out;
    }

    LegTokens tokens() {
        return tokens;
    }

    String calleeAddress() {
        return LoadAddresses.print(places.callee());
    }

    /** A URI at our callee's side that names a visit, and who of it is meant. */
    String calleeUri(char who, VisitLeg visit) {
        scratch.clear().put("sip:").put(who);
        tokens.put(scratch, visit);
        return scratch.put('@').put(calleeAddress()).put(places.calleeUriParameter()).toString();
    }

    LegPool<RegisterLeg> registers() {
        return registers;
    }

    int nextRandom() {
        return random.nextInt();
    }

    Redials redials() {
        return redials;
    }

    LegPool<CallerLeg> callers() {
        return callers;
    }

    void calleeGone(CalleeLeg leg, long key) {
        invites.remove(key);
        callees.giveBack(leg);
    }

    /** Legs that wait for something, late messages included. */
    int legs() {
        return callers.used()
                + callees.used()
                + registers.used()
                + visits.used()
                + subscriptions.used();
    }

    void schedule(WheelTimer timer, long deadlineNanos) {
        wheel.schedule(timer, deadlineNanos);
        earliestNanos = Math.min(earliestNanos, deadlineNanos);
    }

    void cancel(WheelTimer timer) {
        wheel.cancel(timer);
    }

    /** Answers a request that begins a dialog of this leg. */
    void answerFirst(Hop to, SipRequest request, Leg leg) {
        send(to, calleeTexts.okFirst(request, leg), null);
    }

    /** Sends what was printed. */
    void send(Hop to, int headersEnd, @Nullable Leg sender) {
        wire.send(to, out.array(), out.length(), headersEnd, sender);
    }

    void answer(Hop to, SipRequest request, int status, String reason) {
        send(to, calleeTexts.answer(request, status, reason), null);
    }

    /** Does this answer a request whose method begins with that letter? */
    boolean answersTo(SipMessage response, char method) {
        int line = response.find(HeaderName.CSEQ, 0);
        byte[] b = response.bytes();
        int p = response.valueEnd(line);
        while (b[p - 1] > ' ') {
            p--;
        }
        return b[p] == method;
    }
}
