package io.carillon.sip.message;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.AddressScan;
import io.carillon.sip.header.HeaderElements;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Scans;
import org.jspecify.annotations.Nullable;

/**
 * Messages that RFC 3261 derives from others: the response to a request, the CANCEL and the ACK of
 * an INVITE. Their headers stay slices of the message they come from. Pure functions.
 */
final class DerivedMessages {
    private static final String MAX_FORWARDS = "70";

    private DerivedMessages() {}

    /**
     * RFC 3261 8.2.6.2: "The From field of the response MUST equal the From header field of the
     * request. The Call-ID ... CSeq ... Via header field values in the response MUST equal [those]
     * in the request and MUST maintain the same ordering." To gets {@code toTag} unless it has a
     * tag.
     */
    static MessageDraft response(
            SipRequest request, int status, @Nullable String reason, @Nullable String toTag) {
        boolean recordRoutes =
                status > 100 && status < 300 && Methods.createsDialog(request.method());
        int count = request.headerCount();
        HeaderLines lines = new HeaderLines(request, 16);
        boolean timestamp = status == 100;
        for (int i = 0; i < count; i++) {
            int id = request.idAt(i);
            if (id == HeaderName.TO.id() && toTag != null) {
                addTo(lines, request, i, toTag);
            } else if (id >= 0 && id <= HeaderName.CSEQ.id()) {
                // The smallest ids are Via, From, To, Call-ID and CSeq.
                lines.addRef(i);
            } else if (recordRoutes && id == HeaderName.RECORD_ROUTE.id()) {
                // RFC 3261 12.1.1: "The UAS MUST copy all Record-Route header field values from the
                // request into the response ... and MUST maintain the order of those values."
                lines.addRef(i);
            } else if (timestamp && id == HeaderName.TIMESTAMP.id()) {
                // RFC 3261 8.2.6.1: "any Timestamp header field present in the request MUST be
                // copied
                // into this 100 (Trying) response."
                lines.addRef(i);
            }
        }
        return MessageDraft.responseWith(lines, status, reason);
    }

    private static void addTo(HeaderLines lines, SipRequest request, int line, String toTag) {
        AddressScan scan = Scans.mine().address();
        boolean malformed =
                scan.scan(request.bytes, request.valueStart(line), request.valueEnd(line)) != null;
        // RFC 3261 8.2.6.2: "If a request contained a To tag in the request, the To header field in
        // the
        // response MUST equal that of the request." A malformed To is echoed for what it is worth.
        if (malformed || scan.tagStart() >= 0) {
            lines.addRef(line);
        } else if (Ascii.isToken(toTag)) {
            lines.insert(lines.size(), HeaderName.TO, request.valueAt(line) + ";tag=" + toTag);
        } else {
            throw new IllegalArgumentException("tag is no token");
        }
    }

    /**
     * RFC 3261 9.1: "The Request-URI, Call-ID, To, the numeric part of CSeq, and From header fields
     * in the CANCEL request MUST be identical to those in the request being cancelled, including
     * tags. A CANCEL constructed by a client MUST have only a single Via header field value
     * matching the top Via value in the request being cancelled." Route is copied; Require and
     * Proxy-Require are not.
     */
    static MessageDraft cancel(SipRequest invite) {
        HeaderLines lines = new HeaderLines(invite, 12);
        addTopVia(lines, invite);
        lines.insert(lines.size(), HeaderName.MAX_FORWARDS, MAX_FORWARDS);
        addAll(lines, invite, HeaderName.FROM);
        addAll(lines, invite, HeaderName.TO);
        return finish(lines, invite, Methods.CANCEL);
    }

    /**
     * RFC 3261 17.1.1.3: "The ACK request constructed by the client transaction MUST contain values
     * for the Call-ID, From, and Request-URI that are equal to the values of those header fields in
     * the request passed to the transport by the client transaction. The To header field in the ACK
     * MUST equal the To header field in the response being acknowledged. The ACK MUST contain a
     * single Via header field, and this MUST be equal to the top Via header field of the original
     * request."
     */
    static MessageDraft ack(SipRequest invite, SipResponse non2xx) {
        HeaderLines lines = new HeaderLines(invite, 12);
        addTopVia(lines, invite);
        lines.insert(lines.size(), HeaderName.MAX_FORWARDS, MAX_FORWARDS);
        addAll(lines, invite, HeaderName.FROM);
        String to = non2xx.header(HeaderName.TO);
        if (to == null) {
            throw new IllegalStateException("no To in the response");
        }
        lines.insert(lines.size(), HeaderName.TO, to);
        return finish(lines, invite, Methods.ACK);
    }

    private static MessageDraft finish(HeaderLines lines, SipRequest invite, String method) {
        addAll(lines, invite, HeaderName.CALL_ID);
        String cseq = invite.cseq().number() + " " + method;
        lines.insert(lines.size(), HeaderName.CSEQ, cseq);
        // RFC 3261 9.1 and 17.1.1.3: Route header fields of the request are in both, too.
        addAll(lines, invite, HeaderName.ROUTE);
        return MessageDraft.requestWith(lines, method).sameUriAs(invite);
    }

    private static void addAll(HeaderLines lines, SipMessage message, HeaderName name) {
        for (int i = message.find(name, 0); i >= 0; i = message.find(name, i + 1)) {
            lines.addRef(i);
        }
    }

    private static void addTopVia(HeaderLines lines, SipRequest invite) {
        int i = invite.find(HeaderName.VIA, 0);
        if (i < 0) {
            throw new IllegalStateException("no Via in the request");
        }
        int from = invite.valueStart(i);
        int to = invite.valueEnd(i);
        int end = HeaderElements.end(invite.bytes, from, to);
        if (end == to) {
            lines.addRef(i);
        } else {
            String via = Ascii.unfolded(invite.bytes, from, Ascii.trimEnd(invite.bytes, from, end));
            lines.insert(0, HeaderName.VIA, via);
        }
    }
}
