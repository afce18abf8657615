package io.carillon.sip.bytes;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link StateWriter} wrote. Bytes that no writer can have made end in a {@link
 * StateFormatException}, never in an endless allocation: every length is checked against what is
 * there. Owner: whoever created it; not thread safe.
 */
public final class StateReader {
    private static final int MAX_DEPTH = 32;

    private final byte[] bytes;
    private final int[] ends = new int[MAX_DEPTH];
    private int depth;
    private int limit;
    private int position;

    public StateReader(byte[] bytes) {
        this.bytes = bytes;
        this.limit = bytes.length;
    }

    /**
     * Enters a section.
     *
     * @return its version; fields that a later version appended are to be read only from that
     *     version on
     */
    public int begin() {
        long version = getVarint();
        need(4);
        int size =
                (bytes[position] & 0xFF) << 24
                        | (bytes[position + 1] & 0xFF) << 16
                        | (bytes[position + 2] & 0xFF) << 8
                        | (bytes[position + 3] & 0xFF);
        position += 4;
        if (version < 1 || version > Integer.MAX_VALUE || size < 0 || depth == MAX_DEPTH) {
            throw new StateFormatException(
                    "section version " + version + ", size " + size + ", depth " + depth);
        }
        need(size);
        ends[depth++] = limit;
        limit = position + size;
        return (int) version;
    }

    /** Leaves the section; whatever a newer writer appended to it is skipped. */
    public void end() {
        if (depth == 0) {
            throw new StateFormatException("no section is open");
        }
        position = limit;
        limit = ends[--depth];
    }

    /** Is there more in the present section? */
    public boolean hasMore() {
        return position < limit;
    }

    public long getVarint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            need(1);
            byte b = bytes[position++];
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new StateFormatException("number longer than 64 bits");
    }

    public long getSigned() {
        long v = getVarint();
        return (v >>> 1) ^ -(v & 1);
    }

    /** Reads what {@link StateWriter#putFixed} wrote. */
    public long getFixed() {
        need(8);
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = value << 8 | (bytes[position++] & 0xFF);
        }
        return value;
    }

    /** Reads a number that has to lie between 0 and {@code max}, both inclusive. */
    public int getCount(int max) {
        long v = getVarint();
        if (v < 0 || v > max) {
            throw new StateFormatException("count " + v + " above " + max);
        }
        return (int) v;
    }

    public boolean getBoolean() {
        need(1);
        return bytes[position++] != 0;
    }

    public @Nullable String getString() {
        int size = lengthOrNull();
        if (size < 0) {
            return null;
        }
        String s = WireText.string(bytes, position, position + size);
        position += size;
        return s;
    }

    /** Reads a string that may not be null. */
    public String needString() {
        String s = getString();
        if (s == null) {
            throw new StateFormatException("null where a string has to be");
        }
        return s;
    }

    public byte @Nullable [] getBytes() {
        int size = lengthOrNull();
        if (size < 0) {
            return null;
        }
        byte[] b = Arrays.copyOfRange(bytes, position, position + size);
        position += size;
        return b;
    }

    private int lengthOrNull() {
        long v = getVarint();
        if (v < 0 || v > (long) limit - position + 1) {
            throw new StateFormatException("length " + v + " at " + position);
        }
        return (int) v - 1;
    }

    private void need(int count) {
        if (count > limit - position) {
            throw new StateFormatException(
                    "ends at " + limit + ", " + count + " more wanted at " + position);
        }
    }
}
