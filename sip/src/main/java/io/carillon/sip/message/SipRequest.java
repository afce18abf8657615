package io.carillon.sip.message;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.HeaderElements;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import io.carillon.sip.uri.Uri;
import org.jspecify.annotations.Nullable;

/** A request (RFC 3261 section 7.1). Immutable and thread safe. */
public final class SipRequest extends SipMessage {
    private final String method;
    private final int uriEnd;
    @Nullable Uri requestUri;

    SipRequest(
            byte[] bytes,
            int length,
            int headersEnd,
            int @Nullable [] lines,
            int methodEnd,
            int uriEnd) {
        super(bytes, length, headersEnd, lines);
        this.method = Methods.intern(bytes, 0, methodEnd);
        this.uriEnd = uriEnd;
    }

    /** The method; a constant of {@link Methods} when it is one of them. */
    public String method() {
        return method;
    }

    public boolean is(String other) {
        return method.equals(other);
    }

    public Uri requestUri() {
        Uri uri = requestUri;
        if (uri == null) {
            try {
                uri = Uri.parse(bytes, uriStart(), uriEnd);
            } catch (SipParseException e) {
                throw new IllegalStateException("malformed Request-URI in a rejected message", e);
            }
            requestUri = uri;
        }
        return uri;
    }

    /** Where the Request-URI begins in {@link #bytes}. */
    public int uriStart() {
        return method.length() + 1;
    }

    /** Where it ends. */
    public int uriEnd() {
        return uriEnd;
    }

    /**
     * The same request with its topmost Via element replaced, as a server does with received and
     * rport (RFC 3261 18.2.1, RFC 3581): one copy, no parse, everything else byte-identical.
     */
    public SipRequest withTopVia(Via via) {
        int line = find(HeaderName.VIA, 0);
        if (line < 0) {
            throw new IllegalStateException("no Via in a rejected or unfinished message");
        }
        int start = valueStart(line);
        int end = HeaderElements.end(bytes, start, valueEnd(line));
        end = Ascii.trimEnd(bytes, start, end);
        ByteWriter out = PrintSpace.mine().out();
        out.put(bytes, 0, start);
        via.print(out);
        int delta = out.length() - end;
        out.put(bytes, end, length - end);
        int[] moved = lines().clone();
        for (int i = line + 1; i < moved.length; i++) {
            moved[i] += delta;
        }
        SipRequest request =
                new SipRequest(
                        out.toByteArray(),
                        out.length(),
                        headersEnd + delta,
                        moved,
                        method.length(),
                        uriEnd);
        request.copyViews(this);
        request.topVia = via;
        request.requestUri = requestUri;
        return request;
    }
}
