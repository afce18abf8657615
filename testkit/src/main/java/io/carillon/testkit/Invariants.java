package io.carillon.testkit;

import java.util.List;

/** What holds for every simulation, whatever stands in its middle. */
public final class Invariants {
    /** A CANCEL and its repeats over two held-back hops. */
    private static final long SOON_NANOS = 5_000_000_000L;

    private Invariants() {}

    /** All of them. */
    public static List<Invariant> standard() {
        return List.of(
                Invariants::noFaults,
                Invariants::everyCallEnds,
                Invariants::bothEndsAgree,
                new WhoReleased(),
                Invariants::nothingIsMissingUnlessItWasLost,
                Invariants::anAnswerEndsTheOtherForks);
    }

    /** Nothing happened that never should. */
    public static void noFaults(SimulationRun run) {
        if (!run.faults().isEmpty()) {
            throw new AssertionError("faults: " + run.faults());
        }
    }

    /** Every end that lives has an end of its call. */
    public static void everyCallEnds(SimulationRun run) {
        for (UserAgent agent : run.agents()) {
            for (Call call : agent.calls()) {
                if (!run.crashed(agent) && call.ending() == null) {
                    throw new AssertionError("no end: " + call);
                }
            }
        }
    }

    /** Both ends agree how each call ended, unless one of them gave up. */
    public static void bothEndsAgree(SimulationRun run) {
        for (SimulatedCall call : run.calls()) {
            agree(run, call);
        }
    }

    /** Where no datagram is lost and nobody dies, no ACK, PRACK or answer is missing. */
    public static void nothingIsMissingUnlessItWasLost(SimulationRun run) {
        for (UserAgent agent : run.agents()) {
            for (Call call : agent.calls()) {
                if (run.lossless() && misses(call)) {
                    throw new AssertionError("waited in vain although nothing was lost: " + call);
                }
            }
        }
    }

    private static boolean misses(Call call) {
        for (CallEvent event : call.events()) {
            String text = event.text();
            if (text.startsWith("!") && (text.endsWith("missing") || text.endsWith("TIMEOUT"))) {
                return true;
            }
        }
        return false;
    }

    // RFC 3261 16.7 step 10: "If the response context's original request was an INVITE and the
    // final response forwarded was a 2xx or a 6xx, the proxy MUST generate a CANCEL request for all
    // pending client transactions".
    /** Soon after the caller has its answer, nobody else rings. */
    public static void anAnswerEndsTheOtherForks(SimulationRun run) {
        MiddleNode middle = run.middle();
        if (!run.lossless() || (middle != null && middle.leavesForksRinging())) {
            return;
        }
        for (SimulatedCall call : run.calls()) {
            CallEvent answered = call.caller().first("> ACK");
            if (!call.caller().answered() || answered == null) {
                continue;
            }
            for (Call callee : call.callees()) {
                CallEvent ended = callee.first("! ended");
                if (!callee.answered()
                        && (ended == null || ended.atNanos() - answered.atNanos() > SOON_NANOS)) {
                    throw new AssertionError("still rang after another answered: " + call);
                }
            }
        }
    }

    private static void agree(SimulationRun run, SimulatedCall call) {
        Call caller = call.caller();
        int answered = 0;
        for (Call callee : call.callees()) {
            boolean gone = callee.ending() == Ending.GAVE_UP || run.crashed(callee.agent());
            answered += callee.answered() ? 1 : 0;
            if (callee.answered() && callee.ending() == Ending.CANCELLED) {
                throw new AssertionError("answered and cancelled: " + call);
            }
            // A callee releases a call only after its ACK, which only an answered caller sends. In
            // a B2BUA a 200 may cross the caller's CANCEL: then the B2BUA takes the call back.
            if (!caller.answered()
                    && !gone
                    && callee.ending() == Ending.RELEASED_HERE
                    && !backToBack(run)) {
                throw new AssertionError("established for the callee only: " + call);
            }
        }
        if (caller.answered() && answered == 0) {
            throw new AssertionError("answered by nobody: " + call);
        }
    }

    private static boolean backToBack(SimulationRun run) {
        MiddleNode middle = run.middle();
        return middle != null && middle.backToBack();
    }
}
