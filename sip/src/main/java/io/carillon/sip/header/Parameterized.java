package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.WireText;
import org.jspecify.annotations.Nullable;

/**
 * A value followed by parameters, as in Content-Type, Content-Disposition, Accept, Event, Reason,
 * Subscription-State, Session-Expires, Replaces, Alert-Info... Immutable and thread safe.
 */
public final class Parameterized {
    private final String value;
    private final Params params;

    private Parameterized(String value, Params params) {
        this.value = value;
        this.params = params;
    }

    /**
     * A value without parameters.
     *
     * @throws IllegalArgumentException when it is empty or would break the line or the value
     */
    public static Parameterized of(String value) {
        if (value.isBlank() || Ascii.hasLineBreak(value) || value.indexOf(';') >= 0) {
            throw new IllegalArgumentException("not a header value without parameters");
        }
        return new Parameterized(value.strip(), ListedParams.NONE);
    }

    /** Parses one element; the value is what stands before the first semicolon outside brackets. */
    public static Parameterized parse(String text) throws SipParseException {
        byte[] b = WireText.bytes(text);
        int from = Ascii.skipLws(b, 0, b.length);
        int p = from;
        while (p < b.length && b[p] != ';') {
            if (b[p] == '"') {
                p = Quoting.skipQuoted(b, p, b.length);
            } else if (b[p] == '<') {
                p = Ascii.indexOf(b, p, b.length, '>');
            } else {
                p++;
                continue;
            }
            if (p < 0) {
                throw new SipParseException("Unclosed Quotes Or Bracket");
            }
            p = p < b.length && b[p] == '>' ? p + 1 : p;
        }
        int end = Ascii.trimEnd(b, from, p);
        ParamScan scan = new ParamScan().begin(b, p, b.length, false);
        while (scan.next()) {
            // Walking is checking.
        }
        if (end == from || scan.bad() || scan.pos() != b.length) {
            throw new SipParseException(end == from ? "Empty Value" : "Bad Parameter");
        }
        return new Parameterized(Ascii.unfolded(b, from, end), Params.read(b, p, b.length));
    }

    /** What stands before the parameters, "application/sdp". */
    public String value() {
        return value;
    }

    /** Does the value equal the text without regard to case? */
    public boolean is(String text) {
        return Ascii.equalsIgnoreCase(value, text);
    }

    public Params params() {
        return params;
    }

    /** Parameter without quotes, "" for a flag, null when absent. */
    public @Nullable String param(String name) {
        return params.get(name);
    }

    public Parameterized withValue(String newValue) {
        return new Parameterized(of(newValue).value, params);
    }

    /** Sets a parameter; a null value makes it a flag. */
    public Parameterized withParam(String name, @Nullable String newValue) {
        return new Parameterized(value, params.with(name, newValue));
    }

    public Parameterized withoutParam(String name) {
        return new Parameterized(value, params.without(name));
    }

    public void print(ByteWriter out) {
        out.put(value);
        params.print(out);
    }

    @Override
    public String toString() {
        ByteWriter out = new ByteWriter(64);
        print(out);
        return out.toString();
    }

    @Override
    public boolean equals(@Nullable Object o) {
        return o instanceof Parameterized other
                && value.equals(other.value)
                && params.equals(other.params);
    }

    @Override
    public int hashCode() {
        return 31 * value.hashCode() + params.hashCode();
    }
}
