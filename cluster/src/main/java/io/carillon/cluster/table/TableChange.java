package io.carillon.cluster.table;

import io.carillon.cluster.bytes.Packer;
import io.carillon.cluster.bytes.Unpacker;
import java.util.ArrayList;
import java.util.List;

/**
 * One change of the table, as the voters agree on it. Each says of what it is true (a life of a
 * member, a term of a partition, a version of the table): a change that comes late, or a second
 * time, changes nothing. So whoever does not know what became of a proposal proposes it again.
 *
 * <p>Who has died is never said alone by somebody who has not heard of him: it follows from a proof
 * ({@link Died}) or from a majority of voters who suspect him ({@link Opinion}). Promotions follow
 * from both.
 */
public sealed interface TableChange {
    /** Of the bytes. */
    int FORMAT = 1;

    /**
     * A life of a node begins. It is taken up when the former life of that number is over, or had
     * the same address.
     *
     * @param former the life behind which it comes; 0: there was none. When another one came
     *     between, this one is too late: its process may be dead by now
     */
    record Join(
            int member, long incarnation, long former, String name, String address, boolean witness)
            implements TableChange {}

    /** The member was there without a break for long enough; proposed by itself. */
    record Stable(int member, long incarnation) implements TableChange {}

    /** The member gives away what it has; proposed by itself. */
    record Leaving(int member, long incarnation) implements TableChange {}

    /** The member acts for nothing any more, and goes; proposed by itself behind its last act. */
    record Left(int member, long incarnation) implements TableChange {}

    /** The process is dead: its host closed its connections. Proposed by whoever saw it. */
    record Died(int member, long incarnation) implements TableChange {}

    /**
     * What a voter thinks of a member. A suspicion is a promise: the voter has acknowledged no beat
     * of that life for longer than a lease lasts, and acknowledges none until its next opinion of
     * the member was taken up. A majority of suspicions ends the member's life.
     */
    record Opinion(
            int voter,
            long voterIncarnation,
            long sequence,
            int subject,
            long subjectIncarnation,
            boolean suspects)
            implements TableChange {}

    /**
     * Partitions without an owner are given to whoever is there. Proposed by the leader.
     *
     * @param version of the table for which it was meant
     */
    record Fill(long version) implements TableChange {}

    /**
     * Owners and next owners are spread evenly, and follow the copies. Proposed by the leader in
     * quiet times.
     *
     * @param version of the table for which it was meant
     * @param holders a {@link Placement} for each partition, or what stands for it in a plan
     *     ({@link TableMachine#plan}); empty: not known
     */
    record Rebalance(long version, List<Integer> holders) implements TableChange {
        public Rebalance {
            holders = List.copyOf(holders);
        }
    }

    /** A partition in a certain term. */
    record Entry(int partition, long term) {}

    /**
     * The owner gives partitions to the member to whom the table wants them moved. It takes no new
     * calls there from before it proposes this; the calls that it has stay its own until {@link
     * HandOverEnd}.
     */
    record HandOver(int from, long fromIncarnation, int to, long toIncarnation, List<Entry> entries)
            implements TableChange {
        public HandOver {
            entries = List.copyOf(entries);
        }
    }

    /** The previous owner has no call left in these partitions; proposed behind its last act. */
    record HandOverEnd(int from, long fromIncarnation, List<Entry> entries) implements TableChange {
        public HandOverEnd {
            entries = List.copyOf(entries);
        }
    }

    /** Format, kind, fields. */
    default byte[] toBytes() {
        Packer to = new Packer().octet(FORMAT);
        switch (this) {
            case Join it ->
                    to.octet(1)
                            .octet(it.member)
                            .number(it.incarnation)
                            .number(it.former)
                            .text(it.name)
                            .text(it.address)
                            .flag(it.witness);
            case Stable it -> to.octet(2).octet(it.member).number(it.incarnation);
            case Leaving it -> to.octet(3).octet(it.member).number(it.incarnation);
            case Left it -> to.octet(4).octet(it.member).number(it.incarnation);
            case Died it -> to.octet(5).octet(it.member).number(it.incarnation);
            case Opinion it ->
                    to.octet(6)
                            .octet(it.voter)
                            .number(it.voterIncarnation)
                            .number(it.sequence)
                            .octet(it.subject)
                            .number(it.subjectIncarnation)
                            .flag(it.suspects);
            case Fill it -> to.octet(7).number(it.version);
            case Rebalance it -> {
                long[] column = it.holders.stream().mapToLong(Integer::longValue).toArray();
                to.octet(8).number(it.version).number(column.length).column(column);
            }
            case HandOver it -> {
                to.octet(9).octet(it.from).number(it.fromIncarnation);
                pack(to.octet(it.to).number(it.toIncarnation), it.entries);
            }
            case HandOverEnd it ->
                    pack(to.octet(10).octet(it.from).number(it.fromIncarnation), it.entries);
        }
        return to.toBytes();
    }

    /**
     * Reads a change.
     *
     * @throws IllegalArgumentException the bytes are none, or of a format that this build does not
     *     know
     */
    static TableChange read(byte[] bytes) {
        Unpacker from = new Unpacker(bytes);
        int format = from.octet();
        if (format != FORMAT) {
            throw new IllegalArgumentException("a change of format " + format);
        }
        int kind = from.octet();
        TableChange change =
                switch (kind) {
                    case 1 ->
                            new Join(
                                    from.octet(),
                                    from.number(),
                                    from.number(),
                                    from.text(),
                                    from.text(),
                                    from.flag());
                    case 2 -> new Stable(from.octet(), from.number());
                    case 3 -> new Leaving(from.octet(), from.number());
                    case 4 -> new Left(from.octet(), from.number());
                    case 5 -> new Died(from.octet(), from.number());
                    case 6 ->
                            new Opinion(
                                    from.octet(),
                                    from.number(),
                                    from.number(),
                                    from.octet(),
                                    from.number(),
                                    from.flag());
                    case 7 -> new Fill(from.number());
                    case 8 -> new Rebalance(from.number(), holders(from));
                    case 9 ->
                            new HandOver(
                                    from.octet(),
                                    from.number(),
                                    from.octet(),
                                    from.number(),
                                    entries(from));
                    case 10 -> new HandOverEnd(from.octet(), from.number(), entries(from));
                    default -> throw new IllegalArgumentException("a change of kind " + kind);
                };
        from.end();
        return change;
    }

    private static void pack(Packer to, List<Entry> entries) {
        to.number(entries.size());
        for (Entry entry : entries) {
            to.number(entry.partition).number(entry.term);
        }
    }

    private static List<Entry> entries(Unpacker from) {
        int count = from.upTo(PartitionTable.MOST_PARTITIONS);
        List<Entry> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            entries.add(new Entry(from.upTo(PartitionTable.MOST_PARTITIONS - 1), from.number()));
        }
        return entries;
    }

    private static List<Integer> holders(Unpacker from) {
        long[] column = from.numbers(from.upTo(PartitionTable.MOST_PARTITIONS));
        List<Integer> holders = new ArrayList<>(column.length);
        for (long each : column) {
            holders.add((int) (each & 0xFFFF));
        }
        return holders;
    }
}
