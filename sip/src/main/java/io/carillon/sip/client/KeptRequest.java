package io.carillon.sip.client;

import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;

/**
 * What is kept of an INVITE with a 2xx until its transaction is over, for the rare case of a
 * further 2xx: its bytes, of which only the header is needed.
 */
public final class KeptRequest {
    /**
     * A description of a session is smaller. What is larger would be kept for each call for 32 s
     * although it was answered and confirmed.
     */
    static final int MOST_BODY_BYTES = 16 << 10;

    private static final byte[] NO_BODY = {};

    private KeptRequest() {}

    /** Its bytes; without the body where that is very long. */
    public static byte[] of(SipRequest request) {
        return request.bodyLength() <= MOST_BODY_BYTES
                ? request.keptBytes()
                : MessageDraft.copyOf(request).body(NO_BODY, null).freezeRequest().keptBytes();
    }
}
