package io.carillon.cluster.node;

import io.carillon.cluster.bytes.Packer;
import io.carillon.cluster.bytes.Unpacker;
import io.carillon.cluster.lease.Ack;
import io.carillon.cluster.lease.Beat;
import io.carillon.cluster.table.Member;
import io.carillon.cluster.table.PartitionTable;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
    private static final int LEFT_OUT = 5;
    private static final int GIVEN_UP = 6;

    /** A closed connection is known to all within this time, nanoseconds. */
    private static final long CLOSING = 5_000_000_000L;

    private record Life(long incarnation, long former, long since) {}

    private final ClusterNode node;
    private final Consumer<byte[]> propose;
    private final Unseen unseen;

    /** One for each member number that was heard of, 255 at most. */
    private final Map<Integer, Life> lives = new TreeMap<>();

    private long unread;

    /** Sends to members that may not be seen. */
    @FunctionalInterface
    public interface Unseen {
        /** Waits for nothing; what is sent may be lost. */
        void send(int member, byte[] bytes);
    }

    /**
     * @param propose gives a change to the voting, for a member that does not vote
     */
    public NodeMessages(ClusterNode node, Consumer<byte[]> propose, Unseen unseen) {
        this.node = node;
        this.propose = propose;
        this.unseen = unseen;
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

    /** To a member that is not seen any more. */
    static byte[] ofLeftOut(long life, Set<Integer> seen) {
        Packer all = new Packer().number(life).octet(seen.size());
        seen.forEach(all::octet);
        return with(LEFT_OUT, all.toBytes());
    }

    /** The answer of one that acts no more in this life. */
    static byte[] ofGivenUp(long life) {
        return with(GIVEN_UP, new Packer().number(life).toBytes());
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
            case LEFT_OUT -> {
                Unpacker left = new Unpacker(rest);
                long life = node.leftOut(left.number(), numbers(left), now);
                if (life != 0) {
                    unseen.send(from, ofGivenUp(life));
                }
            }
            case GIVEN_UP -> {
                Unpacker life = new Unpacker(rest);
                long incarnation = life.number();
                life.end();
                node.died(from, incarnation, now);
            }
            default -> throw new IllegalArgumentException("a message of kind " + message[0]);
        }
    }

    private static Set<Integer> numbers(Unpacker from) {
        Set<Integer> numbers = new TreeSet<>();
        for (int count = from.octet(); count > 0; count--) {
            numbers.add(from.octet());
        }
        from.end();
        return numbers;
    }

    /**
     * A member is not seen any more. It may live, and see us: it is told who goes on without it.
     *
     * @param seen those who are seen now
     */
    public void left(int member, Set<Integer> seen) {
        Member known = node.table().member(member);
        if (!seen.contains(member) && known != null && known.living()) {
            unseen.send(member, ofLeftOut(known.incarnation(), seen));
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
