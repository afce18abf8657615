package io.carillon.sip.message;

import io.carillon.sip.bytes.Ascii;

/** A response (RFC 3261 section 7.2). Immutable and thread safe. */
public final class SipResponse extends SipMessage {
    private final int status;
    private final int reasonStart;

    SipResponse(
            byte[] bytes, int length, int headersEnd, int[] lines, int status, int reasonStart) {
        super(bytes, length, headersEnd, lines);
        this.status = status;
        this.reasonStart = reasonStart;
    }

    /** Status code, 100 to 699. */
    public int status() {
        return status;
    }

    /** Reason phrase, maybe empty. */
    public String reason() {
        int p = reasonStart;
        while (bytes[p] != '\r') {
            p++;
        }
        return Ascii.string(bytes, reasonStart, p);
    }

    public boolean isProvisional() {
        return status < 200;
    }

    public boolean isFinal() {
        return status >= 200;
    }

    public boolean isSuccess() {
        return status >= 200 && status < 300;
    }
}
