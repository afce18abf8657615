package io.carillon.servlet.feature.adopt;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The records whose calls nobody has asked for yet, by their ids and by their dialogs. It holds
 * those of the partitions that this node has become the owner of, until they are taken over or the
 * partition goes: no more than the records of one node, and fewer with each that is taken.
 *
 * <p>Any thread.
 */
final class RecordIndex {
    private final ConcurrentHashMap<String, KnownRecord> byId = new ConcurrentHashMap<>();

    /** A record, or a list of those that are on one dialog. */
    private final ConcurrentHashMap<Long, Object> byDialog = new ConcurrentHashMap<>();

    boolean isEmpty() {
        return byId.isEmpty();
    }

    int size() {
        return byId.size();
    }

    /** False where it is known already. */
    boolean add(KnownRecord record) {
        if (byId.putIfAbsent(record.id, record) != null) {
            return false;
        }
        for (long hash : record.dialogs) {
            byDialog.compute(hash, (same, held) -> with(held, record));
        }
        if (byId.get(record.id) != record) {
            takeOff(record); // removed meanwhile, before it was on all of its dialogs
        }
        return true;
    }

    void remove(KnownRecord record) {
        byId.remove(record.id, record);
        takeOff(record);
    }

    private void takeOff(KnownRecord record) {
        for (long hash : record.dialogs) {
            byDialog.computeIfPresent(hash, (same, held) -> without(held, record));
        }
    }

    @Nullable KnownRecord find(String id) {
        return byId.get(id);
    }

    /** Those on that dialog. */
    List<KnownRecord> on(long dialog) {
        return list(byDialog.get(dialog));
    }

    /**
     * All that are on a dialog with it, and on one with these: a request that one of them sends
     * finds the next one here.
     *
     * @param most of them at most; the first one is always there
     */
    Set<KnownRecord> chain(KnownRecord first, int most) {
        Set<KnownRecord> found = new LinkedHashSet<>();
        List<KnownRecord> open = new ArrayList<>();
        found.add(first);
        open.add(first);
        while (!open.isEmpty()) {
            for (long hash : open.removeLast().dialogs) {
                for (KnownRecord other : on(hash)) {
                    if (found.size() < most && found.add(other)) {
                        open.add(other);
                    }
                }
            }
        }
        return found;
    }

    /** The names of applications that have one. */
    Set<String> applications(Predicate<String> wanted) {
        Set<String> names = new TreeSet<>();
        for (KnownRecord record : byId.values()) {
            if (!names.contains(record.application) && wanted.test(record.application)) {
                names.add(record.application);
            }
        }
        return names;
    }

    /** Those of these partitions; one walk through all, however many partitions these are. */
    List<KnownRecord> of(BitSet partitions) {
        List<KnownRecord> found = new ArrayList<>();
        for (KnownRecord record : byId.values()) {
            if (partitions.get(record.partition)) {
                found.add(record);
            }
        }
        return found;
    }

    @SuppressWarnings("unchecked")
    private static List<KnownRecord> list(@Nullable Object held) {
        return switch (held) {
            case null -> List.of();
            case KnownRecord one -> List.of(one);
            default -> (List<KnownRecord>) held;
        };
    }

    private static Object with(@Nullable Object held, KnownRecord record) {
        if (held == null) {
            return record;
        }
        List<KnownRecord> more = new ArrayList<>(list(held));
        more.add(record);
        return List.copyOf(more);
    }

    private static @Nullable Object without(Object held, KnownRecord record) {
        List<KnownRecord> left = new ArrayList<>(list(held));
        left.remove(record);
        return left.isEmpty() ? null : left.size() == 1 ? left.getFirst() : List.copyOf(left);
    }
}
