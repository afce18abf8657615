package io.carillon.sip.codec;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.header.HeaderElements;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageIndex;

/**
 * Puts the angle brackets around bare Route and Record-Route elements that RFC 3261 20.34 demands
 * ("Route: sip:p1.example.com;lr"). Everything up to the comma is then the URI: a route has no
 * other use for {@code lr} and {@code transport}. Pure functions.
 */
final class RouteBrackets {
    private RouteBrackets() {}

    /** A copy of the message's {@code len} bytes whose routes stand in brackets. */
    static byte[] added(byte[] b, int len, MessageIndex index) {
        ByteWriter out = new ByteWriter(len + 16);
        int done = 0;
        for (int i = 0; i < index.count(); i++) {
            int id = index.id(i);
            if (id == HeaderName.ROUTE.id() || id == HeaderName.RECORD_ROUTE.id()) {
                out.put(b, done, index.valueStart(i) - done);
                line(b, index.valueStart(i), index.valueEnd(i), out);
                done = index.valueEnd(i);
            }
        }
        return out.put(b, done, len - done).toByteArray();
    }

    private static void line(byte[] b, int from, int to, ByteWriter out) {
        for (int p = from; p < to; ) {
            int end = HeaderElements.end(b, p, to);
            int start = Ascii.skipLws(b, p, end);
            int stop = Ascii.trimEnd(b, start, end);
            boolean bare = stop > start && Ascii.indexOf(b, start, stop, '<') < 0;
            if (bare) {
                out.put(b, p, start - p).put('<').put(b, start, stop - start).put('>');
                out.put(b, stop, end - stop);
            } else {
                out.put(b, p, end - p);
            }
            if (end < to) {
                out.put(',');
            }
            p = end + 1;
        }
    }
}
