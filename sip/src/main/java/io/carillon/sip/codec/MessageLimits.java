package io.carillon.sip.codec;

import io.carillon.sip.message.MessageIndex;

/**
 * How large a message may be. All sizes in bytes.
 *
 * @param maxMessageBytes start line, headers and body
 * @param maxHeadBytes start line and headers on a stream, where nothing else bounds them
 * @param maxHeaders header lines
 * @param maxHeaderBytes one header line with its folds, or the start line
 */
public record MessageLimits(
        int maxMessageBytes, int maxHeadBytes, int maxHeaders, int maxHeaderBytes) {
    /** 64 kB messages, 256 header lines of up to 16 kB. */
    public static final MessageLimits DEFAULT = new MessageLimits(65_535, 65_535, 256, 16_384);

    public MessageLimits {
        if (maxMessageBytes < 256 || maxMessageBytes > MessageIndex.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException("maxMessageBytes out of range: " + maxMessageBytes);
        }
        if (maxHeadBytes < 256 || maxHeaders < 8 || maxHeaderBytes < 64) {
            throw new IllegalArgumentException("limits too small for any SIP message");
        }
    }
}
