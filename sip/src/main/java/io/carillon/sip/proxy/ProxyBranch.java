package io.carillon.sip.proxy;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.admission.Room;
import io.carillon.sip.admission.WaitingMessages;
import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.flow.FlowRoute;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.Sips;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One target of a {@link ResponseContext} and the client transaction to it.
 *
 * <p>Owner: the context's turn. The callbacks of the stack, and the timer with its two deadlines,
 * belong to the shard's thread; what they find they post to the turn.
 */
public final class ProxyBranch implements AttemptUser {
    private static final long NEVER = Long.MAX_VALUE;

    private final ResponseContext context;
    private final @Nullable ProxyBranch parent;
    private final Uri target;
    private ProxyPolicy policy;
    private @Nullable MessageDraft draft;
    private @Nullable RequestAttempt attempt;
    private @Nullable Object attachment;
    private @Nullable Hop hop;
    private int refusal;
    private long repeatedAt = OutgoingRequest.ANYWHERE;

    private BranchState state = BranchState.WAITING;
    private int breadth;

    /**
     * While nobody has answered: the budget of redirects that it takes of; null where it does not.
     */
    private @Nullable TargetBudget budget;

    /** The final response while it is a candidate for the best one. */
    private @Nullable SipResponse candidate;

    /** What the candidate holds, in the account of messages that wait. */
    private int heldBytes;

    // Of the shard's thread.
    private @Nullable Deadlines deadlines;

    /** The To tag of its first response. */
    private @Nullable String firstTag;

    private long timerCNanos;

    private Outcome outcome = Outcome.OPEN;

    /** Waits for the turn, so that it need not wait twice. Set by the shard, taken by the turn. */
    private volatile @Nullable SipResponse waiting;

    ProxyBranch(
            ResponseContext context,
            @Nullable ProxyBranch parent,
            Uri target,
            @Nullable MessageDraft draft,
            ProxyPolicy policy) {
        this.context = context;
        this.parent = parent;
        this.target = target;
        this.draft = draft;
        this.policy = policy;
        this.hop = parent == null ? null : parent.hop;
        this.repeatedAt = parent == null ? OutgoingRequest.ANYWHERE : parent.repeatedAt;
    }

    public ResponseContext context() {
        return context;
    }

    /**
     * The branch whose redirect led here (RFC 3261 16.7 step 4); null for one of the target set.
     */
    public @Nullable ProxyBranch parent() {
        return parent;
    }

    public Uri target() {
        return target;
    }

    public ProxyPolicy policy() {
        return policy;
    }

    /**
     * Sets how this branch alone is forwarded; of interest are recurse, recordRoute, addToPath, the
     * parameters and the time-out. Before it starts.
     */
    public void policy(ProxyPolicy own) {
        needWaiting();
        policy = own;
    }

    /**
     * The one hop to take, whatever target and routes say; for the branches of a redirect too.
     * Before it starts.
     */
    public void hop(@Nullable Hop fixed) {
        needWaiting();
        hop = fixed;
    }

    /**
     * Our timers repeat its request at that source only ({@link OutgoingRequest#repeatedAt}), of
     * its redirects too; without effect where a hop was given. Before it starts.
     */
    public void repeatedAt(long source) {
        needWaiting();
        repeatedAt = source;
    }

    /** Ends the branch with this status of ours as soon as it starts, unsent. */
    public void refuse(int status) {
        needWaiting();
        refusal = status;
    }

    /**
     * The request of this branch before Via, Max-Forwards, Max-Breadth and Record-Route are set;
     * may be changed until the branch starts.
     */
    public MessageDraft draft() {
        needWaiting();
        MessageDraft d = draft;
        if (d == null) {
            d = context.newDraft(target);
            draft = d;
        }
        return d;
    }

    /** The request as it was sent last; null before. */
    public @Nullable SipRequest request() {
        RequestAttempt a = attempt;
        return a == null ? null : a.request();
    }

    public @Nullable RequestAttempt attempt() {
        return attempt;
    }

    public boolean started() {
        return state != BranchState.WAITING;
    }

    public boolean ended() {
        return state == BranchState.ENDED;
    }

    /** The final response of this branch, as long as no final response left upstream. */
    public @Nullable SipResponse candidate() {
        return candidate;
    }

