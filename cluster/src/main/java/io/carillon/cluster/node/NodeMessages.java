package io.carillon.cluster.node;

import io.carillon.cluster.lease.Ack;
import io.carillon.cluster.lease.Beat;
import io.carillon.cluster.table.PartitionTable;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What nodes say to each other, as bytes, and which life of a member was heard last: a connection
 * that closes tells of a member, and its proof is of one life. One thread, the node's.
 */
public final class NodeMessages {
    private static final int BEAT = 1;
    private static final int ACK = 2;
    private static final int TABLE = 3;
    private static final int PROPOSAL = 4;

    /** A closed connection is known to all within this time, nanoseconds. */
    private static final long CLOSING = 5_000_000_000L;

    private record Life(long incarnation, long former, long since) {}

    private final ClusterNode node;
    private final Consumer<byte[]> propose;

    /** One for each member number that was heard of, 255 at most. */
    private final Map<Integer, Life> lives = new TreeMap<>();

    private long unread;

    /**
     * @param propose gives a change to the voting, for a member that does not vote
     */
    public NodeMessages(ClusterNode node, Consumer<byte[]> propose) {
        this.node = node;
        this.propose = propose;
    }

    public static byte[] of(Beat beat) {
        return with(BEAT, beat.toBytes());
    }

    public static byte[] of(Ack ack) {
        return with(ACK, ack.toBytes());
    }

    public static byte[] ofTable(byte[] table) {
        return with(TABLE, table);
    }

    /** From a member that does not vote, to any voter. */
    public static byte[] ofProposal(byte[] change) {
        return with(PROPOSAL, change);
    }

    private static byte[] with(int kind, byte[] bytes) {
        byte[] all = new byte[bytes.length + 1];
        all[0] = (byte) kind;
        System.arraycopy(bytes, 0, all, 1, bytes.length);
        return all;
    }

    /**
     * A message has come over an authenticated link. One that cannot be read, or that names another
     * sender, is counted.
     *
     * @param from the member at the other end
     * @param now read after the message was taken in
     */
    public void received(int from, byte[] message, long now) {
        try {
            read(from, message, now);
        } catch (IllegalArgumentException e) {
            unread++;
        }
    }

    private void read(int from, byte[] message, long now) {
        if (message.length == 0) {
            throw new IllegalArgumentException("nothing");
        }
        byte[] rest = Arrays.copyOfRange(message, 1, message.length);
        switch (message[0]) {
            case BEAT -> {
                Beat beat = Beat.read(rest);
                if (beat.member() != from) {
                    throw new IllegalArgumentException("a beat of another member");
                }
                heard(from, beat.incarnation(), now);
                node.received(beat, now);
            }
            case ACK -> {
                Ack ack = Ack.read(rest);
                if (ack.voter() != from) {
                    throw new IllegalArgumentException("an acknowledgement of another voter");
                }
                node.received(ack, now);
            }
            case TABLE -> node.received(PartitionTable.read(rest), now);
            case PROPOSAL -> propose.accept(rest);
            default -> throw new IllegalArgumentException("a message of kind " + message[0]);
        }
    }

    private void heard(int member, long incarnation, long now) {
        Life last = lives.get(member);
        if (last == null || last.incarnation < incarnation) {
            long former = last == null ? 0 : last.incarnation;
            lives.put(member, new Life(incarnation, former, now));
        }
    }

    /**
     * The host of the member's process closed its connections. When a next life has begun just now,
     * it was the former one's process: a report may come later than the first beat of the next.
     */
    public void died(int member, long now) {
        Life last = lives.get(member);
        if (last != null) {
            boolean young = last.former != 0 && now - last.since < CLOSING;
            node.died(member, young ? last.former : last.incarnation, now);
        }
    }

    /** Messages that could not be read. */
    public long unread() {
        return unread;
    }
}
