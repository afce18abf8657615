package io.carillon.it.failover;

import java.util.ArrayList;
import java.util.List;

/**
 * What both ends of a call know of it when all is over. Immutable.
 *
 * @param name of the call, as in its From
 * @param kind what served it
 * @param atKill how far it was when the node went
 * @param fault the first thing that went wrong, as a phone saw it; empty for none
 * @param over have all its ends heard of its end
 * @param checks what was asked for after the node had gone
 * @param nodes that have spoken for it, in turn, as far as its application says so
 * @param timers of its application, each as Call-ID and number
 */
record CallFacts(
        String name,
        Kind kind,
        Stage atKill,
        String fault,
        boolean over,
        List<Check> checks,
        List<String> nodes,
        List<String> timers) {
    /** How far a call was. */
    enum Stage {
        /** The INVITE had no answer that makes a dialog: nothing is promised. */
        IN_SETUP,
        /** It rang. */
        EARLY,
        CONFIRMED,
        /** Over, or failed, before the node went. */
        OVER,
        /** Begun when the node had gone. */
        AFTER
    }

    /**
     * Something that is to be answered.
     *
     * @param what as "re-INVITE of the caller"
     * @param sentNanos when it was sent, or due
     * @param answeredNanos when the first answer came; 0 for never
     */
    record Check(String what, long sentNanos, long answeredNanos) {
        boolean answered() {
            return answeredNanos != 0;
        }
    }

    CallFacts {
        checks = List.copyOf(checks);
        nodes = List.copyOf(nodes);
        timers = List.copyOf(timers);
    }

    /**
     * Has a node spoken for it again after another one had, that lives?
     *
     * @param died the node that has died, as in {@link #nodes}; empty for none
     */
    boolean wentBack(String died) {
        List<String> living = new ArrayList<>();
        for (String node : nodes) {
            if (!node.equals(died) && (living.isEmpty() || !living.getLast().equals(node))) {
                living.add(node);
            }
        }
        return living.size() > living.stream().distinct().count();
    }

    /** Did it end as it should? */
    boolean good() {
        return fault.isEmpty() && over;
    }

    /** What is wrong with it, for a person. */
    String wrong() {
        return fault.isEmpty() ? "one end never heard of the end" : fault;
    }
}
