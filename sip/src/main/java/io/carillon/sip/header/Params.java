package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.bytes.RecentTexts;
import org.jspecify.annotations.Nullable;

/**
 * Header parameters ({@code ;name=value}) in order. Values are kept as on the wire, quotes
 * included, and given out without them. Immutable and thread safe.
 *
 * <p>Few with well-known names, as nearly every address has, are kept as objects; others as the
 * text that they are. A peer may write thousands of three bytes each, and as objects each of them
 * would weigh a hundred.
 */
public abstract sealed class Params permits ListedParams, PackedParams {
    /** So many of an address are kept as objects: a tag, or what a Contact has. */
    static final int FEW = 1;

    /** So many of a Via are: branch, rport and received, which are set in nearly each request. */
    private static final int FEW_OF_VIA = 3;

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
        return new ListedParams(pairs);
    }

    /**
     * Reads the parameters of a Via or of a value, in a slice that a scan has already found to be
     * well formed.
     *
     * @param from offset of the first semicolon, or {@code to}
     */
    static Params read(byte[] b, int from, int to) {
        ParamScan scan = Scans.mine().params().begin(b, from, to, false);
        int count = 0;
        while (scan.next()) {
            count++;
        }
        return read(b, from, to, false, count, FEW_OF_VIA);
    }

    /**
     * The same after an address, where {@link AddressScan} may have skipped junk.
     *
     * @param count how many there are
     */
    static Params readAfterAddress(byte[] b, int from, int to, int count) {
        return read(b, from, to, true, count, FEW);
    }

    private static Params read(byte[] b, int from, int to, boolean skipJunk, int count, int few) {
        if (count == 0) {
            return ListedParams.NONE;
        }
        ParamScan scan = Scans.mine().params().begin(b, from, to, skipJunk);
        if (count > few) {
            return PackedParams.of(scan, b, to - from, count);
        }
        @Nullable String[] pairs = new @Nullable String[2 * count];
        for (int i = 0; scan.next(); i += 2) {
            String name = ParamNames.known(b, scan.nameStart(), scan.nameEnd());
            if (name == null) {
                return PackedParams.of(scan.begin(b, from, to, skipJunk), b, to - from, count);
            }
            pairs[i] = name;
            pairs[i + 1] =
                    scan.valueStart() < 0 ? null : text(b, scan.valueStart(), scan.valueEnd());
        }
        return new ListedParams(pairs);
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

    /** A value as it is written, without folds. */
    static String text(byte[] b, int from, int to) {
        return Ascii.indexOf(b, from, to, '\n') < 0
                ? RecentTexts.of(b, from, to)
                : Ascii.unfolded(b, from, to);
    }

    public abstract int size();

    /** The same with an object for each, for who goes through all of them by their number. */
    public abstract ListedParams listed();

    public abstract boolean has(String name);

    /** Value without quotes, "" for a flag, null when absent. */
    public abstract @Nullable String get(String name);

    /** Value as it is written, quotes included; null when absent or a flag. */
    abstract @Nullable String written(String name);

    /**
     * Sets a parameter in place, or appends it. A value that is no token is quoted, unless it looks
     * like an address or a URI fragment that the grammar takes unquoted.
     *
     * @param value null for a flag
     * @throws IllegalArgumentException for a name that is no token or a line break in the value
     */
    public final Params with(String name, @Nullable String value) {
        if (!Ascii.isToken(name)) {
            throw new IllegalArgumentException("not a parameter name");
        }
        return put(name, value == null || value.isEmpty() ? null : Quoting.paramValue(value));
    }

    /** Sets a parameter to a quoted string as it is: its quotes stay, needed or not. */
    final Params withQuoted(String name, String quoted) {
        return put(name, quoted);
    }

    /** Sets a parameter to a value as it is written; null for a flag. */
    abstract Params put(String name, @Nullable String raw);

    public abstract Params without(String name);

    /** So many bytes {@link #print} writes at most. */
    abstract int mostBytes();

    /** Prints {@code ;name=value} for each. */
    public abstract void print(ByteWriter out);

    @Override
    public final String toString() {
        ByteWriter out = new ByteWriter(64);
        print(out);
        return out.toString();
    }

    /** The same names and values, as they are written, in the same order. */
    @Override
    public final boolean equals(@Nullable Object o) {
        return o instanceof Params other && listed().same(other.listed());
    }

    @Override
    public final int hashCode() {
        return listed().hash();
    }
}
