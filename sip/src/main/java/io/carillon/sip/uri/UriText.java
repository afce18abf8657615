package io.carillon.sip.uri;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.WireText;
import org.jspecify.annotations.Nullable;

/**
 * Escaping and parameter scans over the text of a URI (RFC 3261 section 19.1.2). Pure functions.
 */
final class UriText {
    /** Allowed unescaped beside {@code unreserved}: user-unreserved of RFC 3261 25.1. */
    static final String USER = "&=+$,;?/";

    /** The same for passwords. */
    static final String PASSWORD = "&=+$,";

    /** param-unreserved. */
    static final String PARAM = "[]/:&+$";

    /** hnv-unreserved. */
    static final String HEADER = "[]/?:+$";

    /** RFC 2396 reserved: never equal to their escaped form. */
    private static final String RESERVED = ";/?:@&=+$,";

    private UriText() {}

    /** Decodes every %HH once; the bytes are UTF-8. */
    static String unescape(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] in = WireText.bytes(text);
        byte[] out = new byte[in.length];
        int n = 0;
        for (int p = 0; p < in.length; p++) {
            if (in[p] == '%'
                    && p + 2 < in.length
                    && Ascii.isHex(in[p + 1])
                    && Ascii.isHex(in[p + 2])) {
                out[n++] = (byte) (Ascii.hexValue(in[p + 1]) << 4 | Ascii.hexValue(in[p + 2]));
                p += 2;
            } else {
                out[n++] = in[p];
            }
        }
        return WireText.string(out, 0, n);
    }

    /** Escapes whatever is neither unreserved nor in {@code allowed}. */
    static String escape(String text, String allowed) {
        StringBuilder out = null;
        byte[] in = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Ascii.isUnreserved(c) && allowed.indexOf(c) < 0) {
                in = WireText.bytes(text);
                out = new StringBuilder(in.length + 16);
                break;
            }
        }
        if (out == null || in == null) {
            return text;
        }
        for (byte b : in) {
            int c = b & 0xff;
            if (c < 0x80 && (Ascii.isUnreserved(c) || allowed.indexOf(c) >= 0)) {
                out.append((char) c);
            } else {
                out.append('%')
                        .append("0123456789ABCDEF".charAt(c >> 4))
                        .append("0123456789ABCDEF".charAt(c & 15));
            }
        }
        return out.toString();
    }

    /**
     * Compares under RFC 3261 19.1.4: "Characters other than those in the reserved set are
     * equivalent to their "%" HEX HEX encoding."
     */
    static boolean same(String a, String b, boolean ignoreCase) {
        int i = 0;
        int j = 0;
        while (i < a.length() && j < b.length()) {
            int x = unit(a, i);
            int y = unit(b, j);
            if (ignoreCase) {
                x = Ascii.lower(x);
                y = Ascii.lower(y);
            }
            if (x != y) {
                return false;
            }
            i += width(a, i);
            j += width(b, j);
        }
        return i == a.length() && j == b.length();
    }

    private static int width(String s, int i) {
        return escapeAt(s, i) ? 3 : 1;
    }

    private static boolean escapeAt(String s, int i) {
        return s.charAt(i) == '%'
                && i + 2 < s.length()
                && Ascii.isHex(s.charAt(i + 1))
                && Ascii.isHex(s.charAt(i + 2));
    }

    private static int unit(String s, int i) {
        if (!escapeAt(s, i)) {
            return s.charAt(i);
        }
        int c = Ascii.hexValue(s.charAt(i + 1)) << 4 | Ascii.hexValue(s.charAt(i + 2));
        return RESERVED.indexOf(c) >= 0 ? 0x10000 | c : c;
    }

    /** Start of parameter {@code name} (its first letter) in {@code [from, to)} of text, or -1. */
    static int findParam(String text, int from, int to, String name) {
        int p = from;
        while (p < to && text.charAt(p) == ';') {
            int start = p + 1;
            int end = endOfParam(text, start, to);
            int eq = indexOf(text, '=', start, end);
            int nameEnd = eq < 0 ? end : eq;
            if (nameEnd > start
                    && nameEnd - start == name.length()
                    && text.regionMatches(true, start, name, 0, name.length())) {
                return start;
            }
            p = end;
        }
        return -1;
    }

    static int endOfParam(String text, int from, int to) {
        int end = indexOf(text, ';', from, to);
        return end < 0 ? to : end;
    }

    /** Raw value of the parameter that starts at {@code start}; "" for a flag. */
    static String paramValue(String text, int start, int to) {
        int end = endOfParam(text, start, to);
        int eq = indexOf(text, '=', start, end);
        return eq < 0 ? "" : text.substring(eq + 1, end);
    }

    static int indexOf(String text, char c, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) == c) {
                return i;
            }
        }
        return -1;
    }

    /** Text without parameter {@code name}; the same text when it is not there. */
    static String withoutParam(String text, int from, int to, String name) {
        int start = findParam(text, from, to, name);
        if (start < 0) {
            return text;
        }
        return text.substring(0, start - 1) + text.substring(endOfParam(text, start, to));
    }

    /** Text with parameter {@code name} set in place or appended before {@code to}. */
    static String withParam(String text, int from, int to, String name, @Nullable String value) {
        if (!Ascii.isToken(name)) {
            throw new IllegalArgumentException("not a parameter name: " + name);
        }
        String escaped = value == null ? null : escape(value, PARAM);
        String param = escaped == null || escaped.isEmpty() ? name : name + '=' + escaped;
        int start = findParam(text, from, to, name);
        if (start < 0) {
            return text.substring(0, to) + ';' + param + text.substring(to);
        }
        return text.substring(0, start) + param + text.substring(endOfParam(text, start, to));
    }

    /** Names of the parameters in {@code [from, to)} in order. */
    static java.util.List<String> paramNames(String text, int from, int to) {
        if (from == to) {
            return java.util.List.of();
        }
        java.util.List<String> names = new java.util.ArrayList<>();
        for (int p = from; p < to; ) {
            int end = endOfParam(text, p + 1, to);
            int eq = indexOf(text, '=', p + 1, end);
            if (end > p + 1) { // else a semicolon with nothing behind it
                names.add(text.substring(p + 1, eq < 0 ? end : eq));
            }
            p = end;
        }
        return names;
    }
}
