package io.carillon.sip.bytes;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Text of strangers on its way into a log: on one line, without what a terminal or a reader of logs
 * takes for a command, and without secrets. Any thread.
 */
public final class LogText {
    /** What stands for a secret. */
    public static final String MASKED = "***";

    private static final String[] HEADERS = {"authorization", "proxy-authorization"};
    private static final String[] SECRETS = {"password", "passwd", "passphrase", "secret"};

    private LogText() {}

    /**
     * The text with its control characters, line and paragraph separators, marks of writing
     * direction and the beginnings of look-ups (a dollar sign and a brace) escaped, and with the
     * values of Authorization headers and of words such as "password=" masked. The same object
     * where there is nothing of that.
     */
    public static String safe(@Nullable String text) {
        if (text == null) {
            return "null";
        }
        if (!suspicious(text)) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 32);
        int i = 0;
        while (i < text.length()) {
            int secret = secretAt(text, i);
            if (secret > 0) {
                out.append(text, i, i + secret).append(MASKED);
                i = secretEnd(text, i, secret);
            } else {
                escape(text, i, out);
                i++;
            }
        }
        return out.toString();
    }

    /** Cheap and perhaps wrong: most lines hold nothing of this kind. */
    private static boolean suspicious(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '$' || c == '=' || c == ':' || isCommand(c)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Does a terminal or a reader take it for a command: a control character but the tabulator, a
     * separator of lines or paragraphs, or a mark of writing direction?
     */
    public static boolean isCommand(char c) {
        return (c < ' ' && c != '\t')
                || (c >= 0x7F && c <= 0x9F)
                || c == '\u061C'
                || c == '\u200E'
                || c == '\u200F'
                || c == '\u2028'
                || c == '\u2029'
                || (c >= '\u202A' && c <= '\u202E')
                || (c >= '\u2066' && c <= '\u2069');
    }

    private static void escape(String text, int at, StringBuilder out) {
        char c = text.charAt(at);
        switch (c) {
            case '\r' -> out.append("\\r");
            case '\n' -> out.append("\\n");
            case '$' -> {
                boolean lookUp = at + 1 < text.length() && text.charAt(at + 1) == '{';
                out.append(lookUp ? "\\$" : "$");
            }
            default -> {
                if (isCommand(c)) {
                    out.append(
                            String.format(Locale.ROOT, c < 0x100 ? "\\x%02x" : "\\u%04x", (int) c));
                } else {
                    out.append(c);
                }
            }
        }
    }

    /** How many characters from here on name a secret whose value follows; 0: none. */
    private static int secretAt(String text, int at) {
        if (at > 0 && Character.isLetterOrDigit(text.charAt(at - 1))) {
            return 0;
        }
        int length = named(text, at, HEADERS, ':');
        return length > 0 ? length : named(text, at, SECRETS, '=');
    }

    private static int named(String text, int at, String[] names, char mark) {
        for (String name : names) {
            if (text.regionMatches(true, at, name, 0, name.length())) {
                int p = at + name.length();
                while (p < text.length() && isBlank(text.charAt(p))) {
                    p++;
                }
                if (p < text.length() && text.charAt(p) == mark) {
                    return p + 1 - at;
                }
            }
        }
        return 0;
    }

    /** A header's value ends with its last folded line; another's with the word, or its quotes. */
    private static int secretEnd(String text, int at, int named) {
        int p = at + named;
        if (text.charAt(p - 1) == ':') {
            while (p < text.length() && !endsHeader(text, p)) {
                p++;
            }
            return p;
        }
        char first = p < text.length() ? text.charAt(p) : ' ';
        if (first == '"' || first == '\'') {
            int end = text.indexOf(first, p + 1);
            return end < 0 ? text.length() : end + 1;
        }
        while (p < text.length() && "&;, \t\r\n)]}".indexOf(text.charAt(p)) < 0) {
            p++;
        }
        return p;
    }

    private static boolean endsHeader(String text, int at) {
        char c = text.charAt(at);
        if (c != '\r' && c != '\n') {
            return false;
        }
        int p = at + 1;
        if (c == '\r' && p < text.length() && text.charAt(p) == '\n') {
            p++;
        }
        return p >= text.length() || !isBlank(text.charAt(p));
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
