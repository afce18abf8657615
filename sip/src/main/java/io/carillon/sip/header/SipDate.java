package io.carillon.sip.header;

import io.carillon.sip.bytes.SipParseException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Date (RFC 3261 section 20.17): an RFC 1123 date in GMT, and nothing else.
 *
 * @param instant the time, whole seconds
 */
public record SipDate(Instant instant) {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    /** Parses a Date value. */
    public static SipDate parse(String text) throws SipParseException {
        try {
            return new SipDate(Instant.from(FORMAT.parse(text)));
        } catch (DateTimeException e) {
            // The outcome is the fault in the message, not where the parser found it.
            throw new SipParseException("Bad Date");
        }
    }

    @Override
    public String toString() {
        return FORMAT.format(instant);
    }
}
