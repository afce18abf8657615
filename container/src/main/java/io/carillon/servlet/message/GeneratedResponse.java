package io.carillon.servlet.message;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.stack.Failure;
import org.jspecify.annotations.Nullable;

/**
 * The response that an application gets where nobody has sent one. It never leaves. Pure functions.
 */
final class GeneratedResponse {
    private GeneratedResponse() {}

    static int statusOf(Failure failure) {
        // RFC 3261 8.1.3.1: "When a timeout error is received from the transaction layer, it MUST
        // be treated as if a 408 (Request Timeout) status code has been received. If a fatal
        // transport error is reported ..., the condition MUST be treated as a 503 (Service
        // Unavailable) status code."
        return switch (failure) {
            case TIMEOUT -> 408;
            case CANCELLED -> 487;
            case TRANSPORT, UNRESOLVED -> 503;
            // RFC 5626 5.3.1.
            case FLOW_FAILED -> 430;
            case FLOW_REFUSED, REFUSED -> 403;
        };
    }

    /**
     * @param why what the transport said, for the application's eyes
     */
    static SipResponse to(SipRequest asked, int status, @Nullable String why) {
        MessageDraft draft = MessageDraft.responseTo(asked, status, null, null);
        if (why != null) {
            // RFC 3261 20.43: 399, "arbitrary information to be presented to a human user".
            String quoted = why.replace('\\', '/').replace('"', '\'');
            draft.set(HeaderName.WARNING, "399 carillon \"" + quoted + '"');
        }
        return draft.freezeResponse();
    }
}
