package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.WireText;

/**
 * CSeq (RFC 3261 section 20.16).
 *
 * @param number 0 to 2^32 - 1
 * @param method the method's token
 */
public record CSeq(long number, String method) {
    /** RFC 3261 20.16: "The sequence number MUST be expressible as a 32-bit unsigned integer." */
    public static final long MAX = 0xffff_ffffL;

    /** Parses a CSeq value. */
    public static CSeq parse(String text) throws SipParseException {
        byte[] b = WireText.bytes(text);
        int digitsEnd = digitsEnd(b, 0, b.length);
        long number = number(b, 0, b.length);
        int method = Ascii.skipLws(b, digitsEnd, b.length);
        String name = Ascii.string(b, method, b.length);
        if (number < 0 || method == digitsEnd || !Ascii.isToken(name)) {
            throw new SipParseException("Bad CSeq");
        }
        return new CSeq(number, name);
    }

    /** End of the digits at the start of the slice. */
    public static int digitsEnd(byte[] b, int from, int to) {
        int p = from;
        while (p < to && Ascii.isDigit(b[p])) {
            p++;
        }
        return p;
    }

    /**
     * The number at the start of the slice; negative when there is none or it is above the maximum.
     */
    public static long number(byte[] b, int from, int to) {
        return Ascii.parseDecimal(b, from, digitsEnd(b, from, to), MAX);
    }

    @Override
    public String toString() {
        return number + " " + method;
    }
}
