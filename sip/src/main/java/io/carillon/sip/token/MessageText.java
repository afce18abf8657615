package io.carillon.sip.token;

/** Reads the bytes of a message that was not parsed. Stateless; any thread. */
final class MessageText {
    private MessageText() {}

    static boolean isResponse(byte[] b, int length) {
        return length > 7 && b[0] == 'S' && b[3] == '/' && b[7] == ' ';
    }

    /** See {@link ShardSelector#HASH_START}; of a value without the blanks around it. */
    static int hash(byte[] b, int from, int to) {
        int start = from;
        int end = to;
        while (start < end && isSpace(b[start])) {
            start++;
        }
        while (end > start && isSpace(b[end - 1])) {
            end--;
        }
        int h = ShardSelector.HASH_START;
        for (int i = start; i < end; i++) {
            h = (h ^ (b[i] & 0xFF)) * ShardSelector.HASH_FACTOR;
        }
        return finish(h);
    }

    static int hash(String text) {
        int h = ShardSelector.HASH_START;
        for (int i = 0; i < text.length(); i++) {
            h = (h ^ (text.charAt(i) & 0xFF)) * ShardSelector.HASH_FACTOR;
        }
        return finish(h);
    }

    private static int finish(int h) {
        int half = (h ^ (h >>> ShardSelector.HASH_SHIFT)) * ShardSelector.HASH_FINISH;
        return half ^ (half >>> ShardSelector.HASH_LAST_SHIFT);
    }

    /** Behind the line break at or after the position. */
    static int lineEnd(byte[] b, int from, int length) {
        int i = from;
        while (i < length && b[i] != '\n') {
            i++;
        }
        return Math.min(i + 1, length);
    }

    /** Behind the header that begins here, its folded lines included. */
    static int valueEnd(byte[] b, int from, int length) {
        int end = lineEnd(b, from, length);
        while (end < length && (b[end] == ' ' || b[end] == '\t')) {
            end = lineEnd(b, end, length);
        }
        return end;
    }

    static int colon(byte[] b, int from, int to) {
        for (int i = from; i < to && b[i] != '\r' && b[i] != '\n'; i++) {
            if (b[i] == ':') {
                return i;
            }
        }
        return -1;
    }

    static int trimmedLength(byte[] b, int from, int to) {
        int end = to;
        while (end > from && isSpace(b[end - 1])) {
            end--;
        }
        return end - from;
    }

    static boolean isName(byte[] b, int at, int length, String name, char compact) {
        if (length == 1) {
            return (b[at] | 0x20) == compact;
        }
        return matches(b, at, length, name);
    }

    static boolean matches(byte[] b, int at, int length, String lowerCase) {
        if (length != lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char c = lowerCase.charAt(i);
            if (c == '-' ? b[at + i] != '-' : (b[at + i] | 0x20) != c) {
                return false;
            }
        }
        return true;
    }

    static int skipSpace(byte[] b, int from, int to) {
        int i = from;
        while (i < to && isSpace(b[i])) {
            i++;
        }
        return i;
    }

    static boolean isSpace(byte c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    static boolean isTokenByte(byte c) {
        return c > ' ' && c != ';' && c != '=' && c != ',' && c != '>' && c != '<' && c != '"'
                && c != '?';
    }

    private static final int NOT_THIS = -2;

    /**
     * Where the value of {@code ;name=value} begins, of the first element, inside angle brackets or
     * not; -1 without.
     */
    static int parameter(byte[] b, int from, int to, String name) {
        boolean quoted = false;
        for (int i = from; i < to; i++) {
            byte c = b[i];
            if (c == '"') {
                quoted = !quoted;
            } else if (quoted && c == '\\') {
                i++;
            } else if (!quoted && c == ',') {
                return -1;
            } else if (!quoted && c == ';') {
                int value = valueOf(b, i + 1, to, name);
                if (value != NOT_THIS) {
                    return value;
                }
            }
        }
        return -1;
    }

    /** Where the tag outside of angle brackets begins; -1 without. */
    static int tag(byte[] b, int from, int to) {
        boolean quoted = false;
        boolean inBrackets = false;
        for (int i = from; i < to; i++) {
            byte c = b[i];
            if (c == '"') {
                quoted = !quoted;
            } else if (quoted) {
                if (c == '\\') {
                    i++;
                }
            } else if (c == '<') {
                inBrackets = true;
            } else if (c == '>') {
                inBrackets = false;
            } else if (c == ';' && !inBrackets) {
                int value = valueOf(b, i + 1, to, "tag");
                if (value != NOT_THIS) {
                    return value;
                }
            }
        }
        return -1;
    }

    private static int valueOf(byte[] b, int from, int to, String name) {
        int start = skipSpace(b, from, to);
        int end = wordEnd(b, start, to);
        if (!matches(b, start, end - start, name)) {
            return NOT_THIS;
        }
        int equals = skipSpace(b, end, to);
        return equals >= to || b[equals] != '=' ? -1 : skipSpace(b, equals + 1, to);
    }

    /** Behind the value or name that begins here. */
    static int wordEnd(byte[] b, int from, int to) {
        int end = from;
        while (end < to && isTokenByte(b[end])) {
            end++;
        }
        return end;
    }
}
