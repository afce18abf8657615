package io.carillon.pojo.engine;

import java.util.Locale;
import javax.servlet.sip.SipServletMessage;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a header field, of {@link io.carillon.pojo.WithHeader}. Immutable.
 *
 * @param name of the header field
 * @param absent it must not be there
 * @param value pattern of its first value in small letters; null: any
 */
record HeaderCondition(String name, boolean absent, @Nullable Glob value) {
    /**
     * @throws IllegalArgumentException in a sentence, where the text is no condition
     */
    static HeaderCondition parse(String text) {
        String trimmed = text.strip();
        boolean absent = trimmed.startsWith("!");
        String rest = absent ? trimmed.substring(1).strip() : trimmed;
        int colon = rest.indexOf(':');
        String name = colon < 0 ? rest : rest.substring(0, colon).strip();
        if (name.isEmpty() || !name.chars().allMatch(HeaderCondition::ofToken)) {
            throw new IllegalArgumentException(
                    "@WithHeader(\""
                            + text
                            + "\") has to be \"Name\", \"!Name\" or \"Name: pattern\"");
        }
        if (absent && colon >= 0) {
            throw new IllegalArgumentException(
                    "@WithHeader(\"" + text + "\"): a header that must not be there has no value");
        }
        Glob value =
                colon < 0
                        ? null
                        : new Glob(rest.substring(colon + 1).strip().toLowerCase(Locale.ROOT));
        return new HeaderCondition(name, absent, value);
    }

    /** RFC 3261 section 25.1, token. */
    private static boolean ofToken(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "-.!%*_+`'~".indexOf(c) >= 0;
    }

    boolean holds(SipServletMessage message) {
        String first = message.getHeader(name);
        if (first == null || absent) {
            return (first == null) == absent;
        }
        return value == null || value.matches(withoutParameters(first).toLowerCase(Locale.ROOT));
    }

    /** The value up to the first semicolon that stands in no quotes and no angle brackets. */
    static String withoutParameters(String value) {
        boolean quoted = false;
        boolean bracketed = false;
        for (int i = 0; i < value.length(); i++) {
            switch (value.charAt(i)) {
                case '\\' -> i += quoted ? 1 : 0;
                case '"' -> quoted = !quoted;
                case '<' -> bracketed = !quoted || bracketed;
                case '>' -> bracketed = quoted && bracketed;
                case ';' -> {
                    if (!quoted && !bracketed) {
                        return value.substring(0, i).strip();
                    }
                }
                default -> {}
            }
        }
        return value.strip();
    }

    int literals() {
        return value == null ? 0 : value.literals();
    }

    /** Can no message fulfil both? */
    boolean excludes(HeaderCondition other) {
        if (!name.equalsIgnoreCase(other.name)) {
            return false;
        }
        if (absent != other.absent) {
            return true;
        }
        return value != null && other.value != null && !value.intersects(other.value);
    }
}
