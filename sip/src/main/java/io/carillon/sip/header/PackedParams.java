package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * Parameters as text, read when somebody asks for one: they weigh no more than they are long.
 * Immutable and thread safe.
 */
final class PackedParams extends Params {
    /** As they are printed: without folds, and without white space around separators. */
    private final byte[] text;

    private final int count;

    private PackedParams(byte[] text, int count) {
        this.text = text;
        this.count = count;
    }

    /**
     * @param scan at the beginning of parameters that were found to be well formed
     * @param length about how many bytes they have
     */
    static PackedParams of(ParamScan scan, byte[] b, int length, int count) {
        ByteWriter out = new ByteWriter(length);
        while (scan.next()) {
            out.put(';').put(b, scan.nameStart(), scan.nameEnd() - scan.nameStart());
            if (scan.valueStart() >= 0) {
                out.put('=');
                putUnfolded(out, b, scan.valueStart(), scan.valueEnd());
            }
        }
        return new PackedParams(out.toByteArray(), count);
    }

    private static void putUnfolded(ByteWriter out, byte[] b, int from, int to) {
        if (Ascii.indexOf(b, from, to, '\n') < 0) {
            out.put(b, from, to - from);
        } else {
            out.put(text(b, from, to));
        }
    }

    /** Those of a list, as text unless they would be read back as others. */
    private static Params packed(ListedParams listed) {
        if (listed.size() <= FEW) {
            return listed;
        }
        ByteWriter out = new ByteWriter(listed.mostBytes());
        listed.print(out);
        PackedParams made = new PackedParams(out.toByteArray(), listed.size());
        return made.listed().same(listed) ? made : listed;
    }

    private ParamScan scan() {
        return Scans.mine().params().begin(text, 0, text.length, false);
    }

    @Override
    public int size() {
        return count;
    }

    @Override
    public ListedParams listed() {
        @Nullable String[] pairs = new @Nullable String[2 * count];
        ParamScan scan = scan();
        for (int i = 0; i < pairs.length && scan.next(); i += 2) {
            pairs[i] = ParamNames.text(text, scan.nameStart(), scan.nameEnd());
            pairs[i + 1] =
                    scan.valueStart() < 0 ? null : text(text, scan.valueStart(), scan.valueEnd());
        }
        return new ListedParams(pairs);
    }

    @Override
    public boolean has(String name) {
        ParamScan scan = scan();
        while (scan.next()) {
            if (scan.nameIs(name)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public @Nullable String get(String name) {
        return value(text, 0, text.length, name);
    }

    @Override
    @Nullable String written(String name) {
        ParamScan scan = scan();
        while (scan.next()) {
            if (scan.nameIs(name)) {
                return scan.valueStart() < 0
                        ? null
                        : text(text, scan.valueStart(), scan.valueEnd());
            }
        }
        return null;
    }

    @Override
    Params put(String name, @Nullable String raw) {
        return packed(listed().put(name, raw));
    }

    @Override
    public Params without(String name) {
        return has(name) ? packed(listed().without(name)) : this;
    }

    @Override
    int mostBytes() {
        return text.length;
    }

    @Override
    public void print(ByteWriter out) {
        out.put(text);
    }
}
