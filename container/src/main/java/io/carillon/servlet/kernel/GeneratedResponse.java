package io.carillon.servlet.kernel;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * The response that an application gets where nobody has sent one. It never leaves. Pure functions.
 */
final class GeneratedResponse {
    private GeneratedResponse() {}

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