    public @Nullable Object attachment() {
        return attachment;
    }

    public void attachment(@Nullable Object value) {
        attachment = value;
    }

    private void needWaiting() {
        if (state != BranchState.WAITING) {
            throw new IllegalStateException("the branch to " + target + " has started");
        }
    }

    // On the turn

    private void transition(BranchState to) {
        state = state.to(to);
        if (to != BranchState.TRYING && to != BranchState.CANCEL_WAITS) {
            budget = null;
        }
        if (to != BranchState.WAITING) {
            draft = null;
        }
    }

    /** Name of the state, for traces and tests. */
    public String stateName() {
        return state.name();
    }

    boolean active() {
        return state.active();
    }

    boolean waiting() {
        return state == BranchState.WAITING;
    }

    /** Did somebody name this target whom the operator does not trust? */
    boolean byStranger() {
        ProxyBranch from = parent;
        if (from == null) {
            return false;
        }
        PeerConduct conduct = context.shard().config().conduct();
        Hop redirecting = from.answeredBy();
        return conduct == null || redirecting == null || !conduct.trusts(redirecting);
    }

    private @Nullable Hop answeredBy() {
        RequestAttempt a = attempt;
        return a == null ? null : a.hop();
    }

    /** Did a final response come for it? Else the one that it has was made here. */
    public boolean answered() {
        return outcome == Outcome.TOLD;
    }

    /** It takes of the budget; just before it starts. */
    void budgeted(TargetBudget own) {
        own.take();
        budget = own;
    }

    /** A response came; true when others may start for it. */
    boolean givesBack() {
        TargetBudget own = budget;
        if (own == null) {
            return false;
        }
        budget = null;
        own.giveBack();
        return true;
    }

    /** Was a CANCEL asked for? Then its redirects are not followed any more. */
    boolean cancelled() {
        return state.cancels();
    }

    /** Is it that branch, or did a redirect there lead here? */
    boolean isOrComesOf(ProxyBranch ancestor) {
        for (ProxyBranch at = this; at != null; at = at.parent) {
            if (at == ancestor) {
                return true;
            }
        }
        return false;
    }

    int breadth() {
        return active() ? breadth : 0;
    }

    /** RFC 3261 16.6: forwards the request to this target. */
    void start(int share) {
        MessageDraft d = draft();
        transition(BranchState.TRYING);
        breadth = share;
        int refused = refusal;
        if (refused != 0) {
            context.turn().execute(() -> context.refused(this, refused));
            return;
        }
        SipRequest received = context.request();
        Uri to = d.requestUri();
        // RFC 5630 5.3: "when a proxy receives a request with a SIPS Request-URI, the proxy MUST
        // only forward or retarget the request to a SIPS Request-URI [...] the proxy MUST reject it
        // with a 480 (Temporarily Unavailable) response."
        if (Sips.is(received.requestUri()) && to instanceof SipUri sip && !sip.secure()) {
            context.turn().execute(() -> context.refusedSips(this));
            return;
        }
        // "When a proxy receives a request with a SIP Request-URI, the proxy MUST NOT forward the
        // request to a SIPS Request-URI [...] the proxy MUST replace that SIPS scheme with a SIP
        // scheme [...] The proxy MUST use TLS to forward the request to the UAS."
        boolean lowered =
                received.requestUri() instanceof SipUri asked
                        && !asked.secure()
                        && to instanceof SipUri sips
                        && sips.secure();
        if (lowered) {
            d.setRequestUri(((SipUri) to).withSecure(false));
        }
        // RFC 3261 16.6 step 3: "If the copy contains a Max-Forwards header field, the proxy MUST
        // decrement its value by one (1). If the copy does not contain a Max-Forwards header field,
        // the proxy MUST add one with a field value, which SHOULD be 70."
        int maxForwards = received.maxForwards();
        d.set(HeaderName.MAX_FORWARDS, maxForwards < 0 ? "70" : Ascii.decimal(maxForwards - 1));
        // RFC 5393 5.3.3: "All proxied requests MUST contain a single Max-Breadth header field
        // value."
        d.set(HeaderName.MAX_BREADTH, Ascii.decimal(share));
        OutgoingRequest out =
                new OutgoingRequest(d, this)
                        .proxied(true)
                        .origin(context.origin())
                        .countedAt(context.server().countedAt())
                        .lookups(context.server())
                        .local(policy.local())
                        .preferred(policy.preferred())
                        .loopHash(LoopDetection.hash(received));
        byFlow(received, d);
        Hop fixed = hop;
        boolean toFlow = fixed == null && FlowRoute.next(d, context.shard().wire());
        if (fixed == null) {
            out.repeatedAt(repeats(), context.server());
        }
        if (fixed != null) {
            out.fixedHop(fixed);
        } else {
            Uri next = InDialogForwarding.postprocessRoutes(d);
            out.nextHop(lowered && next == null && !d.has(HeaderName.ROUTE) ? to : next);
        }
        String method = received.method();
        boolean record = policy.recordRoute() && RecordRouting.dialogForming(method);
        boolean path = policy.addToPath() && method.equals(Methods.REGISTER);
        if (record || path) {
            out.decorator(
                    new RecordRouting(
                            context.shard(),
                            context.server().source(),
                            FlowSides.of(received, context.server().source(), toFlow),
                            record ? received.callId() : null,
                            path,
                            policy.recordRouteParams(),
                            policy.pathParams()));
        }
        attempt = context.shard().send(out);
        arm();
    }

