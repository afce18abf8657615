package io.carillon.servlet.memory;

import io.carillon.sip.bytes.RecentTexts;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.uri.Uri;
import java.nio.charset.StandardCharsets;

/**
 * The stack's tables of texts and URIs that came lately, which have a fixed size and belong to the
 * process and to no call. What they hold depends on what ran before, and how much of it the calls
 * that are weighed hold too. Static functions.
 */
final class RecentTables {
    /** So many that each of the 4,096 and 2,048 places gets one, by their hashes. */
    private static final int MANY = 100_000;

    private RecentTables() {}

    /** Each place holds a text of its own from now on, all of one length and of no call. */
    static void fill() {
        for (int i = MANY; i < 2 * MANY; i++) {
            byte[] text =
                    ("sip:other" + i + "@other.example").getBytes(StandardCharsets.ISO_8859_1);
            RecentTexts.of(text, 0, text.length);
            try {
                Uri.parse(text, 0, text.length);
            } catch (SipParseException e) {
                throw new AssertionError(e);
            }
        }
    }
}
