package io.carillon.cluster.table;

import java.util.List;

/**
 * What must hold behind every change: no owner, next or previous one is dead; who leaves has
 * somebody to give to; the next owner is not the owner.
 *
 * <p>Partitions are given in runs, not in turn: an event loop has the partitions of one remainder,
 * and two members that owned every second one would use every second loop.
 */
final class Settling {
    private static final int NONE = PartitionTable.NONE;

    private Settling() {}

    static void settle(TableDraft draft) {
        promote(draft);
        if (draft.stable().length > 0) {
            fill(draft);
        }
        tidy(draft);
        Successors.repair(draft);
        leave(draft);
    }

    /** The next owner takes what a dead one had; else who still has calls of it. */
    private static void promote(TableDraft draft) {
        for (int p = 0; p < draft.partitions(); p++) {
            int owner = draft.owner(p);
            if (owner == NONE || draft.living(owner)) {
                continue;
            }
            if (draft.able(draft.next(p)) && draft.next(p) != owner) {
                draft.promote(p, draft.next(p));
            } else if (draft.able(draft.previous(p))) {
                draft.promote(p, draft.previous(p));
            } else {
                draft.orphan(p);
            }
        }
    }

    /** Partitions without an owner, in runs, to the stable members; to all when none is stable. */
    static void fill(TableDraft draft) {
        int[] able = draft.stable();
        if (able.length == 0) {
            List<Integer> joined = draft.joined();
            able = joined.stream().mapToInt(Integer::intValue).toArray();
        }
        int[] owned = new int[NONE + 1];
        for (int p = 0; p < draft.partitions(); p++) {
            owned[draft.owner(p)]++;
        }
        if (able.length == 0 || owned[NONE] == 0) {
            return;
        }
        int[] room = Shares.room(able, owned, owned[NONE]);
        int at = 0;
        for (int p = 0; p < draft.partitions(); p++) {
            if (draft.owner(p) == NONE) {
                while (room[at] == 0) {
                    at++;
                }
                room[at]--;
                draft.promote(p, able[at]);
            }
        }
    }

    private static void tidy(TableDraft draft) {
        for (int p = 0; p < draft.partitions(); p++) {
            int owner = draft.owner(p);
            if (!draft.living(draft.previous(p)) || draft.previous(p) == owner) {
                draft.previous(p, NONE);
            }
            int to = draft.movingTo(p);
            if (to != NONE && (to == owner || !draft.able(to))) {
                draft.moveTo(p, NONE);
            }
        }
    }

    /** Who leaves gives to the next owner, when the hand-over before is over. */
    private static void leave(TableDraft draft) {
        for (int p = 0; p < draft.partitions(); p++) {
            if (draft.leaving(draft.owner(p))
                    && draft.movingTo(p) == NONE
                    && draft.previous(p) == NONE
                    && draft.able(draft.next(p))) {
                draft.moveTo(p, draft.next(p));
            }
        }
    }
}
