package io.carillon.lab.load;

import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;

/**
 * The callee's answers: the headers that a response copies from its request (RFC 3261 8.2.6.2), and
 * prepared endings. Each method fills the writer and returns the offset of the empty line. Owner:
 * the engine's thread.
 */
final class CalleeTexts {
    private static final byte[] RINGING = CallerTexts.bytes("SIP/2.0 180 Ringing\r\n");
    private static final byte[] OK = CallerTexts.bytes("SIP/2.0 200 OK\r\n");
    private static final byte[] NO_BODY = CallerTexts.bytes("Content-Length: 0\r\n\r\n");
    private static final byte[] TAG = CallerTexts.bytes(";tag=");

    private final ByteWriter out;
    private final LegTokens tokens;
    private final byte[] ringingEnd;
    private final byte[] okEnd;
    private final byte[] body;

    CalleeTexts(ByteWriter out, LegTokens tokens, LoadAddresses places) {
        this.out = out;
        this.tokens = tokens;
        String contact =
                "Contact: <sip:callee@"
                        + LoadAddresses.print(places.callee())
                        + places.calleeUriParameter()
                        + ">\r\n";
        body = CallerTexts.bytes(Sdp.of(places.callee()));
        ringingEnd = CallerTexts.bytes(contact + "Content-Length: 0\r\n\r\n");
        okEnd =
                CallerTexts.bytes(
                        contact
                                + "Content-Type: application/sdp\r\nContent-Length: "
                                + body.length
                                + "\r\n\r\n");
    }

    /**
     * Writes the lines that go back: Via, Record-Route, From, To, Call-ID, CSeq, in their order.
     *
     * @param tagged the leg whose tag the To gets; null when it has one or needs none
     */
    void copied(ByteWriter to, SipRequest request, @org.jspecify.annotations.Nullable Leg tagged) {
        byte[] b = request.bytes();
        for (int i = 0, n = request.headerCount(); i < n; i++) {
            int id = request.idAt(i);
            if (id < 0 || id > HeaderName.RECORD_ROUTE.id() || !goesBack(id)) {
                continue;
            }
            int start = request.lineStart(i);
            if (id == HeaderName.TO.id() && tagged != null) {
                to.put(b, start, request.valueEnd(i) - start).put(TAG);
                tokens.put(to, tagged);
                to.putCrLf();
            } else {
                to.put(b, start, request.lineEnd(i) - start);
            }
        }
    }

    private static boolean goesBack(int id) {
        return id == HeaderName.VIA.id()
                || id == HeaderName.RECORD_ROUTE.id()
                || id == HeaderName.FROM.id()
                || id == HeaderName.TO.id()
                || id == HeaderName.CALL_ID.id()
                || id == HeaderName.CSEQ.id();
    }

    int ringing(byte[] copied, int length) {
        out.clear().put(RINGING).put(copied, 0, length).put(ringingEnd);
        return out.length() - 2;
    }

    int ok(byte[] copied, int length) {
        out.clear().put(OK).put(copied, 0, length).put(okEnd);
        int headersEnd = out.length() - 2;
        out.put(body);
        return headersEnd;
    }

    int refusal(int status, String reason, byte[] copied, int length) {
        status(status, reason).put(copied, 0, length).put(NO_BODY);
        return out.length() - 2;
    }

    private ByteWriter status(int status, String reason) {
        return out.clear().put("SIP/2.0 ").putDecimal(status).put(' ').put(reason).putCrLf();
    }

    /** A 200 without body that begins a dialog with the tag of this leg. */
    int okFirst(SipRequest request, Leg tagged) {
        out.clear().put(OK);
        copied(out, request, tagged);
        out.put("Expires: 600\r\n").put(ringingEnd);
        return out.length() - 2;
    }

    /** An answer without body to any request; the To keeps the tag it has. */
    int answer(SipRequest request, int status, String reason) {
        if (status == 200) {
            out.clear().put(OK);
        } else {
            status(status, reason);
        }
        copied(out, request, null);
        out.put(NO_BODY);
        return out.length() - 2;
    }
}
