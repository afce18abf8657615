package io.carillon.cluster.bytes;

import java.nio.charset.StandardCharsets;

/**
 * Reads what {@link Packer} wrote. Bytes that end early or make no sense are an {@link
 * IllegalArgumentException}, never anything else. One thread.
 */
public final class Unpacker {
    private static final int MOST_TEXT = 1024;

    private final byte[] bytes;
    private int at;

    public Unpacker(byte[] bytes) {
        this.bytes = bytes;
    }

    public int octet() {
        if (at >= bytes.length) {
            throw new IllegalArgumentException("ends after " + bytes.length + " bytes");
        }
        return bytes[at++] & 0xFF;
    }

    public boolean flag() {
        return octet() != 0;
    }

    public long number() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = octet();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number of more than ten bytes");
    }

    /** A number from 0 to the most, the most included. */
    public int upTo(int most) {
        long value = number();
        if (value < 0 || value > most) {
            throw new IllegalArgumentException(value + " is not within 0 and " + most);
        }
        return (int) value;
    }

    public String text() {
        return text(MOST_TEXT);
    }

    /**
     * A text that may be long.
     *
     * @param most bytes of it
     */
    public String text(int most) {
        int length = upTo(most);
        if (bytes.length - at < length) {
            throw new IllegalArgumentException("ends after " + bytes.length + " bytes");
        }
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    public byte[] octets(int count) {
        byte[] values = new byte[count];
        int i = 0;
        while (i < count) {
            int run = run(count - i);
            byte value = (byte) octet();
            for (int end = i + run; i < end; i++) {
                values[i] = value;
            }
        }
        return values;
    }

    public long[] numbers(int count) {
        long[] values = new long[count];
        int i = 0;
        while (i < count) {
            int run = run(count - i);
            long value = number();
            for (int end = i + run; i < end; i++) {
                values[i] = value;
            }
        }
        return values;
    }

    private int run(int most) {
        int run = upTo(most);
        if (run == 0) {
            throw new IllegalArgumentException("a run of nothing");
        }
        return run;
    }

    /** Nothing may be left. */
    public void end() {
        if (at != bytes.length) {
            throw new IllegalArgumentException((bytes.length - at) + " bytes too many");
        }
    }
}
