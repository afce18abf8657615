package io.carillon.server.trace;

/**
 * One Call-ID that is traced. Made once, when it is decided that its call is; found again by the
 * Call-ID alone. Any thread.
 */
final class TracedLeg {
    final int number;
    final String callId;

    /** Number of the first record. */
    final long firstSequence;

    /** Which calls belong with it; replaced when two are found to be one. */
    private volatile CallLegs group;

    /** Why it is traced: the rule that chose it last. */
    private volatile TraceRule rule;

    TracedLeg(int number, String callId, long firstSequence, CallLegs group, TraceRule rule) {
        this.number = number;
        this.callId = callId;
        this.firstSequence = firstSequence;
        this.group = group;
        this.rule = rule;
    }

    CallLegs group() {
        CallLegs own = group;
        CallLegs root = own.root();
        if (root != own) {
            group = root;
        }
        return root;
    }

    TraceRule rule() {
        return rule;
    }

    void rule(TraceRule chosen) {
        rule = chosen;
    }
}
