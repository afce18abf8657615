package io.carillon.cluster.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Who is next. What one member owns is spread over all others, so that its death gives each of them
 * a part of its calls.
 */
final class Successors {
    private static final int NONE = PartitionTable.NONE;

    private Successors() {}

    /** Only what cannot stay is changed. */
    static void repair(TableDraft draft) {
        spread(draft, false);
    }

    /** What is uneven is changed too. */
    static void balance(TableDraft draft) {
        spread(draft, true);
    }

    private static void spread(TableDraft draft, boolean even) {
        List<List<Integer>> owned = new ArrayList<>();
        for (int member = 0; member <= NONE; member++) {
            owned.add(List.of());
        }
        for (int p = 0; p < draft.partitions(); p++) {
            int owner = draft.owner(p);
            if (draft.movingTo(p) != NONE) {
                draft.next(p, draft.movingTo(p));
            } else if (owner == NONE) {
                draft.next(p, NONE);
            } else {
                if (owned.get(owner).isEmpty()) {
                    owned.set(owner, new ArrayList<>());
                }
                owned.get(owner).add(p);
            }
        }
        for (int member = 0; member < NONE; member++) {
            if (!owned.get(member).isEmpty()) {
                spread(draft, owned.get(member), others(draft, member), even);
            }
        }
    }

    /** The stable members but this one; those that joined when there is none. */
    private static int[] others(TableDraft draft, int member) {
        int[] stable = without(draft.stable(), member);
        return stable.length > 0
                ? stable
                : without(draft.joined().stream().mapToInt(Integer::intValue).toArray(), member);
    }

    private static int[] without(int[] members, int one) {
        int[] left = new int[members.length];
        int count = 0;
        for (int each : members) {
            if (each != one) {
                left[count++] = each;
            }
        }
        return Arrays.copyOf(left, count);
    }

    private static void spread(
            TableDraft draft, List<Integer> partitions, int[] others, boolean even) {
        int[] has = new int[NONE + 1];
        boolean[] may = new boolean[NONE + 1];
        for (int each : others) {
            may[each] = true;
        }
        // A little unevenness may stay: each change of a next owner moves copies.
        int share = others.length == 0 ? 0 : partitions.size() / others.length + 1;
        int most = even ? share + share / 10 + 1 : Integer.MAX_VALUE;
        List<Integer> open = new ArrayList<>();
        int[] all = new int[NONE + 1];
        for (int p : partitions) {
            all[draft.next(p)]++;
        }
        for (int p : partitions) {
            int next = draft.next(p);
            boolean stays = may[next] && (all[next] <= most || has[next] < share);
            if (stays) {
                has[next]++;
            } else {
                open.add(p);
            }
        }
        if (others.length == 0) {
            open.forEach(p -> draft.next(p, NONE));
            return;
        }
        int[] room = Shares.room(others, has, open.size());
        int at = 0;
        for (int p : open) {
            while (room[at] == 0) {
                at++;
            }
            room[at]--;
            draft.next(p, others[at]);
        }
    }
}