    @Override
    public @Nullable Hop began() {
        Hop source = context.server().source();
        return source.beside() instanceof Origin.Known known
                ? known.initialHop()
                : source.internal() ? null : source.initial();
    }

    /**
     * Where our timers repeat it. By a flow no more than elsewhere: over UDP a flow is the source
     * of one datagram, which may be forged (RFC 5626 5.3). Who answers 3xx may name a third party
     * as its target: there it leaves once, as long as it is not the address of who redirects.
     */
    private long repeats() {
        ProxyBranch from = parent;
        if (repeatedAt != OutgoingRequest.ANYWHERE || from == null || !byStranger()) {
            return repeatedAt;
        }
        Hop redirecting = from.answeredBy();
        return redirecting == null || redirecting.remote().getAddress() == null
                ? OutgoingRequest.NOWHERE
                : SourceKey.of(redirecting.remote().getAddress());
    }

    /**
     * The route that led here named a flow: the request goes on by it, unless the layer above wants
     * it elsewhere.
     */
    private void byFlow(SipRequest received, MessageDraft d) {
        RoutePreprocessing routing = context.routing();
        Hop source = context.server().source();
        NameAddress flow =
                routing.popped() == null ? null : routing.flow(received, source, context.shard());
        if (flow == null) {
            return;
        }
        MessageDraft plain = context.newDraft(routing.requestUri());
        // Within a dialog the flow leads to who is meant, whatever the Request-URI was made.
        boolean there = received.toTag() != null || d.requestUri().equals(plain.requestUri());
        if (there && d.all(HeaderName.ROUTE).equals(plain.all(HeaderName.ROUTE))) {
            RoutePreprocessing.toFlow(d, flow);
        }
    }

    void provisional() {
        if (state == BranchState.TRYING) {
            transition(BranchState.PROCEEDING);
        } else if (state == BranchState.CANCEL_WAITS) {
            transition(BranchState.CANCELLED);
        }
    }

    /**
     * @param kept the final response, when it may become the best one
     */
    void end(@Nullable SipResponse kept) {
        transition(BranchState.ENDED);
        candidate = kept;
    }

    /**
     * The candidate waits for other branches, which may take long: a large one counts among the
     * messages that wait. Where there is no room, its status is what is kept of it. The branch
     * itself counts with the request that it was a branch of.
     *
     * @return what is kept in its place where there is no room; else null
     */
    @Nullable SipResponse waitsForOthers() {
        letGo();
        context.server().keepsEnded(attempt);
        SipResponse kept = candidate;
        int large = kept == null ? 0 : WaitingMessages.large(kept);
        if (kept == null || large == 0) {
            return null;
        }
        WaitingMessages account = context.shard().waiting();
        if (account.hasRoom(0, large, Room.DIALOG, context.server().countedAt())) {
            heldBytes = large;
            account.add(large, context.server().countedAt());
            return null;
        }
        context.shard().notQueued(Counter.FINALS_NOT_QUEUED, kept);
        SipResponse status =
                MessageDraft.responseTo(context.request(), kept.status(), null, kept.toTag())
                        .freezeResponse();
        candidate = status;
        return status;
    }

