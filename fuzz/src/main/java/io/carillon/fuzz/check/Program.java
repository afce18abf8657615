package io.carillon.fuzz.check;

/**
 * An input that is read as a little program: each byte is a choice, and when none is left every
 * choice is the first one, which is always what a well-behaved peer would do. One thread.
 */
public final class Program {
    private final byte[] bytes;
    private int at;

    /** Reads these bytes, which stay as they are. */
    public Program(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Whether a choice is left. */
    public boolean more() {
        return at < bytes.length;
    }

    /** 0 to 255. */
    public int next() {
        return more() ? bytes[at++] & 0xff : 0;
    }

    /** One of so many, the first at the end. */
    public int next(int choices) {
        return next() % choices;
    }

    /** One of these, the first at the end. */
    public String next(String... choices) {
        return choices[next(choices.length)];
    }
}
