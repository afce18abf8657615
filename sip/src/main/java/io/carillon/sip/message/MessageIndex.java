package io.carillon.sip.message;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;
import java.util.Arrays;

/**
 * Where the header lines of a message lie, while it is being parsed or printed: three ints per line
 * in one array. The finished message takes a copy. Not thread safe; the parser reuses one.
 */
public final class MessageIndex {
    /** Ints per header line: id and line start, value start and fold mark, value end. */
    static final int STRIDE = 3;

    static final int OFFSET_MASK = 0xff_ffff;
    static final int FOLDED = 0x8000_0000;
    static final int ID_SHIFT = 24;

    /** Offsets have 24 bits. */
    public static final int MAX_MESSAGE_BYTES = OFFSET_MASK;

    private int[] lines;
    private int count;

    /**
     * An empty index.
     *
     * @param expectedLines room for so many lines before the array grows
     */
    public MessageIndex(int expectedLines) {
        lines = new int[STRIDE * Math.max(expectedLines, 1)];
    }

    /** Forgets all lines. */
    public void clear() {
        count = 0;
    }

    /** Header lines so far. */
    public int count() {
        return count;
    }

    /**
     * Adds a line.
     *
     * @param id {@link HeaderName#id()}
     * @param lineStart offset of the name's first byte
     * @param valueStart offset of the trimmed value
     * @param valueEnd end of the trimmed value
     * @param folded does the value hold a line fold?
     */
    public void add(int id, int lineStart, int valueStart, int valueEnd, boolean folded) {
        int at = count * STRIDE;
        if (at == lines.length) {
            lines = Arrays.copyOf(lines, at * 2);
        }
        lines[at] = (id + 1) << ID_SHIFT | lineStart;
        lines[at + 1] = folded ? valueStart | FOLDED : valueStart;
        lines[at + 2] = valueEnd;
        count++;
    }

    /**
     * Makes the line added last one without a typed view: it leaves as it came, and whoever asks
     * for the header by its name finds none.
     */
    public void keepLastAsText() {
        lines[(count - 1) * STRIDE] &= OFFSET_MASK;
    }

    public int id(int i) {
        return (lines[i * STRIDE] >>> ID_SHIFT) - 1;
    }

    public int valueStart(int i) {
        return lines[i * STRIDE + 1] & OFFSET_MASK;
    }

    public int valueEnd(int i) {
        return lines[i * STRIDE + 2];
    }

    /**
     * The index of a message that we printed, or printed parts of: it is well formed, but for what
     * the parser tolerated in what we passed on.
     *
     * @param headersEnd offset of the empty line after the headers
     */
    static int[] of(byte[] b, int headersEnd) {
        PrintSpace space = PrintSpace.mine();
        MessageIndex index = space.index();
        int p = endOfLine(b, 0, headersEnd) + 2;
        while (p < headersEnd) {
            int end = endOfLine(b, p, headersEnd);
            boolean folded = false;
            while (end + 2 < headersEnd && Ascii.isBlank(b[end + 2])) {
                folded = true;
                end = endOfLine(b, end + 2, headersEnd);
            }
            index.addPrinted(space, b, p, end, folded);
            p = end + 2;
        }
        return index.copied();
    }

    private void addPrinted(PrintSpace space, byte[] b, int line, int end, boolean folded) {
        int nameEnd = line;
        while (nameEnd < end && Ascii.isToken(b[nameEnd])) {
            nameEnd++;
        }
        int colon = Ascii.indexOf(b, nameEnd, end, ':');
        if (colon < 0) {
            return; // passed over by the parser too, where it is tolerated
        }
        int from = Ascii.skipLws(b, colon + 1, end);
        int to = Ascii.trimEnd(b, from, end);
        HeaderName name = HeaderName.known(b, line, nameEnd);
        add(name == null ? HeaderName.GENERIC : name.id(), line, from, to, folded);
        if (name != null
                && name.equals(HeaderName.CONTACT)
                && space.check(name.id(), b, from, to) != null) {
            keepLastAsText();
        }
    }

    /** A quoted pair may hold a bare CR or LF: only both together end a line. */
    private static int endOfLine(byte[] b, int from, int to) {
        int p = from;
        while (p < to && (b[p] != '\r' || b[p + 1] != '\n')) {
            p++;
        }
        return p;
    }

    private int[] copied() {
        return Arrays.copyOf(lines, count * STRIDE);
    }

    /**
     * The request that these lines describe.
     *
     * @param bytes the message from offset 0; from now on not to be written to
     * @param length bytes that belong to the message, its body included
     * @param headersEnd offset of the empty line after the headers
     */
    public SipRequest request(byte[] bytes, int length, int headersEnd, int methodEnd, int uriEnd) {
        return new SipRequest(bytes, length, headersEnd, copied(), methodEnd, uriEnd);
    }

    /**
     * The response that these lines describe; see {@link #request}.
     *
     * @param reasonStart offset of the reason phrase; it ends with its line
     */
    public SipResponse response(
            byte[] bytes, int length, int headersEnd, int status, int reasonStart) {
        return new SipResponse(bytes, length, headersEnd, copied(), status, reasonStart);
    }
}
