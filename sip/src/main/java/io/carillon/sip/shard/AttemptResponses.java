package io.carillon.sip.shard;

import io.carillon.sip.admission.Room;
import io.carillon.sip.client.HopSearch;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * What a response to a request of ours does: RFC 3261 9.1 and 13.2.2, RFC 3263 4.3. Stateless: the
 * {@link RequestAttempt} has the state.
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

    private static void provisional(
            RequestAttempt attempt, @Nullable OutgoingRequest out, SipResponse response) {
        AttemptState state = attempt.state();
        if (state == AttemptState.CANCEL_WAITS && out != null) {
            AttemptCancel.send(attempt, out);
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
}
