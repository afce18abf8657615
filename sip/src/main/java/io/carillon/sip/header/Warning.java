package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.WireText;

/**
 * One Warning (RFC 3261 section 20.43).
 *
 * @param code three digits
 * @param agent host with port, or a pseudonym
 * @param text for people, without quotes
 */
public record Warning(int code, String agent, String text) {
    /** Parses one element. */
    public static Warning parse(String value) throws SipParseException {
        byte[] b = WireText.bytes(value);
        int code = (int) Ascii.parseDecimal(b, 0, Math.min(3, b.length), 999);
        int agent = Ascii.skipLws(b, Math.min(3, b.length), b.length);
        int agentEnd = agent;
        while (agentEnd < b.length && !Ascii.isLws(b[agentEnd])) {
            agentEnd++;
        }
        int text = Ascii.skipLws(b, agentEnd, b.length);
        boolean quoted =
                text < b.length
                        && b[text] == '"'
                        && Quoting.skipQuoted(b, text, b.length) == b.length;
        if (code < 100 || agent == 3 || agentEnd == agent || !quoted) {
            throw new SipParseException("Bad Warning");
        }
        String said = Quoting.unquote(Ascii.unfolded(b, text, b.length));
        if (said.indexOf('\r') >= 0 || said.indexOf('\n') >= 0) {
            throw new SipParseException("Bad Warning");
        }
        return new Warning(code, Ascii.string(b, agent, agentEnd), said);
    }

    @Override
    public String toString() {
        return code + " " + agent + ' ' + Quoting.quote(text);
    }
}
