package io.carillon.lab.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.carillon.sip.bytes.ByteWriter;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The caller's messages: prepared pieces between which a leg's token and dialog are written. Each
 * method fills the writer and returns the offset of the empty line. Owner: the engine's thread.
 */
final class CallerTexts {
    static final char INVITE = 'i';
    static final char ACK = 'a';
    static final char BYE = 'b';

    private final ByteWriter out;
    private final LegTokens tokens;
    private final byte[] requestUri;
    private final byte[] via;
    private final byte[] from;
    private final byte[] to;
    private final byte[] callIdEnd;
    private final byte[] inviteEnd;
    private final byte[] body;

    CallerTexts(ByteWriter out, LegTokens tokens, LoadAddresses places, CallPlan plan) {
        this.out = out;
        this.tokens = tokens;
        String address = LoadAddresses.print(places.caller());
        this.requestUri = bytes(plan.requestUri());
        via =
                bytes(
                        "Via: SIP/2.0/"
                                + places.transport().viaToken()
                                + " "
                                + address
                                + (plan.habits().rport() ? ";rport" : "")
                                + ";branch="
                                + LegTokens.COOKIE);
        from = bytes("\r\nFrom: \"caller\" <sip:caller@" + address + ">;tag=");
        to = bytes("\r\nTo: ");
        callIdEnd = bytes("@" + address + "\r\nCSeq: ");
        body = bytes(Sdp.of(places.caller()));
        inviteEnd =
                bytes(
                        " INVITE\r\nContact: <sip:caller@"
                                + address
                                + places.uriParameter()
                                + ">\r\nMax-Forwards: 70\r\nSubject: load\r\n"
                                + lines(plan.habits().headers())
                                + "Content-Type: application/sdp\r\nContent-Length: "
                                + body.length
                                + "\r\n\r\n");
    }

    private static String lines(List<String> headers) {
        return headers.stream().map(line -> line + "\r\n").collect(Collectors.joining());
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private void head(byte[] method, Leg leg, char kind) {
        out.clear().put(method).put(requestUri).put(SIP_2);
        branch(leg, kind);
    }

    private static final byte[] SIP_2 = bytes(" SIP/2.0\r\n");
    private static final byte[] INVITE_ = bytes("INVITE ");
    private static final byte[] ACK_ = bytes("ACK ");
    private static final byte[] BYE_ = bytes("BYE ");
    private static final byte[] CANCEL_ = bytes("CANCEL ");
    private static final byte[] CALL_ID = bytes("\r\nCall-ID: ");
    private static final byte[] END = bytes("Max-Forwards: 70\r\nContent-Length: 0\r\n\r\n");

    private void branch(Leg leg, char kind) {
        out.put(via);
        tokens.put(out, leg);
        out.put(kind);
    }

    private void callId(Leg leg) {
        out.put(CALL_ID);
        tokens.put(out, leg);
        out.put(callIdEnd);
    }

    private void fromAndTo(Leg leg) {
        out.put(from);
        tokens.put(out, leg);
        out.put(to).put('<').put(requestUri).put('>');
    }

    int invite(Leg leg) {
        head(INVITE_, leg, INVITE);
        fromAndTo(leg);
        callId(leg);
        out.put('1').put(inviteEnd);
        int headersEnd = out.length() - 2;
        out.put(body);
        return headersEnd;
    }

    // RFC 3261 9.1: "The Request-URI, Call-ID, To, the numeric part of CSeq, and From header fields
    // in the CANCEL request MUST be identical to those in the request being cancelled".
    int cancel(Leg leg) {
        head(CANCEL_, leg, INVITE);
        fromAndTo(leg);
        callId(leg);
        out.put("1 CANCEL\r\n").put(END);
        return out.length() - 2;
    }

    /**
     * The ACK of a refusal: RFC 3261 17.1.1.3, in the INVITE's transaction.
     *
     * @param far To of the refusal
     */
    int ackRefusal(Leg leg, byte[] far, int farStart, int farEnd) {
        head(ACK_, leg, INVITE);
        out.put(from);
        tokens.put(out, leg);
        out.put(to).put(far, farStart, farEnd - farStart);
        callId(leg);
        out.put("1 ACK\r\n").put(END);
        return out.length() - 2;
    }

    int ack(Leg leg, DialogPart dialog) {
        inDialog(ACK_, leg, ACK, dialog);
        out.put("1 ACK\r\n");
        return end(dialog);
    }

    int bye(Leg leg, DialogPart dialog) {
        inDialog(BYE_, leg, BYE, dialog);
        out.put("2 BYE\r\n");
        return end(dialog);
    }

    private void inDialog(byte[] method, Leg leg, char kind, DialogPart dialog) {
        out.clear().put(method);
        if (dialog.hasTarget()) {
            dialog.putTarget(out);
        } else {
            out.put(requestUri);
        }
        out.put(SIP_2);
        branch(leg, kind);
        out.put(from);
        tokens.put(out, leg);
        out.put(to);
        dialog.putFar(out);
        callId(leg);
    }

    private int end(DialogPart dialog) {
        dialog.putRoutes(out);
        out.put(END);
        return out.length() - 2;
    }
}
