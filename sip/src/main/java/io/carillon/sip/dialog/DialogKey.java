package io.carillon.sip.dialog;

import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * RFC 3261 12: a dialog is known by Call-ID, local tag and remote tag. A peer of RFC 2543 that has
 * no tag counts as the empty one.
 */
public record DialogKey(String callId, String localTag, String remoteTag) {

    /** The key of the dialog that an incoming request belongs to: its To tag is ours. */
    public static DialogKey ofIncoming(SipRequest request) {
        return of(request, request.toTag(), request.fromTag());
    }

    /**
     * The key of the dialog that a response to a request of ours belongs to: its From tag is ours.
     */
    public static DialogKey ofIncoming(SipResponse response) {
        return of(response, response.fromTag(), response.toTag());
    }

    private static DialogKey of(
            SipMessage message, @Nullable String local, @Nullable String remote) {
        return new DialogKey(
                message.callId(), local == null ? "" : local, remote == null ? "" : remote);
    }
}
