package io.carillon.sip.message;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the header lines of a message lie, while it is being parsed or printed: three ints per line
 * in one array. The finished message takes one of them, the packed line: a bit for an {@link #ODD}
 * line, seven for the header's number, 24 for the offset where the line begins. Value and end are
 * found from there, in bytes that whoever asks is about to read. Not thread safe; the parser reuses
 * one.
 */
public final class MessageIndex {
    /** Ints per header line: packed line, value start, value end. */
    private static final int STRIDE = 3;

    static final int OFFSET_MASK = 0xff_ffff;

    /**
     * The sign of a packed line whose end is not where the next one begins: its value holds a fold,
     * or bytes that are no header follow it.
     */
    private static final int ODD = 0x8000_0000;

    private static final int ID_SHIFT = 24;
    private static final int ID_MASK = 0x7f;

    /** Offsets have 24 bits. */
    public static final int MAX_MESSAGE_BYTES = OFFSET_MASK;

    private int[] lines;
    private int count;
    private @Nullable Via topVia;

    /** Where the next line begins if nothing lies between. */
    private int nextStart;

    /**
     * An empty index.
     *
     * @param expectedLines room for so many lines before the array grows
     */
    public MessageIndex(int expectedLines) {
        lines = new int[STRIDE * Math.max(expectedLines, 1)];
    }

    /** {@link HeaderName#id()} of a packed line. */
    static int idOf(int packed) {
        return (packed >>> ID_SHIFT & ID_MASK) - 1;
    }

    /** Offset after the line that begins at {@code start}, its folds included. */
    static int lineEnd(byte[] b, int start, int headersEnd) {
        int end = endOfLine(b, start, headersEnd);
        while (end + 2 < headersEnd && Ascii.isBlank(b[end + 2])) {
            end = endOfLine(b, end + 2, headersEnd);
        }
        return end + 2;
    }

    /** Forgets all lines. */
    public void clear() {
        count = 0;
        topVia = null;
    }

    /** The message's top Via, when it is known already. */
    public void topVia(@Nullable Via via) {
        topVia = via;
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
     * @param lineEnd offset after its line break
     * @param folded does the line hold a fold?
     */
    public void add(
            int id, int lineStart, int valueStart, int valueEnd, int lineEnd, boolean folded) {
        markGap(lineStart);
        int at = count * STRIDE;
        if (at == lines.length) {
            lines = Arrays.copyOf(lines, at * 2);
        }
        lines[at] = (id + 1) << ID_SHIFT | lineStart | (folded ? ODD : 0);
        lines[at + 1] = valueStart;
        lines[at + 2] = valueEnd;
        nextStart = lineEnd;
        count++;
    }

    private void markGap(int start) {
        if (count > 0 && start != nextStart) {
            lines[(count - 1) * STRIDE] |= ODD;
        }
    }

    /**
     * Makes the line added last one without a typed view: it leaves as it came, and whoever asks
     * for the header by its name finds none.
     */
    public void keepLastAsText() {
        lines[(count - 1) * STRIDE] &= ODD | OFFSET_MASK;
    }

    public int id(int i) {
        return idOf(lines[i * STRIDE]);
    }

    public int valueStart(int i) {
        return lines[i * STRIDE + 1];
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
            int next = lineEnd(b, p, headersEnd);
            if (next > headersEnd) {
                break; // a stray byte at the end, tolerated by the parser
            }
            boolean folded = endOfLine(b, p, headersEnd) + 2 < next;
            index.addPrinted(space, b, p, next - 2, folded);
            p = next;
        }
        return index.packed(headersEnd);
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
        int id = HeaderName.idOf(b, line, nameEnd);
        add(id, line, from, to, end + 2, folded);
        if (id == HeaderName.CONTACT.id() && space.check(id, b, from, to) != null) {
            keepLastAsText();
        }
    }

    /** A quoted pair may hold a bare CR or LF: only both together end a line. */
    private static int endOfLine(byte[] b, int from, int to) {
        int p = from;
        while (p + 1 < to && (b[p] != '\r' || b[p + 1] != '\n')) {
            p++;
        }
        return p + 1 < to ? p : to;
    }

    private int[] packed(int headersEnd) {
        markGap(headersEnd);
        int[] packed = new int[count];
        for (int i = 0; i < packed.length; i++) {
            packed[i] = lines[i * STRIDE];
        }
        return packed;
    }

    /**
     * The request that these lines describe.
     *
     * @param bytes the message from offset 0; from now on not to be written to
     * @param length bytes that belong to the message, its body included
     * @param headersEnd offset of the empty line after the headers
     */
    public SipRequest request(byte[] bytes, int length, int headersEnd, int methodEnd, int uriEnd) {
        SipRequest request =
                new SipRequest(bytes, length, headersEnd, packed(headersEnd), methodEnd, uriEnd);
        request.topVia = topVia;
        topVia = null;
        return request;
    }

    /** The response that these lines describe; see {@link #request}. */
    public SipResponse response(byte[] bytes, int length, int headersEnd, int status) {
        SipResponse response =
                new SipResponse(bytes, length, headersEnd, packed(headersEnd), status);
        response.topVia = topVia;
        topVia = null;
        return response;
    }
}
