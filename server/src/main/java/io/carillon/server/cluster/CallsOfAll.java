package io.carillon.server.cluster;

import io.carillon.server.calls.CallDetail;
import io.carillon.server.control.CallerCommand;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import io.carillon.servlet.feature.protect.CallProtection;
import io.carillon.servlet.feature.protect.CallStanding;
import io.carillon.servlet.feature.protect.Unprotected;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.CallRecords;
import io.carillon.servlet.kernel.TakeOver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an operator sees of the calls of a cluster, from any of its nodes. Any thread. */
public final class CallsOfAll {
    private final ClusterSide member;
    private final CallProtection protection;
    private final MemberQuestions questions;

    CallsOfAll(ClusterSide member, CallProtection protection, MemberQuestions questions) {
        this.member = member;
        this.protection = protection;
        this.questions = questions;
    }

    /** How a call of this node stands in the cluster; with its turn held. */
    public CallDetail.@Nullable Cluster standing(ApplicationSession call) {
        CallStanding standing = protection.standing(call);
        if (standing == null) {
            return null;
        }
        int partition = CallPartition.of(call);
        Unprotected why = standing.why();
        TakeOver before = standing.takenOver();
        return new CallDetail.Cluster(
                partition,
                member.node().table().term(partition),
                member.node().table().owner(partition),
                member.node().table().next(partition),
                member.members().self(),
                standing.ageMillis() < 0 ? null : (Long) standing.ageMillis(),
                unprotected(standing, why),
                CallRecords.leftOut(call).stream()
                        .map(left -> left.where() + ", of class " + left.type())
                        .toList(),
                standing.waiting(),
                before == null
                        ? null
                        : new CallDetail.TakenOver(
                                before.node(), before.term(), before.ageMillis()));
    }

    private static @Nullable String unprotected(CallStanding standing, @Nullable Unprotected why) {
        if (why == null) {
            return standing.stored() == 0 ? "no state of it was to be kept so far" : null;
        }
        String missing = standing.missing();
        return missing == null ? why.text() : why.text() + ": " + missing;
    }

    /**
     * Commands about a call, which another node is asked for where this one has no such call.
     *
     * @param here what this node does by itself
     */
    public Map<String, ControlCommand> anywhere(Map<String, ControlCommand> here) {
        Map<String, ControlCommand> all = new HashMap<>(here);
        for (String name : List.of("call", "hangup")) {
            ControlCommand own = here.get(name);
            if (own != null) {
                CallerCommand local =
                        own instanceof CallerCommand minds
                                ? minds
                                : (argument, who) -> own.answer(argument);
                questions.answers(name, local);
                all.put(name, (CallerCommand) (argument, who) -> ask(name, local, argument, who));
            }
        }
        return all;
    }

    private String ask(String name, CallerCommand local, String argument, String who)
            throws ControlFailure {
        try {
            return local.answer(argument, who);
        } catch (ControlFailure here) {
            String elsewhere = questions.ask(name, argument, who);
            if (elsewhere != null) {
                return elsewhere;
            }
            throw new ControlFailure(
                    here.kind(),
                    here.getMessage() + ", and no other node of the cluster has it",
                    here);
        }
    }
}
