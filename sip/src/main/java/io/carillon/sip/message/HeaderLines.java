package io.carillon.sip.message;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.bytes.WireText;
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
    /** Room for so many lines with values of their own before the array grows. */
    private static final int FEW = 4;

    final @Nullable SipMessage source;

    /**
     * One for each line: the number of the source's line, or for a line with a value of its own its
     * place in {@link #own} as {@code -1 - place}.
     */
    private short[] refs;

    /**
     * Name and value in turn of the lines that are not the source's. A value is a String, Via or
     * NameAddress; what they print cannot break the line. Places of removed lines stay empty.
     */
    private @Nullable Object[] own;

    private short ownCount;
    private short size;

    /**
     * A bit for each name that a line bears or bore, several names to a bit: most headers that are
     * asked for are not there, and no line has to be looked at for that.
     */
    private int named;

    HeaderLines(@Nullable SipMessage source, int room) {
        this.source = source;
        refs = new short[room];
        own = new @Nullable Object[2 * (source == null ? room : FEW)];
    }

    HeaderLines(HeaderLines o) {
        source = o.source;
        refs = o.refs.clone();
        own = o.own.clone();
        ownCount = o.ownCount;
        size = o.size;
        named = o.named;
    }

    static HeaderLines allOf(SipMessage source) {
        int n = source.headerCount();
        HeaderLines lines = new HeaderLines(source, n + 4);
        int named = 0;
        for (int i = 0; i < n; i++) {
            lines.refs[i] = (short) i;
            named |= bit(source.idAt(i));
        }
        lines.size = (short) n;
        lines.named = named;
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
        int ref = refs[i];
        return ref < 0 ? ownName(ref) : source().nameAt(ref);
    }

    boolean isNamed(int i, HeaderName name) {
        int ref = refs[i];
        return ref < 0 ? ownName(ref).equals(name) : source().isNamed(ref, name);
    }

    int find(HeaderName name, int from) {
        if ((named & bit(name.id())) == 0) {
            return -1;
        }
        for (int i = from; i < size; i++) {
            if (isNamed(i, name)) {
                return i;
            }
        }
        return -1;
    }

    private static int bit(int id) {
        return 1 << id; // of the last five bits
    }

    /** The typed value that was set, null for a line of the source. */
    @Nullable Object typed(int i) {
        int ref = refs[i];
        return ref < 0 ? own[2 * (-1 - ref) + 1] : null;
    }

    private HeaderName ownName(int ref) {
        if (own[2 * (-1 - ref)] instanceof HeaderName name) {
            return name;
        }
        throw new AssertionError("a line without name");
    }

    String text(int i) {
        Object value = typed(i);
        return value != null ? value.toString() : source().valueAt(refs[i]);
    }

    /** So many bytes the lines have at most when they are printed as they are. */
    int mostBytes() {
        int most = 0;
        for (int i = 0; i < size; i++) {
            int ref = refs[i];
            most +=
                    ref < 0
                            ? mostBytes(typed(i)) + ownName(ref).text().length() + 4
                            : source().lineEnd(ref) - source().lineStart(ref);
        }
        return most;
    }

    private static int mostBytes(@Nullable Object value) {
        return value instanceof NameAddress address
                ? address.mostBytes()
                : 3 * String.valueOf(value).length();
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
        named |= bit(source().idAt(line));
        insert(size, line);
    }

    void insert(int at, HeaderName name, Object value) {
        insert(at, add(name, value));
    }

    private void insert(int at, int ref) {
        if (size == refs.length) {
            if (size == Short.MAX_VALUE) {
                throw new IllegalStateException("too many header lines");
            }
            refs = Arrays.copyOf(refs, Math.min(size * 2 + 4, Short.MAX_VALUE));
        }
        if (at < size) {
            System.arraycopy(refs, at, refs, at + 1, size - at);
        }
        refs[at] = (short) ref;
        size++;
    }

    /** Keeps a value of its own and returns its reference. */
    private int add(HeaderName name, Object value) {
        if (ownCount == Short.MAX_VALUE) {
            throw new IllegalStateException("too many changes of headers");
        }
        named |= bit(name.id());
        int at = 2 * ownCount;
        if (at == own.length) {
            own = Arrays.copyOf(own, 2 * at + 2);
        }
        own[at] = name;
        own[at + 1] = value;
        return -1 - ownCount++;
    }

    private void forget(int ref) {
        if (ref < 0) {
            int place = -1 - ref;
            own[2 * place] = null;
            own[2 * place + 1] = null;
            if (place == ownCount - 1) {
                ownCount--;
            }
        }
    }

    void removeAt(int at) {
        forget(refs[at]);
        size--;
        if (at < size) {
            System.arraycopy(refs, at + 1, refs, at, size - at);
        }
    }

    void replaceAt(int at, HeaderName name, Object value) {
        int ref = refs[at];
        if (ref < 0) {
            int place = 2 * (-1 - ref);
            own[place] = name;
            own[place + 1] = value;
            named |= bit(name.id());
        } else {
            refs[at] = (short) add(name, value);
        }
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
        Object value = typed(i);
        if (name.list() && !(value instanceof Via) && !(value instanceof NameAddress)) {
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
        if (typed(i) == null) {
            SipMessage message = source();
            b = message.bytes();
            from = message.valueStart(refs[i]);
            to = message.valueEnd(refs[i]);
        } else {
            b = WireText.bytes(text(i));
            from = 0;
            to = b.length;
        }
        int end = HeaderElements.end(b, from, to);
        int rest = Ascii.skipLws(b, Math.min(end + 1, to), to);
        return rest == to ? "" : Ascii.unfolded(b, rest, to);
    }

    void all(HeaderName name, List<String> out) {
        for (int i = find(name, 0); i >= 0; i = find(name, i + 1)) {
            if (!name.list()) {
                out.add(text(i));
            } else if (typed(i) == null) {
                SipMessage m = source();
                HeaderElements.split(m.bytes(), m.valueStart(refs[i]), m.valueEnd(refs[i]), out);
            } else {
                byte[] b = WireText.bytes(text(i));
                HeaderElements.split(b, 0, b.length, out);
            }
        }
    }
}
