package io.carillon.testkit;

import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogKey;

/**
 * Both ends of an answered call agree who released it, unless one of them gave up or died.
 *
 * <p>RFC 3261 15: "The BYE request is used to terminate a specific session". An end that was
 * released got its BYE from the other end, an end that released was heard there, and two ends that
 * both released did so at the same time. Only a B2BUA sends a BYE of its own, for what was answered
 * when its caller had gone already.
 */
final class WhoReleased implements Invariant {
    /** A BYE over two held-back hops, with its repeats. */
    private static final long SOON_NANOS = 5_000_000_000L;

    @Override
    public void check(SimulationRun run) {
        for (SimulatedCall call : run.calls()) {
            if (!gone(run, call.caller())) {
                check(run, call);
            }
        }
    }

    private static void check(SimulationRun run, SimulatedCall call) {
        boolean met = false;
        for (Call callee : call.callees()) {
            if (!callee.answered()) {
                continue;
            }
            boolean peers = call.caller().answered() && inOneCall(run, call.caller(), callee);
            met |= peers;
            if (gone(run, callee)) {
                continue;
            }
            if (peers) {
                compare(run, call, callee);
            } else if (!mayBeTakenBack(run, call)) {
                throw new AssertionError("answered, and not by its caller's choice: " + call);
            } else if (!released(callee)) {
                throw new AssertionError("answered too late, and not taken back: " + call);
            }
        }
        if (call.caller().answered() && !met) {
            throw new AssertionError("answered by nobody: " + call);
        }
    }

    private static void compare(SimulationRun run, SimulatedCall call, Call callee) {
        Call caller = call.caller();
        if (!released(caller) || !released(callee)) {
            throw new AssertionError("answered and not released: " + call);
        }
        boolean here = caller.ending() == Ending.RELEASED_HERE;
        boolean there = callee.ending() == Ending.RELEASED_HERE;
        if (!here && !there) {
            throw new AssertionError("released by nobody: " + call);
        }
        boolean heard = caller.first("< BYE") != null || callee.first("< BYE") != null;
        if (here && there && !heard && !backToBack(run)) {
            throw new AssertionError("released by both, heard by neither: " + call);
        }
        if (here && there && run.lossless() && apart(caller, callee) > SOON_NANOS) {
            throw new AssertionError("released by both, one after the other: " + call);
        }
    }

    /** Nanoseconds between the BYEs of both ends. */
    private static long apart(Call one, Call other) {
        CallEvent bye = one.first("> BYE");
        CallEvent otherBye = other.first("> BYE");
        if (bye == null || otherBye == null) {
            throw new AssertionError("released without a BYE: " + one + other);
        }
        return Math.abs(bye.atNanos() - otherBye.atNanos());
    }

    private static boolean released(Call end) {
        return end.ending() == Ending.RELEASED_HERE || end.ending() == Ending.RELEASED_THERE;
    }

    private static boolean gone(SimulationRun run, Call end) {
        return end.ending() == Ending.GAVE_UP || run.crashed(end.agent());
    }

    /**
     * RFC 3261 13.2.2.4: a caller ends by BYE what another fork answered; a B2BUA what was answered
     * while its caller gave up.
     */
    private static boolean mayBeTakenBack(SimulationRun run, SimulatedCall call) {
        return call.caller().answered() || backToBack(run);
    }

    /** Through a B2BUA each end has a dialog of its own, and there is one callee. */
    private static boolean inOneCall(SimulationRun run, Call caller, Call callee) {
        Dialog ours = caller.dialog();
        Dialog theirs = callee.dialog();
        if (ours == null || theirs == null || backToBack(run)) {
            return true;
        }
        DialogKey key = ours.key();
        return key.localTag().equals(theirs.key().remoteTag())
                && key.remoteTag().equals(theirs.key().localTag());
    }

    private static boolean backToBack(SimulationRun run) {
        MiddleNode middle = run.middle();
        return middle != null && middle.backToBack();
    }
}
