package io.carillon.sip.edge;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.header.HeaderName;
import java.util.Arrays;

/**
 * Folds a header line (RFC 3261 7.3.1): "Header field values can be extended over multiple lines by
 * preceding each extra line with at least one SP or horizontal tab." That may be done where the
 * grammar has white space: at white space that is there, behind a comma and, in headers whose
 * parameters we know, before a semicolon; never inside the brackets of a URI, and in a quoted
 * string only at a space.
 *
 * <p>Owner: one thread.
 */
final class LineFold {
    private byte[] line = new byte[1024];

    /** Where a line may end, and where the next one then goes on; in their order. */
    private int[] ends = new int[32];

    private int[] nexts = new int[32];
    private int places;

    /**
     * Prints the line anew that begins there and ends with the writer.
     *
     * @param most characters of each line
     * @return false when it cannot be done; what the writer holds is of no use then
     */
    boolean fold(ByteWriter out, int start, HeaderName name, int most) {
        int length = unfold(out.array(), start, out.length() - 2);
        byte[] before = Arrays.copyOf(out.array(), start);
        out.clear().put(before);
        find(length, name.id() >= 0);
        int from = 0;
        int place = 0;
        int room = most;
        while (length - from > room) {
            int best = -1;
            while (place < places && ends[place] - from <= room) {
                best = ends[place] > from ? place : best;
                place++;
            }
            if (best < 0) {
                return false;
            }
            out.put(line, from, ends[best] - from).putCrLf().put(' ');
            from = nexts[best];
            room = most - 1;
        }
        out.put(line, from, length - from).putCrLf();
        return true;
    }

    /** Copies the line without the folds that it has; returns its length. */
    private int unfold(byte[] b, int from, int to) {
        if (line.length < to - from) {
            line = new byte[2 * (to - from)];
        }
        int n = 0;
        for (int p = from; p < to; ) {
            if (b[p] == '\r' || b[p] == '\n') {
                n = Ascii.trimEnd(line, 0, n);
                p = Ascii.skipLws(b, p, to);
                line[n++] = ' ';
            } else {
                line[n++] = b[p++];
            }
        }
        return n;
    }

    private void find(int length, boolean parameters) {
        places = 0;
        boolean quoted = false;
        boolean brackets = false;
        int value = Ascii.skipLws(line, Ascii.indexOf(line, 0, length, ':') + 1, length);
        for (int p = value; p < length; p++) {
            int c = line[p];
            if (c == '\\' && quoted) {
                p++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == '<' || c == '>')) {
                brackets = c == '<';
            } else if (!brackets && Ascii.isBlank(c)) {
                add(p, Ascii.skipLws(line, p, length));
            } else if (c == ',' && !brackets && !quoted) {
                add(p + 1, Ascii.skipLws(line, p + 1, length));
            } else if (c == ';' && !brackets && !quoted && parameters && p > value) {
                add(p, p);
            }
        }
    }

    private void add(int end, int next) {
        if (places > 0 && ends[places - 1] >= end) {
            return;
        }
        if (places == ends.length) {
            ends = Arrays.copyOf(ends, 2 * places);
            nexts = Arrays.copyOf(nexts, 2 * places);
        }
        ends[places] = end;
        nexts[places] = next;
        places++;
    }
}
