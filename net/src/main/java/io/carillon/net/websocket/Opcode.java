package io.carillon.net.websocket;

/** The kinds of frame: RFC 6455 section 5.2. */
final class Opcode {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private Opcode() {}

    /** Control frames have the highest bit set. */
    static boolean control(int opcode) {
        return (opcode & 8) != 0;
    }

    static boolean known(int opcode) {
        return opcode <= BINARY || (opcode >= CLOSE && opcode <= PONG);
    }
}
