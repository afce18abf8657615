package io.carillon.sip.client;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.flow.FlowRoute;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.observe.Counter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a request may go: the flow that its route stands for, or those hops of its target that it
 * may take.
 *
 * <p>Owner: the shard's thread.
 */
public final class HopSearch {
    /** RFC 5630 5.1: why a sips URI may have no way although its host has addresses. */
    public static final String ONLY_TLS = "a sips URI leads over TLS only";

    private HopSearch() {}

    /**
     * Those of the hops that a request of that origin may take; {@link Wire#REFUSED} where there
     * were some and none is left. A connection that is there, and another user of this shard, are
     * not asked for.
     */
    @SuppressWarnings("ReferenceEquality") // whether it was copied
    public static List<Hop> passable(Wire wire, Origin origin, List<Hop> found) {
        if (origin == Origin.OWN) {
            return found;
        }
        List<Hop> left = found;
        for (int i = 0; i < found.size(); i++) {
            Hop hop = found.get(i);
            if (hop.connection() == 0 && !wire.mayPass(origin, hop.remote())) {
                left = left == found ? new ArrayList<>(found) : left;
                left.remove(hop);
            }
        }
        return left.isEmpty() && !found.isEmpty() ? Wire.REFUSED : left;
    }

    /**
     * Takes the route off the draft when it is one of ours that stands for a flow; null when its
     * next hop is no flow.
     */
    public static FlowRoute.@Nullable Taken takeFlow(ShardCore core, MessageDraft draft) {
        FlowRoute.Taken taken = FlowRoute.take(draft, core.wire(), core.config().flowTokens());
        if (taken != null && taken.failure() != null) {
            core.counters()
                    .add(
                            taken.failure() == Failure.FLOW_REFUSED
                                    ? Counter.FLOW_TOKENS_FORGED
                                    : Counter.FLOWS_FAILED);
        }
        return taken;
    }

    /**
     * A response came by a flow of UDP, to a branch that nobody but its other end was sent: so
     * somebody is there.
     */
    public static void answeredByFlow(ShardCore core, @Nullable Hop flow) {
        PeerConduct conduct = core.config().conduct();
        if (conduct != null && flow != null && !flow.reliable()) {
            conduct.proven(flow, core.now());
        }
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
    public static Failure failure(List<Hop> none) {
        return none == Wire.REFUSED ? Failure.REFUSED : Failure.UNRESOLVED;
    }

    /**
     * A request that can be sent to nobody: the log hears of it, and where it has no address it is
     * counted, and told to a trace. What egress refuses was counted there.
     *
     * @param open the hops that it may go to, of which it can use none
     */
    public static void unsent(ShardCore core, MessageDraft request, List<Hop> open) {
        core.config().errors().unsent(request, why(open));
        if (failure(open) == Failure.REFUSED) {
            return;
        }
        core.counters().add(Counter.UNRESOLVED);
        if (!core.trace().off()) {
            core.trace().tell(Counter.UNRESOLVED, request.copy().freezeRequest(), null);
        }
    }
}