    /** Nothing waits for the candidate any more. */
    void letGo() {
        if (heldBytes > 0) {
            context.shard().waiting().remove(heldBytes, context.server().countedAt());
            heldBytes = 0;
        }
    }

    void dropCandidate() {
        letGo();
        candidate = null;
    }

    /** RFC 3261 9.1: the stack holds the CANCEL back until a provisional response came. */
    void cancel(@Nullable List<String> reasons) {
        RequestAttempt a = attempt;
        boolean fresh = state == BranchState.TRYING || state == BranchState.PROCEEDING;
        if (a != null && fresh && context.invite()) {
            transition(
                    state == BranchState.TRYING ? BranchState.CANCEL_WAITS : BranchState.CANCELLED);
            a.cancel(reasons);
        }
    }

    /** Gives a branch up that never started. */
    void drop() {
        transition(BranchState.ENDED);
    }

    boolean proceeding() {
        return state == BranchState.PROCEEDING || state == BranchState.CANCELLED;
    }

    // On the shard's thread

    private void arm() {
        long timeout = policy.timeoutNanos();
        if (!context.invite() && timeout == 0) {
            return;
        }
        Shard shard = context.shard();
        if (shard.executor().inShard()) {
            armInShard(timeout);
        } else {
            shard.executor().execute(() -> armInShard(timeout));
        }
    }

    private void armInShard(long timeout) {
        if (outcome != Outcome.OPEN) {
            return;
        }
        RequestAttempt sent = attempt;
        Shard shard = context.shard();
        long now = shard.now();
        long whole = context.wholeTimeoutAt(now);
        long own = timeout > 0 ? now + timeout : NEVER;
        // Timer F ends a request that has no further hop earlier: then no timer of ours is needed.
        if (!context.invite()
                && sent != null
                && sent.onLastHop()
                && Math.min(own, whole) > now + shard.config().timers().timeoutNanos()) {
            return;
        }
        Deadlines d = new Deadlines();
        deadlines = d;
        // RFC 3261 16.6 step 11: "Timer C MUST be set for each client transaction when an INVITE
        // request is proxied. The timer MUST be larger than 3 minutes."
        timerCNanos =
                policy.timerCNanos() > 0 ? policy.timerCNanos() : shard.config().timerCNanos();
        d.timerCAt = context.invite() ? now + timerCNanos : NEVER;
        d.timeoutAt = Math.min(own, whole);
        d.ofWhole = whole <= own && whole != NEVER;
        long provisional = policy.provisionalTimeoutNanos();
        d.provisionalAt = context.invite() && provisional > 0 ? now + provisional : NEVER;
        d.schedule(shard);
    }

    @Override
    public void response(RequestAttempt from, SipResponse response) {
        Deadlines d = deadlines;
        int status = response.status();
        if (status >= 200) {
            disarm();
        } else if (status > 100 && d != null) {
            // RFC 3261 16.7 step 2: "if the response is a provisional response with status codes
            // 101 to 199 inclusive ..., the proxy MUST reset timer C for that client transaction."
            // The timer itself is moved when it fires.
            d.timerCAt = d.timerCAt == NEVER ? NEVER : context.shard().now() + timerCNanos;
            d.provisionalAt = NEVER;
        }
        if (status > 100 && status < 300 && beyondForks(response)) {
            Upstream.withoutDialog(context, response);
            return;
        }
        // After these the stack says that it has finished, before anything else: one task for both.
        if (status >= 300 || (status >= 200 && !context.invite())) {
            outcome = outcome.to(Outcome.TOLD);
            if (!context.turn().offer(response, Room.RESERVED, () -> last(response))) {
                context.shard().notQueued(Counter.FINALS_NOT_QUEUED, response);
                context.turn().execute(() -> lastFailed(Failure.TRANSPORT));
            }
        } else {
            bring(response);
        }
    }

