package io.carillon.sip.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Character classes and small scans of the SIP grammar (RFC 3261 section 25.1). All methods are
 * pure and allocate only where they return a String or an array.
 */
public final class Ascii {
    private static final int TOKEN = 1;
    private static final int HOST = 2;
    private static final int HEX = 4;
    private static final int URI = 8;
    private static final int UNRESERVED = 16;
    private static final int ALPHA = 32;
    private static final int DIGIT = 64;
    private static final byte[] CLASS = classes();
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH_SPACE = 0x2020_2020_2020_2020L;
    private static final long EACH_HIGH_BIT = 0x8080_8080_8080_8080L;

    private static final String[] DECIMALS = decimals();

    private Ascii() {}

    private static String[] decimals() {
        String[] texts = new String[256];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = Integer.toString(i);
        }
        return texts;
    }

    private static byte[] classes() {
        byte[] table = new byte[256];
        for (int c = 0; c < 256; c++) {
            boolean alpha = (c | 0x20) >= 'a' && (c | 0x20) <= 'z' && c < 128;
            boolean digit = c >= '0' && c <= '9';
            int bits = 0;
            if (alpha || digit || "-.!%*_+`'~".indexOf(c) >= 0) {
                bits |= TOKEN;
            }
            if (alpha || digit || "-._".indexOf(c) >= 0) {
                bits |= HOST;
            }
            if (digit || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f' && c < 128)) {
                bits |= HEX;
            }
            if (c > 0x20 && c != 0x7f && "\"<>\\^`{}|".indexOf(c) < 0) {
                bits |= URI;
            }
            if (alpha || digit || "-_.!~*'()".indexOf(c) >= 0) {
                bits |= UNRESERVED;
            }
            if (alpha) {
                bits |= ALPHA;
            }
            if (digit) {
                bits |= DIGIT;
            }
            table[c] = (byte) bits;
        }
        return table;
    }

    /** Is {@code c} (a byte or a char) a character of the {@code token} rule? */
    public static boolean isToken(int c) {
        return is(c, TOKEN);
    }

    /** Is {@code c} a letter, digit, hyphen, dot or underscore? */
    public static boolean isHost(int c) {
        return is(c, HOST);
    }

    /** Is {@code c} a hexadecimal digit? */
    public static boolean isHex(int c) {
        return is(c, HEX);
    }

    /** May {@code c} stand in a URI? Bytes above 127 may: we carry what peers send. */
    public static boolean isUri(int c) {
        return is(c, URI);
    }

    /** Is {@code c} in the {@code unreserved} set of RFC 3261 section 25.1? */
    public static boolean isUnreserved(int c) {
        return is(c, UNRESERVED);
    }

    /** Is {@code c} an ASCII letter? */
    public static boolean isAlpha(int c) {
        return is(c, ALPHA);
    }

    /** Is {@code c} an ASCII digit? */
    public static boolean isDigit(int c) {
        return is(c, DIGIT);
    }

    private static boolean is(int c, int bits) {
        return c >= -128 && c < 256 && (CLASS[c & 0xff] & bits) != 0;
    }

    /** Space or tab. */
    public static boolean isBlank(int c) {
        return c == ' ' || c == '\t';
    }

    /** Any byte of linear white space, folds included. */
    public static boolean isLws(int c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    /** ASCII lower case of one byte or char; everything else unchanged. */
    public static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c + 0x20 : c;
    }

    /** The value of a hexadecimal digit. */
    public static int hexValue(int c) {
        return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    }

    /** First position in {@code [from, to)} that is no linear white space, else {@code to}. */
    public static int skipLws(byte[] b, int from, int to) {
        int p = from;
        while (p < to && isLws(b[p])) {
            p++;
        }
        return p;
    }

    /** End of {@code [from, to)} without its trailing linear white space. */
    public static int trimEnd(byte[] b, int from, int to) {
        int p = to;
        while (p > from && isLws(b[p - 1])) {
            p--;
        }
        return p;
    }

    /** Compares the slice with an ASCII text without regard to case. */
    public static boolean equalsIgnoreCase(byte[] b, int from, int to, String text) {
        if (to - from != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (lower(b[from + i]) != lower(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Compares the slice with an ASCII text exactly. */
    public static boolean equals(byte[] b, int from, int to, String text) {
        if (to - from != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (b[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Compares two texts; only ASCII letters fold (never the locale's or Unicode's rules). */
    public static boolean equalsIgnoreCase(String a, String b) {
        if (a.length() != b.length()) {
            return false;
        }
        for (int i = 0; i < a.length(); i++) {
            if (lower(a.charAt(i)) != lower(b.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Hash code that agrees with {@link #equalsIgnoreCase(String, String)}. */
    public static int hashIgnoreCase(String text) {
        int h = 0;
        for (int i = 0; i < text.length(); i++) {
            h = 31 * h + lower(text.charAt(i));
        }
        return h;
    }

    /**
     * Reads the decimal digits of {@code [from, to)}.
     *
     * @return the number; -1 when the slice is not one or more digits; -2 when it is above {@code
     *     max}
     */
    public static long parseDecimal(byte[] b, int from, int to, long max) {
        if (from >= to) {
            return -1;
        }
        long n = 0;
        boolean above = false;
        for (int i = from; i < to; i++) {
            int digit = b[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            if (!above) {
                n = n * 10 + digit;
                above = n > max;
            }
        }
        return above ? -2 : n;
    }

    /** {@link #parseDecimal(byte[], int, int, long)} over text. */
    public static long parseDecimal(String text, long max) {
        return parseDecimal(masked(text), 0, text.length(), max);
    }

    /** Is the text one or more token characters? */
    public static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isToken(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /**
     * Would the text break a header line? SIP folds are white space, so a value never needs CR or
     * LF; NUL has no place outside a quoted pair.
     */
    public static boolean hasLineBreak(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\r' || c == '\n' || c == 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * As {@link #hasLineBreak} of a value that may have come in a message: NUL behind a backslash,
     * which the parser takes (RFC 4475 3.1.1.2 has it in a quoted pair), breaks nothing.
     */
    public static boolean breaksLine(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\r' || c == '\n' || (c == 0 && (i == 0 || value.charAt(i - 1) != '\\'))) {
                return true;
            }
        }
        return false;
    }

    /**
     * First position in {@code [from, to)} of a control character (0 to 31; tab, CR and LF are
     * such), else {@code to}. Looks at eight bytes at a time: most of a message is what it skips.
     */
    public static int findControl(byte[] b, int from, int to) {
        int p = from;
        for (; p + 8 <= to; p += 8) {
            long eight = (long) LONGS.get(b, p);
            // A byte below 0x20 borrows into its high bit; bytes above 0x7f are masked out. Borrows
            // go
            // upwards only, so the lowest bit found is exact.
            long found = (eight - EACH_SPACE) & ~eight & EACH_HIGH_BIT;
            if (found != 0) {
                return p + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (p < to && (b[p] >= ' ' || b[p] < 0)) {
            p++;
        }
        return p;
    }

    /** First position of {@code c} in {@code [from, to)}, else -1. */
    public static int indexOf(byte[] b, int from, int to, int c) {
        for (int p = from; p < to; p++) {
            if (b[p] == c) {
                return p;
            }
        }
        return -1;
    }

    /** A hash of the slice, spread over all bits; eight bytes at a time. */
    public static int hash(byte[] b, int from, int to) {
        long h = (long) to - from;
        int p = from;
        for (; p + 8 <= to; p += 8) {
            h = mix(h, (long) LONGS.get(b, p));
        }
        long rest = 0;
        for (; p < to; p++) {
            rest = (rest << 8) | (b[p] & 0xff);
        }
        h = mix(h, rest);
        return (int) (h ^ (h >>> 29));
    }

    /** The hash of the text's bytes, if all its characters are below 128. */
    public static int hash(String text) {
        int to = text.length();
        long h = to;
        int p = 0;
        for (; p + 8 <= to; p += 8) {
            long eight = 0;
            for (int i = 0; i < 8; i++) {
                eight |= (long) text.charAt(p + i) << (8 * i);
            }
            h = mix(h, eight);
        }
        long rest = 0;
        for (; p < to; p++) {
            rest = rest << 8 | text.charAt(p);
        }
        h = mix(h, rest);
        return (int) (h ^ (h >>> 29));
    }

    /** Eight bytes from there, the first of them lowest. */
    public static long eightBytes(byte[] b, int from) {
        return (long) LONGS.get(b, from);
    }

    private static long mix(long hash, long eight) {
        long h = (hash ^ eight) * 0x9E3779B97F4A7C15L;
        return h ^ h >>> 32;
    }

    /** A number in decimal digits; small ones, as of hops and of breadths, are shared texts. */
    public static String decimal(int number) {
        return number >= 0 && number < DECIMALS.length
                ? DECIMALS[number]
                : Integer.toString(number);
    }

    /** The slice as text (UTF-8, RFC 3261 section 7). */
    public static String string(byte[] b, int from, int to) {
        return WireText.string(b, from, to);
    }

    private static boolean isLineBreak(byte b) {
        return b == '\r' || b == '\n';
    }

    /**
     * The slice as text, each fold replaced by one space.
     *
     * <p>RFC 3261 7.3.1: "The line break and the whitespace at the beginning of the next line are
     * treated as a single SP character." Inside angle brackets, where a URI has no place for a
     * space, nothing is left of it; inside quotes there the space stays, so that a backslash before
     * it does not take the next character.
     */
    public static String unfolded(byte[] b, int from, int to) {
        if (indexOf(b, from, to, '\n') < 0) {
            return string(b, from, to);
        }
        byte[] out = new byte[to - from];
        int n = 0;
        boolean quoted = false;
        boolean brackets = false;
        for (int p = from; p < to; ) {
            int c = b[p];
            if (c == '\r' || c == '\n') {
                n = trimEnd(out, 0, n);
                p = skipLws(b, p, to);
                if (!brackets || quoted) {
                    out[n++] = ' ';
                }
                continue;
            }
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && quoted && p + 1 < to && !isLineBreak(b[p + 1])) {
                out[n++] = b[p++];
            } else if (!quoted) {
                brackets = c == '<' || (brackets && c != '>');
            }
            out[n++] = b[p++];
        }
        return WireText.string(out, 0, n);
    }

    /**
     * One byte per char of the text, so that offsets in the bytes are offsets in the text; chars
     * above 127 become 0xFF, which every scanner takes for an opaque character.
     */
    public static byte[] masked(String text) {
        byte[] out = new byte[text.length()];
        for (int i = 0; i < out.length; i++) {
            char c = text.charAt(i);
            out[i] = c < 0x80 ? (byte) c : (byte) 0xff;
        }
        return out;
    }

    /** Are all bytes of the slice below 128? */
    public static boolean isAscii(byte[] b, int from, int to) {
        for (int i = from; i < to; i++) {
            if (b[i] < 0) {
                return false;
            }
        }
        return true;
    }
}
