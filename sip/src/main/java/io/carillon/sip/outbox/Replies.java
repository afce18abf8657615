package io.carillon.sip.outbox;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.ViaRules;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.token.OwnTokens;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The responses that the stack makes itself.
 *
 * <p>Owner: the shard's thread.
 */
public final class Replies {
    private final @Nullable String server;
    private final OwnTokens tokens;
    private final int shard;
    private final Outbox outbox;

    /**
     * @param server value of the Server header; null for none
     * @param tokens which are ours
     * @param shard number of the shard
     */
    public Replies(@Nullable String server, OwnTokens tokens, int shard, Outbox outbox) {
        this.server = server;
        this.tokens = tokens;
        this.shard = shard;
        this.outbox = outbox;
    }

    /** The 100 of a transaction; without To tag and Server, as cheap as it can be. */
    public SipResponse trying(SipRequest request) {
        return MessageDraft.responseTo(request, 100, null, null).freezeResponse();
    }

    /** A response for a transaction. */
    public SipResponse response(SipRequest request, int status, String tag) {
        return finish(MessageDraft.responseTo(request, status, null, tag), 0);
    }

    /**
     * RFC 3261 section 8.2.7: a response without a transaction; the same request gets the same tag
     * each time.
     */
    public void stateless(
            SipRequest request,
            Hop from,
            int status,
            @Nullable String reason,
            int retryAfterSeconds) {
        Via top = request.topVia();
        Via tagged = ViaRules.tag(top, from);
        MessageDraft draft =
                MessageDraft.responseTo(request, status, reason, statelessTag(request));
        if (tagged != null) {
            draft.replaceTopVia(tagged);
        }
        outbox.send(
                ViaRules.responseHop(tagged == null ? top : tagged, from),
                finish(draft, retryAfterSeconds),
                outbox.gate().arrived(),
                false,
                null);
    }

    /** The answer to a malformed request, straight back to where the packet came from. */
    public void malformed(SipRequest request, Hop from, int status, String reason) {
        Via top = request.topVia();
        Via tagged = ViaRules.tag(top, from);
        MessageDraft draft =
                MessageDraft.responseTo(request, status, reason, statelessTag(request));
        if (tagged != null) {
            draft.replaceTopVia(tagged);
        }
        outbox.send(from, finish(draft, 0), outbox.gate().arrived(), false, null);
    }

    private SipResponse finish(MessageDraft draft, int retryAfterSeconds) {
        if (server != null) {
            draft.set(HeaderName.SERVER, server);
        }
        if (retryAfterSeconds > 0) {
            draft.set(HeaderName.RETRY_AFTER, Integer.toString(retryAfterSeconds));
        }
        return draft.freezeResponse();
    }

    private String statelessTag(SipRequest request) {
        long hash = Objects.requireNonNullElse(request.header(HeaderName.CALL_ID), "").hashCode();
        hash =
                hash * 0x9E3779B97F4A7C15L
                        + Objects.requireNonNullElse(request.header(HeaderName.FROM), "")
                                .hashCode();
        hash =
                hash * 0x9E3779B97F4A7C15L
                        + Objects.requireNonNullElse(request.header(HeaderName.CSEQ), "")
                                .hashCode();
        return tokens.stateless(shard, hash * 0xBF58476D1CE4E5B9L);
    }
}
