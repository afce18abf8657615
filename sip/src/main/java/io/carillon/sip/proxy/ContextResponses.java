package io.carillon.sip.proxy;

import io.carillon.sip.feedback.Feedback;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Sips;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * What a response of a branch does, and what is done where none comes: RFC 3261 16.7 to 16.9, with
 * the sentences of the RFC above what they ask for. Stateless: the {@link ResponseContext} has the
 * state, and its turn is held.
 */
final class ContextResponses {
    private ContextResponses() {}

    static void response(ResponseContext context, ProxyBranch branch, SipResponse response) {
        int status = response.status();
        boolean more = branch.givesBack();
        if (status < 200) {
            provisional(context, branch, response);
            if (more && context.branchSet().open()) {
                context.proceed();
            }
        } else if (status < 300) {
            success(context, branch, response);
        } else {
            failure(context, branch, response, true);
        }
    }

    private static void provisional(
            ResponseContext context, ProxyBranch branch, SipResponse response) {
        branch.provisional();
        // RFC 3261 16.7 step 5: "a stateful proxy MUST NOT forward any 100 (Trying) response."
        // After a final response: only 2xx to INVITE.
        if (response.status() == 100) {
            return;
        }
        boolean forward = passesProvisional(context) && !branch.ended();
        context.user().response(branch, response, forward);
        if (forward && context.state().forwarding()) {
            SipResponse outgoing = Upstream.provisional(context, branch, response);
            if (outgoing != null) {
                context.server().respond(outgoing);
            }
        }
    }

    /** RFC 3261 16.7 step 5: until a final response goes upstream. */
    private static boolean passesProvisional(ResponseContext context) {
        return context.state().forwarding() && context.state() != ContextState.ACCEPTING;
    }

    private static void success(ResponseContext context, ProxyBranch branch, SipResponse response) {
        // RFC 3261 16.7 step 5: "Until a final response has been sent on the server transaction,
        // the following responses MUST be forwarded immediately: ... Any 2xx response. After a
        // final response has been sent ...: Any 2xx response to an INVITE request."
        boolean forward = context.invite() || (context.state().forwarding() && !branch.ended());
        boolean first = !branch.ended();
        branch.end(null);
        if (forward && passesProvisional(context)) {
            context.transition(ContextState.ACCEPTING);
        }
        if (first || context.invite()) {
            context.user().response(branch, response, forward);
        }
        if (forward) {
            context.forwardFinal(branch, response);
        }
        context.cancelPending(branch, true);
        context.finishedMaybe();
        if (context.invite() && first) {
            context.user().accepted(branch);
        }
    }

    /**
     * @param received else it is ours, in place of one that never came
     */
    private static void failure(
            ResponseContext context, ProxyBranch branch, SipResponse response, boolean received) {
        if (branch.ended()) {
            return;
        }
        boolean recurses =
                branch.policy().recurse() && !branch.cancelled() && context.state().recurses();
        SipResponse kept = recurses ? Redirection.recurse(branch, response) : response;
        SipResponse candidate = context.state().answered() ? null : kept;
        if (received) {
            branch.end(candidate);
        } else {
            branch.giveUp(candidate);
        }
        // RFC 3261 16.7 step 5: "If a 6xx response is received, it is not immediately forwarded,
        // but the stateful proxy SHOULD cancel all client pending transactions as described in
        // Section 10, and it MUST NOT create any new branches in this context."
        if (response.status() >= 600) {
            if (context.state().starts()) {
                context.transition(ContextState.CLOSED);
            }
            context.branchSet().dropWaiting();
            context.branchSet().cancelBut(branch, null);
        }
        context.user().response(branch, response, false);
        context.proceed();
        if (context.state().forwarding()) {
            SipResponse instead = branch.waitsForOthers();
            if (instead != null) {
                context.user().shortened(branch, instead);
            }
        }
        context.finishedMaybe();
    }

    /** RFC 3261 16.9 and 16.6 step 7: no response came, or the request could not be sent. */
    static void failed(ResponseContext context, ProxyBranch branch, Failure failure) {
        // No element failed, so it is no 503, which would leave as a 500. RFC 3261 21.4.18: "a
        // redirect or proxy server that [...] does not currently have a valid forwarding location".
        int status = failure == Failure.UNRESOLVED ? 480 : failure.status();
        giveUp(context, branch, status, failure == Failure.SHED ? Feedback.REASON : null);
    }

    /** A branch that was never sent. */
    static void refused(ResponseContext context, ProxyBranch branch, int status) {
        context.branchSet().finished();
        giveUp(context, branch, status);
    }

    /** RFC 5630 5.3: the target of a sips request is a sip URI. */
    static void refusedSips(ResponseContext context, ProxyBranch branch) {
        context.branchSet().finished();
        if (!branch.ended()) {
            MessageDraft answer =
                    MessageDraft.responseTo(context.request(), 480, null, context.newTag());
            answer.set(HeaderName.WARNING, Sips.NOT_ALLOWED + " carillon \"SIPS Not Allowed\"");
            failure(context, branch, answer.freezeResponse(), false);
        }
    }

    private static void giveUp(ResponseContext context, ProxyBranch branch, int status) {
        giveUp(context, branch, status, null);
    }

    private static void giveUp(
            ResponseContext context, ProxyBranch branch, int status, @Nullable String reason) {
        if (!branch.ended()) {
            failure(
                    context,
                    branch,
                    MessageDraft.responseTo(context.request(), status, reason, context.newTag())
                            .freezeResponse(),
                    false);
        }
    }

    /**
     * RFC 3261 16.8: "If the client transaction has received a provisional response, the proxy MUST
     * generate a CANCEL request matching that transaction."
     */
    static void timerC(ResponseContext context, ProxyBranch branch) {
        if (!branch.active()) {
            return;
        }
        boolean proceeding = branch.proceeding();
        branch.cancel(null);
        // "If the client transaction has not received a provisional response, the proxy MUST behave
        // as if the transaction received a 408 (Request Timeout) response."
        if (!proceeding) {
            giveUp(context, branch, 408);
        }
    }

    /**
     * The time-out of the policy: like Timer C, on this branch.
     *
     * @param whole the parallel proxy's own: nothing more is tried by itself; the user may still
     *     add branches when it hears of the best response (voice mail after 20 s of ringing)
     */
    static void timeout(ResponseContext context, ProxyBranch branch, boolean whole) {
        if (branch.active()) {
            context.user().timedOut(branch, false);
        }
        if (whole) {
            if (context.state() == ContextState.FORWARDING) {
                context.transition(ContextState.TIMED_OUT);
            }
            context.branchSet().dropWaiting();
        }
        if (context.invite()) {
            timerC(context, branch);
        } else {
            giveUp(context, branch, 408);
        }
    }

    /** The policy's time for a first provisional response is over: like Timer C. */
    static void provisionalTimeout(ResponseContext context, ProxyBranch branch) {
        if (branch.active()) {
            context.user().timedOut(branch, true);
            timerC(context, branch);
        }
    }
}
