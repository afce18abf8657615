package io.carillon.cluster.member;

/**
 * What a node does in each state. The one place that says so; docs/reference/clustering-states.md
 * is it.
 */
public final class Duties {
    private Duties() {}

    public static Duty of(MemberState state, Work work) {
        return switch (work) {
            case NEW_CALL -> newCall(state);
            case IN_DIALOG -> inDialog(state);
            case TIMER -> timer(state);
            case RECORD, SEND -> acts(state) ? Duty.DO : Duty.NO;
            case COPIES -> copies(state);
        };
    }

    /** Does the node act for partitions? Only then does it send, fire timers and write records. */
    public static boolean acts(MemberState state) {
        return state == MemberState.OWNER || state == MemberState.LEAVING;
    }

    private static Duty newCall(MemberState state) {
        return switch (state) {
            case OWNER -> Duty.DO;
            case JOINING, STABLE, LEAVING -> Duty.PASS_ON;
            case STARTING, WITNESS -> Duty.REFUSE;
            // Another may have the call already: an answer from here would end it.
            case ISOLATED, GONE -> Duty.DROP;
        };
    }

    private static Duty inDialog(MemberState state) {
        return switch (state) {
            case OWNER, LEAVING -> Duty.DO;
            case JOINING, STABLE, GONE -> Duty.PASS_ON;
            case STARTING, ISOLATED -> Duty.PARK;
            // A 481 from a node that knows no call would end one.
            case WITNESS -> Duty.DROP;
        };
    }

    private static Duty timer(MemberState state) {
        return switch (state) {
            case OWNER, LEAVING -> Duty.DO;
            case ISOLATED -> Duty.HOLD;
            case STARTING, JOINING, STABLE, GONE, WITNESS -> Duty.NO;
        };
    }

    private static Duty copies(MemberState state) {
        return switch (state) {
            case STARTING, JOINING, STABLE, OWNER, ISOLATED, LEAVING -> Duty.KEEP;
            case GONE -> Duty.KEEP_YOUNGER;
            case WITNESS -> Duty.NO;
        };
    }
}
