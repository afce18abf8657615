package io.carillon.sip.codec;

import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import org.jspecify.annotations.Nullable;

/** What became of bytes that came in. */
public sealed interface ParseResult {
    /** A message to be worked on. */
    record Parsed(SipMessage message) implements ParseResult {}

    /**
     * A request that must be refused.
     *
     * @param status status code of the refusal
     * @param reason reason phrase, one line, quotes no input
     * @param request what could be read of it, fit for {@code MessageDraft.responseTo} and {@code
     *     topVia()}; null when no answer is possible (no usable Via, or an ACK)
     */
    record Rejected(int status, String reason, @Nullable SipRequest request)
            implements ParseResult {}

    /**
     * Bytes to be forgotten: no SIP, or a malformed response (RFC 3261 16.7: "it MUST NOT be
     * forwarded").
     *
     * @param cause one of few constants, fit for a counter's name
     */
    record Dropped(String cause) implements ParseResult {}
}
