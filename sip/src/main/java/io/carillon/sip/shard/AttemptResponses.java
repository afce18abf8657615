package io.carillon.sip.shard;

import io.carillon.sip.admission.Room;
import io.carillon.sip.client.ClientInvite;
import io.carillon.sip.client.HopSearch;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.feedback.Feedback;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a response to a request of ours does, and the CANCEL that waits for one: RFC 3261 9.1 and
 * 13.2.2, RFC 3263 4.3. Stateless: the {@link RequestAttempt} has the state.
 */
final class AttemptResponses {
    private AttemptResponses() {}

    /**
     * @param out null after the final response
     */
    static void receive(
            RequestAttempt attempt, @Nullable OutgoingRequest out, SipResponse response) {
        int status = response.status();
        ShardCore core = attempt.core();
        if (out != null) {
            out.unheard = false;
        }
        if (attempt.flowRoute() != null) {
            HopSearch.answeredByFlow(core, attempt.hop());
        }
        core.downHops().heard(attempt.hop(), response, core.now());
        heard(core, attempt.hop(), response);
        if (status < 200) {
            provisional(attempt, out, response);
        } else if (status == 503
                && out != null
                && attempt.state() != AttemptState.RINGING
                && AttemptHops.goesOn(attempt, out)) {
            // RFC 3263 4.3: "failure occurs if the transaction layer reports a 503 error response
            // or a transport failure of some sort".
            return;
        } else if (status < 300 && (out == null ? attempt.isAccepted() : out.invite())) {
            accepted(attempt, response);
        } else {
            attempt.transition(AttemptState.FINISHED);
            if (status >= 300) {
                attempt.packEnded();
            }
            attempt.up(response);
            attempt.finish();
        }
    }

    private static void heard(ShardCore core, @Nullable Hop hop, SipResponse response) {
        Feedback feedback = core.feedback();
        if (feedback != null && hop != null) {
            feedback.heard(hop, response, core.now());
        }
    }

    private static void provisional(
            RequestAttempt attempt, @Nullable OutgoingRequest out, SipResponse response) {
        AttemptState state = attempt.state();
        if (state == AttemptState.CANCEL_WAITS && out != null) {
            sendCancel(attempt, out);
        } else if (state == AttemptState.TRYING || state == AttemptState.PROCEEDING) {
            if (response.status() > 100) {
                attempt.transition(AttemptState.RINGING);
            } else if (state == AttemptState.TRYING) {
                attempt.transition(AttemptState.PROCEEDING);
            }
        }
        if (attempt.hasRoom(response, Room.DIALOG)) {
            attempt.hold(response);
            attempt.up(response);
        }
    }

    /** A 2xx to an INVITE. */
    private static void accepted(RequestAttempt attempt, SipResponse response) {
        if (attempt.state().waits()) {
            attempt.transition(AttemptState.NO_ROOM);
        }
        if (!attempt.proxied()) {
            Fork before = attempt.forks();
            Fork told = AttemptForks.with(attempt, before, response);
            if (told != null && told != before) {
                attempt.forks(told);
                attempt.up(response);
                attempt.shrink();
            }
        } else if (attempt.hasRoom(response, Room.RESERVED)) {
            attempt.told();
            attempt.hold(response);
            attempt.up(response);
            attempt.shrink();
        }
    }

    /**
     * Whoever asked for the request wants it no more.
     *
     * @param out null after its final response
     * @param reasons values of Reason headers (RFC 3326), or null
     */
    static void cancel(
            RequestAttempt attempt, @Nullable OutgoingRequest out, @Nullable List<String> reasons) {
        if (out == null) {
            return;
        }
        if (!attempt.state().cancels()) {
            out.cancelReasons = reasons;
        }
        switch (attempt.state()) {
            case RESOLVING -> attempt.fail(Failure.CANCELLED);
            // "If no provisional response has been received, the CANCEL request MUST NOT be sent;
            // rather, the client MUST wait for the arrival of a provisional response before sending
            // the request."
            case TRYING -> attempt.transition(AttemptState.CANCEL_WAITS);
            case PROCEEDING, RINGING -> sendCancel(attempt, out);
            case CANCEL_WAITS, CANCELLED, NO_ROOM, ACCEPTED, FINISHED -> {}
        }
    }

    /** A provisional response allows it now. */
    private static void sendCancel(RequestAttempt attempt, OutgoingRequest out) {
        attempt.transition(AttemptState.CANCELLED);
        if (out.machine instanceof ClientInvite machine
                && attempt.printed() instanceof SipRequest request) {
            machine.cancel(request, out.cancelReasons);
        }
    }
}
