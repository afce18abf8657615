package io.carillon.sip.guard;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Who holds things of which there are a bounded number, as connections: by source, and by how many
 * each holds, so that the source with most is found at once. As {@link Shares}, but exact, and for
 * what can be taken away again.
 *
 * <p>For one thread at a time: the owner has a lock. Bounded by what is held.
 *
 * @param <T> what is held, known by {@code equals}
 */
public final class Holders<T> {
    /** What one source holds, the oldest first. */
    private static final class Holder<T> {
        final boolean spared;
        final LinkedHashSet<T> things = new LinkedHashSet<>();

        Holder(boolean spared) {
            this.spared = spared;
        }
    }

    private final Map<Long, Holder<T>> bySource = new HashMap<>();

    /** Those that may have to give something up. */
    private final TreeMap<Integer, LinkedHashSet<Holder<T>>> byCount = new TreeMap<>();

    private int count;

    /**
     * A source takes something.
     *
     * @param source by its {@link SourceKey}
     * @param spared does it never count among those that hold most? Of a source's first thing
     */
    public void add(long source, T thing, boolean spared) {
        Holder<T> holder = bySource.computeIfAbsent(source, s -> new Holder<>(spared));
        int before = holder.things.size();
        if (holder.things.add(thing)) {
            count++;
            move(holder, before);
        }
    }

    /** It holds it no more; does nothing where it did not. */
    public void remove(long source, T thing) {
        Holder<T> holder = bySource.get(source);
        if (holder == null || !holder.things.remove(thing)) {
            return;
        }
        count--;
        move(holder, holder.things.size() + 1);
        if (holder.things.isEmpty()) {
            bySource.remove(source);
        }
    }

    private void move(Holder<T> holder, int before) {
        if (holder.spared) {
            return;
        }
        LinkedHashSet<Holder<T>> left = byCount.get(before);
        if (left != null && left.remove(holder) && left.isEmpty()) {
            byCount.remove(before);
        }
        int now = holder.things.size();
        if (now > 0) {
            byCount.computeIfAbsent(now, n -> new LinkedHashSet<>()).add(holder);
        }
    }

    /** How many a source holds. */
    public int of(long source) {
        Holder<T> holder = bySource.get(source);
        return holder == null ? 0 : holder.things.size();
    }

    /** What a source holds, the oldest first. A view, until the next change. */
    public Set<T> heldBy(long source) {
        Holder<T> holder = bySource.get(source);
        return holder == null ? Set.of() : Collections.unmodifiableSet(holder.things);
    }

    /** How many all hold. */
    public int count() {
        return count;
    }

    /** How many the source holds that holds most, spared ones apart; 0 where there is none. */
    public int most() {
        return byCount.isEmpty() ? 0 : byCount.lastKey();
    }

    /** What the source holds that holds most, the oldest first. A view, until the next change. */
    public Set<T> ofMost() {
        return byCount.isEmpty()
                ? Set.of()
                : Collections.unmodifiableSet(byCount.lastEntry().getValue().getFirst().things);
    }
}
