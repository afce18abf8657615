package io.carillon.sip.proxy;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.uri.Uri;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One target of a {@link ResponseContext} and the client transaction to it. Its request is made by
 * {@link BranchRequest}, what the stack tells comes to {@link BranchResponses}.
 *
 * <p>Owner: the context's turn.
 */
public final class ProxyBranch {
    private final ResponseContext context;
    private final @Nullable ProxyBranch parent;
    private final Uri target;
    private ProxyPolicy policy;

    /** Until it starts: its request; null while nobody has asked for it. */
    private @Nullable MessageDraft draft;

    /** Until its final response. */
    private @Nullable BranchPlan plan;

    private @Nullable RequestAttempt attempt;
    private @Nullable Object attachment;

    /** Of a branch that another node has sent: as it left; null of any other. */
    private @Nullable Sent sent;

    private BranchState state = BranchState.WAITING;
    private int breadth;

    /**
     * While nobody has answered: the budget of redirects that it takes of; null where it does not.
     */
    private @Nullable TargetBudget budget;

    /** Once it has ended: its final response, while that may become the best one. */
    private @Nullable Candidate candidate;

    /** What another node has sent for a branch, where it went, and whether a response came. */
    private record Sent(SipRequest request, Hop to, boolean heard) {}

    ProxyBranch(
            ResponseContext context,
            @Nullable ProxyBranch parent,
            Uri target,
            @Nullable MessageDraft draft,
            ProxyPolicy policy) {
        this.context = context;
        this.parent = parent;
        this.target = target;
        this.policy = policy;
        this.draft = draft;
        BranchPlan above = parent == null ? null : parent.plan;
        this.plan = above == null ? BranchPlan.USUAL : above.redirected();
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
        toBeStarted();
        policy = own;
    }

    /**
     * The one hop to take, whatever target and routes say; for the branches of a redirect too.
     * Before it starts.
     */
    public void hop(@Nullable Hop fixed) {
        plan = toBeStarted().withHop(fixed);
    }

    /**
     * Our timers repeat its request at that source only ({@link OutgoingRequest#repeatedAt}), of
     * its redirects too; without effect where a hop was given. Before it starts.
     */
    public void repeatedAt(long source) {
        plan = toBeStarted().withRepeatedAt(source);
    }

    /**
     * Another node has sent its request there: it goes on. Before it starts.
     *
     * @param heard a provisional response came; else the request is repeated, for it may not have
     *     arrived
     */
    public void goesOn(SipRequest request, Hop to, boolean heard) {
        toBeStarted();
        sent = new Sent(request, to, heard);
    }

    /** Ends the branch with this status of ours as soon as it starts, unsent. */
    public void refuse(int status) {
        plan = toBeStarted().withRefusal(status);
    }

    /**
     * The request of this branch before Via, Max-Forwards, Max-Breadth and Record-Route are set;
     * may be changed until the branch starts.
     */
    public MessageDraft draft() {
        toBeStarted();
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
        return state.ended();
    }

    /** The final response of this branch, as long as no final response left upstream. */
    public @Nullable SipResponse candidate() {
        Candidate own = candidate;
        return own == null ? null : own.response;
    }

    public @Nullable Object attachment() {
        return attachment;
    }

    public void attachment(@Nullable Object value) {
        attachment = value;
    }

    private BranchPlan toBeStarted() {
        BranchPlan own = plan;
        if (own == null || state != BranchState.WAITING) {
            throw new IllegalStateException("the branch to " + target + " has started");
        }
        return own;
    }

    // On the turn

    /** The one change of state: what the next one has no use for is let go. */
    private void transition(BranchState to) {
        state = state.to(to);
        if (to != BranchState.TRYING && to != BranchState.CANCEL_WAITS) {
            budget = null;
        }
        draft = null;
        if (to.ended()) {
            plan = null;
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

    @Nullable Hop answeredBy() {
        RequestAttempt a = attempt;
        return a == null ? null : a.hop();
    }

    /** Did a final response come for it? Else the one that it has was made here. */
    public boolean answered() {
        return state == BranchState.ENDED;
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

    /** RFC 3261 16.6: forwards the request to this target, or answers in its place. */
    void start(int share) {
        BranchPlan own = toBeStarted();
        MessageDraft d = draft();
        transition(BranchState.TRYING);
        breadth = share;
        int refused = own.refusal();
        if (refused != 0) {
            context.turn().execute(() -> ContextResponses.refused(context, this, refused));
        } else if (BranchRequest.leavesSips(context.request(), d)) {
            context.turn().execute(() -> ContextResponses.refusedSips(context, this));
        } else {
            BranchResponses responses = new BranchResponses(this);
            OutgoingRequest out = BranchRequest.of(this, own, d, share, responses);
            Sent before = sent;
            if (before == null) {
                attempt = context.shard().send(out);
            } else {
                boolean heard = before.heard() || before.to().reliable();
                attempt = context.shard().resume(out, before.request(), before.to(), heard);
                if (heard) {
                    transition(BranchState.PROCEEDING);
                }
            }
            responses.arm();
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
     * A final response came.
     *
     * @param kept the response, when it may become the best one
     */
    void end(@Nullable SipResponse kept) {
        end(BranchState.ENDED, kept);
    }

    /**
     * None came, or none is waited for any more.
     *
     * @param kept ours in its place, when it may become the best one
     */
    void giveUp(@Nullable SipResponse kept) {
        end(BranchState.GIVEN_UP, kept);
    }

    private void end(BranchState how, @Nullable SipResponse kept) {
        transition(how);
        candidate = kept == null ? null : new Candidate(kept);
    }

    /**
     * The candidate waits for other branches, which may take long: a large one counts among the
     * messages that wait. The branch itself counts with the request that it was a branch of.
     *
     * @return what is kept in its place where there is no room; else null
     */
    @Nullable SipResponse waitsForOthers() {
        context.server().keepsEnded(attempt);
        Candidate own = candidate;
        return own == null ? null : own.waits(context);
    }

    /** Nothing waits for the candidate any more. */
    void letGo() {
        Candidate own = candidate;
        if (own != null) {
            own.letGo(context);
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
        transition(BranchState.GIVEN_UP);
    }

    /** Has a provisional response come, and no final one? */
    public boolean proceeding() {
        return state == BranchState.PROCEEDING || state == BranchState.CANCELLED;
    }
}
