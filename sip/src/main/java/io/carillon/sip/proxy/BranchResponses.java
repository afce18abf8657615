package io.carillon.sip.proxy;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.admission.Room;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What the stack tells of the request of a {@link ProxyBranch}, and the timer with its deadlines:
 * what they find they post to the turn of the context.
 *
 * <p>Owner: the shard's thread.
 */
public final class BranchResponses implements AttemptUser {
    private static final long NEVER = Long.MAX_VALUE;

    private final ProxyBranch branch;
    private @Nullable Deadlines deadlines;

    /** The To tag of its first response. */
    private @Nullable String firstTag;

    private Outcome outcome = Outcome.OPEN;

    /** Waits for the turn, so that it need not wait twice. Set by the shard, taken by the turn. */
    private volatile @Nullable SipResponse waiting;

    BranchResponses(ProxyBranch branch) {
        this.branch = branch;
    }

    /** Whose request it is. */
    public ProxyBranch branch() {
        return branch;
    }

    private ResponseContext context() {
        return branch.context();
    }

    private void transition(Outcome to) {
        outcome = outcome.to(to);
    }

    @Override
    public @Nullable Hop began() {
        Hop source = context().server().source();
        return source.beside() instanceof Origin.Known known
                ? known.initialHop()
                : source.internal() ? null : source.initial();
    }

    @Override
    public int partition() {
        return context().server().partition();
    }

    /**
     * Of several branches to one address our timers repeat the first one's request: who registers
     * many contacts at somebody else has him called once by each, and not seven times. Until there
     * is an answer from there; who has shown that it is his own address gets all of them.
     */
    @Override
    public boolean heardAt(Hop hop) {
        PeerConduct conduct = context().shard().config().conduct();
        InetAddress address = hop.remote().getAddress();
        return conduct == null
                || address == null
                || hop.reliable()
                || !context().silentAt(SourceKey.of(address), branch)
                || conduct.trusts(hop)
                || conduct.provenLately(hop, context().shard().executor().nanoTime());
    }

    /** Has the request of that branch left for that source, and brought no response yet? */
    static boolean silentAt(long source, ProxyBranch branch) {
        RequestAttempt left = branch.attempt();
        Hop hop = left == null ? null : left.hop();
        InetAddress address = hop == null ? null : hop.remote().getAddress();
        return left != null
                && address != null
                && SourceKey.of(address) == source
                && left.user() instanceof BranchResponses told
                && told.firstTag == null;
    }

    /** It has left: Timer C and the time-outs of the policy begin. On the turn. */
    void arm() {
        long timeout = branch.policy().timeoutNanos();
        if (!context().invite() && timeout == 0) {
            return;
        }
        Shard shard = context().shard();
        if (shard.executor().inShard()) {
            armInShard(timeout);
        } else {
            shard.executor().execute(() -> armInShard(timeout));
        }
    }

    /**
     * RFC 3261 16.6 step 11: "Timer C MUST be set for each client transaction when an INVITE
     * request is proxied. The timer MUST be larger than 3 minutes."
     */
    private long timerCNanos() {
        long own = branch.policy().timerCNanos();
        return own > 0 ? own : context().shard().config().timerCNanos();
    }

