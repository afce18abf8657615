package io.carillon.cluster.table;

import io.carillon.cluster.bytes.Packer;
import io.carillon.cluster.bytes.Unpacker;
import io.carillon.cluster.table.Member.Standing;
import io.carillon.cluster.table.Opinions.Suspicion;
import io.carillon.sip.token.Ownership;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who owns which partition, in which term, and who would be next. One state of it; {@link
 * TableMachine} makes the following ones. Immutable, any thread.
 *
 * <p>A partition has an owner or none; a next owner, who is another one; at times a previous owner,
 * who still has calls of it; and at times a member to whom it is to move. Its term rises whenever
 * its owner changes, so that a term has one owner.
 */
public final class PartitionTable {
    /** No member. */
    public static final int NONE = 255;

    /** Partitions that a table may have. */
    static final int MOST_PARTITIONS = Ownership.PARTITIONS;

    private static final int FORMAT = 1;
    private static final int MOST_MEMBERS = 255;

    private final long version;
    private final int[] voters;
    private final SortedMap<Integer, Member> members;
    private final SortedMap<Integer, Opinions> opinions;
    private final Columns columns;
    private final int orphans;

    PartitionTable(
            long version,
            int[] voters,
            SortedMap<Integer, Member> members,
            SortedMap<Integer, Opinions> opinions,
            Columns columns) {
        this.version = version;
        this.voters = voters;
        this.members = members;
        this.opinions = opinions;
        this.columns = columns;
        this.orphans = count(columns.owner, NONE);
    }

    /**
     * The table of a cluster that nobody has joined.
     *
     * @param voters their member numbers; the same on all nodes
     */
    public static PartitionTable of(int... voters) {
        return of(MOST_PARTITIONS, voters);
    }

    /** With fewer partitions, for simulations. */
    public static PartitionTable of(int partitions, int[] voters) {
        int[] sorted = Arrays.stream(voters).sorted().distinct().toArray();
        if (sorted.length == 0 || sorted.length != voters.length) {
            throw new IllegalArgumentException("voters: " + Arrays.toString(voters));
        }
        for (int voter : sorted) {
            if (voter < 0 || voter >= NONE) {
                throw new IllegalArgumentException("a member has no number " + voter);
            }
        }
        return new PartitionTable(
                0, sorted, new TreeMap<>(), new TreeMap<>(), Columns.empty(partitions));
    }

    /** Rises with each change that changed something. */
    public long version() {
        return version;
    }

    public int partitions() {
        return columns.owner.length;
    }

    /** Member numbers of the voters, ascending. */
    public int[] voters() {
        return voters.clone();
    }

    /** How many voters are a majority. */
    public int majority() {
        return voters.length / 2 + 1;
    }

    /** The place of a member among the voters; -1 when it is none. */
    public int voterIndex(int member) {
        int index = Arrays.binarySearch(voters, member);
        return Math.max(index, -1);
    }

    /** Differs when the list of voters does. */
    public int votersDigest() {
        return Arrays.hashCode(voters);
    }

    /** All that have ever joined, by number. */
    public List<Member> members() {
        return List.copyOf(members.values());
    }

    public @Nullable Member member(int number) {
        return members.get(number);
    }

    /** Is this life of the member not over? */
    public boolean lives(int member, long incarnation) {
        Member it = members.get(member);
        return it != null && it.living() && it.incarnation() == incarnation;
    }

    /** A member number, or {@link #NONE}. */
    public int owner(int partition) {
        return columns.owner[partition] & 0xFF;
    }

    /** Who is promoted when the owner dies; never the owner. */
    public int next(int partition) {
        return columns.next[partition] & 0xFF;
    }

    /** Who still has calls of the partition since it was handed over; {@link #NONE} mostly. */
    public int previous(int partition) {
        return columns.previous[partition] & 0xFF;
    }

    /** To whom the owner is to hand it over; {@link #NONE} mostly. */
    public int movingTo(int partition) {
        return columns.movingTo[partition] & 0xFF;
    }

    /** How often the partition has changed its owner. */
    public long term(int partition) {
        return columns.term[partition];
    }

    /** Partitions that the member owns. */
    public int owned(int member) {
        return count(columns.owner, member);
    }

    /** Partitions for which the member is the next owner. */
    public int nextOf(int member) {
        return count(columns.next, member);
    }

