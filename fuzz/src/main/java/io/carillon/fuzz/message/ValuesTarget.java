package io.carillon.fuzz.message;

import io.carillon.fuzz.check.Finding;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.CSeq;
import io.carillon.sip.header.Parameterized;
import io.carillon.sip.header.RAck;
import io.carillon.sip.header.RetryAfter;
import io.carillon.sip.header.SipDate;
import io.carillon.sip.header.Warning;
import java.nio.charset.StandardCharsets;

/**
 * The small headers, chosen by the first byte: refused, or the same when printed and read again.
 */
public final class ValuesTarget {
    private interface Reader {
        Object read(String text) throws SipParseException;
    }

    private static final Reader[] READERS = {
        CSeq::parse,
        RAck::parse,
        RetryAfter::parse,
        SipDate::parse,
        Warning::parse,
        Parameterized::parse,
    };

    private ValuesTarget() {}

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length == 0) {
            return;
        }
        Reader reader = READERS[(data[0] & 0xff) % READERS.length];
        Object value;
        try {
            value = reader.read(new String(data, 1, data.length - 1, StandardCharsets.UTF_8));
        } catch (SipParseException refused) {
            return;
        }
        String printed = value.toString();
        try {
            Finding.unlessEqual("once more", reader.read(printed), value);
        } catch (SipParseException e) {
            throw new Finding("printed it cannot be read: " + printed + ": " + e.getMessage());
        }
    }
}