    private void armInShard(long timeout) {
        if (outcome != Outcome.OPEN) {
            return;
        }
        RequestAttempt sent = branch.attempt();
        Shard shard = context().shard();
        ProxyPolicy policy = branch.policy();
        boolean invite = context().invite();
        long now = shard.now();
        long whole = context().wholeTimeoutAt(now);
        long own = timeout > 0 ? now + timeout : NEVER;
        // Timer F ends a request that has no further hop earlier: then no timer of ours is needed.
        if (!invite
                && sent != null
                && sent.onLastHop()
                && Math.min(own, whole) > now + shard.config().timers().timeoutNanos()) {
            return;
        }
        Deadlines d = new Deadlines();
        deadlines = d;
        d.timerCAt = invite ? now + timerCNanos() : NEVER;
        d.timeoutAt = Math.min(own, whole);
        d.ofWhole = whole <= own && whole != NEVER;
        long provisional = policy.provisionalTimeoutNanos();
        d.provisionalAt = invite && provisional > 0 ? now + provisional : NEVER;
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
            d.timerCAt = d.timerCAt == NEVER ? NEVER : context().shard().now() + timerCNanos();
            d.provisionalAt = NEVER;
        }
        if (status > 100 && status < 300 && beyondForks(response)) {
            Upstream.withoutDialog(context(), response);
            return;
        }
        // After these the stack says that it has finished, before anything else: one task for both.
        if (status >= 300 || (status >= 200 && !context().invite())) {
            transition(Outcome.TOLD);
            if (!context().turn().offer(response, Room.RESERVED, () -> last(response))) {
                context().shard().notQueued(Counter.FINALS_NOT_QUEUED, response);
                context().turn().execute(() -> lastFailed(Failure.TRANSPORT));
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
            context().shard().notQueued(Counter.REPEATS_NOT_QUEUED, response);
            return;
        }
        boolean success = response.status() >= 200;
        boolean waits = !context().turn().idle();
        boolean expected = false;
        if (waits) {
            waiting = response;
            // RFC 3261 12.1: a 100 begins no dialog, whatever tag it has.
            expected = response.status() > 100 && context().user().waits(branch, response);
        }
        Runnable later = expected ? () -> waited(response) : () -> taken(response);
        Room room = success && outcome != Outcome.ACCEPTED ? Room.RESERVED : Room.DIALOG;
        if (context().turn().offer(response, room, later)) {
            if (success && outcome != Outcome.ACCEPTED) {
                transition(Outcome.ACCEPTED);
            }
        } else {
            waiting = null;
            if (expected) {
                context().user().mayNotWait(branch, response);
            }
            if (success && outcome == Outcome.OVER) {
                transition(Outcome.MISSED);
            }
            context().shard().notQueued(Counter.MESSAGES_NOT_QUEUED, response);
        }
    }

    private void waited(SipResponse response) {
        try {
            taken(response);
        } finally {
            context().user().waited(branch, response);
        }
    }

    private void taken(SipResponse response) {
        if (waiting == response) {
            waiting = null;
        }
        ContextResponses.response(context(), branch, response);
    }

    private void lastFailed(Failure failure) {
        try {
            ContextResponses.failed(context(), branch, failure);
        } finally {
            context().finished(branch);
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
                && (context().invite() || !success)
                && !context().forkTags().admits(tag, success, context().shard().config().forks());
    }

    private void last(SipResponse response) {
        try {
            ContextResponses.response(context(), branch, response);
        } finally {
            context().finished(branch);
        }
    }

    @Override
    public void failed(RequestAttempt from, Failure failure) {
        disarm();
        context().turn().execute(() -> ContextResponses.failed(context(), branch, failure));
    }

    @Override
    public void finished(RequestAttempt from) {
        disarm();
        if (outcome == Outcome.MISSED) {
            // As long as the 2xx was repeated there was no room for it.
            context().turn().execute(() -> lastFailed(Failure.TIMEOUT));
        } else if (outcome != Outcome.TOLD) {
            context().turn().execute(() -> context().finished(branch));
        }
    }

    private void disarm() {
        if (outcome == Outcome.OPEN) {
            transition(Outcome.OVER);
        }
        Deadlines d = deadlines;
        if (d != null) {
            context().shard().timers().cancel(d);
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
        protected int partition() {
            return context().server().partition();
        }

        @Override
        protected void fire(long nowNanos) {
            if (nowNanos >= timerCAt) {
                timerCAt = NEVER;
                context().turn().execute(() -> ContextResponses.timerC(context(), branch));
            }
            if (nowNanos >= timeoutAt) {
                timeoutAt = NEVER;
                boolean whole = ofWhole;
                context().turn().execute(() -> ContextResponses.timeout(context(), branch, whole));
            }
            if (nowNanos >= provisionalAt) {
                provisionalAt = NEVER;
                context()
                        .turn()
                        .execute(() -> ContextResponses.provisionalTimeout(context(), branch));
            }
            schedule(context().shard());
        }
    }
}
