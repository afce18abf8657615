package io.carillon.cluster.table;

import io.carillon.cluster.table.Member.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The table while a change is made. Knows whether anything has become another thing. One thread,
 * for the length of one change.
 */
final class TableDraft {
    static final int NONE = PartitionTable.NONE;

    private final PartitionTable before;
    private final SortedMap<Integer, Member> members;
    private final SortedMap<Integer, Opinions> opinions;
    private final Columns columns;
    private boolean changed;

    TableDraft(
            PartitionTable before,
            SortedMap<Integer, Member> members,
            SortedMap<Integer, Opinions> opinions,
            Columns columns) {
        this.before = before;
        this.members = members;
        this.opinions = opinions;
        this.columns = columns;
    }

    boolean changed() {
        return changed;
    }

    long version() {
        return before.version();
    }

    PartitionTable finish() {
        return new PartitionTable(
                before.version() + 1, before.votersShared(), members, opinions, columns);
    }

    int partitions() {
        return columns.owner.length;
    }

    int majority() {
        return before.majority();
    }

    boolean isVoter(int member) {
        return before.voterIndex(member) >= 0;
    }

    @Nullable Member member(int number) {
        return members.get(number);
    }

    void put(Member member) {
        changed |= !member.equals(members.put(member.number(), member));
    }

    void standing(int number, Standing standing) {
        Member it = members.get(number);
        if (it != null) {
            put(it.with(standing));
        }
    }

    @Nullable Opinions opinions(int voter) {
        return opinions.get(voter);
    }

    void put(Opinions of) {
        changed |= !of.equals(opinions.put(of.voter(), of));
    }

    /** How many voters suspect this life of the member. */
    int suspecting(int subject, long incarnation) {
        int count = 0;
        for (Opinions of : opinions.values()) {
            if (of.suspects(subject, incarnation)) {
                count++;
            }
        }
        return count;
    }

    /** Nobody thinks anything of the member any more, and it thinks nothing of others. */
    void forget(int member) {
        for (Opinions of : List.copyOf(opinions.values())) {
            put(
                    of.voter() == member
                            ? new Opinions(member, of.incarnation(), of.sequence(), List.of())
                            : of.without(member));
        }
    }

    boolean living(int number) {
        Member it = members.get(number);
        return it != null && it.living();
    }

    boolean stable(int number) {
        Member it = members.get(number);
        return it != null && it.stable();
    }

    /** Could it own something when nobody better is there? */
    boolean able(int number) {
        Member it = members.get(number);
        return it != null && it.able();
    }

    boolean leaving(int number) {
        Member it = members.get(number);
        return it != null && it.standing() == Standing.LEAVING;
    }

    /** Numbers of the stable members, ascending. */
    int[] stable() {
        return members.values().stream().filter(Member::stable).mapToInt(Member::number).toArray();
    }

    /** Numbers of the members that joined and are not stable, ascending. */
    List<Integer> joined() {
        List<Integer> joined = new ArrayList<>();
        for (Member it : members.values()) {
            if (it.able() && !it.stable()) {
                joined.add(it.number());
            }
        }
        return joined;
    }

    int owner(int partition) {
        return columns.owner[partition] & 0xFF;
    }

    int next(int partition) {
        return columns.next[partition] & 0xFF;
    }

    int previous(int partition) {
        return columns.previous[partition] & 0xFF;
    }

    int movingTo(int partition) {
        return columns.movingTo[partition] & 0xFF;
    }

    long term(int partition) {
        return columns.term[partition];
    }

    /** Who owns it when all that is to move has moved. */
    int future(int partition) {
        int moving = movingTo(partition);
        return moving != NONE ? moving : owner(partition);
    }

    /** May it be told to move? */
    boolean movable(int partition) {
        return movingTo(partition) == NONE
                && previous(partition) == NONE
                && stable(owner(partition));
    }

    /**
     * A new owner, in a new term. Who owns is settled: a member that had to take something before
     * it was stable is so from now on.
     */
    void promote(int partition, int member) {
        set(columns.owner, partition, member);
        columns.term[partition]++;
        moveTo(partition, NONE);
        if (previous(partition) == member) {
            previous(partition, NONE);
        }
        if (!leaving(member)) {
            standing(member, Standing.STABLE);
        }
    }

    /** Nobody is there to own it. The term rises with the next owner. */
    void orphan(int partition) {
        set(columns.owner, partition, NONE);
        moveTo(partition, NONE);
    }

    void next(int partition, int member) {
        set(columns.next, partition, member);
    }

    void previous(int partition, int member) {
        set(columns.previous, partition, member);
    }

    void moveTo(int partition, int member) {
        set(columns.movingTo, partition, member);
    }

    private void set(byte[] column, int partition, int member) {
        changed |= (column[partition] & 0xFF) != member;
        column[partition] = (byte) member;
    }
}
