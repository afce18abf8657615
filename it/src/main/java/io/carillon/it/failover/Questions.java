package io.carillon.it.failover;

import io.carillon.it.failover.CallFacts.Check;
import java.util.ArrayList;
import java.util.List;

/** What a call has asked for after the loss, and when that was answered. One thread. */
final class Questions {
    private final List<Check> answered = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final List<Exchange> exchanges = new ArrayList<>();

    /** A request was sent. */
    void ask(String what, Exchange exchange) {
        names.add(what);
        exchanges.add(exchange);
    }

    /** What was due at that time has come now. */
    void answered(String what, long dueNanos) {
        answered.add(new Check(what, dueNanos, System.nanoTime()));
    }

    /** What was due at that time has not come. */
    void never(String what, long dueNanos) {
        answered.add(new Check(what, dueNanos, 0));
    }

    /** All, in their order. */
    List<Check> checks() {
        List<Check> all = new ArrayList<>(answered);
        for (int i = 0; i < names.size(); i++) {
            Exchange one = exchanges.get(i);
            all.add(new Check(names.get(i), one.sentAtNanos, one.firstAnswerNanos()));
        }
        return all;
    }
}
