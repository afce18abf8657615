package io.carillon.testkit;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One run of a {@link Simulation}, for its {@link Invariant}s. Owner: the test's thread. */
public final class SimulationRun {
    /** Carries the number of a call from its caller to its callees. */
    static final String NUMBER = "X-Call";

    private static final HeaderName NUMBER_NAME = HeaderName.of(NUMBER);

    private final long seed;
    private final SimulatedNetwork network;
    private final List<UserAgent> agents = new ArrayList<>();
    private final Map<Integer, Call> callers = new TreeMap<>();
    private final Set<UserAgent> crashed = new HashSet<>();
    private @Nullable MiddleNode middle;

    SimulationRun(long seed, SimulatedNetwork network) {
        this.seed = seed;
        this.network = network;
    }

    public long seed() {
        return seed;
    }

    public SimulatedNetwork network() {
        return network;
    }

    /** What stands in the middle; null when the user agents call each other directly. */
    public @Nullable MiddleNode middle() {
        return middle;
    }

    void middle(MiddleNode node) {
        middle = node;
    }

    public List<UserAgent> agents() {
        return agents;
    }

    void dialled(int number, Call caller) {
        callers.put(number, caller);
    }

    void crash(UserAgent agent) {
        crashed.add(agent);
        agent.node().crash();
    }

    /** Did this user agent die during the run? */
    public boolean crashed(UserAgent agent) {
        return crashed.contains(agent);
    }

    /** Does every datagram arrive in the end, and everybody live? */
    public boolean lossless() {
        return network.loss() == 0 && crashed.isEmpty();
    }

    /** Did anything happen that no retransmission can mend? */
    public boolean lostForGood() {
        if (!crashed.isEmpty()) {
            return true;
        }
        for (UserAgent agent : agents) {
            for (Call call : agent.calls()) {
                if (call.ending() == Ending.GAVE_UP) {
                    return true;
                }
            }
        }
        return false;
    }

    public List<SimulatedCall> calls() {
        List<SimulatedCall> calls = new ArrayList<>();
        for (Map.Entry<Integer, Call> entry : callers.entrySet()) {
            String number = Integer.toString(entry.getKey());
            List<Call> callees = new ArrayList<>();
            for (UserAgent agent : agents) {
                for (Call call : agent.calls()) {
                    SipRequest invite = call.outgoing() ? null : call.invite();
                    if (invite != null && number.equals(invite.header(NUMBER_NAME))) {
                        callees.add(call);
                    }
                }
            }
            calls.add(new SimulatedCall(entry.getKey(), entry.getValue(), callees));
        }
        return calls;
    }

    /** Has every call ended at every end that lives? */
    boolean ended() {
        for (UserAgent agent : agents) {
            if (crashed.contains(agent)) {
                continue;
            }
            for (Call call : agent.calls()) {
                if (call.state() != Call.State.ENDED) {
                    return false;
                }
            }
        }
        return true;
    }

    /** What is left anywhere; empty when nothing is. */
    public String leftovers() {
        StringBuilder text = new StringBuilder();
        for (UserAgent agent : agents) {
            if (!crashed.contains(agent)) {
                text.append(agent.leftovers());
            }
        }
        MiddleNode node = middle;
        return node == null ? text.toString() : text.append(node.leftovers()).toString();
    }

    /** What should never happen; empty when nothing did. */
    public List<String> faults() {
        List<String> faults = new ArrayList<>();
        for (UserAgent agent : agents) {
            faults.addAll(agent.faults());
        }
        MiddleNode node = middle;
        if (node != null) {
            faults.addAll(node.faults());
        }
        return faults;
    }

    /** The calls and what each end of them saw. */
    public String story() {
        StringBuilder text = new StringBuilder();
        for (SimulatedCall call : calls()) {
            text.append(call).append('\n');
        }
        return text.toString();
    }
}
