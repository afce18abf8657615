package io.carillon.it.failover;

import io.carillon.it.failover.CallFacts.Stage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a conversation stands: what went wrong first, what is repeated, which nodes have spoken for
 * it. One thread.
 */
final class Standing {
    private final Phones phones;
    private final List<String> nodes = new ArrayList<>();
    private Wire.@Nullable Timer repeatingAnswer;
    private String fault = "";
    private Stage stage;

    Standing(Phones phones) {
        this.phones = phones;
        this.stage = phones.killed() ? Stage.AFTER : Stage.IN_SETUP;
    }

    Stage stage() {
        return stage;
    }

    void stage(Stage atKill) {
        stage = atKill;
    }

    String fault() {
        return fault;
    }

    boolean failed() {
        return !fault.isEmpty();
    }

    void fault(String what) {
        if (fault.isEmpty()) {
            fault = what + " (" + phones.sinceLoss() + ")";
            stopRepeating();
        }
    }

    void repeating(Wire.Timer timer) {
        stopRepeating();
        repeatingAnswer = timer;
    }

    void stopRepeating() {
        Wire.Timer timer = repeatingAnswer;
        if (timer != null) {
            timer.cancel();
            repeatingAnswer = null;
        }
    }

    /** A node has sent something in its name. */
    void heardFrom(String node) {
        if (nodes.isEmpty() || !nodes.getLast().equals(node)) {
            nodes.add(node);
        }
    }

    /** The nodes that have spoken for it, in turn. */
    List<String> nodes() {
        return nodes;
    }
}
