package io.carillon.server.trace;

/**
 * One Call-ID that is traced. Made once, when it is decided that its call is; found again by the
 * Call-ID alone. Any thread.
 */
final class Leg {
    final int number;
    final String callId;

    /** Number of the first record. */
    final long firstSequence;

    /** Which calls belong with it; replaced when two are found to be one. */
    private volatile Group group;

    /** Why it is traced: the rule that chose it last. */
    private volatile Rule rule;

    Leg(int number, String callId, long firstSequence, Group group, Rule rule) {
        this.number = number;
        this.callId = callId;
        this.firstSequence = firstSequence;
        this.group = group;
        this.rule = rule;
    }

    Group group() {
        Group own = group;
        Group root = own.root();
        if (root != own) {
            group = root;
        }
        return root;
    }

    Rule rule() {
        return rule;
    }

    void rule(Rule chosen) {
        rule = chosen;
    }
}
