package io.carillon.sip.edge;

import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.Reprint;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;

/**
 * A message that is being printed anew, line by line.
 *
 * <p>Owner: one shard's thread; one object for all messages.
 */
final class Printing {
    private static final int MOST_KEPT = 64 * 1024;

    private ByteWriter out = new ByteWriter(2048);
    private int uriEnd;

    ByteWriter begin() {
        if (out.array().length > MOST_KEPT) {
            out = new ByteWriter(2048);
        }
        uriEnd = 0;
        return out.clear();
    }

    /** The Request-URI has just been printed. */
    void uriEnds() {
        uriEnd = out.length();
    }

    /** Copies header line {@code i} as it is. */
    void copyLine(SipMessage message, int i) {
        int start = message.lineStart(i);
        out.put(message.bytes(), start, message.lineEnd(i) - start);
    }

    /** Begins a line; its value and {@code putCrLf} follow. */
    ByteWriter line(HeaderName name) {
        return out.put(name.linePrefix(false));
    }

    void line(HeaderName name, String latin) {
        line(name).put(Latin.bytes(latin)).putCrLf();
    }

    /** Ends the message with that body. */
    SipMessage end(SipMessage source, byte[] body, int from, int length) {
        int headersEnd = out.length();
        out.putCrLf().put(body, from, length);
        return switch (source) {
            case SipRequest request -> Reprint.request(request, out, uriEnd, headersEnd);
            case SipResponse response -> Reprint.response(response, out, headersEnd);
        };
    }
}
