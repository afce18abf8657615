package io.carillon.sip.proxy;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;

/**
 * Why a proxy does not forward a request (RFC 3261 16.3).
 *
 * @param status of the answer
 * @param unsupported value of the Unsupported header field; empty without one
 */
public record Refusal(int status, String unsupported) {

    public SipResponse response(SipRequest request, String toTag) {
        MessageDraft draft = MessageDraft.responseTo(request, status, null, toTag);
        if (!unsupported.isEmpty()) {
            draft.set(HeaderName.UNSUPPORTED, unsupported);
        }
        return draft.freezeResponse();
    }
}
