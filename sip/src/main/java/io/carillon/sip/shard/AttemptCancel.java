package io.carillon.sip.shard;

import io.carillon.sip.client.ClientInvite;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.message.SipRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request of ours is given up (RFC 3261 9.1). Stateless. */
final class AttemptCancel {
    private AttemptCancel() {}

    /**
     * Whoever asked for the request wants it no more.
     *
     * @param out null after its final response
     * @param reasons values of Reason headers (RFC 3326), or null
     */
    static void ask(
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
            case PROCEEDING, RINGING -> send(attempt, out);
            case CANCEL_WAITS, CANCELLED, NO_ROOM, ACCEPTED, FINISHED -> {}
        }
    }

    /** A provisional response allows it now. */
    static void send(RequestAttempt attempt, OutgoingRequest out) {
        attempt.transition(AttemptState.CANCELLED);
        if (out.machine instanceof ClientInvite machine
                && attempt.printed() instanceof SipRequest request) {
            machine.cancel(request, out.cancelReasons);
        }
    }
}
