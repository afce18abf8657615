package io.carillon.sip.message;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderElements;
import io.carillon.sip.header.HeaderName;
import org.jspecify.annotations.Nullable;

/** A response (RFC 3261 section 7.2). Immutable and thread safe. */
public final class SipResponse extends SipMessage {
    private final int status;

    SipResponse(byte[] bytes, int length, int headersEnd, int @Nullable [] lines, int status) {
        super(bytes, length, headersEnd, lines);
        this.status = status;
    }

    /**
     * The response without its topmost Via element and otherwise byte-identical, as a proxy sends
     * it on (RFC 3261 16.7 step 3): one copy, no parse. Null when no Via would be left, or when its
     * Content-Length is not there or does not say how long the body is.
     */
    public @Nullable SipResponse withoutTopVia() {
        int via = find(HeaderName.VIA, 0);
        int said = find(HeaderName.CONTENT_LENGTH, 0);
        if (via < 0
                || said < 0
                || Ascii.parseDecimal(bytes, valueStart(said), valueEnd(said), Integer.MAX_VALUE)
                        != bodyLength()) {
            return null;
        }
        int from = valueStart(via);
        int end = HeaderElements.end(bytes, from, valueEnd(via));
        int to = end < valueEnd(via) ? Ascii.skipLws(bytes, end + 1, valueEnd(via)) : end;
        if (to == valueEnd(via)) {
            if (find(HeaderName.VIA, via + 1) < 0) {
                return null;
            }
            from = lineStart(via);
            to = lineEnd(via);
        }
        int less = to - from;
        byte[] rest = new byte[length - less];
        System.arraycopy(bytes, 0, rest, 0, from);
        System.arraycopy(bytes, to, rest, from, length - to);
        SipResponse upstream = new SipResponse(rest, rest.length, headersEnd - less, null, status);
        upstream.copyViews(this);
        return upstream;
    }

    /** Status code, 100 to 699. */
    public int status() {
        return status;
    }

    /** Reason phrase, maybe empty. */
    public String reason() {
        // "SIP/2.0 200 " has twelve bytes; the last is missing in what some peers send.
        int start = bytes[11] == ' ' ? 12 : 11;
        int end = start;
        while (bytes[end] != '\r') {
            end++;
        }
        return Ascii.string(bytes, start, end);
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
