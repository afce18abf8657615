package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.bytes.RecentTexts;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Header parameters ({@code ;name=value}) in order. Values are kept as on the wire, quotes
 * included, and given out without them. Immutable and thread safe.
 */
public final class Params {
    /** No parameters. */
    public static final Params EMPTY = new Params(new @Nullable String[0]);

    /** Name, value, name, value...; a null value is a flag. */
    private final @Nullable String[] pairs;

    private Params(@Nullable String[] pairs) {
        this.pairs = pairs;
    }

    /** The parameters of a Via of ours, unchecked. */
    static Params ofOurs(@Nullable String branch, boolean rport) {
        @Nullable String[] pairs = new @Nullable String[(branch == null ? 0 : 2) + (rport ? 2 : 0)];
        if (branch != null) {
            pairs[0] = "branch";
            pairs[1] = branch;
        }
        if (rport) {
            pairs[pairs.length - 2] = "rport";
        }
        return new Params(pairs);
    }

    /**
     * Reads the parameters of a slice that a scan has already found to be well formed.
     *
     * @param from offset of the first semicolon, or {@code to}
     */
    static Params read(byte[] b, int from, int to) {
        ParamScan scan = Scans.mine().params().begin(b, from, to, false);
        int count = 0;
        while (scan.next()) {
            count++;
        }
        return read(b, from, to, false, count);
    }

    /**
     * The same after an address, where {@link AddressScan} may have skipped junk.
     *
     * @param count how many there are
     */
    static Params readAfterAddress(byte[] b, int from, int to, int count) {
        return read(b, from, to, true, count);
    }

    private static Params read(byte[] b, int from, int to, boolean skipJunk, int count) {
        if (count == 0) {
            return EMPTY;
        }
        @Nullable String[] pairs = new @Nullable String[2 * count];
        ParamScan scan = Scans.mine().params().begin(b, from, to, skipJunk);
        for (int i = 0; scan.next(); i += 2) {
            pairs[i] = ParamNames.text(b, scan.nameStart(), scan.nameEnd());
            pairs[i + 1] =
                    scan.valueStart() < 0 ? null : text(b, scan.valueStart(), scan.valueEnd());
        }
        return new Params(pairs);
    }

    /**
     * One parameter of such a slice, without the others: without quotes, "" for a flag, null when
     * absent.
     */
    static @Nullable String value(byte[] b, int from, int to, String name) {
        ParamScan scan = Scans.mine().params().begin(b, from, to, false);
        while (scan.next()) {
            if (scan.nameIs(name)) {
                return scan.valueStart() < 0 ? "" : plain(b, scan.valueStart(), scan.valueEnd());
            }
        }
        return null;
    }

    /** A value without quotes. */
    static String plain(byte[] b, int from, int to) {
        return b[from] == '"'
                ? Quoting.unquote(Ascii.unfolded(b, from, to))
                : Ascii.string(b, from, to);
    }

    private static String text(byte[] b, int from, int to) {
        return Ascii.indexOf(b, from, to, '\n') < 0
                ? RecentTexts.of(b, from, to)
                : Ascii.unfolded(b, from, to);
    }

    public int size() {
        return pairs.length / 2;
    }

    /** Name of parameter {@code i} as written. */
    public String name(int i) {
        String name = pairs[2 * i];
        return name == null ? "" : name;
    }

    /** Value of parameter {@code i} without quotes; "" for a flag. */
    public String value(int i) {
        String raw = pairs[2 * i + 1];
        return raw == null ? "" : Quoting.unquote(raw);
    }

    /** Has parameter {@code i} a value at all? */
    public boolean flag(int i) {
        return pairs[2 * i + 1] == null;
    }

    private int find(String name) {
        for (int i = 0; i < pairs.length; i += 2) {
            String n = pairs[i];
            if (n != null && Ascii.equalsIgnoreCase(n, name)) {
                return i;
            }
        }
        return -1;
    }

    public boolean has(String name) {
        return find(name) >= 0;
    }

    /** Value without quotes, "" for a flag, null when absent. */
    public @Nullable String get(String name) {
        int i = find(name);
        return i < 0 ? null : value(i / 2);
    }

    /** Value as it is written, quotes included; null when absent or a flag. */
    @Nullable String written(String name) {
        int i = find(name);
        return i < 0 ? null : pairs[i + 1];
    }

    /**
     * Sets a parameter in place, or appends it. A value that is no token is quoted, unless it looks
     * like an address or a URI fragment that the grammar takes unquoted.
     *
     * @param value null for a flag
     * @throws IllegalArgumentException for a name that is no token or a line break in the value
     */
    public Params with(String name, @Nullable String value) {
        if (!Ascii.isToken(name)) {
            throw new IllegalArgumentException("not a parameter name");
        }
        return put(name, value == null || value.isEmpty() ? null : Quoting.paramValue(value));
    }

    /** Sets a parameter to a quoted string as it is: its quotes stay, needed or not. */
    Params withQuoted(String name, String quoted) {
        return put(name, quoted);
    }

    private Params put(String name, @Nullable String raw) {
        int i = find(name);
        @Nullable String[] next = Arrays.copyOf(pairs, i < 0 ? pairs.length + 2 : pairs.length);
        int at = i < 0 ? pairs.length : i;
        next[at] = i < 0 ? name : pairs[i];
        next[at + 1] = raw;
        return new Params(next);
    }

    public Params without(String name) {
        int i = find(name);
        if (i < 0) {
            return this;
        }
        @Nullable String[] next = new @Nullable String[pairs.length - 2];
        System.arraycopy(pairs, 0, next, 0, i);
        System.arraycopy(pairs, i + 2, next, i, next.length - i);
        return new Params(next).without(name);
    }

    /** So many bytes {@link #print} writes at most. */
    int mostBytes() {
        int most = 0;
        for (String text : pairs) {
            most += 1 + (text == null ? 0 : 3 * text.length());
        }
        return most;
    }

    /** Prints {@code ;name=value} for each. */
    public void print(ByteWriter out) {
        for (int i = 0; i < pairs.length; i += 2) {
            String value = pairs[i + 1];
            out.put(';').put(name(i / 2));
            if (value != null) {
                out.put('=').put(value);
            }
        }
    }

    @Override
    public String toString() {
        ByteWriter out = new ByteWriter(64);
        print(out);
        return out.toString();
    }

    @Override
    public boolean equals(@Nullable Object o) {
        return o instanceof Params other && Arrays.equals(pairs, other.pairs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(pairs);
    }
}
