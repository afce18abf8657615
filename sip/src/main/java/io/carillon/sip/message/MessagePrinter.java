package io.carillon.sip.message;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.header.Via;
import io.carillon.sip.uri.Uri;
import org.jspecify.annotations.Nullable;

/**
 * Prints a draft once. Runs of source lines that lie side by side are copied in one go, so
 * forwarding costs little more than a copy. What is printed is sent as a rule and not looked at:
 * its index is made when somebody does.
 *
 * <p>Owner: the thread of its {@link PrintSpace}; it prints one message after the other.
 */
final class MessagePrinter {
    private static final HeaderLines NOTHING = new HeaderLines(null, 0);
    private static final byte[] NO_BYTES = {};

    private HeaderLines lines = NOTHING;
    private byte[] body = NO_BYTES;
    private int bodyFrom;
    private int bodyLength;
    private HeaderForm form = HeaderForm.DEFAULT;
    private ByteWriter out = new ByteWriter(0);
    private boolean contentLengthPrinted;
    private int headersEnd;

    /** Begins a message; {@link #request} or {@link #response} ends it. */
    MessagePrinter begin(
            HeaderLines headers,
            byte[] content,
            int contentFrom,
            int contentLength,
            HeaderForm as) {
        lines = headers;
        body = content;
        bodyFrom = contentFrom;
        bodyLength = contentLength;
        form = as;
        out = PrintSpace.mine().out();
        contentLengthPrinted = false;
        return this;
    }

    /** What was printed belongs to the message now; the printer keeps nothing of it. */
    private void letGo() {
        lines = NOTHING;
        body = NO_BYTES;
    }

    SipRequest request(String method, @Nullable Uri uri, @Nullable SipRequest sameUri) {
        out.put(method).put(' ');
        int methodEnd = out.length() - 1;
        if (sameUri != null) {
            out.put(sameUri.bytes, sameUri.uriStart(), sameUri.uriEnd() - sameUri.uriStart());
        } else if (uri != null) {
            out.put(uri.toString());
        }
        int uriEnd = out.length();
        out.put(" SIP/2.0\r\n");
        headersAndBody();
        SipRequest request =
                new SipRequest(
                        out.toByteArray(), out.length(), headersEnd, null, methodEnd, uriEnd);
        request.requestUri = sameUri == null ? uri : sameUri.requestUri;
        keepViews(request);
        letGo();
        return request;
    }

    SipResponse response(int status, String reason) {
        out.put("SIP/2.0 ").putDecimal(status).put(' ').put(reason).putCrLf();
        headersAndBody();
        SipResponse response =
                new SipResponse(out.toByteArray(), out.length(), headersEnd, null, status);
        keepViews(response);
        letGo();
        return response;
    }

    private void headersAndBody() {
        int i = 0;
        while (i < lines.size()) {
            int ref = lines.ref(i);
            SipMessage source = lines.source;
            if (ref < 0 || source == null) {
                printOwn(i);
                i++;
            } else if (source.idAt(ref) == HeaderName.CONTENT_LENGTH.id()) {
                contentLength(source, ref);
                i++;
            } else if (form != HeaderForm.DEFAULT) {
                printNamed(source, ref);
                i++;
            } else {
                i = copyRun(source, i);
            }
        }
        if (!contentLengthPrinted) {
            printContentLength();
        }
        headersEnd = out.length();
        out.putCrLf();
        out.put(body, bodyFrom, bodyLength);
    }

    /** Copies lines that are neighbours here and in the source; returns the line after them. */
    private int copyRun(SipMessage source, int first) {
        int ref = lines.ref(first);
        int start = source.lineStart(ref);
        int end = source.lineEnd(ref);
        int i = first + 1;
        while (i < lines.size()
                && lines.ref(i) == ref + 1
                && source.lineStart(ref + 1) == end
                && source.idAt(ref + 1) != HeaderName.CONTENT_LENGTH.id()) {
            ref++;
            end = source.lineEnd(ref);
            i++;
        }
        out.put(source.bytes, start, end - start);
        return i;
    }

    // Asked for a form: the name is printed anew, the value copied as it lies, folds included.
    private void printNamed(SipMessage source, int ref) {
        HeaderName name = source.nameAt(ref);
        out.put(name.linePrefix(form == HeaderForm.COMPACT));
        int from = source.valueStart(ref);
        out.put(source.bytes, from, source.valueEnd(ref) - from).putCrLf();
    }

    private void printOwn(int i) {
        HeaderName name = lines.name(i);
        if (name.id() == HeaderName.CONTENT_LENGTH.id()) {
            printContentLength();
            return;
        }
        out.put(name.linePrefix(form == HeaderForm.COMPACT));
        HeaderLines.print(lines.typed(i), out);
        out.putCrLf();
    }

    private void contentLength(SipMessage source, int ref) {
        long was =
                Ascii.parseDecimal(
                        source.bytes,
                        source.valueStart(ref),
                        source.valueEnd(ref),
                        Integer.MAX_VALUE);
        if (was != bodyLength || contentLengthPrinted || form != HeaderForm.DEFAULT) {
            printContentLength();
            return;
        }
        contentLengthPrinted = true;
        int start = source.lineStart(ref);
        out.put(source.bytes, start, source.lineEnd(ref) - start);
    }

    private void printContentLength() {
        if (contentLengthPrinted) {
            return;
        }
        contentLengthPrinted = true;
        out.put(HeaderName.CONTENT_LENGTH.linePrefix(form == HeaderForm.COMPACT));
        out.putDecimal(bodyLength).putCrLf();
    }

    /** Typed views that the source or the draft already holds need not be made again. */
    private void keepViews(SipMessage message) {
        SipMessage source = lines.source;
        boolean topVia = true;
        for (int i = 0; i < lines.size(); i++) {
            int ref = lines.ref(i);
            Object typed = lines.typed(i);
            int id = ref < 0 || source == null ? lines.name(i).id() : source.idAt(ref);
            if (id == HeaderName.VIA.id() && topVia) {
                topVia = false;
                message.topVia = topVia(typed, ref, source);
            } else if (id == HeaderName.FROM.id()) {
                message.from = known(typed, source == null ? null : source.from);
            } else if (id == HeaderName.TO.id()) {
                message.to = known(typed, source == null ? null : source.to);
            } else if (id == HeaderName.CALL_ID.id()) {
                message.callId = callId(typed, source);
            }
        }
    }

    /** A response repeats the top Via of its request; one that is passed on has another. */
    private static @Nullable Via topVia(
            @Nullable Object own, int ref, @Nullable SipMessage source) {
        if (own != null) {
            return own instanceof Via via ? via : null;
        }
        return source != null && ref >= 0 && ref == source.find(HeaderName.VIA, 0)
                ? source.topVia
                : null;
    }

    private static @Nullable String callId(@Nullable Object own, @Nullable SipMessage source) {
        if (own != null) {
            return own instanceof String text ? text : null;
        }
        return source == null ? null : source.callId;
    }

    /** Of a value as text nothing is known; a line of the source is what it is there. */
    private static @Nullable Object known(@Nullable Object typed, @Nullable Object ofSource) {
        return typed == null ? ofSource : typed instanceof NameAddress ? typed : null;
    }
}