    /**
     * A provisional response, or a 2xx to the INVITE. RFC 3261 13.3.1.4: without an ACK the 2xx
     * comes again, so both may be dropped; the first 2xx has more room than others.
     */
    private void bring(SipResponse response) {
        SipResponse before = waiting;
        if (before != null && before.repeats(response)) {
            context.shard().notQueued(Counter.REPEATS_NOT_QUEUED, response);
            return;
        }
        boolean success = response.status() >= 200;
        boolean waits = !context.turn().idle();
        boolean expected = false;
        if (waits) {
            waiting = response;
            expected = context.user().waits(this, response);
        }
        Runnable later = expected ? () -> waited(response) : () -> taken(response);
        Room room = success && outcome != Outcome.ACCEPTED ? Room.RESERVED : Room.DIALOG;
        if (context.turn().offer(response, room, later)) {
            if (success && outcome != Outcome.ACCEPTED) {
                outcome = outcome.to(Outcome.ACCEPTED);
            }
        } else {
            waiting = null;
            if (expected) {
                context.user().mayNotWait(this, response);
            }
            if (success && outcome == Outcome.OVER) {
                outcome = outcome.to(Outcome.MISSED);
            }
            context.shard().notQueued(Counter.MESSAGES_NOT_QUEUED, response);
        }
    }

    private void waited(SipResponse response) {
        try {
            taken(response);
        } finally {
            context.user().waited(this, response);
        }
    }

    private void taken(SipResponse response) {
        if (waiting == response) {
            waiting = null;
        }
        context.response(this, response);
    }

    private void lastFailed(Failure failure) {
        try {
            context.failed(this, failure);
        } finally {
            context.finished(this);
        }
    }

    /** Does it come of a fork for whose dialog there is no room? */
    private boolean beyondForks(SipResponse response) {
        String tag = response.toTag();
        if (tag == null) {
            return false; // a peer of RFC 2543; all without a tag are one
        }
        String first = firstTag;
        if (first == null) {
            firstTag = tag;
            return false;
        }
        boolean success = response.status() >= 200;
        return !tag.equals(first)
                && (context.invite() || !success)
                && !context.forkTags().admits(tag, success, context.shard().config().forks());
    }

    private void last(SipResponse response) {
        try {
            context.response(this, response);
        } finally {
            context.finished(this);
        }
    }

    @Override
    public void failed(RequestAttempt from, Failure failure) {
        disarm();
        context.turn().execute(() -> context.failed(this, failure));
    }

    @Override
    public void finished(RequestAttempt from) {
        disarm();
        if (outcome == Outcome.MISSED) {
            // As long as the 2xx was repeated there was no room for it.
            context.turn().execute(() -> lastFailed(Failure.TIMEOUT));
        } else if (outcome != Outcome.TOLD) {
            context.turn().execute(() -> context.finished(this));
        }
    }

    private void disarm() {
        if (outcome == Outcome.OPEN) {
            outcome = outcome.to(Outcome.OVER);
        }
        Deadlines d = deadlines;
        if (d != null) {
            context.shard().timers().cancel(d);
            deadlines = null;
        }
    }

    /** Timer C and the time-outs of the policy on one wheel timer. */
    private final class Deadlines extends WheelTimer {
        private long timerCAt = NEVER;
        private long timeoutAt = NEVER;
        private long provisionalAt = NEVER;

        /** Is {@link #timeoutAt} the whole proxy's? */
        private boolean ofWhole;

        void schedule(Shard shard) {
            long next = Math.min(Math.min(timerCAt, timeoutAt), provisionalAt);
            if (next != NEVER) {
                shard.timers().schedule(this, next);
            }
        }

        @Override
        protected void fire(long nowNanos) {
            if (nowNanos >= timerCAt) {
                timerCAt = NEVER;
                context.turn().execute(() -> context.timerC(ProxyBranch.this));
            }
            if (nowNanos >= timeoutAt) {
                timeoutAt = NEVER;
                boolean whole = ofWhole;
                context.turn().execute(() -> context.timeout(ProxyBranch.this, whole));
            }
            if (nowNanos >= provisionalAt) {
                provisionalAt = NEVER;
                context.turn().execute(() -> context.provisionalTimeout(ProxyBranch.this));
            }
            schedule(context.shard());
        }
    }
}
