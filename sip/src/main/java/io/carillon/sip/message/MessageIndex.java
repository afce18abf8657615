package io.carillon.sip.message;

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

    /** Adds line {@code i} of another message, moved by {@code delta} bytes. */
    void addMoved(int[] other, int i, int delta) {
        int from = i * STRIDE;
        int at = count * STRIDE;
        if (at == lines.length) {
            lines = Arrays.copyOf(lines, at * 2);
        }
        // The offset is in the low bits and stays below their limit, so plain addition moves it.
        lines[at] = other[from] + delta;
        lines[at + 1] = other[from + 1] + delta;
        lines[at + 2] = other[from + 2] + delta;
        count++;
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
