package io.carillon.sip.bytes;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes state as a value: a compact binary form of numbers, strings and nested, versioned
 * sections, read back by {@link StateReader}.
 *
 * <p>A section carries its version and its length, so that an older reader skips what a newer
 * writer appended. Owner: whoever created it; not thread safe.
 */
public final class StateWriter {
    private byte[] buffer;
    private int length;

    public StateWriter() {
        this(256);
    }

    public StateWriter(int initialCapacity) {
        buffer = new byte[Math.max(16, initialCapacity)];
    }

    /**
     * Opens a section; what follows up to {@link #end(int)} belongs to it.
     *
     * @param version of this section's content, 1 or more; raise it when fields are appended
     * @return the mark that {@code end} wants
     */
    public int begin(int version) {
        if (version < 1) {
            throw new IllegalArgumentException("version " + version);
        }
        putVarint(version);
        ensure(4);
        length += 4;
        return length;
    }

    /** Closes the section that {@link #begin(int)} opened with this mark. */
    public void end(int mark) {
        int size = length - mark;
        buffer[mark - 4] = (byte) (size >>> 24);
        buffer[mark - 3] = (byte) (size >>> 16);
        buffer[mark - 2] = (byte) (size >>> 8);
        buffer[mark - 1] = (byte) size;
    }

    /**
     * Writes a number in 7-bit groups; small numbers that are not negative take one byte, negative
     * ones ten.
     */
    public StateWriter putVarint(long value) {
        ensure(10);
        long v = value;
        while ((v & ~0x7FL) != 0) {
            buffer[length++] = (byte) (v | 0x80);
            v >>>= 7;
        }
        buffer[length++] = (byte) v;
        return this;
    }

    /** Writes a number of either sign; values near zero take one byte. */
    public StateWriter putSigned(long value) {
        return putVarint((value << 1) ^ (value >> 63));
    }

    public StateWriter putBoolean(boolean value) {
        ensure(1);
        buffer[length++] = (byte) (value ? 1 : 0);
        return this;
    }

    /** Writes a number of any size in eight bytes. */
    public StateWriter putFixed(long value) {
        ensure(8);
        for (int shift = 56; shift >= 0; shift -= 8) {
            buffer[length++] = (byte) (value >>> shift);
        }
        return this;
    }

    /** Writes a string or null. */
    public StateWriter putString(@Nullable String value) {
        if (value == null) {
            return putVarint(0);
        }
        byte[] utf8 = WireText.bytes(value);
        putVarint(utf8.length + 1L);
        append(utf8);
        return this;
    }

    /** Writes bytes or null. */
    public StateWriter putBytes(byte @Nullable [] value) {
        if (value == null) {
            return putVarint(0);
        }
        putVarint(value.length + 1L);
        append(value);
        return this;
    }

    /** Writes what another one has written, as it is. */
    public StateWriter append(StateWriter other) {
        ensure(other.length);
        System.arraycopy(other.buffer, 0, buffer, length, other.length);
        length += other.length;
        return this;
    }

    public int length() {
        return length;
    }

    /** How much it holds before it has to grow. */
    public int capacity() {
        return buffer.length;
    }

    /** Forgets what was written; the room stays. */
    public void clear() {
        length = 0;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(buffer, length);
    }

    /** What this one has written, and what another one has behind it. */
    public byte[] toByteArrayWith(StateWriter other) {
        byte[] both = Arrays.copyOf(buffer, length + other.length);
        System.arraycopy(other.buffer, 0, both, length, other.length);
        return both;
    }

    private void append(byte[] bytes) {
        ensure(bytes.length);
        System.arraycopy(bytes, 0, buffer, length, bytes.length);
        length += bytes.length;
    }

    private void ensure(int more) {
        if (buffer.length - length < more) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
        }
    }
}
