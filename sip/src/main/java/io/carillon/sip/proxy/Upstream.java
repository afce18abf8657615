package io.carillon.sip.proxy;

import io.carillon.sip.feedback.Feedback;
import io.carillon.sip.feedback.OcVias;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import org.jspecify.annotations.Nullable;

/** A response on its way back: RFC 3261 16.7 steps 3 to 8. Stateless. */
final class Upstream {
    private Upstream() {}

    /**
     * A copy without our Via. Null when none is left: "If no Via header field values remain in the
     * response, the response was meant for this element and MUST NOT be forwarded."
     */
    private static @Nullable MessageDraft draft(ResponseContext context, SipResponse response) {
        MessageDraft draft = MessageDraft.copyOf(response);
        draft.removeFirst(HeaderName.VIA);
        if (!draft.has(HeaderName.VIA)) {
            return null;
        }
        if (restores(context, response)) {
            OcVias.restore(draft, context.request());
        }
        return draft;
    }

    /** Are there parameters that go no further than between neighbours (RFC 7339 5.4)? */
    private static boolean restores(ResponseContext context, SipResponse response) {
        return context.request().topVia().hasOverloadControl() || OcVias.below(response);
    }

    /**
     * A response of a fork for whose dialog there is no room; on the shard's thread. A provisional
     * one is dropped: whoever rings is heard of again when he answers. RFC 3261 16.7 step 5: "After
     * a final response has been sent on the server transaction, the following responses MUST be
     * forwarded immediately: Any 2xx response to an INVITE request." So a 2xx goes on to the
     * caller, who makes its ACK and BYE, but nobody here remembers it.
     */
    static void withoutDialog(ResponseContext context, SipResponse response) {
        context.shard().counted(Counter.FORKS_REFUSED, 1);
        MessageDraft onward = response.status() < 200 ? null : draft(context, response);
        if (onward != null) {
            context.server().respond(onward.freezeResponse());
        }
    }

    /** The response without our Via, when nobody wants to change it; else null. */
    private static @Nullable SipResponse untouched(
            ResponseContext context, ProxyBranch branch, SipResponse response) {
        return context.user().passesUntouched(branch, response)
                        && !generated(response, context.request())
                        && !restores(context, response)
                ? response.withoutTopVia()
                : null;
    }

    /** A provisional response as it goes on; null when it was meant for us. */
    static @Nullable SipResponse provisional(
            ResponseContext context, ProxyBranch branch, SipResponse response) {
        SipResponse bare = untouched(context, branch, response);
        return bare != null ? bare : changed(context, branch, response, draft(context, response));
    }

    /** A final response as it goes on; null when it was meant for us. */
    static @Nullable SipResponse finalResponse(
            ResponseContext context, ProxyBranch branch, SipResponse response) {
        SipResponse bare = response.status() < 300 ? untouched(context, branch, response) : null;
        return bare != null
                ? bare
                : changed(context, branch, response, finalDraft(context, branch, response));
    }

    private static @Nullable SipResponse changed(
            ResponseContext context,
            ProxyBranch branch,
            SipResponse response,
            @Nullable MessageDraft outgoing) {
        if (outgoing == null) {
            return null;
        }
        context.user().forwarding(branch, response, outgoing);
        return outgoing.freezeResponse();
    }

    /** A final response that is changed on its way; null when it was meant for us. */
    private static @Nullable MessageDraft finalDraft(
            ResponseContext context, ProxyBranch branch, SipResponse response) {
        boolean generated = generated(response, context.request());
        // RFC 7339 5.10: what an overloaded server has no room for is answered "with a "503
        // (Service Unavailable)" response without the Retry-After header".
        boolean shed = generated && response.reason().equals(Feedback.REASON);
        if (response.status() == 503 && !shed) {
            // RFC 3261 16.7 step 6: "If the only response that was received is a 503, the proxy
            // SHOULD generate a 500 response and forward that upstream."
            return MessageDraft.responseTo(context.request(), 500, null, context.newTag());
        }
        if (generated) {
            return MessageDraft.copyOf(response);
        }
        MessageDraft outgoing = draft(context, response);
        if (outgoing != null) {
            BestResponse.addChallenges(branch, response, context.branches(), outgoing);
        }
        return outgoing;
    }

    /**
     * Is it one of ours, made for a branch that got none? Then it has the Via values of the
     * received request.
     */
    static boolean generated(SipResponse response, SipRequest received) {
        String top = response.topVia().branch();
        String theirs = received.topVia().branch();
        return top == null ? theirs == null : top.equals(theirs);
    }
}
