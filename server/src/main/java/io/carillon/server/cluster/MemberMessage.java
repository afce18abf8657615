package io.carillon.server.cluster;

import java.util.Arrays;

/** What members send each other: one byte that says what it is, and the rest. */
enum MemberMessage {
    /** "I am here", to voters. */
    BEAT(1),

    /** The answer to it. */
    ACK(2),

    /** The table, to who does not vote. */
    TABLE(3),

    /** A change that a voter is asked to propose. */
    PROPOSAL(4),

    /** The present life of the sender, in eight bytes. */
    LIFE(5);

    private final byte code;

    MemberMessage(int code) {
        this.code = (byte) code;
    }

    byte[] of(byte[] rest) {
        byte[] bytes = new byte[rest.length + 1];
        bytes[0] = code;
        System.arraycopy(rest, 0, bytes, 1, rest.length);
        return bytes;
    }

    static byte[] rest(byte[] bytes) {
        return Arrays.copyOfRange(bytes, 1, bytes.length);
    }

    /**
     * What it is.
     *
     * @throws IllegalArgumentException when we do not know it
     */
    static MemberMessage kind(byte[] bytes) {
        for (MemberMessage kind : values()) {
            if (bytes.length > 0 && bytes[0] == kind.code) {
                return kind;
            }
        }
        throw new IllegalArgumentException("a message of a kind that is not known");
    }
}
