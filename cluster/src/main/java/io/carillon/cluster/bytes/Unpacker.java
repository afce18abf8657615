package io.carillon.cluster.bytes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what {@link Packer} wrote. Bytes that end early or make no sense are an {@link
 * IllegalArgumentException}, never anything else. One thread.
 */
public final class Unpacker {
    private static final int MOST_TEXT = 1024;

    private final byte[] bytes;
    private final int end;
    private int at;

    public Unpacker(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    /** Reads a part of these. */
    public Unpacker(byte[] bytes, int from, int length) {
        this.bytes = bytes;
        this.at = from;
        this.end = from + length;
    }

    public int octet() {
        if (at >= end) {
            throw endsEarly();
        }
        return bytes[at++] & 0xFF;
    }

    private IllegalArgumentException endsEarly() {
        return new IllegalArgumentException("ends early, after byte " + end);
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
        int length = length(most);
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    /**
     * Bytes that are as many as they say.
     *
     * @param most of them
     */
    public byte[] content(int most) {
        int length = length(most);
        byte[] content = Arrays.copyOfRange(bytes, at, at + length);
        at += length;
        return content;
    }

    private int length(int most) {
        int length = upTo(most);
        if (end - at < length) {
            throw endsEarly();
        }
        return length;
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
        if (at != end) {
            throw new IllegalArgumentException((end - at) + " bytes too many");
        }
    }
}
