package io.carillon.cluster.table;

import java.util.List;

/**
 * Spreads owners over the stable members with few moves, and lets them and the next owners follow
 * the copies. A second time behind the first it changes nothing but a further step towards the
 * copies.
 */
final class Rebalancing {
    private static final int NONE = PartitionTable.NONE;

    /** Moves towards the copies that are under way at a time. */
    private static final int STEP = 32;

    private final TableDraft draft;
    private final List<Integer> holders;
    private final int[] able;
    private final int[] count = new int[NONE + 1];

    /** By member, where it has copies: how many of its partitions have the other copy with whom. */
    private final int[][] others = new int[NONE + 1][];

    private final int fewest;
    private final int least;
    private final int share;
    private final int most;

    private Rebalancing(TableDraft draft, List<Integer> holders) {
        this.draft = draft;
        this.holders = holders;
        this.able = draft.stable();
        int total = 0;
        for (int p = 0; p < draft.partitions(); p++) {
            count[draft.future(p)]++;
            follows(p, draft.future(p), 1);
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

    static void rebalance(TableDraft draft, List<Integer> holders) {
        new Rebalancing(draft, holders).run();
    }

    private void run() {
        boolean moving = moving();
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
     * One that the receiver has copies of, or is next for, or else the last one. Of several whose
     * copies it has, one whose other copy is where few of its partitions have theirs: when the
     * receiver dies they go there, and no single member shall get them all.
     */
    private boolean moveOne(int from, int to) {
        int chosen = -1;
        int value = -1;
        int crowd = 0;
        for (int p = draft.partitions() - 1; p >= 0; p--) {
            if (draft.owner(p) == from && draft.movable(p)) {
                int its = value(p, to);
                int same = holds(p, to) ? others(to)[other(p, to)] : 0;
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
        if (holds(partition, to)) {
            return 2;
        }
        return holders.isEmpty() && draft.next(partition) == to ? 1 : 0;
    }

    private void move(int partition, int to) {
        count[draft.owner(partition)]--;
        count[to]++;
        follows(partition, draft.owner(partition), -1);
        follows(partition, to, 1);
        draft.moveTo(partition, to);
    }

    private boolean holds(int partition, int member) {
        return !holders.isEmpty() && Placement.holds(holders.get(partition), member);
    }

    /** Who has the copy that this member has not. */
    private int other(int partition, int member) {
        int where = holders.get(partition);
        return Placement.first(where) == member ? Placement.second(where) : Placement.first(where);
    }

    private int[] others(int member) {
        if (others[member] == null) {
            others[member] = new int[NONE + 1];
        }
        return others[member];
    }

    private void follows(int partition, int owner, int more) {
        if (holds(partition, owner)) {
            others(owner)[other(partition, owner)] += more;
        }
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
