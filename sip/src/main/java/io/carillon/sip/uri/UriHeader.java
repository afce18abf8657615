package io.carillon.sip.uri;

import io.carillon.sip.bytes.Ascii;
import java.util.ArrayList;
import java.util.List;

/**
 * One header component of a SIP URI, escapes decoded.
 *
 * @param name header name, or "body"
 * @param value its value, maybe empty
 */
public record UriHeader(String name, String value) {
    static List<UriHeader> list(String text, int questionMark) {
        if (questionMark >= text.length()) {
            return List.of();
        }
        List<UriHeader> out = new ArrayList<>();
        for (int p = questionMark + 1; p <= text.length(); ) {
            int amp = text.indexOf('&', p);
            int end = amp < 0 ? text.length() : amp;
            int eq = UriText.indexOf(text, '=', p, end);
            out.add(
                    new UriHeader(
                            UriText.unescape(text.substring(p, eq < 0 ? end : eq)),
                            eq < 0 ? "" : UriText.unescape(text.substring(eq + 1, end))));
            p = end + 1;
        }
        return out;
    }

    /** Same name in any case and same value; values of unknown headers are compared as text. */
    boolean matches(UriHeader o) {
        return Ascii.equalsIgnoreCase(name, o.name) && Ascii.equalsIgnoreCase(value, o.value);
    }
}
