package io.carillon.sip.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.header.HeaderElements;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.header.Via;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The header lines of a draft: each is either a line of the source message, left where it is, or a
 * name with a value of its own. Flat arrays, because a draft is made for nearly every message sent.
 * Not thread safe.
 */
final class HeaderLines {
    private static final int OWN = -1;

    final @Nullable SipMessage source;
    private int[] refs;
    private @Nullable HeaderName[] names;

    /** String, Via or NameAddress; what they print cannot break the line. */
    private @Nullable Object[] values;

    private int size;

    HeaderLines(@Nullable SipMessage source, int room) {
        this.source = source;
        refs = new int[room];
        names = new @Nullable HeaderName[room];
        values = new @Nullable Object[room];
    }

    HeaderLines(HeaderLines o) {
        source = o.source;
        refs = o.refs.clone();
        names = o.names.clone();
        values = o.values.clone();
        size = o.size;
    }

    static HeaderLines allOf(SipMessage source) {
        int n = source.headerCount();
        HeaderLines lines = new HeaderLines(source, n + 4);
        for (int i = 0; i < n; i++) {
            lines.refs[i] = i;
        }
        lines.size = n;
        return lines;
    }

    int size() {
        return size;
    }

    /** Line number in the source, negative for a line with its own value. */
    int ref(int i) {
        return refs[i];
    }

    /** The source; only asked for lines that have a {@link #ref}. */
    private SipMessage source() {
        if (source == null) {
            throw new AssertionError("line of no message");
        }
        return source;
    }

    HeaderName name(int i) {
        HeaderName name = names[i];
        return name != null ? name : source().nameAt(refs[i]);
    }

    boolean isNamed(int i, HeaderName name) {
        HeaderName own = names[i];
        return own != null ? own.equals(name) : source().isNamed(refs[i], name);
    }

    int find(HeaderName name, int from) {
        for (int i = from; i < size; i++) {
            if (isNamed(i, name)) {
                return i;
            }
        }
        return -1;
    }

    /** The typed value that was set, null for a line of the source. */
    @Nullable Object typed(int i) {
        return values[i];
    }

    String text(int i) {
        Object value = values[i];
        return value != null ? value.toString() : source().valueAt(refs[i]);
    }

    static void print(@Nullable Object value, ByteWriter out) {
        if (value instanceof Via via) {
            via.print(out);
        } else if (value instanceof NameAddress address) {
            address.print(out);
        } else if (value instanceof String text) {
            out.put(text);
        }
    }

    void addRef(int line) {
        insert(size, line, null, null);
    }

    void insert(int at, HeaderName name, Object value) {
        insert(at, OWN, name, value);
    }

    private void insert(int at, int ref, @Nullable HeaderName name, @Nullable Object value) {
        if (size == refs.length) {
            int room = size * 2 + 4;
            refs = Arrays.copyOf(refs, room);
            names = Arrays.copyOf(names, room);
            values = Arrays.copyOf(values, room);
        }
        if (at < size) {
            System.arraycopy(refs, at, refs, at + 1, size - at);
            System.arraycopy(names, at, names, at + 1, size - at);
            System.arraycopy(values, at, values, at + 1, size - at);
        }
        refs[at] = ref;
        names[at] = name;
        values[at] = value;
        size++;
    }

    void removeAt(int at) {
        size--;
        if (at < size) {
            System.arraycopy(refs, at + 1, refs, at, size - at);
            System.arraycopy(names, at + 1, names, at, size - at);
            System.arraycopy(values, at + 1, values, at, size - at);
        }
        names[size] = null;
        values[size] = null;
    }

    void replaceAt(int at, HeaderName name, Object value) {
        refs[at] = OWN;
        names[at] = name;
        values[at] = value;
    }

    void removeAll(HeaderName name) {
        removeFrom(name, 0);
    }

    private void removeFrom(HeaderName name, int from) {
        for (int i = find(name, from); i >= 0; i = find(name, i)) {
            removeAt(i);
        }
    }

    /** One line of that name with this value, where the first one stood, else at the end. */
    void set(HeaderName name, Object value) {
        int i = find(name, 0);
        if (i < 0) {
            insert(size, name, value);
        } else {
            replaceAt(i, name, value);
            removeFrom(name, i + 1);
        }
    }

    /** A new line before all others of that name. */
    void addFirst(HeaderName name, Object value) {
        int i = find(name, 0);
        if (i >= 0) {
            insert(i, name, value);
        } else if (name.id() == HeaderName.VIA.id()) {
            insert(0, name, value);
        } else if (isRouting(name)) {
            // RFC 3261 7.3.1: headers needed for proxy processing should appear towards the top.
            insert(afterVias(), name, value);
        } else {
            insert(size, name, value);
        }
    }

    private static boolean isRouting(HeaderName name) {
        return name.equals(HeaderName.ROUTE)
                || name.equals(HeaderName.RECORD_ROUTE)
                || name.equals(HeaderName.PATH)
                || name.equals(HeaderName.MAX_FORWARDS);
    }

    private int afterVias() {
        int at = 0;
        for (int i = find(HeaderName.VIA, 0); i >= 0; i = find(HeaderName.VIA, i + 1)) {
            at = i + 1;
        }
        return at;
    }

    /**
     * Replaces the first element of that name by a typed one; the rest of its line stays behind it.
     */
    void replaceFirst(HeaderName name, Object value) {
        removeFirst(name);
        addFirst(name, value);
    }

    /** Removes the first element: the line, or the part of it before its first comma. */
    boolean removeFirst(HeaderName name) {
        int i = find(name, 0);
        if (i < 0) {
            return false;
        }
        if (name.list() && !(values[i] instanceof Via) && !(values[i] instanceof NameAddress)) {
            String rest = afterFirst(i);
            if (!rest.isEmpty()) {
                replaceAt(i, name, rest);
                return true;
            }
        }
        removeAt(i);
        return true;
    }

    private String afterFirst(int i) {
        byte[] b;
        int from;
        int to;
        if (values[i] == null) {
            SipMessage message = source();
            b = message.bytes();
            from = message.valueStart(refs[i]);
            to = message.valueEnd(refs[i]);
        } else {
            b = text(i).getBytes(UTF_8);
            from = 0;
            to = b.length;
        }
        int end = HeaderElements.end(b, from, to);
        int rest = Ascii.skipLws(b, Math.min(end + 1, to), to);
        return Ascii.unfolded(b, rest, to);
    }

    void all(HeaderName name, List<String> out) {
        for (int i = find(name, 0); i >= 0; i = find(name, i + 1)) {
            if (!name.list()) {
                out.add(text(i));
            } else if (values[i] == null) {
                SipMessage m = source();
                HeaderElements.split(m.bytes(), m.valueStart(refs[i]), m.valueEnd(refs[i]), out);
            } else {
                byte[] b = text(i).getBytes(UTF_8);
                HeaderElements.split(b, 0, b.length, out);
            }
        }
    }
}
