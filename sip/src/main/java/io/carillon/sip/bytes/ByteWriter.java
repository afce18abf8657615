package io.carillon.sip.bytes;

import java.util.Arrays;

/** A growable byte array to print into. Not thread safe: it belongs to the one who prints. */
public final class ByteWriter {
    private byte[] buffer;
    private int length;

    /**
     * An empty writer.
     *
     * @param capacity expected size in bytes; the writer grows beyond it
     */
    public ByteWriter(int capacity) {
        buffer = new byte[Math.max(capacity, 16)];
    }

    /** Bytes written so far. */
    public int length() {
        return length;
    }

    /** Begins anew in the same array: for a writer that is used message after message. */
    public ByteWriter clear() {
        length = 0;
        return this;
    }

    /** The array written into, longer than {@link #length()}; the next put may replace it. */
    public byte[] array() {
        return buffer;
    }

    /** A copy of exactly what was written. */
    public byte[] toByteArray() {
        return Arrays.copyOf(buffer, length);
    }

    /** What was written, as text. */
    @Override
    public String toString() {
        return WireText.string(buffer, 0, length);
    }

    public ByteWriter put(byte[] b, int off, int len) {
        ensure(len);
        System.arraycopy(b, off, buffer, length, len);
        length += len;
        return this;
    }

    public ByteWriter put(byte[] b) {
        return put(b, 0, b.length);
    }

    /** Writes one byte (the low eight bits). */
    public ByteWriter put(int b) {
        ensure(1);
        buffer[length++] = (byte) b;
        return this;
    }

    /** Writes text ({@link WireText}). */
    public ByteWriter put(String text) {
        int n = text.length();
        ensure(n);
        byte[] out = buffer;
        int p = length;
        for (int i = 0; i < n; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                return put(WireText.bytes(text));
            }
            out[p + i] = (byte) c;
        }
        length = p + n;
        return this;
    }

    /** Writes a number in decimal digits. */
    public ByteWriter putDecimal(long number) {
        if (number < 0) {
            // Long.MIN_VALUE has no positive twin; no SIP field comes near it.
            put('-');
            return number == Long.MIN_VALUE ? put("9223372036854775808") : putDecimal(-number);
        }
        int digits = 1;
        for (long n = number; n >= 10; n /= 10) {
            digits++;
        }
        ensure(digits);
        long rest = number;
        for (int p = length + digits - 1; p >= length; p--) {
            buffer[p] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
        return this;
    }

    public ByteWriter putCrLf() {
        ensure(2);
        buffer[length++] = '\r';
        buffer[length++] = '\n';
        return this;
    }

    private void ensure(int more) {
        if (more > buffer.length - length) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
        }
    }
}
