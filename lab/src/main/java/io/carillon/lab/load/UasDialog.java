package io.carillon.lab.load;

import static io.carillon.lab.load.CallerTexts.bytes;

import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;

/**
 * A dialog that began with a request from the server, from which our side sends requests too: BYE,
 * NOTIFY. Owner: the engine's thread.
 */
final class UasDialog {
    private static final byte[] END = bytes("Max-Forwards: 70\r\nContent-Length: 0\r\n\r\n");

    private final LoadEngine engine;
    private final DialogPart remote = new DialogPart();
    private byte[] local = new byte[0];
    private byte[] callId = new byte[0];
    private Hop peer;
    private int cseq;

    UasDialog(LoadEngine engine) {
        this.engine = engine;
        peer = engine.places().calleeToServer();
    }

    /** Takes the dialog of a request without a To tag. */
    void begin(SipRequest request) {
        remote.ofRequest(request, engine.scan(), engine.scratch());
        local = value(request, HeaderName.TO);
        callId = value(request, HeaderName.CALL_ID);
        peer = remote.hop(engine.ways(), engine.scan(), engine.places().calleeToServer());
        cseq = 0;
    }

    private static byte[] value(SipRequest request, HeaderName name) {
        int line = request.find(name, 0);
        return java.util.Arrays.copyOfRange(
                request.bytes(), request.valueStart(line), request.valueEnd(line));
    }

    /** The CSeq number of the present request. */
    long number() {
        return cseq;
    }

    /** A new request: the next number. */
    void next() {
        cseq++;
    }

    /**
     * Sends the request of the present number, for the first time or again.
     *
     * @param leg whose tag the To got
     * @param kind the letter behind its token in the branch; further requests need further branches
     * @param more further header lines
     */
    void send(Leg leg, String method, char kind, String more) {
        ByteWriter out = engine.out().clear();
        out.put(method).put(' ');
        if (remote.hasTarget()) {
            remote.putTarget(out);
        }
        out.put(" SIP/2.0\r\nVia: SIP/2.0/")
                .put(engine.places().calleeTransport().viaToken())
                .put(' ')
                .put(engine.calleeAddress())
                .put(";branch=")
                .put(LegTokens.COOKIE);
        engine.tokens().put(out, leg);
        out.put(kind).putDecimal(cseq);
        out.put("\r\nFrom: ").put(local).put(";tag=");
        engine.tokens().put(out, leg);
        out.put("\r\nTo: ");
        remote.putFar(out);
        out.put("\r\nCall-ID: ").put(callId).put("\r\nCSeq: ").putDecimal(cseq);
        out.put(' ').put(method).put("\r\nContact: <sip:callee@").put(engine.calleeAddress());
        out.put(engine.places().calleeUriParameter()).put(">\r\n").put(more);
        remote.putRoutes(out);
        out.put(END);
        engine.send(peer, out.length() - 2, leg);
    }
}
