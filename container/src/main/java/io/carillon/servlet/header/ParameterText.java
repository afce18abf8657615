package io.carillon.servlet.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.Quoting;
import org.jspecify.annotations.Nullable;

/**
 * Quoted strings of parameter values (RFC 3261 25.1, quoted-string and gen-value). Stateless; any
 * thread.
 */
public final class ParameterText {
    private ParameterText() {}

    /** A parameter value as applications see it: "" for a flag, no quotes, escapes resolved. */
    public static String unquote(@Nullable String raw) {
        if (raw == null) {
            return "";
        }
        return Quoting.unquote(raw);
    }

    /**
     * A parameter value as the wire wants it: as it is where the grammar allows (also when the
     * application already quoted it), else in quotes.
     *
     * @throws IllegalArgumentException for CR, LF and NUL
     */
    public static String quote(String value) {
        HeaderElements.refuseLineBreak(value);
        if (isPlain(value) || Quoting.isQuoted(value)) {
            return value;
        }
        return Quoting.quote(value);
    }

    /** gen-value = token / host / quoted-string: brackets and colons are those of an IPv6 host. */
    private static boolean isPlain(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (!Ascii.isToken(c) && c != ':' && c != '[' && c != ']') {
                return false;
            }
        }
        return true;
    }

    /**
     * @throws IllegalArgumentException unless {@code name} is a token
     */
    static void checkName(String name) {
        if (!Ascii.isToken(name)) {
            throw new IllegalArgumentException("a parameter name is a token");
        }
    }
}
