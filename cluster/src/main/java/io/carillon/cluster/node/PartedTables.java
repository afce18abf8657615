package io.carillon.cluster.node;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Voters whose table is at another version than this member's, and stays so: they made something
 * else of the same changes, or do not learn what is decided. A partition may have two owners then.
 * That two versions are the same proves nothing: such tables have parted at the same version first.
 *
 * <p>One thread; {@link #now} any. One entry for each voter that differs.
 */
final class PartedTables {
    /** Who lags behind where nothing changes has caught up by then; nanoseconds. */
    static final long STILL = TimeUnit.SECONDS.toNanos(10);

    /** And while changes come it was at the same version once; nanoseconds. */
    static final long NEVER_EQUAL = TimeUnit.SECONDS.toNanos(60);

    private static final long HEARD = TimeUnit.SECONDS.toNanos(3);

    /** What both are at, since when, since when they differ, and when the voter said so last. */
    private record Told(long version, long own, long since, long differs, long at) {
        boolean apart() {
            return at - since >= STILL || at - differs >= NEVER_EQUAL;
        }

        Told again(long itsVersion, long ownVersion, long now) {
            boolean still = version == itsVersion && own == ownVersion;
            // Who is apart stays so until it is at the same version.
            long sinceThen = still || apart() ? since : now;
            return new Told(itsVersion, ownVersion, sinceThen, differs, now);
        }
    }

    private final Map<Integer, Told> told = new HashMap<>();
    private volatile Set<Integer> apart = Set.of();

    /**
     * A voter says at which version its table is.
     *
     * @param own that of ours
     */
    void heard(int voter, long version, long own, long now) {
        Told before = told.get(voter);
        if (version == own) {
            told.remove(voter);
        } else if (before != null && now - before.at <= HEARD) {
            told.put(voter, before.again(version, own, now));
        } else {
            told.put(voter, new Told(version, own, now, now, now));
        }
    }

    void tick(long now) {
        told.values().removeIf(each -> now - each.at > HEARD);
        Set<Integer> found = new TreeSet<>();
        told.forEach((voter, each) -> {
            if (each.apart()) {
                found.add(voter);
            }
        });
        if (!found.equals(apart)) {
            apart = Set.copyOf(found);
        }
    }

    /** Their numbers; empty when all is well. */
    Set<Integer> now() {
        return apart;
    }
}
