package io.carillon.sip.proxy;

import io.carillon.sip.admission.Mailbox;
import io.carillon.sip.dialog.RouteSet;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.server.Role;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.uri.Uri;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The response context of a stateful proxy (RFC 3261 16, updated by RFC 5393, 6026 and 4320): one
 * received request, the branches it is forwarded on, and what goes back.
 *
 * <p>Use: add targets, {@link #start()}; the stack does the rest through the branches. Owner: the
 * turn given as an executor, which runs tasks one at a time and in order; every public method is
 * called on it.
 *
 * <p>It has the state and its one change. What a response does is in {@link ContextResponses}, what
 * goes back is made in {@link Upstream}.
 */
public final class ResponseContext {
    /** RFC 3326 1: who rang in vain learns that nobody missed the call. */
    private static final List<String> ANSWERED_ELSEWHERE =
            List.of("SIP;cause=200;text=\"Call completed elsewhere\"");

    private final ServerTransaction server;
    private final ProxyUser user;
    private final Mailbox turn;
    private final Shard shard;
    private final boolean invite;
    private final RoutePreprocessing routing;
    private final BranchSet branches = new BranchSet();

    private ProxyPolicy policy;
    private ContextState state = ContextState.COLLECTING;

    /** Of the shard's thread: the one deadline of the branches of a parallel proxy. */
    private long parallelTimeoutAt;

    private @Nullable Origin origin;

    /** Null unless a redirect was followed, or the request was here before. */
    private @Nullable TargetBudget budget;

    /** Of the shard's thread; null while no target has forked. */
    private @Nullable ForkTags forkTags;

    public ResponseContext(
            ServerTransaction server,
            SipRequest request,
            ProxyPolicy policy,
            ProxyUser user,
            Executor turn) {
        this(
                server,
                RoutePreprocessing.of(request, server.source(), server.shard().wire()),
                policy,
                user,
                turn);
    }

    /**
     * For who has looked at the request's routing already.
     *
     * @param routing what {@link RoutePreprocessing#of} found for the request of this transaction
     */
    public ResponseContext(
            ServerTransaction server,
            RoutePreprocessing routing,
            ProxyPolicy policy,
            ProxyUser user,
            Executor turn) {
        this.server = server;
        this.policy = policy;
        this.user = user;
        this.turn = Mailbox.of(turn);
        this.shard = server.shard();
        this.invite = server.invite();
        this.routing = routing;
        server.setRole(Role.PROXY);
    }

    ProxyUser user() {
        return user;
    }

    public ServerTransaction server() {
        return server;
    }

    /** The request as it was received. */
    public SipRequest request() {
        return server.request();
    }

    /** What of the request's routing was about ourselves. */
    public RoutePreprocessing routing() {
        return routing;
    }

    public ProxyPolicy policy() {
        return policy;
    }

    /** Sets the policy for branches that are added from now on. */
    public void policy(ProxyPolicy next) {
        policy = next;
    }

    /** The branches in the order in which they were added; a view. */
    public List<ProxyBranch> branches() {
        return branches;
    }

    BranchSet branchSet() {
        return branches;
    }

    /** Has a final response gone upstream? */
    public boolean answered() {
        return state.answered();
    }

    public boolean started() {
        return state != ContextState.COLLECTING && state != ContextState.WITHDRAWN;
    }

    /** The one change of state. */
    void transition(ContextState to) {
        state = state.to(to);
    }

    ContextState state() {
        return state;
    }

    /** Name of the state, for traces and tests. */
    public String stateName() {
        return state.name();
    }

    /** Is a branch beside that one silent at that source? On the shard's thread. */
    boolean silentAt(long source, ProxyBranch but) {
        return branches.silentAt(source, but);
    }

    Shard shard() {
        return shard;
    }

    /** A To tag for an answer of ours. */
    String newTag() {
        return shard.newTag(server.partition());
    }

    /** Where everything of this context runs. */
    public Mailbox turn() {
        return turn;
    }

    boolean invite() {
        return invite;
    }

    /** On whose behalf its requests leave, where that is not who sent this very request. */
    public void origin(Origin known) {
        origin = known;
    }

    Origin origin() {
        Origin known = origin;
        return known != null ? known : Origin.of(request(), server.source(), shard.wire());
    }

    /** On the shard's thread. */
    ForkTags forkTags() {
        ForkTags own = forkTags;
        if (own == null) {
            own = new ForkTags();
            forkTags = own;
        }
        return own;
    }

    // Targets

    /**
     * Adds a target; it is tried by the next {@link #start()}.
     *
     * @return null when the target is in the set already, or when no branch may be added any more
     */
    public @Nullable ProxyBranch addTarget(Uri target) {
        return add(null, target, null, policy);
    }

    /**
     * As {@link #addTarget}, with a request prepared by the caller (from {@link #newDraft}) whose
     * Request-URI is the target.
     */
    public @Nullable ProxyBranch addBranch(MessageDraft prepared) {
        return add(null, prepared.requestUri(), prepared, policy);
    }

    /**
     * A copy of the received request without the routes that pointed to us, with this Request-URI
     * (RFC 3261 16.6 steps 1 and 2).
     */
    public MessageDraft newDraft(Uri target) {
        MessageDraft draft = MessageDraft.copyOf(request());
        routing.applyTo(draft);
        // RFC 3261 16.6 step 2: "If the URI contains any parameters not allowed in a Request-URI,
        // they MUST be removed."
        draft.setRequestUri(RouteSet.requestUri(target));
        return draft;
    }

    @Nullable ProxyBranch add(
            @Nullable ProxyBranch parent,
            Uri target,
            @Nullable MessageDraft prepared,
            ProxyPolicy own) {
        if (!state.admits()) {
            return null;
        }
        if (prepared == null && branches.has(target)) {
            return null;
        }
        if (state == ContextState.TIMED_OUT) {
            transition(ContextState.FORWARDING);
        }
        return branches.append(new ProxyBranch(this, parent, target, prepared, own));
    }

    /**
     * Forwards to the targets that were not tried yet, all at once or the first of them. The first
     * call validates (RFC 3261 16.3) when the policy says so; a request that does not pass, or that
     * has no target, is answered.
     */
    public void start() {
        if (state == ContextState.COLLECTING || state == ContextState.WITHDRAWN) {
            Refusal refusal = begins();
            if (refusal != null) {
                refuse(refusal);
                return;
            }
        }
        proceed();
    }

    /** Nothing was forwarded yet. Null when branches may start. */
    private @Nullable Refusal begins() {
        boolean withdrawn = state == ContextState.WITHDRAWN;
        transition(withdrawn ? ContextState.CANCELLED : ContextState.FORWARDING);
        Refusal invalid =
                policy.validate()
                        ? RequestValidation.check(
                                request(),
                                policy.understood(),
                                shard.wire(),
                                server.source().internal())
                        : null;
        if (invalid != null) {
            return invalid;
        }
        if (withdrawn) {
            return new Refusal(487, "");
        }
        if (branches.isEmpty()) {
            // RFC 3261 16.5: "If the target set remains empty after applying all of the above, the
            // proxy MUST return an error response, which SHOULD be the 480 (Temporarily
            // Unavailable) response."
            return new Refusal(480, "");
        }
        if (LoopDetection.comesBack(request(), shard.wire(), server.source().internal())) {
            ownBudget().comesBack(RequestValidation.maxBreadth(request()));
        }
        return null;
    }

    private void refuse(Refusal refusal) {
        branches.dropWaiting();
        answer(refusal.response(request(), newTag()));
        finishedMaybe();
    }

    private void startMore() {
        if (!branches.start(policy, RequestValidation.maxBreadth(request()), budget)) {
            transition(ContextState.CLOSED);
            branches.dropWaiting();
            if (branches.active() == 0) {
                refuse(new Refusal(440, ""));
            }
        } else if (budget != null && branches.active() == 0) {
            // Nobody answered where redirects led, and more of them may not be tried.
            int dropped = branches.dropWaiting();
            if (dropped > 0) {
                shard.counted(Counter.REDIRECTS_REFUSED, dropped);
            }
        }
    }

    /** That redirect is followed. */
    void follows(SipResponse redirect) {
        ownBudget().add(redirect);
    }

    private TargetBudget ownBudget() {
        TargetBudget own = budget;
        if (own == null) {
            own = new TargetBudget(request());
            budget = own;
        }
        return own;
    }

    /** Starts what may start; chooses the best response when nothing is left. */
    void proceed() {
        if (state.starts()) {
            startMore();
        }
        if (state.forwarding() && branches.active() == 0) {
            chooseBest();
        }
    }

    /** Was it given up, by the caller or by the application? */
    public boolean cancelled() {
        return state == ContextState.CANCELLED || state == ContextState.WITHDRAWN;
    }

    /**
     * RFC 3261 16.10: the caller, or the application, cancels: every pending branch gets a CANCEL,
     * no new one is started, and the best response (487 as a rule) follows by itself.
     *
     * @param reasons values of Reason header fields for the CANCELs (RFC 3326); null without
     */
    public void cancel(@Nullable List<String> reasons) {
        switch (state) {
            case COLLECTING -> transition(ContextState.WITHDRAWN);
            case FORWARDING, TIMED_OUT, CLOSED -> transition(ContextState.CANCELLED);
            case ACCEPTING, TAKEN_OVER, TAKEN_OVER_DONE -> {}
            case WITHDRAWN, CANCELLED, ANSWERED, ANSWERED_DONE -> {
                return;
            }
        }
        branches.dropWaiting();
        branches.cancelBut(null, reasons);
        if (state.forwarding() && branches.active() == 0) {
            chooseBest();
        }
    }

    /**
     * Cancels one branch with those that came of its redirects; their final responses are handled
     * as every other.
     */
    public void cancel(ProxyBranch branch, @Nullable List<String> reasons) {
        if (branches.cancel(branch, reasons)) {
            proceed();
        }
    }

    /**
     * RFC 3261 16.7 step 10: "If the forwarded response was a final response, the proxy MUST
     * generate a CANCEL request for all pending client transactions associated with this response
     * context."
     */
    void cancelPending(@Nullable ProxyBranch but, boolean success) {
        branches.dropWaiting();
        if (!policy.noCancel()) {
            branches.cancelBut(but, invite && success ? ANSWERED_ELSEWHERE : null);
        }
    }

    /**
     * The user has sent a final response of its own to the server transaction: what is pending is
     * cancelled, and nothing more is tried. Each final response that still comes is heard as
     * always.
     *
     * @param success with a 2xx
     */
    public void answeredByUser(boolean success) {
        if (state.starts()) {
            transition(ContextState.CLOSED);
        }
        cancelPending(null, success);
    }

    /**
     * On the shard's thread, as a branch starts. The deadline of a parallel proxy as a whole, which
     * no branch outlives; one that the user starts when that time is over begins a new one. Without
     * end for a sequential proxy.
     */
    long wholeTimeoutAt(long now) {
        if (parallelTimeoutAt == 0 || parallelTimeoutAt <= now) {
            ProxyPolicy own = policy;
            parallelTimeoutAt =
                    own.parallel() && own.timeoutNanos() > 0
                            ? now + own.timeoutNanos()
                            : Long.MAX_VALUE;
        }
        return parallelTimeoutAt;
    }

    /**
     * The call is over: from now on a late 2xx goes upstream by what lingers of the server
     * transaction, and nothing of this context is kept for it.
     */
    public void release() {
        if (state.answered() && invite) {
            branches.handOver(server);
        }
    }

    void finished(ProxyBranch branch) {
        branches.finished();
        finishedMaybe();
    }

    void finishedMaybe() {
        boolean ends = state == ContextState.ANSWERED || state == ContextState.TAKEN_OVER;
        if (ends && branches.unfinished() == 0) {
            transition(
                    state == ContextState.ANSWERED
                            ? ContextState.ANSWERED_DONE
                            : ContextState.TAKEN_OVER_DONE);
            user.done();
        }
    }

    // Upstream

    private void chooseBest() {
        ProxyBranch best = BestResponse.of(branches, state == ContextState.CANCELLED);
        if (best == null) {
            // RFC 3261 16.7 step 6: "If there are no final responses in the context, the proxy MUST
            // send a 408 (Request Timeout) response to the server transaction." A CANCEL before
            // anything was forwarded: 487.
            answer(
                    MessageDraft.responseTo(
                                    request(),
                                    state == ContextState.CANCELLED ? 487 : 408,
                                    null,
                                    newTag())
                            .freezeResponse());
            finishedMaybe();
            return;
        }
        SipResponse response = best.candidate();
        if (response == null) {
            throw new IllegalStateException("the best branch has no response");
        }
        boolean forward = user.best(best, response);
        if (!state.forwarding()) {
            return;
        }
        if (branches.open()) {
            // Branches were added: the best response waits for them.
            proceed();
            return;
        }
        if (!forward) {
            transition(ContextState.TAKEN_OVER);
            branches.letGo();
            finishedMaybe();
            return;
        }
        forwardFinal(best, response);
        finishedMaybe();
    }

    void forwardFinal(ProxyBranch branch, SipResponse response) {
        SipResponse outgoing = Upstream.finalResponse(this, branch, response);
        if (outgoing != null) {
            answer(outgoing);
        }
    }

    private void answer(SipResponse response) {
        if (state.forwarding() || state == ContextState.TAKEN_OVER) {
            transition(ContextState.ANSWERED);
        }
        int status = response.status();
        // RFC 4320 4.2: "A transaction-stateful SIP element MUST NOT send a response with
        // Status-Code of 408 to a non-INVITE request."
        boolean silent = !invite && status == 408;
        if (!silent) {
            server.respond(response);
        }
        branches.dropCandidates();
    }
}
