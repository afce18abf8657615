package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.WireText;

/**
 * RAck of a PRACK (RFC 3262 section 7.2).
 *
 * @param rseq RSeq of the provisional response
 * @param cseq number of its CSeq
 * @param method method of its CSeq
 */
public record RAck(long rseq, long cseq, String method) {
    /** Parses a RAck value. */
    public static RAck parse(String text) throws SipParseException {
        byte[] b = WireText.bytes(text);
        int end = CSeq.digitsEnd(b, 0, b.length);
        long rseq = CSeq.number(b, 0, end);
        int rest = Ascii.skipLws(b, end, b.length);
        if (rseq < 0 || rest == end) {
            throw new SipParseException("Bad RAck");
        }
        CSeq seq = CSeq.parse(Ascii.string(b, rest, b.length));
        return new RAck(rseq, seq.number(), seq.method());
    }

    @Override
    public String toString() {
        return rseq + " " + cseq + " " + method;
    }
}
