package io.carillon.net.tls;

import java.security.spec.InvalidKeySpecException;
import java.util.Arrays;

/** Reads elements of DER one after the other out of a file that may be anything. One thread. */
final class DerReader {

    private final byte[] bytes;
    private final int end;
    private int at;

    DerReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private DerReader(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    boolean more() {
        return at < end;
    }

    /** The tag of the next element. */
    int peek() throws InvalidKeySpecException {
        if (at >= end) {
            throw cut();
        }
        return bytes[at] & 0xff;
    }

    /** The inside of the next element, which has to have that tag. */
    DerReader enter(int tag) throws InvalidKeySpecException {
        if (peek() != tag) {
            throw new InvalidKeySpecException("it is no such key");
        }
        at++;
        int length = length();
        if (length < 0 || length > end - at) {
            throw cut();
        }
        DerReader inside = new DerReader(bytes, at, at + length);
        at += length;
        return inside;
    }

    private int length() throws InvalidKeySpecException {
        if (at >= end) {
            throw cut();
        }
        int first = bytes[at++] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int count = first & 0x7f;
        if (count == 0 || count > 3 || count > end - at) {
            throw cut();
        }
        int length = 0;
        for (int i = 0; i < count; i++) {
            length = (length << 8) | (bytes[at++] & 0xff);
        }
        return length;
    }

    /** What is left, as bytes. */
    byte[] rest() {
        return Arrays.copyOfRange(bytes, at, end);
    }

    private static InvalidKeySpecException cut() {
        return new InvalidKeySpecException("it is cut off or damaged");
    }
}
