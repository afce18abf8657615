package io.carillon.telemetry.records;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Hides the last digits of telephone numbers in addresses. Immutable. */
final class NumberMask {
    /** A user part, or a tel URI, that is a number with visual separators (RFC 3966 3). */
    private static final Pattern NUMBER =
            Pattern.compile(
                    "(?i)(?:(?<=\\bsips?:)\\+?[0-9*#().\\-]{3,}(?=(?:;[^@>]*)?@)"
                            + "|(?<=\\btel:)\\+?[0-9*#().\\-]{3,}(?=[;>?,]|$))");

    private final int digits;

    /**
     * @param digits how many; 0 hides nothing
     */
    NumberMask(int digits) {
        this.digits = digits;
    }

    /** An address as it is written down; a display name, which may be a number too, is left out. */
    @Nullable String address(@Nullable String text) {
        if (text == null || digits == 0) {
            return text;
        }
        int angle = text.lastIndexOf('<');
        Matcher numbers = NUMBER.matcher(angle < 0 ? text : text.substring(angle));
        return numbers.replaceAll(number -> Matcher.quoteReplacement(hidden(number.group())));
    }

    private String hidden(String number) {
        StringBuilder masked = new StringBuilder(number);
        int left = digits;
        for (int i = masked.length() - 1; i >= 0 && left > 0; i--) {
            if (Character.isDigit(masked.charAt(i))) {
                masked.setCharAt(i, '*');
                left--;
            }
        }
        return masked.toString();
    }
}
