package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;

/**
 * Walks over {@code ;name[=value]} with white space and folds around the separators, without
 * allocating. Stops at the first character that cannot belong to a parameter. Not thread safe.
 */
final class ParamScan {
    private static final byte[] NO_BYTES = {};

    private byte[] b = NO_BYTES;
    private int to;
    private int pos;
    private int nameStart;
    private int nameEnd;
    private int valueStart;
    private int valueEnd;
    private boolean bad;
    private boolean empty;
    private boolean junk;
    private boolean skipJunk;

    /**
     * Begins a walk over one slice; what was found before is forgotten.
     *
     * @param from where white space and the first semicolon may stand
     * @param skippingJunk go on behind text that is no parameter, if it opens no quotes or brackets
     */
    ParamScan begin(byte[] bytes, int from, int end, boolean skippingJunk) {
        b = bytes;
        to = end;
        skipJunk = skippingJunk;
        bad = false;
        empty = false;
        junk = false;
        pos = afterJunk(Ascii.skipLws(b, from, to));
        return this;
    }

    private int afterJunk(int from) {
        int p = from;
        if (skipJunk) {
            while (p < to && b[p] != ';' && b[p] != ',') {
                if (b[p] == '"' || b[p] == '<') {
                    return from;
                }
                p++;
            }
            junk |= p > from;
        }
        return p;
    }

    /** Was there text that is no parameter? */
    boolean junk() {
        return junk;
    }

    /** Goes to the next parameter; false at the end or when {@link #bad()}. */
    boolean next() {
        if (bad || pos >= to || b[pos] != ';') {
            return false;
        }
        int p = Ascii.skipLws(b, pos + 1, to);
        while (p == to || b[p] == ';' || b[p] == ',') {
            // Nothing between two semicolons, or behind the last: against the grammar, seen often.
            empty = true;
            pos = p;
            if (p == to || b[p] == ',') {
                return false;
            }
            p = Ascii.skipLws(b, p + 1, to);
        }
        nameStart = p;
        while (p < to && Ascii.isToken(b[p])) {
            p++;
        }
        nameEnd = p;
        if (p == nameStart) {
            bad = true;
            return false;
        }
        valueStart = -1;
        valueEnd = -1;
        p = Ascii.skipLws(b, p, to);
        if (p < to && b[p] == '=') {
            p = value(Ascii.skipLws(b, p + 1, to));
            if (p < 0) {
                bad = true;
                return false;
            }
        }
        pos = afterJunk(p);
        return true;
    }

    private int value(int from) {
        valueStart = from;
        int p = from;
        if (p < to && b[p] == '"') {
            p = Quoting.skipQuoted(b, p, to);
        } else {
            while (p < to && valueChar(b[p])) {
                p++;
            }
        }
        // An empty value is against the grammar: an empty tag or branch would match any other.
        if (p <= from) {
            return -1;
        }
        valueEnd = p;
        return Ascii.skipLws(b, p, to);
    }

    // Wider than gen-value: tags with '@', addresses with ':' and '/' are seen; separators are not.
    private static boolean valueChar(int c) {
        return (c > 0x20 || c < 0)
                && c != ';'
                && c != ','
                && c != '"'
                && c != '<'
                && c != '>'
                && c != 0x7f;
    }

    /** Was there something that is no parameter after a semicolon? */
    boolean bad() {
        return bad;
    }

    /** Was there a semicolon with no parameter behind it? */
    boolean empty() {
        return empty;
    }

    /** After the last parameter and white space behind it. */
    int pos() {
        return pos;
    }

    int nameStart() {
        return nameStart;
    }

    int nameEnd() {
        return nameEnd;
    }

    /** Offset of the value (of its opening quote), -1 for a flag. */
    int valueStart() {
        return valueStart;
    }

    int valueEnd() {
        return valueEnd;
    }

    boolean nameIs(String name) {
        return Ascii.equalsIgnoreCase(b, nameStart, nameEnd, name);
    }
}
