package io.carillon.servlet.bytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a session: names and values in turn in one array, as they are few; most
 * sessions have none, and then share the empty one. Guarded by its own monitor because any thread
 * of an application may read; no application code runs under it.
 */
public final class Attributes {
    private static final Object[] NONE = {};

    private Object[] pairs = NONE;
    private int size;

    public synchronized @Nullable Object get(String name) {
        int at = find(name);
        return at < 0 ? null : there(pairs[at + 1]);
    }

    /** As {@link #get}, but what may not be there as it is kept. */
    synchronized @Nullable Object kept(String name) {
        int at = find(name);
        return at < 0 ? null : pairs[at + 1];
    }

    /** What another call has may not be there. */
    private static @Nullable Object there(Object value) {
        return value instanceof ContainerValues.Deferred later ? later.get() : value;
    }

    /** Sets the value and returns the one it replaces. */
    public synchronized @Nullable Object put(String name, Object value) {
        int at = find(name);
        if (at >= 0) {
            Object old = there(pairs[at + 1]);
            pairs[at + 1] = value;
            return old;
        }
        if (size == pairs.length) {
            pairs = Arrays.copyOf(pairs, Math.max(4, size * 2));
        }
        pairs[size] = name;
        pairs[size + 1] = value;
        size += 2;
        return null;
    }

    /** Removes the name and returns its value. */
    public synchronized @Nullable Object remove(String name) {
        int at = find(name);
        if (at < 0) {
            return null;
        }
        Object old = there(pairs[at + 1]);
        System.arraycopy(pairs, at + 2, pairs, at, size - at - 2);
        size -= 2;
        pairs[size] = "";
        pairs[size + 1] = "";
        return old;
    }

    /** The names now, in the order in which they were set. */
    public synchronized List<String> names() {
        if (size == 0) {
            return List.of();
        }
        List<String> names = new ArrayList<>(size / 2);
        for (int i = 0; i < size; i += 2) {
            names.add((String) pairs[i]);
        }
        return names;
    }

    public synchronized boolean isEmpty() {
        return size == 0;
    }

    /** Becomes like the other, which nobody changes meanwhile. */
    public synchronized void become(Attributes other) {
        pairs = other.size == 0 ? NONE : other.pairs.clone();
        size = other.size;
    }

    private int find(String name) {
        for (int i = 0; i < size; i += 2) {
            if (name.equals(pairs[i])) {
                return i;
            }
        }
        return -1;
    }
}
