package io.carillon.cluster.bytes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes numbers, text and columns one behind the other. One thread. */
public final class Packer {
    private static final int FIRST_ROOM = 64;

    private byte[] bytes;
    private int length;

    public Packer() {
        this(FIRST_ROOM);
    }

    /** With room for about so many bytes. */
    public Packer(int room) {
        bytes = new byte[room];
    }

    /** One byte, its low eight bits. */
    public Packer octet(int value) {
        room(1);
        bytes[length++] = (byte) value;
        return this;
    }

    public Packer flag(boolean value) {
        return octet(value ? 1 : 0);
    }

    /** Seven bits a byte, the lowest first; a negative number takes ten bytes. */
    public Packer number(long value) {
        long left = value;
        while ((left & ~0x7FL) != 0) {
            octet(((int) left & 0x7F) | 0x80);
            left >>>= 7;
        }
        return octet((int) left);
    }

    public Packer text(String value) {
        return content(value.getBytes(StandardCharsets.UTF_8));
    }

    /** How many there are, and all of them. */
    public Packer content(byte[] value) {
        number(value.length);
        room(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
        return this;
    }

    /** As runs: how often, then which byte. The reader knows how many there are. */
    public Packer column(byte[] values) {
        int i = 0;
        while (i < values.length) {
            int from = i;
            while (i < values.length && values[i] == values[from]) {
                i++;
            }
            number(i - from).octet(values[from]);
        }
        return this;
    }

    /** As runs: how often, then which number. */
    public Packer column(long[] values) {
        int i = 0;
        while (i < values.length) {
            int from = i;
            while (i < values.length && values[i] == values[from]) {
                i++;
            }
            number(i - from).number(values[from]);
        }
        return this;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    private void room(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
