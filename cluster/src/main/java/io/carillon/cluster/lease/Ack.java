package io.carillon.cluster.lease;

import io.carillon.cluster.bytes.Packer;
import io.carillon.cluster.bytes.Unpacker;

/**
 * A voter's answer to a beat. With it the voter has granted what the lease rests on: it will not
 * take part in declaring this life dead until a lease from that beat is over.
 *
 * @param voter who answers
 * @param member who sent the beat
 * @param incarnation the life that the beat was of
 * @param sentAt as it stood in the beat
 * @param version of the table that the voter has
 */
public record Ack(int voter, int member, long incarnation, long sentAt, long version) {
    private static final int FORMAT = 1;

    public byte[] toBytes() {
        return new Packer()
                .octet(FORMAT)
                .octet(voter)
                .octet(member)
                .number(incarnation)
                .number(sentAt)
                .number(version)
                .toBytes();
    }

    /**
     * Reads an answer.
     *
     * @throws IllegalArgumentException the bytes are none
     */
    public static Ack read(byte[] bytes) {
        Unpacker from = new Unpacker(bytes);
        if (from.octet() != FORMAT) {
            throw new IllegalArgumentException("an acknowledgement of another format");
        }
        Ack ack = new Ack(from.octet(), from.octet(), from.number(), from.number(), from.number());
        from.end();
        return ack;
    }
}
