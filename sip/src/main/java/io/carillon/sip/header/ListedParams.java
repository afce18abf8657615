package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Parameters with an object for each name and value. Immutable and thread safe. */
public final class ListedParams extends Params {
    /** No parameters. */
    static final ListedParams NONE = new ListedParams(new @Nullable String[0]);

    /** Name, value, name, value...; a null value is a flag. */
    private final @Nullable String[] pairs;

    ListedParams(@Nullable String[] pairs) {
        this.pairs = pairs;
    }

    @Override
    public int size() {
        return pairs.length / 2;
    }

    @Override
    public ListedParams listed() {
        return this;
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

    /** Has parameter {@code i} no value at all? */
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

    @Override
    public boolean has(String name) {
        return find(name) >= 0;
    }

    @Override
    public @Nullable String get(String name) {
        int i = find(name);
        return i < 0 ? null : value(i / 2);
    }

    @Override
    @Nullable String written(String name) {
        int i = find(name);
        return i < 0 ? null : pairs[i + 1];
    }

    @Override
    ListedParams put(String name, @Nullable String raw) {
        int i = find(name);
        @Nullable String[] next = Arrays.copyOf(pairs, i < 0 ? pairs.length + 2 : pairs.length);
        int at = i < 0 ? pairs.length : i;
        next[at] = i < 0 ? name : pairs[i];
        next[at + 1] = raw;
        return new ListedParams(next);
    }

    @Override
    public ListedParams without(String name) {
        int n = 0;
        @Nullable String[] next = new @Nullable String[pairs.length];
        for (int i = 0; i < pairs.length; i += 2) {
            if (!Ascii.equalsIgnoreCase(name(i / 2), name)) {
                next[n++] = pairs[i];
                next[n++] = pairs[i + 1];
            }
        }
        return n == pairs.length ? this : new ListedParams(Arrays.copyOf(next, n));
    }

    @Override
    int mostBytes() {
        int most = 0;
        for (String text : pairs) {
            most += 1 + (text == null ? 0 : 3 * text.length());
        }
        return most;
    }

    @Override
    public void print(ByteWriter out) {
        for (int i = 0; i < pairs.length; i += 2) {
            String value = pairs[i + 1];
            out.put(';').put(name(i / 2));
            if (value != null) {
                out.put('=').put(value);
            }
        }
    }

    boolean same(ListedParams other) {
        return Arrays.equals(pairs, other.pairs);
    }

    int hash() {
        return Arrays.hashCode(pairs);
    }
}
