package io.carillon.cluster.lease;

import io.carillon.cluster.bytes.Packer;
import io.carillon.cluster.bytes.Unpacker;

/**
 * "I am here", from a node to each voter, some times a second.
 *
 * @param member who sends it
 * @param incarnation its life
 * @param sentAt nanoseconds of the sender's own clock, read before it was sent; nobody else makes
 *     anything of it
 * @param version of the table that the sender has
 * @param votersDigest of the sender's list of voters
 * @param holding does the sender hold its lease?
 */
public record Beat(
        int member,
        long incarnation,
        long sentAt,
        long version,
        int votersDigest,
        boolean holding) {
    private static final int FORMAT = 1;

    public byte[] toBytes() {
        return new Packer()
                .octet(FORMAT)
                .octet(member)
                .number(incarnation)
                .number(sentAt)
                .number(version)
                .number(votersDigest)
                .flag(holding)
                .toBytes();
    }

    /**
     * Reads a beat.
     *
     * @throws IllegalArgumentException the bytes are none
     */
    public static Beat read(byte[] bytes) {
        Unpacker from = new Unpacker(bytes);
        if (from.octet() != FORMAT) {
            throw new IllegalArgumentException("a beat of another format");
        }
        Beat beat =
                new Beat(
                        from.octet(),
                        from.number(),
                        from.number(),
                        from.number(),
                        (int) from.number(),
                        from.flag());
        from.end();
        return beat;
    }
}
