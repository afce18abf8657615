package io.carillon.sip.dialog;

import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * RFC 3261 12: a dialog is known by Call-ID, local tag and remote tag. A peer of RFC 2543 that has
 * no tag counts as the empty one.
 */
public record DialogKey(String callId, String localTag, String remoteTag)
        implements Comparable<DialogKey> {

    /**
     * An order, so that a table finds its way also among keys that a peer made with one hash code.
     */
    @Override
    public int compareTo(DialogKey other) {
        int order = callId.compareTo(other.callId);
        if (order == 0) {
            order = localTag.compareTo(other.localTag);
        }
        return order == 0 ? remoteTag.compareTo(other.remoteTag) : order;
    }

    /** By hand: what a record makes of itself is several times slower in a table of many calls. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DialogKey key
                && localTag.equals(key.localTag)
                && remoteTag.equals(key.remoteTag)
                && callId.equals(key.callId);
    }

    @Override
    public int hashCode() {
        return (callId.hashCode() * 31 + localTag.hashCode()) * 31 + remoteTag.hashCode();
    }

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

    /** RFC 6665 4.4.1: our half of it, while the other end has no tag yet. */
    public DialogKey half() {
        return new DialogKey(callId, localTag, "");
    }

    private static DialogKey of(
            SipMessage message, @Nullable String local, @Nullable String remote) {
        return new DialogKey(
                message.callId(), local == null ? "" : local, remote == null ? "" : remote);
    }
}
