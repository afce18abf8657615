package io.carillon.sip.shard;

import io.carillon.sip.client.ClientMachine;
import io.carillon.sip.client.HopSearch;
import io.carillon.sip.client.Repeatable;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.feedback.Feedback;
import io.carillon.sip.flow.FlowRoute;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Sips;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The hops of a request's target, one after the other (RFC 3263 4.3): how they are found, which one
 * is tried, and when it is left for the next one. Stateless: what it works on is in {@link
 * OutgoingRequest}, which the {@link RequestAttempt} has until its final response.
 */
final class AttemptHops {
    private AttemptHops() {}

    /**
     * The one hop that was fixed, the flow that the top Route stands for, or those of the target.
     */
    static void search(RequestAttempt attempt, OutgoingRequest out) {
        Hop fixed = out.fixedHop();
        if (fixed != null) {
            resolved(attempt, List.of(fixed));
        } else if (out.nextHop() != null || !byFlow(attempt, out)) {
            Uri target = RequestPrinter.target(out.draft(), out.nextHop());
            if (attempt.core().trace().off()) {
                attempt.core().wire().resolve(target, out.preferred(), attempt, attempt);
            } else {
                attempt.core()
                        .wire()
                        .resolve(target, out.preferred(), attempt, traced(attempt, target));
            }
        }
    }

    static void found(RequestAttempt attempt, List<Hop> hops) {
        if (attempt.core().events().atWork()) {
            resolved(attempt, hops);
        } else {
            attempt.core().events().event(() -> resolved(attempt, hops));
        }
    }

    /** A trace hears of an answer that had to be waited for. */
    private static Consumer<List<Hop>> traced(RequestAttempt attempt, Uri target) {
        long askedAt = attempt.core().now();
        return hops -> {
            OutgoingRequest out = attempt.resolving();
            if (out != null && !attempt.core().events().atWork() && target instanceof SipUri uri) {
                attempt.core()
                        .trace()
                        .resolved(out.draft().callId(), uri.host(), askedAt, hops.size());
            }
            found(attempt, hops);
        };
    }

    /** When its next hop is a route of ours that stands for a flow: goes there, or fails. */
    private static boolean byFlow(RequestAttempt attempt, OutgoingRequest out) {
        FlowRoute.Taken taken = HopSearch.takeFlow(attempt.core(), out.draft());
        if (taken == null) {
            return false;
        }
        Hop flow = taken.flow();
        Failure failure = taken.failure();
        if (flow != null) {
            out.fixedHop(flow);
            attempt.flowRoute(taken.route());
            resolved(attempt, List.of(flow));
        } else if (failure != null) {
            attempt.fail(failure);
        }
        return true;
    }

    /** The hops are known; maybe there are none. */
    private static void resolved(RequestAttempt attempt, List<Hop> found) {
        OutgoingRequest out = attempt.resolving();
        if (out == null) {
            return;
        }
        ShardCore core = attempt.core();
        List<Hop> open = HopSearch.passable(core.wire(), attempt.origin(), found);
        List<Hop> usable = Sips.usable(out.draft().requestUri(), open);
        if (usable.isEmpty()) {
            if (!open.isEmpty()) {
                attempt.why(HopSearch.ONLY_TLS);
            }
            HopSearch.unsent(core, out.draft(), open);
            attempt.fail(HopSearch.failure(open));
            return;
        }
        List<Hop> ordered = core.downHops().order(usable, core.now());
        out.mayTry(ordered, leavesOnce(core, out, ordered.getFirst()));
        tryNext(attempt, out);
    }

    private static boolean leavesOnce(ShardCore core, OutgoingRequest out, Hop to) {
        return out.once() || out.repeatedBySender(to, core.config().conduct(), core.now());
    }

    private static void tryNext(RequestAttempt attempt, OutgoingRequest out) {
        if (turnsToNext(attempt.core(), out)) {
            send(attempt, out, false);
        } else {
            attempt.core().counters().add(Counter.UNSENT_PEER_OVERLOADED);
            attempt.why(Feedback.NOT_NOW);
            attempt.fail(Failure.SHED);
        }
    }

    /**
     * Turns to the next hop that takes it; false when none does. RFC 7339 5.10: the client "can
     * accomplish this task by sending some of the requests that would have gone to the overloaded
     * element to a different destination."
     */
    private static boolean turnsToNext(ShardCore core, OutgoingRequest out) {
        while (out.moreHops()) {
            out.untried++;
            if (takes(core, out)) {
                return true;
            }
        }
        return false;
    }

    private static boolean takes(ShardCore core, OutgoingRequest out) {
        Feedback feedback = core.feedback();
        return feedback == null
                || feedback.admits(
                        out.hops.get(out.untried - 1),
                        out.draft(),
                        out.countedAt() == Sources.NOBODY,
                        core.now());
    }

    /**
     * Sends to the hop whose turn it is.
     *
     * @param datagram by UDP even if it is large, since TCP has failed
     */
    private static void send(RequestAttempt attempt, OutgoingRequest out, boolean datagram) {
        ShardCore core = attempt.core();
        RequestPrinter printer = attempt.side().printer();
        Hop target = core.way(out.hops.get(out.untried - 1), out.local());
        try {
            RequestPrinter.Printed ready =
                    datagram
                            ? printer.printDatagram(out, target, out.moreHops())
                            : printer.print(out, target, out.moreHops());
            attempt.tries(ready.request(), ready.hop());
            start(attempt, out, ready.request(), ready.hop());
            if (core.config().failover().tryNextNanos() > 0 && out.moreHops()) {
                NextHopTimer timer = out.nextHopTimer;
                if (timer == null) {
                    timer = new NextHopTimer(attempt.partition(), () -> silent(attempt));
                    out.nextHopTimer = timer;
                }
                timer.begin(core);
            }
        } catch (RuntimeException e) {
            core.events().userError("printing a request", e);
            attempt.fail(Failure.TRANSPORT);
        }
    }

