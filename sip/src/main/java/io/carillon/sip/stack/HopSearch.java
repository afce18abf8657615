package io.carillon.sip.stack;

import io.carillon.sip.message.MessageDraft;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a request may go: the one hop that was fixed, the flow that its route stands for, or the
 * hops of its target.
 *
 * <p>Owner: the shard's thread.
 */
final class HopSearch {
    /** RFC 5630 5.1: why a sips URI may have no way although its host has addresses. */
    static final String ONLY_TLS = "a sips URI leads over TLS only";

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
                            attempt,
                            hops -> found(shard, attempt, hops));
        }
    }

    /**
     * Those of the hops that a request of that origin may take; {@link Wire#REFUSED} where there
     * were some and none is left. A connection that is there, and another user of this shard, are
     * not asked for.
     */
    @SuppressWarnings("ReferenceEquality") // whether it was copied
    static List<Hop> passable(Shard shard, Origin origin, List<Hop> found) {
        if (origin == Origin.OWN) {
            return found;
        }
        List<Hop> left = found;
        for (int i = 0; i < found.size(); i++) {
            Hop hop = found.get(i);
            if (hop.connection() == 0 && !shard.wire().mayPass(origin, hop.remote())) {
                left = left == found ? new ArrayList<>(found) : left;
                left.remove(hop);
            }
        }
        return left.isEmpty() && !found.isEmpty() ? Wire.REFUSED : left;
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

    private static String why(List<Hop> open) {
        if (!open.isEmpty()) {
            return ONLY_TLS;
        }
        return failure(open) == Failure.REFUSED
                ? "nothing is sent to where it has to go"
                : "no address was found for where it has to go";
    }

    /** Why a target without a hop failed. */
    @SuppressWarnings("ReferenceEquality") // every other empty list says that nothing was found
    static Failure failure(List<Hop> none) {
        return none == Wire.REFUSED ? Failure.REFUSED : Failure.UNRESOLVED;
    }

    /**
     * A request that can be sent to nobody: the log hears of it, and where it has no address it is
     * counted, and told to a trace. What egress refuses was counted there.
     *
     * @param open the hops that it may go to, of which it can use none
     */
    static void unsent(Shard shard, MessageDraft request, List<Hop> open) {
        shard.config().errors().unsent(request, why(open));
        if (failure(open) == Failure.REFUSED) {
            return;
        }
        shard.counters().add(Counter.UNRESOLVED);
        if (shard.witness().tap() != null) {
            shard.witness().tell(Counter.UNRESOLVED, request.copy().freezeRequest(), null);
        }
    }
}