    /** Partitions in which the member still has calls. */
    public int previousOf(int member) {
        return count(columns.previous, member);
    }

    /** Partitions without an owner. */
    public int orphans() {
        return orphans;
    }

    private static int count(byte[] column, int member) {
        int count = 0;
        for (byte each : column) {
            if ((each & 0xFF) == member) {
                count++;
            }
        }
        return count;
    }

    /** Does the table know that this voter suspects this life of the member? */
    public boolean suspects(int voter, int subject, long incarnation) {
        Opinions of = opinions.get(voter);
        return of != null && of.suspects(subject, incarnation);
    }

    /** The number of the last opinion of this life of a voter that was taken up; 0: none. */
    public long opinionsOf(int voter, long incarnation) {
        Opinions of = opinions.get(voter);
        return of != null && of.incarnation() == incarnation ? of.sequence() : 0;
    }

    TableDraft draft() {
        return new TableDraft(
                this, new TreeMap<>(members), new TreeMap<>(opinions), columns.copy());
    }

    int[] votersShared() {
        return voters;
    }

    /** All of it, some hundred bytes in quiet times. */
    public byte[] toBytes() {
        Packer to = new Packer().octet(FORMAT).number(version);
        to.number(voters.length);
        for (int voter : voters) {
            to.octet(voter);
        }
        to.number(members.size());
        for (Member it : members.values()) {
            to.octet(it.number()).text(it.name()).text(it.address()).flag(it.witness());
            to.number(it.incarnation()).octet(it.standing().code());
        }
        to.number(opinions.size());
        for (Opinions of : opinions.values()) {
            to.octet(of.voter()).number(of.incarnation()).number(of.sequence());
            to.number(of.suspicions().size());
            for (Suspicion each : of.suspicions()) {
                to.octet(each.subject()).number(each.incarnation());
            }
        }
        to.number(partitions());
        to.column(columns.owner).column(columns.next);
        to.column(columns.previous).column(columns.movingTo);
        return to.column(columns.term).toBytes();
    }

    /**
     * Reads a table.
     *
     * @throws IllegalArgumentException the bytes are none, or of a format that this build does not
     *     know
     */
    public static PartitionTable read(byte[] bytes) {
        Unpacker from = new Unpacker(bytes);
        int format = from.octet();
        if (format != FORMAT) {
            throw new IllegalArgumentException("a table of format " + format);
        }
        long version = from.number();
        int[] voters = new int[from.upTo(MOST_MEMBERS)];
        for (int i = 0; i < voters.length; i++) {
            voters[i] = from.octet();
        }
        SortedMap<Integer, Member> members = new TreeMap<>();
        for (int left = from.upTo(MOST_MEMBERS); left > 0; left--) {
            int number = from.octet();
            members.put(
                    number,
                    new Member(
                            number,
                            from.text(),
                            from.text(),
                            from.flag(),
                            from.number(),
                            Standing.of(from.octet())));
        }
        SortedMap<Integer, Opinions> opinions = new TreeMap<>();
        for (int left = from.upTo(MOST_MEMBERS); left > 0; left--) {
            Opinions of = opinions(from);
            opinions.put(of.voter(), of);
        }
        int partitions = from.upTo(MOST_PARTITIONS);
        Columns columns =
                new Columns(
                        from.octets(partitions),
                        from.octets(partitions),
                        from.octets(partitions),
                        from.octets(partitions),
                        from.numbers(partitions));
        from.end();
        return new PartitionTable(version, voters, members, opinions, columns);
    }

    private static Opinions opinions(Unpacker from) {
        int voter = from.octet();
        long incarnation = from.number();
        long sequence = from.number();
        List<Suspicion> suspicions = new ArrayList<>();
        for (int left = from.upTo(MOST_MEMBERS); left > 0; left--) {
            suspicions.add(new Suspicion(from.octet(), from.number()));
        }
        return new Opinions(voter, incarnation, sequence, suspicions);
    }

    /** Two tables are equal when their bytes are. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PartitionTable that && Arrays.equals(toBytes(), that.toBytes());
    }

    @Override
    public int hashCode() {
        return Long.hashCode(version);
    }

    @Override
    public String toString() {
        return "table "
                + version
                + " of "
                + members.size()
                + " members, voters "
                + Arrays.toString(voters);
    }
}