    private static void start(
            RequestAttempt attempt, OutgoingRequest out, SipRequest request, Hop to) {
        // Asked before anybody there can have read it.
        boolean unheard = !attempt.user().heardAt(to);
        attempt.user().leavesFor(to);
        out.unheard = unheard;
        ClientMachine machine =
                attempt.side().start(request, to, attempt, attempt.countedAt(), out.invite());
        out.machine = machine;
        if (unheard && !to.reliable()) {
            attempt.core().counters().add(Counter.REQUESTS_TO_UNHEARD);
        }
        if (unheard || leavesOnce(attempt.core(), out, to)) {
            machine.fallSilent();
            Repeatable.Received came = out.came();
            if (came != null && machine instanceof Repeatable other) {
                came.passedOnBy(other);
            }
        }
    }

    /**
     * Goes on to the next hop, or back to one that was left too early; false when none is there.
     */
    static boolean goesOn(RequestAttempt attempt, OutgoingRequest out) {
        LeftHop other = LeftHop.alive(out.left);
        if (attempt.state().cancels()) {
            return false;
        }
        ShardCore core = attempt.core();
        boolean next = out.mayGoOn() && turnsToNext(core, out);
        if (!next && other == null) {
            return false;
        }
        core.counters().add(Counter.FAILOVERS);
        core.trace().tell(Counter.FAILOVERS, attempt.printed(), attempt.hop(), null);
        if (next) {
            send(attempt, out, false);
        } else if (other != null) {
            takeBack(attempt, out, other);
        }
        return true;
    }

    private static void hopFailed(ShardCore core, @Nullable Hop hop) {
        core.downHops().failed(hop, core.now());
        Feedback feedback = core.feedback();
        if (feedback != null && hop != null) {
            feedback.failed(hop, core.now());
        }
    }

    /** The transaction with the hop at work has no final response, and gets none. */
    static void failed(RequestAttempt attempt, OutgoingRequest out, Failure failure) {
        ShardCore core = attempt.core();
        AttemptState state = attempt.state();
        boolean transport = failure == Failure.TRANSPORT;
        if (transport || state.silent()) {
            hopFailed(core, attempt.hop());
        }
        if (transport && out.tooLarge && state == AttemptState.TRYING) {
            send(attempt, out, true);
        } else if (state.silent()
                && (failure != Failure.TIMEOUT || out.stayedSilent())
                && goesOn(attempt, out)) {
            // RFC 3263 4.3: "Failure also occurs if the transaction layer times out without ever
            // having received any response, provisional or final".
            return;
        } else if (transport && attempt.flowRoute() != null) {
            // RFC 5626 11.5: 430 tells who forwards that another flow of the same instance may do.
            core.counters().add(Counter.FLOWS_FAILED);
            attempt.fail(Failure.FLOW_FAILED);
        } else {
            attempt.fail(failure);
        }
    }

    /** The hop at work has been silent for too long. */
    private static void silent(RequestAttempt attempt) {
        OutgoingRequest out = attempt.waiting();
        if (out != null && attempt.state() == AttemptState.TRYING && out.mayGoOn()) {
            ShardCore core = attempt.core();
            out.stayedSilent();
            core.counters().add(Counter.TRIED_NEXT);
            hopFailed(core, attempt.hop());
            if (turnsToNext(core, out)) {
                leave(attempt, out);
                send(attempt, out, false);
            }
        }
    }

    /** What it may still say comes to {@link LeftHop}. */
    private static void leave(RequestAttempt attempt, OutgoingRequest out) {
        ClientMachine machine = out.machine;
        Hop from = attempt.hop();
        if (machine != null && from != null && attempt.printed() instanceof SipRequest request) {
            out.left = new LeftHop(attempt, machine, request, from, out.left);
            machine.follow(out.left);
            machine.fallSilent();
        }
    }

    private static void takeBack(RequestAttempt attempt, OutgoingRequest out, LeftHop other) {
        out.left = LeftHop.without(out.left, other);
        other.letGo();
        out.machine = other.machine;
        out.tooLarge = false;
        attempt.tries(other.request, other.hop);
        other.machine.follow(attempt);
        out.unheard = !attempt.user().heardAt(other.hop);
        if (!out.unheard && !leavesOnce(attempt.core(), out, other.hop)) {
            other.machine.speakAgain();
        }
    }

    /** A hop that had been left is the one after all; the one at work is left for it. */
    static void turnTo(
            RequestAttempt attempt, LeftHop from, OutgoingRequest out, SipResponse response) {
        boolean rang = !attempt.state().silent();
        leave(attempt, out);
        LeftHop dropped = out.left;
        takeBack(attempt, out, from);
        attempt.receive(response);
        if (rang && dropped != null) {
            dropped.cancel();
        }
    }

    /** Nothing more comes of a hop that was left. */
    static void ended(RequestAttempt attempt, LeftHop gone) {
        OutgoingRequest out = attempt.waiting();
        if (out != null) {
            out.left = LeftHop.without(out.left, gone);
        }
    }
}
