package io.carillon.sip.proxy;

import io.carillon.sip.admission.Room;
import io.carillon.sip.admission.WaitingMessages;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import org.jspecify.annotations.Nullable;

/**
 * The final response of a branch that has ended, while it may become the best one (RFC 3261 16.7
 * step 6).
 *
 * <p>Owner: the context's turn. Bound: the targets of a request; a large response counts in the
 * account of messages that wait.
 */
final class Candidate {
    /** Where there was no room for it: its status alone. */
    SipResponse response;

    /** What it holds of the account. */
    private int heldBytes;

    Candidate(SipResponse response) {
        this.response = response;
    }

    /**
     * It waits for other branches, which may take long. Where there is no room, its status is what
     * is kept of it.
     *
     * @return what is kept in its place where there is no room; else null
     */
    @Nullable SipResponse waits(ResponseContext context) {
        letGo(context);
        int large = WaitingMessages.large(response);
        if (large == 0) {
            return null;
        }
        int place = context.server().countedAt();
        WaitingMessages account = context.shard().waiting();
        if (account.hasRoom(0, large, Room.DIALOG, place)) {
            heldBytes = large;
            account.add(large, place);
            return null;
        }
        context.shard().notQueued(Counter.FINALS_NOT_QUEUED, response);
        response =
                MessageDraft.responseTo(
                                context.request(), response.status(), null, response.toTag())
                        .freezeResponse();
        return response;
    }

    /** Nothing waits for it any more. */
    void letGo(ResponseContext context) {
        if (heldBytes > 0) {
            context.shard().waiting().remove(heldBytes, context.server().countedAt());
            heldBytes = 0;
        }
    }
}
