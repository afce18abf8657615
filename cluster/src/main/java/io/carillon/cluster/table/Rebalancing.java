package io.carillon.cluster.table;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Spreads owners over the stable members with few moves, and lets them and the next owners follow
 * the copies. A second time behind the first it changes nothing but a further step towards the
 * copies.
 *
 * <p>What {@link #rebalance} does is for ever: voters of several builds do it side by side, and
 * have to come to the same table. Who leads chooses better by {@link #planned}, and says by the
 * places of the copies what he has chosen.
 */
final class Rebalancing {
    private static final int NONE = PartitionTable.NONE;

    /** Moves towards the copies that are under way at a time. */
    private static final int STEP = 32;

    private final TableDraft draft;
    private final List<Integer> holders;
    private final int[] able;
    private final int[] count = new int[NONE + 1];

    /** Of who leads, for his choice; null where voters do what was decided. */
    private final @Nullable Crowds crowds;

    private final int fewest;
    private final int least;
    private final int share;
    private final int most;

    private Rebalancing(TableDraft draft, List<Integer> holders, @Nullable Crowds crowds) {
        this.draft = draft;
        this.holders = holders;
        this.crowds = crowds;
        this.able = draft.stable();
        int total = 0;
        for (int p = 0; p < draft.partitions(); p++) {
            count[draft.future(p)]++;
        }
        for (int each : able) {
            total += count[each];
        }
        int members = Math.max(able.length, 1);
        this.least = total / members;
        this.share = (total + members - 1) / members;
        this.fewest = least - least / 20;
        this.most = share + share / 20;
    }

    /** What every voter does. */
    static void rebalance(TableDraft draft, List<Integer> holders) {
        new Rebalancing(draft, holders, null).run();
    }

    /**
     * What {@link #rebalance} is to be given, so that it moves the partitions that are best to
     * move: of those whose copies the receiver has, such as have their other copy where few of its
     * partitions have theirs. When the receiver dies they go there, and no single member shall get
     * them all.
     *
     * @param draft is used up
     * @return where to move something: of a partition that moves the receiver and the owner, of
     *     another one the owner alone; else the holders as they are
     */
    static List<Integer> planned(TableDraft draft, List<Integer> holders) {
        if (holders.size() != draft.partitions()) {
            return holders;
        }
        List<Integer> plan = new ArrayList<>(holders.size());
        for (int p = 0; p < draft.partitions(); p++) {
            plan.add(draft.movingTo(p));
        }
        boolean moves = false;
        new Rebalancing(draft, holders, new Crowds(draft, holders)).even();
        for (int p = 0; p < draft.partitions(); p++) {
            int owner = draft.owner(p);
            boolean moved = draft.movingTo(p) != plan.get(p);
            plan.set(p, Placement.of(moved ? draft.movingTo(p) : owner, owner));
            moves |= moved;
        }
        return moves ? plan : holders;
    }

    private void run() {
        boolean moving = moving();
        even();
        if (holders.isEmpty()) {
            Successors.balance(draft);
            return;
        }
        if (!moving && !moving()) {
            follow();
        }
        for (int p = 0; p < draft.partitions(); p++) {
            followNext(p);
        }
    }

    private void even() {
        for (int each : able) {
            if (count[each] < fewest) {
                receive(each);
            }
        }
        for (int each : able) {
            if (count[each] > most) {
                give(each);
            }
        }
    }

    private boolean moving() {
        for (int p = 0; p < draft.partitions(); p++) {
            if (draft.movingTo(p) != NONE || draft.previous(p) != NONE) {
                return true;
            }
        }
        return false;
    }

    private void receive(int to) {
        boolean[] empty = new boolean[NONE + 1];
        while (count[to] < least) {
            int from = heaviest(empty);
            if (from == NONE || count[from] <= least) {
                return;
            }
            empty[from] = !moveOne(from, to);
        }
    }

    private void give(int from) {
        while (count[from] > share) {
            int to = lightest();
            if (to == from || !moveOne(from, to)) {
                return;
            }
        }
    }

    private int heaviest(boolean[] empty) {
        int heaviest = NONE;
        for (int each : able) {
            if (!empty[each] && (heaviest == NONE || count[each] > count[heaviest])) {
                heaviest = each;
            }
        }
        return heaviest;
    }

    private int lightest() {
        int lightest = able[0];
        for (int each : able) {
            if (count[each] < count[lightest]) {
                lightest = each;
            }
        }
        return lightest;
    }

    /**
     * The last one that the receiver has copies of, or is next for, or else the last one; of who
     * leads, of several whose copies it has, the one whose other copy is least crowded.
     */
    private boolean moveOne(int from, int to) {
        int chosen = -1;
        int value = -1;
        int crowd = 0;
        for (int p = draft.partitions() - 1; p >= 0; p--) {
            if (draft.owner(p) == from && draft.movable(p)) {
                int its = value(p, to);
                int same = crowds == null ? 0 : crowds.of(p, to);
                if (its > value || (its == value && same < crowd)) {
                    chosen = p;
                    value = its;
                    crowd = same;
                }
            }
        }
        if (chosen < 0) {
            return false;
        }
        move(chosen, to);
        return true;
    }

    private int value(int partition, int to) {
        if (!holders.isEmpty() && Placement.holds(holders.get(partition), to)) {
            return 2;
        }
        return holders.isEmpty() && draft.next(partition) == to ? 1 : 0;
    }

    private void move(int partition, int to) {
        count[draft.owner(partition)]--;
        count[to]++;
        if (crowds != null) {
            crowds.moves(partition, draft.owner(partition), to);
        }
        draft.moveTo(partition, to);
    }

    /** Owners without a copy give to who has one, a few at a time. */
    private void follow() {
        int left = STEP;
        for (int p = 0; p < draft.partitions() && left > 0; p++) {
            int where = holders.get(p);
            if (Placement.holds(where, draft.owner(p)) || !draft.movable(p)) {
                continue;
            }
            int to = Placement.first(where);
            if (!takes(to)) {
                to = Placement.second(where);
            }
            if (takes(to) && count[draft.owner(p)] > fewest) {
                move(p, to);
                left--;
            }
        }
    }

    private boolean takes(int member) {
        return draft.stable(member) && count[member] < most;
    }

    private void followNext(int partition) {
        int where = holders.get(partition);
        int owner = draft.owner(partition);
        if (draft.movingTo(partition) != NONE || Placement.holds(where, draft.next(partition))) {
            return;
        }
        int first = Placement.first(where);
        int next = first != owner && draft.stable(first) ? first : Placement.second(where);
        if (next != owner && draft.stable(next)) {
            draft.next(partition, next);
        }
    }
}
