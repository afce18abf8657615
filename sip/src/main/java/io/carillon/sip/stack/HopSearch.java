package io.carillon.sip.stack;

import io.carillon.sip.message.MessageDraft;
import java.util.List;

/**
 * Where a request may go: the one hop that was fixed, the flow that its route stands for, or the
 * hops of its target.
 *
 * <p>Owner: the shard's thread.
 */
final class HopSearch {
    private HopSearch() {}

    /** Tells the attempt the hops, maybe before this returns. */
    static void start(Shard shard, OutgoingRequest out, RequestAttempt attempt) {
        Hop fixed = out.fixedHop();
        if (fixed != null) {
            attempt.resolved(List.of(fixed));
        } else if (out.nextHop() != null || !byFlow(shard, out, attempt)) {
            shard.wire()
                    .resolve(
                            RequestPrinter.target(out.draft(), out.nextHop()),
                            out.preferred(),
                            hops -> found(shard, attempt, hops));
        }
    }

    private static void found(Shard shard, RequestAttempt attempt, List<Hop> hops) {
        if (shard.atWork()) {
            attempt.resolved(hops);
        } else {
            shard.event(() -> attempt.resolved(hops));
        }
    }

    /** When its next hop is a route of ours that stands for a flow: sends it there, or fails. */
    private static boolean byFlow(Shard shard, OutgoingRequest out, RequestAttempt attempt) {
        FlowRoute.Taken taken = FlowRoute.take(out.draft(), shard);
        if (taken == null) {
            return false;
        }
        Hop flow = taken.flow();
        Failure failure = taken.failure();
        if (flow != null) {
            out.fixedHop(flow);
            attempt.byFlow(flow, taken.route());
        } else if (failure != null) {
            attempt.fail(failure);
        }
        return true;
    }

    /** Why a target without a hop failed. */
    @SuppressWarnings("ReferenceEquality") // every other empty list says that nothing was found
    static Failure failure(List<Hop> none) {
        return none == Wire.REFUSED ? Failure.REFUSED : Failure.UNRESOLVED;
    }

    /** Counts a request that nobody can be sent; the log and a trace hear of it. */
    static void unresolved(Shard shard, MessageDraft request) {
        shard.counters().add(Counter.UNRESOLVED);
        shard.config().errors().unsent(request);
        if (shard.witness().tap() != null) {
            shard.witness().tell(Counter.UNRESOLVED, request.copy().freezeRequest(), null);
        }
    }
}
