package io.carillon.fuzz;

/**
 * An input that is read as a little program: each byte is a choice, and when none is left every
 * choice is the first one, which is always what a well-behaved peer would do. One thread.
 */
final class Program {
    private final byte[] bytes;
    private int at;

    Program(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean more() {
        return at < bytes.length;
    }

    /** 0 to 255. */
    int next() {
        return more() ? bytes[at++] & 0xff : 0;
    }

    /** One of so many, the first at the end. */
    int next(int choices) {
        return next() % choices;
    }

    String next(String... choices) {
        return choices[next(choices.length)];
    }
}
